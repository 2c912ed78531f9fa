package dev.stretto.kernel;

/**
 * The threads among which an atomic operation or a fence takes effect. A narrower scope is cheaper;
 * a scope that leaves out a participating thread is a race.
 */
public enum Scope {
  /** The threads of the block. */
  BLOCK,

  /** The threads of the cluster of blocks; needs compute capability 9.0. */
  CLUSTER,

  /** All threads of the device. */
  DEVICE,

  /** All threads of all devices, and of the host. */
  SYSTEM;

  /** Whether threads of other clusters are among them. */
  boolean isWide() {
    return this != BLOCK && this != CLUSTER;
  }
}
