package dev.stretto.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the order is automatic, streams are told to wait for what the bytes demand. */
class AutomaticOrderTest {
  private static final int STEPS = 300;
  private static final int MEMORIES = 4;

  private final Order order = new Order();
  private final List<Operation> operations = new ArrayList<>();
  private int needless;

  /**
   * An operation of a program.
   *
   * @param before the numbers of those that it comes after
   */
  private record Operation(
      int memory, Footprint bytes, Way way, BitSet before, long sequence, Told stream) {
    boolean conflictsWith(Operation other) {
      return memory == other.memory && way.conflictsWith(other.way) && bytes.meets(other.bytes);
    }
  }

  /** A stream, and what its next operation comes after. */
  private final class Told implements OrderedStream {
    private final BitSet before = new BitSet();
    private final StreamClock clock = order.open(this, true);
    private long sequence;

    @Override
    public void waitFor(OrderedStream other, long point) {
      BitSet more = new BitSet();
      for (int i = 0; i < operations.size(); i++) {
        Operation operation = operations.get(i);
        if (operation.stream == other && operation.sequence <= point) {
          more.set(i);
          more.or(operation.before);
        }
      }
      more.andNot(before);
      needless += more.isEmpty() ? 1 : 0;
      before.or(more);
      order.waits(clock, ++sequence, ((Told) other).clock, point);
    }

    @Override
    public void mark(long point) {}

    @Override
    public boolean isOver(long point) {
      return false;
    }

    @Override
    public String title() {
      return "a stream";
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 20})
  void operationsThatConflictAreOrderedAndNoWaitIsNeedless(int count) {
    for (long seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed * 31 + count);
      operations.clear();
      List<Accesses> memories =
          IntStream.range(0, MEMORIES).mapToObj(i -> new Accesses(() -> "memory " + i)).toList();
      List<Told> streams = IntStream.range(0, count).mapToObj(_ -> new Told()).toList();
      for (int step = 0; step < STEPS; step++) {
        enqueue(random, streams.get(random.nextInt(count)), memories);
      }
      for (int i = 0; i < operations.size(); i++) {
        for (int j = 0; j < i; j++) {
          if (operations.get(i).conflictsWith(operations.get(j))) {
            assertThat(operations.get(i).before.get(j))
                .as("seed %d: operation %d comes after %d", seed, i, j)
                .isTrue();
          }
        }
      }
      streams.forEach(stream -> order.close(stream.clock));
    }
    assertThat(needless).isZero();
  }

  private void enqueue(SplittableRandom random, Told stream, List<Accesses> memories) {
    int memory = random.nextInt(MEMORIES);
    Footprint bytes = Footprint.of(random.nextInt(60), 1 + random.nextInt(8));
    Way way = random.nextInt(3) == 0 ? Way.WRITES : Way.READS;
    Issue issue = order.begin(stream.clock, stream.sequence, new Work("work", () -> null));
    issue.accesses(memories.get(memory), bytes, way);
    issue.ready();
    BitSet before = (BitSet) stream.before.clone();
    long sequence = ++stream.sequence;
    stream.before.set(operations.size());
    operations.add(new Operation(memory, bytes, way, before, sequence, stream));
    issue.enqueued(sequence);
  }
}
