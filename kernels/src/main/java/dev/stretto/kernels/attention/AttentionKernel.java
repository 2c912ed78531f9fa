package dev.stretto.kernels.attention;

/** The kernels among which {@link Attention} chooses. */
public enum AttentionKernel {
  /**
   * Warp groups of compute capability 9.0 multiply ({@code wgmma}) what a producer warp copies by
   * tensor maps (TMA).
   */
  WARP_GROUPS,
  /** Warps multiply on tensor cores by {@code mma.sync}; rows come by {@code cp.async}. */
  TENSOR_CORES,
  /** Floats: for bfloat16 numbers on devices whose tensor cores do not take them. */
  FLOATS
}
