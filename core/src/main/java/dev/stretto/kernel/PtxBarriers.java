package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.Mbarrier;

/**
 * The {@code mbarrier} instructions of PTX: barrier objects in shared memory, 8 bytes each, on
 * which threads and asynchronous copies arrive and threads wait. As in {@link Ptx}, there is one
 * method for each instruction. {@link Barrier} is written with them.
 *
 * <p>A barrier is an element of a {@link SharedLongs} that nothing else reads or writes between
 * {@link #mbarrierInit} and {@link #mbarrierInval}. It goes from phase to phase: a phase ends when
 * the barrier has received its number of arrivals and all expected bytes. Phases alternate between
 * parity 0, that of the first phase, and parity 1. A thread that waits for a phase sees what other
 * threads wrote before they arrived in it.
 *
 * <p>A virtual device throws {@link IllegalStateException} for a barrier that is not initialized,
 * for one that another thread has initialized without a barrier such as {@link ThreadBlock#sync()}
 * since, for one that is initialized twice, for more arrivals than a phase has, and for waiting on
 * a phase that is two phases old; and {@link IllegalArgumentException} for numbers out of range.
 * There, copies that a barrier counts happen when a thread waits for a phase that lacks nothing
 * else.
 *
 * <p>Compute capability 7.5 has no {@code mbarrier}. There, methods that do not need 9.0 do the
 * same by atomic operations on the 8 bytes, as libcu++ does, and waiting is asking again and again.
 *
 * <p>PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
 */
public final class PtxBarriers {
  /** The most arrivals that a phase can have, {@value}, and also the most bytes. */
  public static final int MOST = Mbarrier.MOST;

  private PtxBarriers() {}

  private static Mbarrier at(String what, SharedLongs barriers, int index) {
    return DeviceThread.current(what).mbarriers().at(what, barriers.span(), index);
  }

  // --- life
  // -----------------------------------------------------------------------------------------------------------

  /**
   * {@code mbarrier.init}: makes a barrier. One thread calls this; others may use the barrier after
   * {@link ThreadBlock#sync()}.
   *
   * @param barriers the array that holds it
   * @param index of the barrier in the array
   * @param count how many arrivals end a phase, 1 to {@link #MOST}
   */
  @Instruction(value = "mbarrier.init.shared.b64 [$0[1]], $2;", sm = 80, on75 = Turing.MAKE_BARRIER)
  public static void mbarrierInit(
      SharedLongs barriers, int index, @InRange(from = 1, to = MOST) int count) {
    DeviceThread.current("mbarrierInit").mbarriers().init(barriers.span(), index, count);
  }

  /**
   * {@link #mbarrierInit} at a place of the library's own that a kernel may reach again: in a loop,
   * or after {@link Pipeline#quit()}. All threads must have finished with the previous barrier
   * there, and the calling thread must know that. As in libcu++, nothing invalidates the previous
   * barrier, since there is no way to know whether there was one.
   */
  @Instruction(value = "mbarrier.init.shared.b64 [$0[1]], $2;", sm = 80, on75 = Turing.MAKE_BARRIER)
  static void mbarrierMake(
      SharedLongs barriers, int index, @InRange(from = 1, to = MOST) int count) {
    DeviceThread.current("mbarrierMake").mbarriers().make(barriers.span(), index, count);
  }

  /**
   * {@code mbarrier.inval}: ends a barrier; its memory may then be used for something else.
   *
   * @param barriers the array that holds it
   * @param index of the barrier in the array
   */
  @Instruction(value = "mbarrier.inval.shared.b64 [$0[1]];", sm = 80, on75 = "")
  public static void mbarrierInval(SharedLongs barriers, int index) {
    DeviceThread.current("mbarrierInval").mbarriers().inval(barriers.span(), index);
  }

  // --- arriving
  // -------------------------------------------------------------------------------------------------------

  /**
   * {@code mbarrier.arrive}: arrives once.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @return the phase, to wait for
   */
  @Instruction(
      value = "mbarrier.arrive.shared.b64 $r, [$0[1]];",
      sm = 80,
      on75 = {
        Turing.BEGIN_ARRIVAL,
        "mov.b32 count, 1;",
        "mov.b32 drop, 0;",
        Turing.ARRIVE,
        "mov.b64 $r, old;",
        "}"
      })
  public static long mbarrierArrive(SharedLongs barriers, int index) {
    return at("mbarrierArrive", barriers, index).arrive("mbarrierArrive", 1, true);
  }

  /**
   * {@code mbarrier.arrive} with a count: arrives several times.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param count how often, 1 or more
   * @return the phase, to wait for
   */
  @Instruction(value = "mbarrier.arrive.release.cta.shared::cta.b64 $r, [$0[1]], $2;", sm = 90)
  public static long mbarrierArrive(
      SharedLongs barriers, int index, @InRange(from = 1, to = MOST) int count) {
    return at("mbarrierArrive", barriers, index).arrive("mbarrierArrive", count, true);
  }

  /**
   * {@code mbarrier.arrive.relaxed}: arrives once, and makes nothing known: a thread that waits for
   * the phase need not see what this one wrote before, unless this one has called {@link
   * Ptx#fenceAcqRel} in between. For a thread that only counts. A kernel with it is written in PTX
   * 8.6, which drivers have since CUDA 12.7.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @return the phase, to wait for
   */
  @Instruction(value = "mbarrier.arrive.relaxed.cta.shared::cta.b64 $r, [$0[1]];", sm = 90)
  public static long mbarrierArriveRelaxed(SharedLongs barriers, int index) {
    return at("mbarrierArriveRelaxed", barriers, index).arriveRelaxed("mbarrierArriveRelaxed", 1);
  }

  /**
   * {@code mbarrier.arrive.relaxed} with a count: arrives several times, and makes nothing known.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param count how often, 1 or more
   * @return the phase, to wait for
   */
  @Instruction(value = "mbarrier.arrive.relaxed.cta.shared::cta.b64 $r, [$0[1]], $2;", sm = 90)
  public static long mbarrierArriveRelaxed(
      SharedLongs barriers, int index, @InRange(from = 1, to = MOST) int count) {
    return at("mbarrierArriveRelaxed", barriers, index)
        .arriveRelaxed("mbarrierArriveRelaxed", count);
  }

  /**
   * {@code mbarrier.arrive.noComplete}: arrives several times, which must not end the phase.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param count how often, 1 or more
   * @return the phase, to wait for
   */
  @Instruction(
      value = "mbarrier.arrive.noComplete.shared.b64 $r, [$0[1]], $2;",
      sm = 80,
      on75 = {
        Turing.BEGIN_ARRIVAL,
        "mov.b32 count, $2;",
        "mov.b32 drop, 0;",
        Turing.ARRIVE,
        "mov.b64 $r, old;",
        "}"
      })
  public static long mbarrierArriveNoComplete(
      SharedLongs barriers, int index, @InRange(from = 1, to = MOST) int count) {
    return at("mbarrierArriveNoComplete", barriers, index)
        .arrive("mbarrierArriveNoComplete", count, false);
  }

  /**
   * {@code mbarrier.arrive_drop}: arrives once, and for the last time: later phases need one
   * arrival fewer.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @return the phase, to wait for
   */
  @Instruction(
      value = "mbarrier.arrive_drop.shared.b64 $r, [$0[1]];",
      sm = 80,
      on75 = {
        Turing.BEGIN_ARRIVAL,
        "mov.b32 count, 1;",
        "mov.b32 drop, 1;",
        Turing.ARRIVE,
        "mov.b64 $r, old;",
        "}"
      })
  public static long mbarrierArriveDrop(SharedLongs barriers, int index) {
    return at("mbarrierArriveDrop", barriers, index).arriveDrop("mbarrierArriveDrop", 1, true);
  }

  /**
   * {@code mbarrier.arrive_drop.relaxed}: {@link #mbarrierArriveDrop} that makes nothing known,
   * like {@link #mbarrierArriveRelaxed(SharedLongs, int)}.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @return the phase, to wait for
   */
  @Instruction(value = "mbarrier.arrive_drop.relaxed.cta.shared::cta.b64 $r, [$0[1]];", sm = 90)
  public static long mbarrierArriveDropRelaxed(SharedLongs barriers, int index) {
    return at("mbarrierArriveDropRelaxed", barriers, index)
        .arriveDropRelaxed("mbarrierArriveDropRelaxed");
  }

  /**
   * {@code mbarrier.arrive_drop.noComplete}: arrives several times, and for the last time; this
   * must not end the phase.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param count how often, 1 or more
   * @return the phase, to wait for
   */
  @Instruction(
      value = "mbarrier.arrive_drop.noComplete.shared.b64 $r, [$0[1]], $2;",
      sm = 80,
      on75 = {
        Turing.BEGIN_ARRIVAL,
        "mov.b32 count, $2;",
        "mov.b32 drop, $2;",
        Turing.ARRIVE,
        "mov.b64 $r, old;",
        "}"
      })
  public static long mbarrierArriveDropNoComplete(
      SharedLongs barriers, int index, @InRange(from = 1, to = MOST) int count) {
    return at("mbarrierArriveDropNoComplete", barriers, index)
        .arriveDrop("mbarrierArriveDropNoComplete", count, false);
  }

  /**
   * {@code mbarrier.pending_count}: how many arrivals a phase still needed when its state was
   * returned.
   *
   * @param state as an arrival has returned it
   * @return the number, before that arrival
   */
  @Instruction(
      value = "mbarrier.pending_count.b64 $r, $0;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 count, pending;",
        "mov.b64 {count, pending}, $0;",
        "and.b32 $r, pending, 0x7FFFFFFF;",
        "}"
      })
  public static int mbarrierPendingCount(long state) {
    return Mbarrier.pendingOf(state);
  }

  // --- bytes
  // ----------------------------------------------------------------------------------------------------------

  /**
   * {@code mbarrier.expect_tx}: the current phase does not end before this many additional bytes
   * have arrived.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param bytes how many, 0 to {@link #MOST}
   */
  @Instruction(value = "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$0[1]], $2;", sm = 90)
  public static void mbarrierExpectTx(
      SharedLongs barriers, int index, @InRange(to = MOST) int bytes) {
    at("mbarrierExpectTx", barriers, index).expect("mbarrierExpectTx", bytes);
  }

  /**
   * {@code mbarrier.arrive.expect_tx}: {@link #mbarrierExpectTx} and then {@link #mbarrierArrive}.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param bytes how many, 0 to {@link #MOST}
   * @return the phase, to wait for
   */
  @Instruction(
      value = "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 $r, [$0[1]], $2;",
      sm = 90)
  public static long mbarrierArriveExpectTx(
      SharedLongs barriers, int index, @InRange(to = MOST) int bytes) {
    Mbarrier barrier = at("mbarrierArriveExpectTx", barriers, index);
    barrier.expect("mbarrierArriveExpectTx", bytes);
    return barrier.arrive("mbarrierArriveExpectTx", 1, true);
  }

  /**
   * {@code mbarrier.arrive.expect_tx.relaxed}: {@link #mbarrierExpectTx} and then {@link
   * #mbarrierArriveRelaxed(SharedLongs, int)}.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param bytes how many, 0 to {@link #MOST}
   * @return the phase, to wait for
   */
  @Instruction(
      value = "mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 $r, [$0[1]], $2;",
      sm = 90)
  public static long mbarrierArriveExpectTxRelaxed(
      SharedLongs barriers, int index, @InRange(to = MOST) int bytes) {
    Mbarrier barrier = at("mbarrierArriveExpectTxRelaxed", barriers, index);
    barrier.expect("mbarrierArriveExpectTxRelaxed", bytes);
    return barrier.arriveRelaxed("mbarrierArriveExpectTxRelaxed", 1);
  }

  /**
   * {@code mbarrier.complete_tx}: counts bytes as arrived, as if a copy had brought them.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param bytes how many, 0 to {@link #MOST}
   */
  @Instruction(value = "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [$0[1]], $2;", sm = 90)
  public static void mbarrierCompleteTx(
      SharedLongs barriers, int index, @InRange(to = MOST) int bytes) {
    at("mbarrierCompleteTx", barriers, index).completeTx("mbarrierCompleteTx", bytes);
  }

  // --- waiting
  // --------------------------------------------------------------------------------------------------------

  /**
   * {@code mbarrier.test_wait}: whether a phase has ended. Does not wait.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.test_wait.shared.b64 $r, [$0[1]], $2;",
      sm = 80,
      on75 = {"{", ".reg .b64 word;", Turing.TEST, "}"})
  public static boolean mbarrierTestWait(SharedLongs barriers, int index, long state) {
    return at("mbarrierTestWait", barriers, index).test("mbarrierTestWait", state);
  }

  /**
   * {@code mbarrier.test_wait.parity}: whether the phase of a parity, the current one or the one
   * before, has ended. Does not wait.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param parity 0 or 1
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.test_wait.parity.shared.b64 $r, [$0[1]], $2;",
      sm = 80,
      on75 = {"{", ".reg .b64 word;", ".reg .b32 phase;", Turing.TEST_PARITY, "}"})
  public static boolean mbarrierTestWaitParity(
      SharedLongs barriers, int index, @InRange(to = 1) int parity) {
    return at("mbarrierTestWaitParity", barriers, index)
        .testParity("mbarrierTestWaitParity", parity);
  }

  /**
   * {@code mbarrier.try_wait}: waits for a phase for a time that the device chooses.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @return whether it has ended; if not, try again
   */
  @Instruction(value = "mbarrier.try_wait.shared::cta.b64 $r, [$0[1]], $2;", sm = 90)
  public static boolean mbarrierTryWait(SharedLongs barriers, int index, long state) {
    return at("mbarrierTryWait", barriers, index).tryWait("mbarrierTryWait", state);
  }

  /**
   * {@code mbarrier.try_wait.parity}: waits for the phase of a parity for a time that the device
   * chooses.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param parity 0 or 1
   * @return whether it has ended; if not, try again
   */
  @Instruction(value = "mbarrier.try_wait.parity.shared::cta.b64 $r, [$0[1]], $2;", sm = 90)
  public static boolean mbarrierTryWaitParity(
      SharedLongs barriers, int index, @InRange(to = 1) int parity) {
    return at("mbarrierTryWaitParity", barriers, index)
        .tryWaitParity("mbarrierTryWaitParity", parity);
  }

  /**
   * {@code mbarrier.try_wait} with a time: waits for a phase, for about as long as is given. On a
   * virtual device time passes when no thread of the cluster can do anything else.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @param nanoseconds the approximate limit, 0 or more
   * @return whether the phase has ended
   */
  @Instruction(value = "mbarrier.try_wait.shared::cta.b64 $r, [$0[1]], $2, $3;", sm = 90)
  public static boolean mbarrierTryWait(
      SharedLongs barriers,
      int index,
      long state,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return at("mbarrierTryWait", barriers, index).tryWaitFor("mbarrierTryWait", state, nanoseconds);
  }

  /**
   * {@code mbarrier.try_wait.parity} with a time: waits for the phase of a parity, for about as
   * long as is given. On a virtual device time passes when no thread of the cluster can do anything
   * else.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param parity 0 or 1
   * @param nanoseconds the approximate limit, 0 or more
   * @return whether the phase has ended
   */
  @Instruction(value = "mbarrier.try_wait.parity.shared::cta.b64 $r, [$0[1]], $2, $3;", sm = 90)
  public static boolean mbarrierTryWaitParity(
      SharedLongs barriers,
      int index,
      @InRange(to = 1) int parity,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return at("mbarrierTryWaitParity", barriers, index)
        .tryWaitParityFor("mbarrierTryWaitParity", parity, nanoseconds);
  }

  /**
   * {@code mbarrier.test_wait.relaxed.cta}: like {@link #mbarrierTestWait(SharedLongs, int, long)},
   * but the thread learns nothing: it need not see what others wrote or copies brought before the
   * phase ended, unless it calls {@link Ptx#fenceAcqRel} behind this. A kernel with it is written
   * in PTX 8.6.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @return whether the phase has ended
   */
  @Instruction(value = "mbarrier.test_wait.relaxed.cta.shared::cta.b64 $r, [$0[1]], $2;", sm = 90)
  public static boolean mbarrierTestWaitRelaxed(SharedLongs barriers, int index, long state) {
    return at("mbarrierTestWaitRelaxed", barriers, index)
        .relaxed()
        .test("mbarrierTestWaitRelaxed", state);
  }

  /**
   * {@code mbarrier.test_wait.parity.relaxed.cta}: like {@link #mbarrierTestWaitParity(SharedLongs,
   * int, int)}, but the thread learns nothing: it need not see what others wrote or copies brought
   * before the phase ended, unless it calls {@link Ptx#fenceAcqRel} behind this. A kernel with it
   * is written in PTX 8.6.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param parity 0 or 1
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.test_wait.parity.relaxed.cta.shared::cta.b64 $r, [$0[1]], $2;",
      sm = 90)
  public static boolean mbarrierTestWaitParityRelaxed(
      SharedLongs barriers, int index, @InRange(to = 1) int parity) {
    return at("mbarrierTestWaitParityRelaxed", barriers, index)
        .relaxed()
        .testParity("mbarrierTestWaitParityRelaxed", parity);
  }

  /**
   * {@code mbarrier.try_wait.relaxed.cta}: like {@link #mbarrierTryWait(SharedLongs, int, long)},
   * but the thread learns nothing: it need not see what others wrote or copies brought before the
   * phase ended, unless it calls {@link Ptx#fenceAcqRel} behind this. A kernel with it is written
   * in PTX 8.6.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @return whether the phase has ended
   */
  @Instruction(value = "mbarrier.try_wait.relaxed.cta.shared::cta.b64 $r, [$0[1]], $2;", sm = 90)
  public static boolean mbarrierTryWaitRelaxed(SharedLongs barriers, int index, long state) {
    return at("mbarrierTryWaitRelaxed", barriers, index)
        .relaxed()
        .tryWait("mbarrierTryWaitRelaxed", state);
  }

  /**
   * {@code mbarrier.try_wait.relaxed.cta} with a time: like {@link #mbarrierTryWait(SharedLongs,
   * int, long, int)}, but the thread learns nothing: it need not see what others wrote or copies
   * brought before the phase ended, unless it calls {@link Ptx#fenceAcqRel} behind this. A kernel
   * with it is written in PTX 8.6.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @param nanoseconds the approximate limit, 0 or more
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.try_wait.relaxed.cta.shared::cta.b64 $r, [$0[1]], $2, $3;",
      sm = 90)
  public static boolean mbarrierTryWaitRelaxed(
      SharedLongs barriers,
      int index,
      long state,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return at("mbarrierTryWaitRelaxed", barriers, index)
        .relaxed()
        .tryWaitFor("mbarrierTryWaitRelaxed", state, nanoseconds);
  }

  /**
   * {@code mbarrier.try_wait.parity.relaxed.cta}: like {@link #mbarrierTryWaitParity(SharedLongs,
   * int, int)}, but the thread learns nothing: it need not see what others wrote or copies brought
   * before the phase ended, unless it calls {@link Ptx#fenceAcqRel} behind this. A kernel with it
   * is written in PTX 8.6.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param parity 0 or 1
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 $r, [$0[1]], $2;",
      sm = 90)
  public static boolean mbarrierTryWaitParityRelaxed(
      SharedLongs barriers, int index, @InRange(to = 1) int parity) {
    return at("mbarrierTryWaitParityRelaxed", barriers, index)
        .relaxed()
        .tryWaitParity("mbarrierTryWaitParityRelaxed", parity);
  }

  /**
   * {@code mbarrier.try_wait.parity.relaxed.cta} with a time: like {@link
   * #mbarrierTryWaitParity(SharedLongs, int, int, int)}, but the thread learns nothing: it need not
   * see what others wrote or copies brought before the phase ended, unless it calls {@link
   * Ptx#fenceAcqRel} behind this. A kernel with it is written in PTX 8.6.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param parity 0 or 1
   * @param nanoseconds the approximate limit, 0 or more
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 $r, [$0[1]], $2, $3;",
      sm = 90)
  public static boolean mbarrierTryWaitParityRelaxed(
      SharedLongs barriers,
      int index,
      @InRange(to = 1) int parity,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return at("mbarrierTryWaitParityRelaxed", barriers, index)
        .relaxed()
        .tryWaitParityFor("mbarrierTryWaitParityRelaxed", parity, nanoseconds);
  }

  // --- arrivals of cp.async
  // -------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.mbarrier.arrive}: adds one expected arrival to the current phase, which arrives
   * when all {@code cp.async} copies that this thread has begun are done. The barrier's count need
   * not include it; a phase that waits for no other arrival may end earlier.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   */
  @Instruction(value = "cp.async.mbarrier.arrive.shared.b64 [$0[1]];", sm = 80, on75 = "")
  public static void cpAsyncMbarrierArrive(SharedLongs barriers, int index) {
    at("cpAsyncMbarrierArrive", barriers, index).arriveWhenCopied(true);
  }

  /**
   * {@code cp.async.mbarrier.arrive.noinc}: arrives once when all {@code cp.async} copies that this
   * thread has begun are done. The barrier's count must include it.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   */
  @Instruction(
      value = "cp.async.mbarrier.arrive.noinc.shared.b64 [$0[1]];",
      sm = 80,
      on75 = {Turing.BEGIN_ARRIVAL, "mov.b32 count, 1;", "mov.b32 drop, 0;", Turing.ARRIVE, "}"})
  public static void cpAsyncMbarrierArriveNoinc(SharedLongs barriers, int index) {
    at("cpAsyncMbarrierArriveNoinc", barriers, index).arriveWhenCopied(false);
  }
}
