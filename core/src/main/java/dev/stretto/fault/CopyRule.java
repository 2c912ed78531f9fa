package dev.stretto.fault;

/**
 * The rules for asynchronous copies that a kernel can break. Most violations are found when the
 * kernel is compiled. The others depend on values that the compiler cannot see; they are found when
 * the kernel runs on a virtual device.
 */
public enum CopyRule {
  /** A kernel uses memory that a copy is still filling, and nothing waits for the copy. */
  MISSING_WAIT("missing-wait"),
  /** A kernel waits before it uses the memory, but the wait leaves the copy's group pending. */
  WAIT_LEAVES_GROUP("wait-leaves-group"),
  /**
   * A thread uses copied data although only another thread has waited for the copy, and there is no
   * barrier between that wait and the use.
   */
  MISSING_BARRIER("missing-barrier"),
  /** A commit or an arrival stands under a branch that threads of a warp take differently. */
  DIVERGENT_COMMIT("divergent-commit"),
  /**
   * Only some of the threads that share a copy start it, or they start it with different ranges.
   */
  NOT_TOGETHER("not-together"),
  /** A copy fills memory that other threads may still read. */
  EARLY_REFILL("early-refill"),
  /**
   * Two copies, or a copy and a store, write the same memory, and neither is ordered before the
   * other.
   */
  UNORDERED_WRITES("unordered-writes"),
  /**
   * A bulk copy reads memory that threads stored to, without a proxy fence and a barrier between.
   */
  MISSING_PROXY_FENCE("missing-proxy-fence"),
  /** A thread writes shared memory that a bulk copy to global memory is still reading. */
  STORE_NOT_READ("store-not-read"),
  /** A thread reads the destination of a bulk copy after it waited only for the copy's reads. */
  READ_WAIT_ONLY("read-wait-only"),
  /** A barrier expects a different number of bytes than the copies deliver. */
  BYTE_COUNT("byte-count"),
  /** A thread uses a barrier that is not initialized, or whose initialization it cannot see yet. */
  BARRIER_NOT_INITIALIZED("barrier-not-initialized"),
  /** A barrier is initialized again while it is in use. */
  BARRIER_INITIALIZED_TWICE("barrier-initialized-twice"),
  /** A thread or a copy writes to the memory of a barrier. */
  BARRIER_OVERWRITTEN("barrier-overwritten"),
  /** More arrivals reach a barrier than its phase expects. */
  TOO_MANY_ARRIVALS("too-many-arrivals"),
  /** A thread waits for a phase that is too old: a barrier knows only two phases. */
  STALE_PHASE("stale-phase"),
  /**
   * A thread reads a stage again that it has given back, and no copy has filled the stage anew, so
   * that the data is that of an earlier turn.
   */
  STALE_STAGE("stale-stage"),
  /** A block ends while a bulk copy is still reading its shared memory. */
  EXIT_BEFORE_READ("exit-before-read"),
  /**
   * Two threads of different blocks use the same global memory, at least one of them writes, and
   * nothing orders the two accesses.
   */
  RACE("race"),
  /** An address or a number of bytes is not a multiple of the alignment that the copy needs. */
  MISALIGNED("misaligned"),
  /** A number is out of an instruction's range. */
  OUT_OF_RANGE("out-of-range");

  private final String title;

  CopyRule(String title) {
    this.title = title;
  }

  /** {@return the rule's name in reports} */
  public String title() {
    return title;
  }
}
