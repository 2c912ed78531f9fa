package dev.stretto.diagnosis;

/** Reasons why a program that looks asynchronous is not. */
public enum Rule {
  /**
   * The program demanded that a copy take the driver's own pageable route, which blocks the caller.
   */
  AWAITED_PAGEABLE(
      1,
      "leave the route out, so that the copy is staged, or take the memory from"
          + " device.pinnedArena()"),

  /**
   * Work on the legacy default stream waited for work on a thread's default stream, or on an
   * adopted stream that synchronizes with it; or the other way round.
   */
  DEFAULT_STREAM(
      1,
      "use device.stream(), which waits for another stream only when the program asks it to, and"
          + " have other libraries create their streams with CU_STREAM_NON_BLOCKING"),

  /**
   * A copy between devices on a default stream was refused: it would have waited for all work of
   * both devices.
   */
  PEER_ON_DEFAULT_STREAM(1, "enqueue copies between devices on a stream of device.stream()"),

  /** Device memory was allocated between enqueues, at least twice at the same place. */
  ALLOCATION(
      2,
      "allocate before the work begins and reuse the arrays, or allocate in stream order:"
          + " stream.allocateFloats(n)"),

  /** Host memory was pinned between enqueues, by allocating or by registering it. */
  PINNING(1, "pin memory before the work begins, and reuse it"),

  /**
   * Host memory was unpinned between enqueues. The driver unpins only after the device has finished
   * all its work, and pinning the memory again costs as much as before.
   */
  UNPINNING(1, "close registrations when the work is over"),

  /**
   * The arena of registered memory was closed while copies of it were in flight, and waited for
   * them.
   */
  ARENA_CLOSE(
      1,
      "close the registration, which does not wait, and close the arena when its copies are done"),

  /**
   * A copy to the host went to write-combined memory, or a copy on the host read it: the host reads
   * such memory without its caches.
   */
  WRITE_COMBINED_READ(
      1,
      "read from memory of device.pinnedArena(), and keep device.writeCombinedArena() for what the"
          + " host only writes"),

  /** Access between devices was enabled between enqueues. */
  PEER_ACCESS(1, "enable access when the devices are opened, and keep it"),

  /** A kernel was compiled or loaded while work was in flight. */
  KERNEL_LOADING(1, "call device.prepare for every kernel before the work begins"),

  /** A stream held so many operations that the driver took no more. */
  FULL_QUEUE(
      1,
      "enqueue fewer and larger operations, or now and then await an event some hundred operations"
          + " back"),

  /**
   * A thread waited again and again for the operation that it had just enqueued, with nothing else
   * in flight.
   */
  AWAIT_IN_LOOP(
      3,
      "enqueue the next round before this one is awaited, on a second stream with memory of its"
          + " own, or await once after the loop"),

  /** Ordinary memory was copied again and again, and host threads had to stage each copy. */
  STAGED_COPIES(
      3,
      "allocate memory that is copied often from device.pinnedArena(), or pin it in place with"
          + " device.register()"),

  /**
   * Copies and kernels of several rounds were all on one stream, so that none overlapped another.
   */
  ONE_STREAM(
      3, "alternate between two or more streams, each with device and host memory of its own"),

  /**
   * Copies in both directions were all on one stream, so that one direction of the link was always
   * idle.
   */
  BOTH_DIRECTIONS(3, "use one stream for each direction, and events where one needs the other"),

  /** Two streams waited for each other in turns, so that they did no more than one stream would. */
  STREAMS_IN_TURNS(
      3, "let a stream wait for what it needs, and for nothing after that: record events earlier"),

  /**
   * A device was closed although nobody had awaited a flow, or a copy to host memory, that was
   * started on it. The program cannot know whether that work succeeded.
   */
  NEVER_AWAITED(
      1,
      "await it, or its stream, before the device closes; a try-with-resources statement awaits a"
          + " flow at its end");

  private final int least;
  private final String advice;

  Rule(int least, String advice) {
    this.least = least;
    this.advice = advice;
  }

  /** {@return how often it has to happen at the same place before it is reported} */
  public int least() {
    return least;
  }

  /** {@return what to write instead, as a clause} */
  public String advice() {
    return advice;
  }
}
