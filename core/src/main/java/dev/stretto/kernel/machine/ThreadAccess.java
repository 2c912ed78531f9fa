package dev.stretto.kernel.machine;

/** What a thread does to memory. */
enum ThreadAccess {
  READ,
  WRITE,
  /** A load by an atomic operation. */
  LOAD,
  /** Any other atomic operation. */
  UPDATE;

  boolean isAtomic() {
    return this == LOAD || this == UPDATE;
  }

  boolean writes() {
    return this == WRITE || this == UPDATE;
  }

  /** {@return the verb for it, in reports} */
  String does() {
    return switch (this) {
      case READ -> "reads";
      case WRITE -> "writes";
      case LOAD -> "loads atomically";
      case UPDATE -> "changes atomically";
    };
  }
}
