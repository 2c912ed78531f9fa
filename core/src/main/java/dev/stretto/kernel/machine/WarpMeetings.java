package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

/** Lets the lanes of a warp wait for each other and leave values for each other. */
public final class WarpMeetings {
  private final int warp;
  private final int lanes;
  private final List<Meeting> open = new ArrayList<>();
  private int present;

  /** What a thread gets that has left off: it takes the numbers of the meeting later. */
  private final Meeting nobody = new Meeting("", 0);

  WarpMeetings(int warp, int lanes) {
    this.warp = warp;
    this.lanes = lanes;
    nobody.arrived = -1;
  }

  /** Called when a block begins. */
  void begin() {
    open.clear();
    present = lanes == 32 ? -1 : (1 << lanes) - 1;
  }

  /** Called when a lane has returned from the kernel. */
  void leave(Coroutine thread) {
    present &= ~(1 << thread.lane());
    for (Meeting meeting : List.copyOf(open)) {
      if (meeting.isComplete()) {
        meeting.complete();
      }
    }
  }

  /**
   * Leaves a number and waits until the other lanes have done so.
   *
   * @param what the instruction
   * @param members the lanes that take part; those that have returned are not waited for
   * @param number the number that this lane leaves
   */
  public Meeting meet(String what, int members, long number) {
    return meet(Coroutine.current(what), null, what, members, number, null, meeting -> meeting);
  }

  /**
   * Leaves an object and waits until all lanes have done so at the same place.
   *
   * @param outcome computes the outcome when the last lane arrives, before any lane goes on
   */
  public Meeting meetAligned(String what, Object thing, Function<Meeting, Object> outcome) {
    Coroutine thread = Coroutine.current(what);
    return meet(thread, thread.looksCloser() ? CallPath.here() : null, what, -1, 0, thing, outcome);
  }

  private Meeting meet(
      Coroutine thread,
      @Nullable CallPath place,
      String what,
      int members,
      long number,
      @Nullable Object thing,
      Function<Meeting, Object> outcome) {
    // No lane goes on before all have loaded.
    boolean orders = what.equals("sync") || what.startsWith("ldmatrix");
    Meeting left = thread.takesUp(Meeting.class);
    if (left != null) {
      if (orders) {
        thread.order().acquire(thread, left.known);
      }
      return left;
    }
    int bit = 1 << thread.lane();
    if ((members & bit) == 0) {
      throw new IllegalArgumentException(
          name(thread.lane()) + " calls " + describe(what, members) + ", but is not among them");
    }
    Meeting meeting = find(thread, what, members);
    meeting.check(place);
    meeting.arrive(thread, number, thing);
    if (orders) {
      thread.order().release(thread, meeting.known);
    }
    if (meeting.isComplete()) {
      meeting.outcome = outcome.apply(meeting);
      meeting.complete();
    } else {
      if (thread.leavesOff(meeting, () -> describe(what, members))) {
        return nobody;
      }
    }
    if (orders) {
      thread.order().acquire(thread, meeting.known);
    }
    return meeting;
  }

  private Meeting find(Coroutine thread, String what, int members) {
    for (Meeting meeting : open) {
      if (meeting.what.equals(what) && meeting.members == members) {
        return meeting;
      }
    }
    for (Meeting meeting : open) {
      int waiting = meeting.arrived & members;
      if (meeting.awaits(thread.lane()) && waiting != 0) {
        throw new IllegalStateException(
            name(thread.lane())
                + " calls "
                + describe(what, members)
                + " while "
                + name(Integer.numberOfTrailingZeros(waiting))
                + " waits for it in "
                + describe(meeting.what, meeting.members)
                + ": lanes that wait for each other have to call the same with the same members");
      }
    }
    Meeting meeting = new Meeting(what, members);
    open.add(meeting);
    return meeting;
  }

  private String name(int lane) {
    return "lane " + lane + " of warp " + warp;
  }

  private static String describe(String what, int members) {
    return what + (members == -1 ? " of all lanes" : " of lanes 0x" + Integer.toHexString(members));
  }

  /** The values that lanes leave for each other at one call. */
  public final class Meeting {
    private final String what;
    private final int members;
    private final long[] numbers = new long[32];
    private final @Nullable Object[] things = new @Nullable Object[32];
    private final List<Coroutine> waiting = new ArrayList<>();
    private final Known known = new Known();
    private int arrived;
    private @Nullable Object outcome;
    private @Nullable CallPath place;

    Meeting(String what, int members) {
      this.what = what;
      this.members = members;
    }

    private void check(@Nullable CallPath here) {
      if (place == null) {
        place = here;
      } else if (!place.equals(here)) {
        throw new IllegalStateException(
            what
                + " at "
                + here
                + " while other lanes wait at "
                + place
                + ": all lanes have to call it at the same place");
      }
    }

    private boolean awaits(int lane) {
      return (members & ~arrived & (1 << lane)) != 0;
    }

    private void arrive(Coroutine thread, long number, @Nullable Object thing) {
      arrived |= 1 << thread.lane();
      numbers[thread.lane()] = number;
      things[thread.lane()] = thing;
      waiting.add(thread);
    }

    private boolean isComplete() {
      return (members & present & ~arrived) == 0;
    }

    private void complete() {
      open.remove(this);
      for (Coroutine thread : waiting) {
        if (thread.isWaiting()) {
          thread.goOn();
        }
      }
      waiting.clear();
    }

    /** The number that a lane has left. */
    public long from(int lane) {
      check(lane);
      return numbers[lane];
    }

    /** The object that a lane has left, cast to its type. */
    public <T> T from(int lane, Class<T> type) {
      check(lane);
      return type.cast(Objects.requireNonNull(things[lane], "what a lane left"));
    }

    /** The outcome, computed when the last lane arrived. */
    public <T> T outcome(Class<T> type) {
      return type.cast(Objects.requireNonNull(outcome, "outcome"));
    }

    private void check(int lane) {
      if ((arrived & (1 << lane)) == 0) {
        Coroutine reader = Coroutine.current(what);
        throw new IllegalStateException(
            name(reader.lane())
                + " reads from lane "
                + lane
                + " in "
                + describe(what, members)
                + ", and that lane "
                + (lane >= lanes
                    ? "does not exist: the block has " + (32 * warp + lanes) + " threads"
                    : (members & (1 << lane)) == 0 ? "is not among them" : "has returned"));
      }
    }

    /** The lanes that have left a number other than 0. */
    public int votes() {
      int votes = 0;
      for (int lane = 0; lane < 32; lane++) {
        votes |= numbers[lane] != 0 ? 1 << lane : 0;
      }
      return votes;
    }

    public boolean isUnanimous() {
      return votes() == arrived;
    }

    /** The lanes that have left the same number as lane {@code asLane}. */
    public int same(int asLane) {
      int same = 0;
      for (int lane = 0; lane < 32; lane++) {
        boolean is = (arrived & (1 << lane)) != 0 && numbers[lane] == numbers[asLane];
        same |= is ? 1 << lane : 0;
      }
      return same;
    }

    /** The lowest lane that has arrived. */
    public int first() {
      return Integer.numberOfTrailingZeros(arrived);
    }

    public int reduce(IntBinaryOperator operator) {
      int result = (int) numbers[first()];
      for (int lane = first() + 1; lane < 32; lane++) {
        if ((arrived & (1 << lane)) != 0) {
          result = operator.applyAsInt(result, (int) numbers[lane]);
        }
      }
      return result;
    }
  }
}
