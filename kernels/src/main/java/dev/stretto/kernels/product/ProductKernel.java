package dev.stretto.kernels.product;

/** A kernel for products. */
public enum ProductKernel {
  /**
   * Warp groups ({@code wgmma}) with copies by tensor map: for compute capability 9.0 alone. Rows
   * in memory must begin at multiples of 16 bytes.
   */
  WARP_GROUPS,
  /** Warps ({@code mma.sync}): from 8.0 on, and for binary16 on 7.5. Takes any size and place. */
  TENSOR_CORES,
  /** Floats, without tensor cores: bfloat16 on 7.5. Takes any size and place. */
  FLOATS
}
