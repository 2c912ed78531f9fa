package dev.stretto.order;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** The sources of copies of which the program does not know yet that they are done. */
final class SourceSums {
  /** So many are kept of a stream; of more, the oldest are forgotten. */
  private static final int MOST = 1 << 10;

  private final Map<StreamClock, ArrayDeque<SourceSum>> pending = new HashMap<>();

  /** Keeps one until the program learns of a number of a stream. */
  void add(StreamClock stream, long number, SourceSum sum) {
    sum.number(number);
    ArrayDeque<SourceSum> all = pending.computeIfAbsent(stream, _ -> new ArrayDeque<>());
    if (all.size() == MOST) {
      forget(all.removeFirst());
    }
    all.addLast(sum);
    sum.memory().isSourceOf(sum);
  }

  /** Forgets one, if it is kept. */
  void remove(StreamClock stream, SourceSum sum) {
    ArrayDeque<SourceSum> all = pending.get(stream);
    if (all != null && all.remove(sum)) {
      forget(sum);
    }
  }

  /** {@return those of copies that the program now knows to be done} */
  List<SourceSum> over(Knowledge known) {
    List<SourceSum> over = List.of();
    for (Iterator<Map.Entry<StreamClock, ArrayDeque<SourceSum>>> it = pending.entrySet().iterator();
        it.hasNext(); ) {
      Map.Entry<StreamClock, ArrayDeque<SourceSum>> one = it.next();
      ArrayDeque<SourceSum> all = one.getValue();
      long number = known.of(one.getKey().index());
      while (!all.isEmpty() && all.getFirst().number() <= number) {
        over = over.isEmpty() ? new ArrayList<>() : over;
        over.add(forget(all.removeFirst()));
      }
      if (all.isEmpty()) {
        it.remove();
      }
    }
    return over;
  }

  private static SourceSum forget(SourceSum sum) {
    sum.memory().isNoSourceOf(sum);
    return sum;
  }
}
