package dev.stretto.kernel.machine;

import org.jspecify.annotations.Nullable;

/** A part of memory: what was done last to each group of bytes. */
final class GlobalPage {
  /** The logarithm of the number of bytes of a page. */
  static final int BITS = 12;

  static final int BYTES = 1 << BITS;

  /** The logarithm of the bytes of a group: all accesses begin and end with groups. */
  int unit = 2;

  @Nullable GlobalAccess[] writes = new GlobalAccess[BYTES >> unit];
  @Nullable Object[] others = new Object[BYTES >> unit];

  void refine(int to) {
    @Nullable GlobalAccess[] finer = new GlobalAccess[BYTES >> to];
    @Nullable Object[] finerOthers = new Object[BYTES >> to];
    for (int i = 0; i < finer.length; i++) {
      finer[i] = writes[i >> (unit - to)];
      Object all = others[i >> (unit - to)];
      finerOthers[i] = all instanceof GlobalAccess[] some ? some.clone() : all;
    }
    writes = finer;
    others = finerOthers;
    unit = to;
  }
}
