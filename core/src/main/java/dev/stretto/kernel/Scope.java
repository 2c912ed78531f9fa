package dev.stretto.kernel;

/**
 * Among which threads an atomic operation or a fence is one. The narrower, the cheaper; a scope
 * that leaves out a thread which takes part is a race.
 */
public enum Scope {
  /** The threads of the block. */
  BLOCK,

  /** The threads of the cluster of blocks; needs compute capability 9.0. */
  CLUSTER,

  /** All threads of the device. */
  DEVICE,

  /** All threads of all devices, and of the host. */
  SYSTEM
}
