package dev.stretto.kernel;

/**
 * Where a byte lies that would lie elsewhere without a swizzle: boxes of tensors come to shared
 * memory so ({@link dev.stretto.memory.TensorMap.Swizzle}), and products of matrices read them so
 * ({@link Wgmma}). Pieces of 16 bytes change places, so that the rows of a column of pieces lie in
 * different banks. A swizzle is its own inverse; it counts bytes from a multiple of 1024.
 */
public final class Swizzle {
  private Swizzle() {}

  /**
   * {@return where a byte lies with pieces that change places within 128 bytes: bits 4 to 6 of its
   * place are changed by bits 7 to 9}
   *
   * @param at its place without a swizzle
   */
  public static int bytes128(int at) {
    return at ^ (at >> 3 & 0x70);
  }

  /**
   * {@return where a byte lies with pieces that change places within 64 bytes: bits 4 and 5 of its
   * place are changed by bits 7 and 8}
   *
   * @param at its place without a swizzle
   */
  public static int bytes64(int at) {
    return at ^ (at >> 3 & 0x30);
  }

  /**
   * {@return where a byte lies with pieces that change places within 32 bytes: bit 4 of its place
   * is changed by bit 7}
   *
   * @param at its place without a swizzle
   */
  public static int bytes32(int at) {
    return at ^ (at >> 3 & 0x10);
  }
}
