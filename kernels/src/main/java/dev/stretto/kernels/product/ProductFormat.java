package dev.stretto.kernels.product;

/** The numbers of the matrices of a product. Sums are floats with both. */
public enum ProductFormat {
  /** Bfloat16: the upper half of a float. */
  BFLOAT16,
  /** IEEE binary16, CUDA's {@code half}. */
  BINARY16
}
