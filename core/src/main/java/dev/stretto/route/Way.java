package dev.stretto.route;

/** The way that a copy takes, and why; {@code dev.stretto.Route} says it in words. */
public enum Way {
  /** One asynchronous driver copy between pinned host memory and the device. */
  DIRECT,
  /** The same, in one call of the driver with other copies of a batch. */
  DIRECT_IN_BATCH(DIRECT),
  /** Ordinary host memory, which pump threads move through pinned buffers. */
  STAGED,
  /** The same, of few bytes that only the calling thread may read, so it has put them aside. */
  ASIDE(STAGED),
  /** The same, of bytes that had to be read during the call. */
  READ_AT_CALL(STAGED),
  /** A small copy of ordinary host memory, which the calling thread moves. */
  INLINE,
  /** Within one device. */
  LOCAL,
  /** The same, in one call of the driver with other copies of a batch. */
  LOCAL_IN_BATCH(LOCAL),
  /** From device to device over the link between them. */
  PEER,
  /** Between devices without access to each other, through pinned buffers. */
  PEER_STAGED,
  /** The same through the driver's own buffers, on demand. */
  PEER_BY_DRIVER,
  /** The same, since no host memory could be pinned. */
  PEER_WITHOUT_SLOTS(PEER_BY_DRIVER),
  /** Between devices of different drivers, through ordinary host memory. */
  STRANGER_STAGED,
  /** From host memory to host memory. */
  HOST,
  /** The driver's own way for ordinary host memory, on demand; its caller waits. */
  AWAITED_PAGEABLE;

  private final Way kind;

  Way() {
    this.kind = this;
  }

  Way(Way kind) {
    this.kind = kind;
  }

  /** {@return the way without its reason: one that a program can demand} */
  public Way kind() {
    return kind;
  }
}
