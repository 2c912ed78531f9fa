package dev.stretto.diagnosis;

/** What keeps a program from being asynchronous though it looks as if it were. */
public enum Rule {
  /**
   * A copy was demanded to go the driver's own way for ordinary memory, which blocks its caller.
   */
  AWAITED_PAGEABLE(
      1,
      "leave the route out, so that the copy is staged, or take the memory from"
          + " device.pinnedArena()"),

  /**
   * Work on the legacy default stream waited for work of a thread's default stream, or of an
   * adopted stream that was made to wait for it; or the other way round.
   */
  DEFAULT_STREAM(
      1,
      "use device.stream(), which never waits for another stream unless told to, and have other"
          + " libraries make their streams with CU_STREAM_NON_BLOCKING"),

  /**
   * A copy between devices was asked for on a default stream, where it would wait for all work of
   * both. It was refused.
   */
  PEER_ON_DEFAULT_STREAM(1, "enqueue copies between devices on a stream of device.stream()"),

  /** Device memory was allocated between enqueues, at the same place twice or more. */
  ALLOCATION(
      2,
      "allocate before the work begins, and use the arrays again and again, or allocate in the"
          + " order of a stream: stream.allocateFloats(n)"),

  /** Host memory was pinned between enqueues: by allocating it pinned, or by registering it. */
  PINNING(1, "pin memory before the work begins, and use it again and again"),

  /**
   * Host memory was unpinned between enqueues. The driver does so when the device has finished all
   * its work, and what is pinned anew costs as much as before.
   */
  UNPINNING(1, "close registrations when the work is over"),

  /** The arena of registered memory was closed with copies of it in flight, and waited for them. */
  ARENA_CLOSE(
      1, "close the registration, which does not wait, and the arena when its copies are done"),

  /** Access between devices was enabled between enqueues. */
  PEER_ACCESS(1, "enable access when the devices are opened, and keep it"),

  /** A kernel was compiled or loaded while work was in flight. */
  KERNEL_LOADING(1, "call device.prepare for every kernel before the work begins"),

  /** A stream held so many operations that the driver takes no more. */
  FULL_QUEUE(
      1,
      "enqueue fewer and larger operations, or await an event some hundred operations back now and"
          + " then"),

  /**
   * A thread waits again and again for what it has just enqueued, and nothing else is under way.
   */
  AWAIT_IN_LOOP(
      3,
      "enqueue the next round before this one is awaited, on a second stream with memory of its"
          + " own, or await once behind the loop"),

  /** Ordinary memory is copied again and again, which host threads have to stage. */
  STAGED_COPIES(
      3,
      "take memory that is copied often from device.pinnedArena(), or pin it where it lies with"
          + " device.register()"),

  /** Copies and kernels of several rounds are all on one stream, so that none hides another. */
  ONE_STREAM(3, "take turns on two or more streams, each with device and host memory of its own"),

  /** Copies in both directions are all on one stream, so that one direction of the link is idle. */
  BOTH_DIRECTIONS(3, "use one stream for each direction, and events where one needs the other"),

  /** Two streams wait for each other in turns, so that they do no more than one would. */
  STREAMS_IN_TURNS(
      3, "let a stream wait for what it needs, and for nothing behind that: record events earlier"),

  /**
   * Work whose result is for the host was started, and nobody awaited it before its device closed:
   * a flow, or a copy to host memory. Whether it succeeded, nobody knows.
   */
  NEVER_AWAITED(
      1,
      "await it, or its stream, before the device closes; a flow in a try-with-resources statement"
          + " is awaited where that ends");

  private final int least;
  private final String advice;

  Rule(int least, String advice) {
    this.least = least;
    this.advice = advice;
  }

  /** {@return how often it has to happen at the same place before it is told} */
  public int least() {
    return least;
  }

  /** {@return what to write instead, as a clause} */
  public String advice() {
    return advice;
  }
}
