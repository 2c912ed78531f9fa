package dev.stretto.fault;

/**
 * What a kernel can get wrong about asynchronous copies: found when it is compiled or, what depends
 * on more than can be seen there, when it runs on a virtual device.
 */
public enum CopyRule {
  /** Memory is used that a copy still fills, and nothing waits for the copy. */
  MISSING_WAIT("missing-wait"),
  /** The wait before leaves the copy's group pending. */
  WAIT_LEAVES_GROUP("wait-leaves-group"),
  /** Only the thread that waited for the copy may use what it brought: others need a barrier. */
  MISSING_BARRIER("missing-barrier"),
  /** A commit or an arrival under a branch that threads of a warp take differently. */
  DIVERGENT_COMMIT("divergent-commit"),
  /** A copy that threads share is begun by some of them only, or by each for another range. */
  NOT_TOGETHER("not-together"),
  /** A copy fills memory that other threads may still read. */
  EARLY_REFILL("early-refill"),
  /** Two copies, or a copy and a store, write the same memory in no order. */
  UNORDERED_WRITES("unordered-writes"),
  /** A bulk copy reads what threads stored, without a proxy fence and a barrier between. */
  MISSING_PROXY_FENCE("missing-proxy-fence"),
  /** Shared memory is written that a bulk copy to global memory still reads. */
  STORE_NOT_READ("store-not-read"),
  /** What a bulk copy writes is read after a wait for its reads only. */
  READ_WAIT_ONLY("read-wait-only"),
  /** A barrier expects other numbers of bytes than copies bring. */
  BYTE_COUNT("byte-count"),
  /** A barrier is used that is not initialized, or not yet for the thread that uses it. */
  BARRIER_NOT_INITIALIZED("barrier-not-initialized"),
  /** A barrier is initialized again while it is in use. */
  BARRIER_INITIALIZED_TWICE("barrier-initialized-twice"),
  /** More arrivals come to a barrier than a phase has. */
  TOO_MANY_ARRIVALS("too-many-arrivals"),
  /** A thread waits for a phase that is no longer one of the two that a barrier knows. */
  STALE_PHASE("stale-phase"),
  /** A block ends while a bulk copy still reads its shared memory. */
  EXIT_BEFORE_READ("exit-before-read"),
  /** An address or a number of bytes is not a multiple of what the copy needs. */
  MISALIGNED("misaligned"),
  /** A number is out of an instruction's range. */
  OUT_OF_RANGE("out-of-range");

  private final String title;

  CopyRule(String title) {
    this.title = title;
  }

  /** {@return its name, as reports have it} */
  public String title() {
    return title;
  }
}
