package dev.stretto.schedule;

import dev.stretto.driver.virtual.Choice;
import dev.stretto.driver.virtual.OpName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Makes a failing trace short. A replay treats a trace as an order of preference, so any list of
 * choices is a trace; what happened then is the candidate that counts.
 *
 * <p>First each order of whole streams is tried, which finds what needs no switch in the middle of
 * a stream. Then pieces of the trace are left out (what is left out happens last), and turns are
 * joined with others of their stream. At last, from each point of the best one, another order of
 * streams.
 */
final class Shrinking {
  private static final Comparator<Trace> BY_SIZE =
      Comparator.comparingInt(Trace::turns)
          .thenComparingInt(Trace::early)
          .thenComparingInt(Trace::length);

  private static final int MOST_STREAMS = 5;

  private final Outcome failing;
  private final Function<Trace, Outcome> replay;
  private final Set<OpName> known = new LinkedHashSet<>();
  private final Set<List<Choice>> tried = new HashSet<>();
  private int left;
  private Outcome best;

  Shrinking(Outcome failing, Function<Trace, Outcome> replay, int replays) {
    this.failing = failing;
    this.replay = replay;
    this.left = replays;
    this.best = failing;
    learn(failing);
  }

  Outcome shortest() {
    tries(List.of());
    orders(List.of());
    boolean improved = true;
    while (improved && left > 0 && best.trace().turns() > 1) {
      improved = leaveOut();
      improved |= withoutHaste();
      improved |= join();
      improved |= fromEachPoint();
    }
    leaveOut();
    return best;
  }

  /** {@return all operations that happened in any run, those of a stream in their order} */
  List<OpName> known() {
    return List.copyOf(known);
  }

  private void learn(Outcome outcome) {
    outcome.trace().choices().forEach(choice -> known.add(choice.op()));
  }

  /** {@return whether a trace fails and is the shortest so far} */
  private boolean tries(List<Choice> candidate) {
    if (left == 0 || !tried.add(candidate)) {
      return false;
    }
    left--;
    Outcome outcome = replay.apply(failing.trace().with(candidate));
    learn(outcome);
    if (outcome.failedLike(failing) && BY_SIZE.compare(outcome.trace(), best.trace()) < 0) {
      best = new Outcome(outcome.trace(), 0, outcome.failure());
      return true;
    }
    return false;
  }

  // --- orders of streams

  /** Tries each order of the streams behind a prefix. */
  private boolean orders(List<Choice> prefix) {
    List<Choice> all = failing.trace().choices();
    Set<String> streams = new LinkedHashSet<>();
    all.forEach(choice -> streams.add(choice.op().stream()));
    if (streams.size() > MOST_STREAMS) {
      boolean any = false;
      for (String stream : streams) {
        List<String> first = new ArrayList<>(streams);
        first.remove(stream);
        List<String> last = new ArrayList<>(first);
        first.addFirst(stream);
        last.addLast(stream);
        any |= tries(ordered(prefix, first));
        any |= tries(ordered(prefix, last));
      }
      return any;
    }
    return permute(prefix, new ArrayList<>(), new ArrayList<>(streams));
  }

  private boolean permute(List<Choice> prefix, List<String> chosen, List<String> rest) {
    if (rest.isEmpty()) {
      return tries(ordered(prefix, chosen));
    }
    boolean any = false;
    for (String stream : rest) {
      List<String> with = new ArrayList<>(chosen);
      with.add(stream);
      List<String> others = new ArrayList<>(rest);
      others.remove(stream);
      any |= permute(prefix, with, others);
    }
    return any;
  }

  /** All choices of one stream come before those of the next, while the program waits. */
  private List<Choice> ordered(List<Choice> prefix, List<String> streams) {
    List<Choice> ordered = new ArrayList<>(prefix);
    for (String stream : streams) {
      for (OpName op : ops(stream)) {
        for (int piece = 0; piece < MOST_PIECES; piece++) {
          ordered.add(new Choice(op, null));
        }
      }
    }
    return ordered;
  }

  /** So often an operation is named in an order of streams; no more pieces are there. */
  private static final int MOST_PIECES = 4;

  private Set<OpName> ops(String stream) {
    Set<OpName> ops = new LinkedHashSet<>();
    for (Choice choice : failing.trace().choices()) {
      if (choice.op().stream().equals(stream)) {
        ops.add(choice.op());
      }
    }
    return ops;
  }

  private boolean fromEachPoint() {
    List<Choice> from = best.trace().choices();
    int turns = best.trace().turns();
    for (int i = from.size() - 1; i > 0; i--) {
      if (orders(from.subList(0, i)) && best.trace().turns() < turns) {
        return true;
      }
    }
    return false;
  }

  // --- changes of the best trace

  /** Leaves out parts, large ones first: delta debugging. */
  private boolean leaveOut() {
    boolean any = false;
    for (int size = best.trace().length(); size > 0; size /= 2) {
      for (int from = 0; from < best.trace().length(); ) {
        List<Choice> without = new ArrayList<>(best.trace().choices());
        without.subList(from, Math.min(without.size(), from + size)).clear();
        if (tries(without)) {
          any = true;
        } else {
          from += size;
        }
      }
    }
    return any;
  }

  /** Lets things that happened within calls happen when the program waits. */
  private boolean withoutHaste() {
    boolean any = tries(best.trace().choices().stream().map(Shrinking::late).toList());
    for (int i = 0; i < best.trace().length(); i++) {
      List<Choice> later = new ArrayList<>(best.trace().choices());
      any |= later.get(i).within() != null && tries(with(later, i, late(later.get(i))));
    }
    return any;
  }

  private static List<Choice> with(List<Choice> choices, int index, Choice choice) {
    choices.set(index, choice);
    return choices;
  }

  private static Choice late(Choice choice) {
    return new Choice(choice.op(), null);
  }

  /** Moves each turn to the one before it of the same stream, or the other way round. */
  private boolean join() {
    boolean any = false;
    for (int at = 0; at < best.trace().length(); at++) {
      List<Choice> choices = best.trace().choices();
      int end = end(choices, at);
      int next = next(choices, end, choices.get(at).op().stream());
      if (next < choices.size()) {
        any |=
            tries(moved(choices, next, end(choices, next), end))
                || tries(moved(choices, at, end, next));
      }
    }
    return any;
  }

  private static int end(List<Choice> choices, int at) {
    int end = at + 1;
    while (end < choices.size()
        && choices.get(end).op().stream().equals(choices.get(at).op().stream())) {
      end++;
    }
    return end;
  }

  private static int next(List<Choice> choices, int from, String stream) {
    int next = from;
    while (next < choices.size() && !choices.get(next).op().stream().equals(stream)) {
      next++;
    }
    return next;
  }

  /** The choices from begin to end, moved to before {@code to}. */
  private static List<Choice> moved(List<Choice> choices, int begin, int end, int to) {
    List<Choice> part = choices.subList(begin, end);
    List<Choice> moved = new ArrayList<>(choices.subList(0, Math.min(begin, to)));
    if (to <= begin) {
      moved.addAll(part);
      moved.addAll(choices.subList(to, begin));
      moved.addAll(choices.subList(end, choices.size()));
    } else {
      moved.addAll(choices.subList(end, to));
      moved.addAll(part);
      moved.addAll(choices.subList(to, choices.size()));
    }
    return moved;
  }
}
