package dev.stretto.schedule;

import dev.stretto.driver.virtual.Choice;
import dev.stretto.driver.virtual.OpName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds the two operations whose order makes a short run fail: puts another operation, with what
 * comes before it on its stream, before one that happened, and looks whether the run still fails.
 */
final class RaceEnds {
  /** Operations that touch no memory. */
  private static final Set<String> SILENT = Set.of("record", "wait", "graph");

  /** So often an operation is named, in order to have all its pieces. */
  private static final int MOST_PIECES = 4;

  private final Outcome shortest;
  private final List<OpName> known;
  private final Function<Trace, Outcome> replay;
  private int left;

  /**
   * Creates a search.
   *
   * @param shortest the run that fails
   * @param known all operations of the program, those of a stream in their order
   * @param replays how many replays it may take
   */
  RaceEnds(Outcome shortest, List<OpName> known, Function<Trace, Outcome> replay, int replays) {
    this.shortest = shortest;
    this.known = known;
    this.replay = replay;
    this.left = replays;
  }

  /** {@return the operation that happened first and the one that should have; or one; or none} */
  List<OpName> find() {
    List<Choice> choices = shortest.trace().choices();
    for (int i = 0; i < choices.size(); i++) {
      Choice choice = choices.get(i);
      if (choice.within() != null) {
        List<Choice> later = new ArrayList<>(choices);
        later.set(i, new Choice(choice.op(), null));
        if (succeeds(later)) {
          return List.of(choice.op());
        }
      }
    }
    List<OpName> ends = find(choices, "");
    for (String helper : new LinkedHashSet<>(known.stream().map(OpName::stream).toList())) {
      ends = ends.isEmpty() ? find(choices, helper) : ends;
    }
    return ends;
  }

  /**
   * Finds two.
   *
   * @param helper a stream for which the second may have to wait, or nothing
   */
  private List<OpName> find(List<Choice> choices, String helper) {
    for (int i = choices.size() - 1; i >= 0; i--) {
      OpName first = choices.get(i).op();
      for (OpName second : known) {
        if (!SILENT.contains(first.kind())
            && !SILENT.contains(second.kind())
            && !first.stream().equals(second.stream())
            && !first.stream().equals(helper)
            && succeeds(before(choices, i, second, helper))) {
          return List.of(first, second);
        }
      }
    }
    return List.of();
  }

  private boolean succeeds(List<Choice> candidate) {
    return left-- > 0 && !replay.apply(shortest.trace().with(candidate)).failed();
  }

  /** An operation, and those before it on its stream, before the choice at an index. */
  private List<Choice> before(List<Choice> choices, int index, OpName op, String helper) {
    List<Choice> changed = new ArrayList<>(choices.subList(0, index));
    int end = known.indexOf(op) + 1;
    known.subList(0, end).stream()
        .filter(each -> each.stream().equals(op.stream()))
        .forEach(each -> changed.addAll(whole(each)));
    known.stream()
        .filter(each -> each.stream().equals(helper))
        .forEach(each -> changed.addAll(whole(each)));
    changed.addAll(choices.subList(index, choices.size()));
    return changed;
  }

  private static List<Choice> whole(OpName op) {
    return Collections.nCopies(MOST_PIECES, new Choice(op, null));
  }
}
