package dev.stretto.driver.virtual;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a trace. Of what can happen, that which comes first in the rest of the trace does, within
 * the same enqueuing call. What the trace does not have comes when nothing else can: first what
 * goes on with the stream whose turn it was, then what was enqueued first.
 *
 * <p>So the trace fits a program that has changed elsewhere. An entry whose operation is not there
 * yet waits for it, and one whose call is over happens as soon as the program waits.
 */
final class ReplayChooser implements Chooser {
  private final List<Choice> trace;
  private final Map<OpName, Deque<Integer>> places = new HashMap<>();
  private final Set<OpName> calls = new HashSet<>();
  private final BitSet happened = new BitSet();
  private int next;
  private int misfits;
  private @Nullable ActorRank turn;

  ReplayChooser(List<Choice> trace) {
    this.trace = List.copyOf(trace);
    for (int i = 0; i < trace.size(); i++) {
      places.computeIfAbsent(trace.get(i).op(), _ -> new ArrayDeque<>()).add(i);
    }
  }

  @Override
  public int choose(Ready ready, @Nullable OpName within) {
    int best = PROGRAM;
    int first = Integer.MAX_VALUE;
    for (int i = 0; i < ready.size(); i++) {
      Step step = ready.get(i);
      int place = step.isOver() ? Integer.MAX_VALUE : place(step, within);
      if (place < first) {
        best = i;
        first = place;
      }
    }
    if (best == PROGRAM) {
      return within == null ? unlisted(ready) : goOn(within);
    }
    happens(first);
    Step step = ready.get(best);
    places.computeIfPresent(step.name(), (_, left) -> without(left));
    turn = step.actor();
    return best;
  }

  private static Deque<Integer> without(Deque<Integer> places) {
    int _ = places.removeFirst();
    return places;
  }

  private int place(Step step, @Nullable OpName within) {
    Deque<Integer> left = places.get(step.name());
    Integer first = left == null ? null : left.peekFirst();
    if (first == null) {
      return Integer.MAX_VALUE;
    }
    OpName call = trace.get(first).within();
    boolean isNow = within == null ? call == null || calls.contains(call) : within.equals(call);
    return isNow ? first : Integer.MAX_VALUE;
  }

  private int goOn(OpName within) {
    calls.add(within);
    return PROGRAM;
  }

  private void happens(int place) {
    misfits += place == next ? 0 : 1;
    happened.set(place);
    next = happened.nextClearBit(next);
  }

  private int unlisted(Ready ready) {
    misfits++;
    int best = 0;
    long oldest = Long.MAX_VALUE;
    for (int i = 0; i < ready.size(); i++) {
      Step step = ready.get(i);
      if (step.isOver()) {
        continue;
      }
      if (step.actor() == turn) {
        return i;
      }
      if (step.sequence() < oldest) {
        oldest = step.sequence();
        best = i;
      }
    }
    turn = ready.get(best).actor();
    return best;
  }

  @Override
  public int misfits() {
    return misfits + trace.size() - happened.cardinality();
  }
}
