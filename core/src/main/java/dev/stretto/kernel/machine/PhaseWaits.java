package dev.stretto.kernel.machine;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A meeting in which threads wait for the same phase of the same barrier object. They ask once for
 * all of them. A seed lets each ask for itself.
 */
final class PhaseWaits {
  /** What has become of threads. */
  enum Outcome {
    /** Each has to ask for itself. */
    ALONE,
    PASSED,
    WAITING
  }

  /** Those that wait for no given time. */
  private static final Pattern METHOD =
      Pattern.compile("PtxBarriers\\.(mbarrier(Try|Test)Wait(Parity)?)\\([^)]*;I[IJ]\\).*");

  private static final Pattern ANY = Pattern.compile("\\w+\\.mbarrier(Try|Test)Wait.*");

  // The operands: where the barriers are, how many, of which type, which of them, and which phase.
  private static final int BASE = 0;
  private static final int COUNT = 1;
  private static final int INDEX = 3;
  private static final int PHASE = 4;

  private final String method;
  private final boolean polls;
  private final boolean parity;
  private final SteppedPlan.Meeting meeting;

  private PhaseWaits(Matcher method, SteppedPlan.Meeting meeting) {
    this.method = method.group(1);
    this.polls = method.group(2).equals("Test");
    this.parity = method.group(3) != null;
    this.meeting = meeting;
  }

  /** Whether threads wait for a phase in a meeting, or ask for it, in any way. */
  static boolean isOne(SteppedPlan.Meeting meeting) {
    return ANY.matcher(meeting.method()).matches();
  }

  /** The wait that a meeting is; null if it is another meeting. */
  static @Nullable PhaseWaits of(SteppedPlan.Meeting meeting) {
    Matcher method = METHOD.matcher(meeting.method());
    boolean known =
        method.matches()
            && meeting.operands().stream()
                .allMatch(operand -> operand.slot() >= 0 || operand.known() != null);
    return known ? new PhaseWaits(method, meeting) : null;
  }

  /**
   * Lets threads wait that are all here.
   *
   * @param ranks which, the first of them
   */
  Outcome run(SteppedBlock block, DeviceThread[] threads, int[] ranks, int count) {
    int first = ranks[0];
    int base = number(BASE, block, first);
    int index = number(INDEX, block, first);
    int asked = asked(block, first);
    for (int i = 1; i < count; i++) {
      int rank = ranks[i];
      if (asked(block, rank) != asked
          || number(INDEX, block, rank) != index
          || number(BASE, block, rank) != base) {
        return Outcome.ALONE;
      }
    }
    if (index < 0 || index >= number(COUNT, block, first) || (parity && (asked & -2) != 0)) {
      return Outcome.ALONE;
    }
    Mbarrier barrier = block.barrierAt(base + index * Long.BYTES);
    if (barrier == null) {
      return Outcome.ALONE;
    }
    int which = parity ? barrier.ofParity(asked) : asked;
    if (!barrier.allows(which, threads, ranks, count)) {
      return Outcome.ALONE;
    }
    if (barrier.endsFor(threads[first], which)) {
      barrier.learn(which, threads, ranks, count);
      for (int i = 0; i < count; i++) {
        answer(block, ranks[i], true);
      }
      return Outcome.PASSED;
    }
    if (polls) {
      return Outcome.ALONE;
    }
    barrier.waits(method, threads, ranks, count);
    return Outcome.WAITING;
  }

  /** Lets a thread go on that has waited here with others. */
  void takeUp(SteppedBlock block, DeviceThread thread) {
    Mbarrier barrier =
        block.barrierAt(
            number(BASE, block, thread.rank()) + number(INDEX, block, thread.rank()) * Long.BYTES);
    answer(block, thread.rank(), barrier != null && barrier.isAnswered(thread));
  }

  private void answer(SteppedBlock block, int rank, boolean yes) {
    int slot = meeting.results().getFirst();
    if (slot >= 0) {
      block.ints[slot][rank] = yes ? 1 : 0;
    }
  }

  private int asked(SteppedBlock block, int rank) {
    SteppedPlan.Operand operand = meeting.operands().get(PHASE);
    if (parity) {
      return number(PHASE, block, rank);
    }
    return Mbarrier.ofState(
        operand.slot() >= 0 ? block.longs[operand.slot()][rank] : known(operand).longValue());
  }

  private int number(int which, SteppedBlock block, int rank) {
    SteppedPlan.Operand operand = meeting.operands().get(which);
    return operand.slot() >= 0 ? block.ints[operand.slot()][rank] : known(operand).intValue();
  }

  private static Number known(SteppedPlan.Operand operand) {
    if (operand.known() instanceof Number number) {
      return number;
    }
    throw new AssertionError("an operand " + operand);
  }
}
