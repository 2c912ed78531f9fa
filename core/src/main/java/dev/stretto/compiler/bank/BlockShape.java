package dev.stretto.compiler.bank;

/**
 * The threads of a block, as far as they are known.
 *
 * @param x threads in x; 0 if the shape is not known
 * @param y threads in y
 * @param z threads in z
 */
public record BlockShape(int x, int y, int z) {
  /** Nothing is known. */
  public static final BlockShape UNKNOWN = new BlockShape(0, 0, 0);

  /** {@return whether it is known} */
  public boolean isKnown() {
    return x > 0;
  }

  /** {@return how many threads it has; 0 if it is not known} */
  public int threads() {
    return x * y * z;
  }
}
