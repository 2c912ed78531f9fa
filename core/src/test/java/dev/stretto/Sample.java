package dev.stretto;

/**
 * How much is tested of what there is plenty of: seeds, random programs, mutated files. An ordinary
 * build takes a sample. With {@code -Dstretto.thorough=true}, as continuous integration sets it, a
 * build takes all.
 */
public final class Sample {
  private static final boolean THOROUGH = Boolean.getBoolean("stretto.thorough");

  private Sample() {}

  /** {@return how many to take} */
  public static int of(int sample, int all) {
    return THOROUGH ? all : sample;
  }

  /**
   * {@return how many to take}
   *
   * @param property a system property that says how many, if it is set
   */
  public static int of(String property, int sample, int all) {
    return Math.toIntExact(Long.getLong(property, of(sample, all))); // not silently another number
  }
}
