package dev.stretto.enqueue;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.CopyList;
import dev.stretto.enqueue.Ends.End;
import dev.stretto.fault.RaceException;
import dev.stretto.order.Issue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the order of a batch's copies: each is an operation of its own. */
final class BatchOrder {
  /**
   * The ends of a copy.
   *
   * @param from the end that is read
   * @param to the end that is written
   */
  private record Pair(End from, End to) {}

  private final @Nullable Pair[] pairs;
  private final List<Integer> sorted = new ArrayList<>();
  private List<Issue> issues = List.of();

  BatchOrder(int count) {
    this.pairs = new Pair[count];
  }

  /** Plans a copy. */
  void copies(int copy, End from, End to) {
    pairs[copy] = new Pair(from, to);
  }

  /**
   * Checks all copies against what was enqueued before.
   *
   * @param direct the copies that go to the driver together, which are enqueued first
   * @param numbers their numbers in the batch
   * @throws RaceException if one races with an operation before
   */
  void begin(Enqueuer<?> on, CopyList direct, int[] numbers) {
    boolean[] isDirect = new boolean[pairs.length];
    for (CopyKind kind : CopyKind.values()) { // as they are enqueued where they are observed
      for (int i = 0; i < direct.count(); i++) {
        if (direct.kind(i) == kind) {
          sorted.add(numbers[i]);
          isDirect[numbers[i]] = true;
        }
      }
    }
    for (int i = 0; i < pairs.length; i++) {
      if (!isDirect[i]) {
        sorted.add(i);
      }
    }
    List<Issue> all = on.issues("a copy of a batch", pairs.length);
    boolean isRight = false;
    try {
      for (int i = 0; i < pairs.length; i++) {
        Pair pair = pairs[sorted.get(i)];
        if (pair != null) {
          all.get(i).reads(pair.from.memory(), pair.from.bytes());
          all.get(i).writes(pair.to.memory(), pair.to.bytes());
        }
      }
      Issue.ready(all);
      spoil(on, all);
      issues = all;
      isRight = true;
    } finally {
      if (!isRight) {
        all.forEach(Issue::failed);
      }
    }
  }

  private void spoil(Enqueuer<?> on, List<Issue> all) {
    for (int i = 0; i < pairs.length && on.engine().isVirtual(); i++) {
      Pair pair = pairs[sorted.get(i)];
      if (pair != null && pair.to.host() != null) {
        all.get(i).overwrites(pair.to.memory(), pair.to.host(), pair.to.bytes());
      }
    }
  }

  /** Notes that the copies were enqueued. */
  <C> void enqueued(CopyForm<C> form, List<C> copies) {
    for (int i = 0; i < issues.size(); i++) {
      issues.get(i).enqueued(form.sequence(copies.get(sorted.get(i))));
    }
    issues = List.of();
  }

  /** Notes that they were not, unless they were. */
  void end() {
    issues.forEach(Issue::failed);
    issues = List.of();
  }
}
