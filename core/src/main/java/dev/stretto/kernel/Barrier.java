package dev.stretto.kernel;

import dev.stretto.memory.GlobalArray;

/**
 * A barrier object of a block: threads and asynchronous copies arrive, threads wait, and a thread
 * may do other work between arriving and waiting. The equivalent of {@code
 * cuda::barrier<cuda::thread_scope_block>} in shared memory in CUDA C++.
 *
 * <p>A barrier goes from phase to phase. A phase ends when the barrier has received its number of
 * arrivals, and all bytes of the copies that were begun on it. Then the next phase begins. A thread
 * that waits for a phase sees the writes that others made before they arrived in it, and the bytes
 * that the copies brought.
 *
 * <p>A copy belongs to the phase that is current when the copy begins. That phase must not end
 * before the call has returned in a thread that makes it: so the barrier must expect an arrival of
 * such a thread, or of a thread that another barrier orders after it. This always holds if every
 * thread of the block arrives itself ({@link ThreadBlock#barrier()}). At any other barrier, one
 * thread may arrive for all threads that begin a copy together: these meet before the call returns,
 * as at {@link ThreadBlock#sync()} or {@link Warp#sync()}.
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
   * Creates a barrier.
   *
   * @param ofAll whether every thread of the block arrives itself in each phase
   * @param clustered whether other blocks of the cluster arrive too
   * @param bulkOnly whether copies that complete on it must be bulk copies
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
   * {@return the same barrier, restricted to bulk copies: a kernel whose {@code memcpyAsync} on it
   * would become anything else does not compile} Threads still copy a remainder after whole pieces
   * of 16 bytes themselves.
   */
  public Barrier requireBulk() {
    return new Barrier(capability, words, index, ofAll, clustered, true);
  }

  /**
   * {@return the array that holds the barrier object, for the instructions of {@link PtxBarriers}}
   */
  public SharedLongs words() {
    return words;
  }

  /** {@return the index of the barrier in {@link #words()}} */
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
   * Arrives at the same barrier of another block of the cluster, without waiting. The barrier must
   * have been made for {@link Scope#CLUSTER}.
   *
   * @param block the rank of the block in the cluster
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
   * Makes the current phase wait for additional bytes, and arrives. For bulk copies that a kernel
   * begins itself; {@code memcpyAsync} counts its own bytes. Needs compute capability 9.0.
   *
   * @param bytes how many, 0 to {@link PtxBarriers#MOST}
   * @return the phase in which it arrived
   */
  public long arriveExpecting(int bytes) {
    return PtxBarriers.mbarrierArriveExpectTx(words, index, bytes);
  }

  /**
   * Makes the current phase wait for additional bytes. Needs compute capability 9.0.
   *
   * @param bytes how many, 0 to {@link PtxBarriers#MOST}
   */
  public void expectBytes(int bytes) {
    PtxBarriers.mbarrierExpectTx(words, index, bytes);
  }

  /**
   * Waits until a phase has ended.
   *
   * @param phase the current phase or the one before, as {@link #arrive()} returned it
   */
  public void waitFor(long phase) {
    if (clustered) {
      while (!PtxClusters.mbarrierTryWaitAcquireCluster(words, index, phase)) {
        // The wait has timed out on the device; try again.
      }
    } else if (capability >= 90) {
      while (!PtxBarriers.mbarrierTryWait(words, index, phase)) {
        // The wait has timed out on the device; try again.
      }
    } else {
      while (!PtxBarriers.mbarrierTestWait(words, index, phase)) {
        // Polls; this target has no instruction that waits.
      }
    }
  }

  /**
   * Waits until a phase has ended, but not much longer than a given time. The equivalent of {@code
   * barrier::try_wait_for} in CUDA C++.
   *
   * <p>On a virtual device time passes when no thread of the cluster can do anything else, or all
   * those that can only look for what others do; with a seed, it may also pass before anything else
   * happens. Threads that wait in vain for the same phase again and again, more than ten thousand
   * times, while no other can do anything, count as a deadlock.
   *
   * @param phase the current phase or the one before, as {@link #arrive()} returned it
   * @param nanoseconds how long, 0 or more
   * @return whether the phase has ended; if not, the time has passed
   * @throws IllegalArgumentException on a virtual device, if the time is negative
   */
  public boolean waitFor(long phase, @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    if (clustered) {
      return TimedBarrierWaits.mbarrierTryWaitForCluster(words, index, phase, nanoseconds);
    }
    return capability >= 90
        ? TimedBarrierWaits.mbarrierTryWaitFor(words, index, phase, nanoseconds)
        : TimedBarrierWaits.mbarrierTestWaitFor(words, index, phase, nanoseconds);
  }

  /**
   * {@return whether a phase has ended} Does not wait.
   *
   * @param phase the current phase or the one before, as {@link #arrive()} returned it
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
        // The wait has timed out on the device; try again.
      }
    } else {
      awaitParity(capability, words, index, parity);
    }
  }

  /**
   * Waits until the phase of a parity has ended, the current one or the one before, but not much
   * longer than a given time. The equivalent of {@code barrier::try_wait_parity_for} in CUDA C++;
   * on a virtual device time passes as for {@link #waitFor(long, int)}.
   *
   * @param parity 0 for the first phase, 1 for the second, 0 for the third and so on
   * @param nanoseconds how long, 0 or more
   * @return whether the phase has ended; if not, the time has passed
   * @throws IllegalArgumentException on a virtual device, if the time is negative
   */
  public boolean waitForParity(int parity, @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    if (clustered) {
      return TimedBarrierWaits.mbarrierTryWaitParityForCluster(words, index, parity, nanoseconds);
    }
    return capability >= 90
        ? TimedBarrierWaits.mbarrierTryWaitParityFor(words, index, parity, nanoseconds)
        : TimedBarrierWaits.mbarrierTestWaitParityFor(words, index, parity, nanoseconds);
  }

  /**
   * {@return whether the phase of a parity has ended, the current one or the one before} Does not
   * wait.
   *
   * @param parity 0 for the first phase, 1 for the second, 0 for the third and so on
   */
  public boolean hasParityEnded(int parity) {
    return clustered
        ? PtxClusterBarriers.mbarrierTestWaitParityAcquireCluster(words, index, parity)
        : PtxBarriers.mbarrierTestWaitParity(words, index, parity);
  }

  static void awaitParity(int capability, SharedLongs words, int index, int parity) {
    if (capability >= 90) {
      while (!PtxBarriers.mbarrierTryWaitParity(words, index, parity)) {
        // The wait has timed out on the device; try again.
      }
    } else {
      while (!PtxBarriers.mbarrierTestWaitParity(words, index, parity)) {
        // Polls; this target has no instruction that waits.
      }
    }
  }

  /** Arrives and waits until the phase has ended. */
  public void arriveAndWait() {
    waitFor(arrive());
  }

  /** Arrives for the last time: later phases need one arrival fewer. For threads that leave. */
  public void arriveAndDrop() {
    PtxBarriers.mbarrierArriveDrop(words, index);
  }

  /**
   * Invalidates the barrier; no thread may be waiting on it. Its memory is not used for another
   * barrier unless the kernel does so itself.
   */
  public void invalidate() {
    PtxBarriers.mbarrierInval(words, index);
  }

  /**
   * Whether threads that begin a copy together must meet before one of them may arrive for all:
   * what each of them does itself, including making the barrier count bytes, must come before that
   * arrival.
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
