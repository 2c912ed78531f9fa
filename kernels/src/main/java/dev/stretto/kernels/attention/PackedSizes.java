package dev.stretto.kernels.attention;

/**
 * What the kernel of warp groups has to know of packed sequences; nothing where there are none.
 *
 * @param sequences how many
 * @param headDim numbers in a row of O
 * @param ofRows where the rows of O are
 */
record PackedSizes(int sequences, int headDim, Places ofRows) {
  static PackedSizes none() {
    return new PackedSizes(0, 0, new Places(0, 0, 0));
  }
}
