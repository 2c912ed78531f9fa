package dev.stretto.kernel;

/**
 * Computes where bytes lie in swizzled shared memory: boxes of tensors arrive swizzled ({@link
 * dev.stretto.memory.TensorMap.Swizzle}), and matrix products read them swizzled ({@link Wgmma}).
 * Pieces of 16 bytes are exchanged, so that the rows of a column of pieces lie in different banks.
 * A swizzle is its own inverse; positions count bytes from a multiple of 1024.
 */
public final class Swizzle {
  private Swizzle() {}

  /**
   * {@return the position of a byte when pieces are exchanged within 128 bytes: bits 7 to 9 of the
   * position change bits 4 to 6}
   *
   * @param at its position without a swizzle
   */
  public static int bytes128(int at) {
    return at ^ (at >> 3 & 0x70);
  }

  /**
   * {@return the position of a byte when pieces are exchanged within 64 bytes: bits 7 and 8 of the
   * position change bits 4 and 5}
   *
   * @param at its position without a swizzle
   */
  public static int bytes64(int at) {
    return at ^ (at >> 3 & 0x30);
  }

  /**
   * {@return the position of a byte when pieces are exchanged within 32 bytes: bit 7 of the
   * position changes bit 4}
   *
   * @param at its position without a swizzle
   */
  public static int bytes32(int at) {
    return at ^ (at >> 3 & 0x10);
  }
}
