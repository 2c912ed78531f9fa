package dev.stretto.kernels.product;

/**
 * What is done to each element of a product, after the bias is added and before the element is
 * rounded: computed with floats, off by a few units in their last place.
 */
public enum Activation {
  /** {@code x}. */
  NONE,
  /** {@code max(x, 0)}. */
  RELU,
  /**
   * {@code x / (1 + exp(-2u))} with {@code u = sqrt(2 / pi) * (x + 0.044715 * x^3)}, which is
   * {@code x / 2 * (1 + tanh(u))}: what cuBLASLt's {@code CUBLASLT_EPILOGUE_GELU} and PyTorch's
   * {@code gelu(approximate="tanh")} compute.
   */
  GELU,
  /** {@code x / (1 + exp(-x))}, also known as swish. */
  SILU
}
