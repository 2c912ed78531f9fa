package dev.stretto.compiler.reach;

/** What an access to memory does. */
public enum AccessKind {
  /** Reads. */
  READ,
  /** Writes. */
  WRITE,
  /** Reads in one step that other such steps cannot divide. */
  ATOMIC_READ,
  /** The same, and writes or does both. */
  ATOMIC
}
