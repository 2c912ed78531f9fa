package dev.stretto.kernel;

import dev.stretto.memory.GlobalArray;

/**
 * A barrier object of a block: threads and asynchronous copies arrive, threads wait, and arriving
 * and waiting may be two steps with other work between. What CUDA C++ calls {@code
 * cuda::barrier<cuda::thread_scope_block>} in shared memory.
 *
 * <p>A barrier goes from phase to phase. One ends when as many arrivals as the barrier was made for
 * have come, and all bytes of the copies that were begun on it. Then the next one begins. A thread
 * that waits for a phase sees what others did before they arrived in it, and what the copies
 * brought.
 *
 * <p>A copy belongs to the phase that goes on when it is begun, and that phase must not end before
 * the call has returned in a thread that makes it: the barrier has to wait for an arrival of such a
 * thread, or of one that comes behind it by another barrier. Where every thread of the block
 * arrives itself ({@link ThreadBlock#barrier()}) that is always so. At any other barrier one thread
 * may arrive for all that begin a copy together: they meet before the call returns, as by {@link
 * ThreadBlock#sync()} or {@link Warp#sync()}.
 *
 * <p>{@link ThreadBlock#barrier()} makes one. Objects of this class are values that live in
 * registers; the barrier itself is 8 bytes of shared memory. CUDA programming guide, "Asynchronous
 * Barriers".
 */
public final class Barrier {
  private final int capability;
  private final SharedLongs words;
  private final int index;
  private final boolean ofAll;
  private final boolean clustered;
  private final boolean bulkOnly;

  /**
   * A barrier.
   *
   * @param ofAll whether every thread of the block arrives itself in each phase
   * @param clustered whether other blocks of the cluster arrive too
   * @param bulkOnly whether copies that complete on it have to be bulk copies
   */
  Barrier(
      int capability,
      SharedLongs words,
      int index,
      boolean ofAll,
      boolean clustered,
      boolean bulkOnly) {
    this.capability = capability;
    this.words = words;
    this.index = index;
    this.ofAll = ofAll;
    this.clustered = clustered;
    this.bulkOnly = bulkOnly;
  }

  /**
   * {@return the same barrier, on which only bulk copies complete: a kernel whose {@code
   * memcpyAsync} would become something else with it does not compile; what is left over behind
   * whole pieces of 16 bytes threads copy themselves all the same}
   */
  public Barrier requireBulk() {
    return new Barrier(capability, words, index, ofAll, clustered, true);
  }

  /** {@return what has the barrier object, for the instructions of {@link PtxBarriers}} */
  public SharedLongs words() {
    return words;
  }

  /** {@return which element of {@link #words()} it is} */
  public int index() {
    return index;
  }

  /**
   * Arrives, without waiting.
   *
   * @return the phase in which it arrived, for {@link #waitFor}
   */
  public long arrive() {
    return PtxBarriers.mbarrierArrive(words, index);
  }

  /**
   * Arrives at the same barrier of another block of the cluster, without waiting. The barrier has
   * to have been made for {@link Scope#CLUSTER}.
   *
   * @param block which block of the cluster
   */
  public void arriveAt(int block) {
    PtxClusters.mbarrierArriveAt(words, index, block);
  }

  /**
   * Arrives several times.
   *
   * @param count how often, 1 or more
   * @return the phase in which it arrived
   */
  public long arrive(int count) {
    CopyPromises.arrivals(count);
    if (capability >= 90) {
      return PtxBarriers.mbarrierArrive(words, index, count);
    }
    if (count > 1) {
      PtxBarriers.mbarrierArriveNoComplete(words, index, count - 1);
    }
    return PtxBarriers.mbarrierArrive(words, index);
  }

  /**
   * Has the current phase wait for so many bytes more, and arrives. For bulk copies that one begins
   * oneself; {@code memcpyAsync} counts its own. Needs compute capability 9.0.
   *
   * @param bytes how many, 0 to {@link PtxBarriers#MOST}
   * @return the phase in which it arrived
   */
  public long arriveExpecting(int bytes) {
    return PtxBarriers.mbarrierArriveExpectTx(words, index, bytes);
  }

  /**
   * Has the current phase wait for so many bytes more. Needs compute capability 9.0.
   *
   * @param bytes how many, 0 to {@link PtxBarriers#MOST}
   */
  public void expectBytes(int bytes) {
    PtxBarriers.mbarrierExpectTx(words, index, bytes);
  }

  /**
   * Waits until a phase has ended.
   *
   * @param phase the current one or the one before, as {@link #arrive()} returned it
   */
  public void waitFor(long phase) {
    if (clustered) {
      while (!PtxClusters.mbarrierTryWaitAcquireCluster(words, index, phase)) {
        // The device has given up for a moment.
      }
    } else if (capability >= 90) {
      while (!PtxBarriers.mbarrierTryWait(words, index, phase)) {
        // The device has given up for a moment.
      }
    } else {
      while (!PtxBarriers.mbarrierTestWait(words, index, phase)) {
        // Asking is all that there is.
      }
    }
  }

  /**
   * {@return whether a phase has ended} Does not wait.
   *
   * @param phase the current one or the one before, as {@link #arrive()} returned it
   */
  public boolean hasEnded(long phase) {
    return clustered
        ? PtxClusters.mbarrierTestWaitAcquireCluster(words, index, phase)
        : PtxBarriers.mbarrierTestWait(words, index, phase);
  }

  /**
   * Waits until the phase of a parity has ended: the current one or the one before.
   *
   * @param parity 0 for the first phase, 1 for the second, 0 for the third and so on
   */
  public void waitForParity(int parity) {
    if (clustered) {
      while (!PtxClusters.mbarrierTryWaitParityAcquireCluster(words, index, parity)) {
        // The device has given up for a moment.
      }
    } else {
      awaitParity(capability, words, index, parity);
    }
  }

  static void awaitParity(int capability, SharedLongs words, int index, int parity) {
    if (capability >= 90) {
      while (!PtxBarriers.mbarrierTryWaitParity(words, index, parity)) {
        // The device has given up for a moment.
      }
    } else {
      while (!PtxBarriers.mbarrierTestWaitParity(words, index, parity)) {
        // Asking is all that there is.
      }
    }
  }

  /** Arrives and waits until the phase has ended. */
  public void arriveAndWait() {
    waitFor(arrive());
  }

  /** Arrives for the last time: later phases have one arrival less. For threads that leave. */
  public void arriveAndDrop() {
    PtxBarriers.mbarrierArriveDrop(words, index);
  }

  /**
   * Ends the barrier; nobody may be waiting there. Its memory is not used for another one unless
   * the kernel does so itself.
   */
  public void invalidate() {
    PtxBarriers.mbarrierInval(words, index);
  }

  /**
   * Whether threads that begin a copy together have to meet before one of them may arrive for all:
   * what each does itself, be it that it has the barrier count bytes, has to come before that.
   */
  boolean isArrivedAtForOthers() {
    return !ofAll;
  }

  /** One thread's part of a copy that some threads do together. */
  void copy(
      int rank,
      int threads,
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      int alignment) {
    CopyLowering.toShared(
        capability,
        rank,
        threads,
        to,
        toIndex,
        from,
        fromIndex,
        count,
        alignment,
        CopyLowering.BARRIER,
        bulkOnly,
        words,
        index);
  }
}
