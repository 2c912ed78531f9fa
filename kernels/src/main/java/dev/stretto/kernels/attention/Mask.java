package dev.stretto.kernels.attention;

/**
 * Which keys a query sees: those from {@code before} places before its own to {@code after} places
 * behind it. Query i's own place among the keys is {@code i + keys - queries}.
 *
 * @param before 0 or more; {@link #ALL} for no limit
 * @param after 0 or more; {@link #ALL} for no limit
 */
record Mask(int before, int after) {
  static final int ALL = Integer.MAX_VALUE;

  static Mask none() {
    return new Mask(ALL, ALL);
  }

  boolean beginsLate() {
    return before != ALL;
  }

  boolean endsEarly() {
    return after != ALL;
  }

  /** Query i sees the keys up to {@code i + later}. */
  int later(int queries, int keys) {
    return keys - queries + Math.min(after, queries + keys);
  }

  /** Query i sees the keys from {@code i + earlier} on. */
  int earlier(int queries, int keys) {
    return keys - queries - Math.min(before, queries + keys);
  }

  /** The bits of a {@link Variant}. */
  int bits() {
    return (endsEarly() ? Variant.ENDS_EARLY : 0) + (beginsLate() ? Variant.BEGINS_LATE : 0);
  }
}
