package dev.stretto.kernel;

/** What a kernel does with an argument that is memory: an array or a tensor map. */
public enum ArgumentUse {
  /** Nothing, or it is a number. */
  NONE,
  /** Reads it. */
  READ,
  /** Writes it. */
  WRITTEN,
  /** Reads and writes it. */
  READ_AND_WRITTEN;

  static ArgumentUse of(boolean isRead, boolean isWritten) {
    return values()[(isRead ? 1 : 0) + (isWritten ? 2 : 0)];
  }

  boolean isRead() {
    return this == READ || this == READ_AND_WRITTEN;
  }

  boolean isWritten() {
    return this == WRITTEN || this == READ_AND_WRITTEN;
  }
}
