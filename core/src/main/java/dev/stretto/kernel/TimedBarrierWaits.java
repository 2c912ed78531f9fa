package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.Mbarrier;

/**
 * Waits at a barrier that end once a time has passed. An instruction of PTX may give up earlier
 * than it is asked to, so that these ask the device's clock and try again. PTX ISA,
 * "mbarrier.test_wait / mbarrier.try_wait", "%globaltimer".
 */
final class TimedBarrierWaits {
  private static final String WHAT = "a wait for a time";

  private TimedBarrierWaits() {}

  private static Mbarrier at(SharedLongs barriers, int index) {
    return DeviceThread.current(WHAT).mbarriers().at(WHAT, barriers.span(), index);
  }

  /** Waits for a phase. */
  @Instruction(
      value = {
        "{",
        ".reg .b64 begin, now, limit;",
        ".reg .pred more;",
        "mov.u64 begin, %globaltimer;",
        "cvt.s64.s32 limit, $3;",
        "again:",
        "mbarrier.try_wait.shared::cta.b64 $r, [$0[1]], $2, $3;",
        "@$r bra end;",
        "mov.u64 now, %globaltimer;",
        "sub.s64 now, now, begin;",
        "setp.lt.s64 more, now, limit;",
        "@more bra again;",
        "end:",
        "}"
      },
      sm = 90)
  static boolean mbarrierTryWaitFor(
      SharedLongs barriers,
      int index,
      long state,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return at(barriers, index).tryWaitFor(WHAT, state, nanoseconds);
  }

  /** Waits for the phase of a parity. */
  @Instruction(
      value = {
        "{",
        ".reg .b64 begin, now, limit;",
        ".reg .pred more;",
        "mov.u64 begin, %globaltimer;",
        "cvt.s64.s32 limit, $3;",
        "again:",
        "mbarrier.try_wait.parity.shared::cta.b64 $r, [$0[1]], $2, $3;",
        "@$r bra end;",
        "mov.u64 now, %globaltimer;",
        "sub.s64 now, now, begin;",
        "setp.lt.s64 more, now, limit;",
        "@more bra again;",
        "end:",
        "}"
      },
      sm = 90)
  static boolean mbarrierTryWaitParityFor(
      SharedLongs barriers,
      int index,
      @InRange(to = 1) int parity,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return at(barriers, index).tryWaitParityFor(WHAT, parity, nanoseconds);
  }

  /** Waits for a phase in which threads of other blocks arrive. */
  @Instruction(
      value = {
        "{",
        ".reg .b64 begin, now, limit;",
        ".reg .pred more;",
        "mov.u64 begin, %globaltimer;",
        "cvt.s64.s32 limit, $3;",
        "again:",
        "mbarrier.try_wait.acquire.cluster.shared::cta.b64 $r, [$0[1]], $2, $3;",
        "@$r bra end;",
        "mov.u64 now, %globaltimer;",
        "sub.s64 now, now, begin;",
        "setp.lt.s64 more, now, limit;",
        "@more bra again;",
        "end:",
        "}"
      },
      sm = 90)
  static boolean mbarrierTryWaitForCluster(
      SharedLongs barriers,
      int index,
      long state,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return at(barriers, index).tryWaitFor(WHAT, state, nanoseconds);
  }

  /** Waits for the phase of a parity in which threads of other blocks arrive. */
  @Instruction(
      value = {
        "{",
        ".reg .b64 begin, now, limit;",
        ".reg .pred more;",
        "mov.u64 begin, %globaltimer;",
        "cvt.s64.s32 limit, $3;",
        "again:",
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 $r, [$0[1]], $2, $3;",
        "@$r bra end;",
        "mov.u64 now, %globaltimer;",
        "sub.s64 now, now, begin;",
        "setp.lt.s64 more, now, limit;",
        "@more bra again;",
        "end:",
        "}"
      },
      sm = 90)
  static boolean mbarrierTryWaitParityForCluster(
      SharedLongs barriers,
      int index,
      @InRange(to = 1) int parity,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return at(barriers, index).tryWaitParityFor(WHAT, parity, nanoseconds);
  }

  /** Asks for a phase; for targets that have no instruction that waits. */
  @Instruction(
      value = {
        "{",
        ".reg .b64 begin, now, limit;",
        ".reg .pred more;",
        "mov.u64 begin, %globaltimer;",
        "cvt.s64.s32 limit, $3;",
        "again:",
        "mbarrier.test_wait.shared.b64 $r, [$0[1]], $2;",
        "@$r bra end;",
        "mov.u64 now, %globaltimer;",
        "sub.s64 now, now, begin;",
        "setp.lt.s64 more, now, limit;",
        "@more bra again;",
        "end:",
        "}"
      },
      sm = 80,
      on75 = {
        "{",
        ".reg .b64 word;",
        ".reg .b64 begin, now, limit;",
        ".reg .pred more;",
        "mov.u64 begin, %globaltimer;",
        "cvt.s64.s32 limit, $3;",
        "again:",
        Turing.TEST,
        "@$r bra end;",
        "mov.u64 now, %globaltimer;",
        "sub.s64 now, now, begin;",
        "setp.lt.s64 more, now, limit;",
        "@more bra again;",
        "end:",
        "}"
      })
  static boolean mbarrierTestWaitFor(
      SharedLongs barriers,
      int index,
      long state,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return at(barriers, index).tryWaitFor(WHAT, state, nanoseconds);
  }

  /** Asks for the phase of a parity; for targets that have no instruction that waits. */
  @Instruction(
      value = {
        "{",
        ".reg .b64 begin, now, limit;",
        ".reg .pred more;",
        "mov.u64 begin, %globaltimer;",
        "cvt.s64.s32 limit, $3;",
        "again:",
        "mbarrier.test_wait.parity.shared.b64 $r, [$0[1]], $2;",
        "@$r bra end;",
        "mov.u64 now, %globaltimer;",
        "sub.s64 now, now, begin;",
        "setp.lt.s64 more, now, limit;",
        "@more bra again;",
        "end:",
        "}"
      },
      sm = 80,
      on75 = {
        "{",
        ".reg .b64 word;",
        ".reg .b32 phase;",
        ".reg .b64 begin, now, limit;",
        ".reg .pred more;",
        "mov.u64 begin, %globaltimer;",
        "cvt.s64.s32 limit, $3;",
        "again:",
        Turing.TEST_PARITY,
        "@$r bra end;",
        "mov.u64 now, %globaltimer;",
        "sub.s64 now, now, begin;",
        "setp.lt.s64 more, now, limit;",
        "@more bra again;",
        "end:",
        "}"
      })
  static boolean mbarrierTestWaitParityFor(
      SharedLongs barriers,
      int index,
      @InRange(to = 1) int parity,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return at(barriers, index).tryWaitParityFor(WHAT, parity, nanoseconds);
  }
}
