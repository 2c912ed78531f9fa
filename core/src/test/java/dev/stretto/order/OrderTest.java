package dev.stretto.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.fault.RaceException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine finds exactly the races of random programs, as sets of predecessors tell them. */
class OrderTest {
  private static final int STEPS = 400;
  private static final int MEMORIES = 3;
  private static final int BYTES = 48;

  /** An access that was not refused, by an operation of a stream or by the host. */
  private record Seen(int operation, int memory, BitSet bytes, boolean writes) {}

  /** A stream as the engine and as the sets see it. */
  private static final class Both {
    private final StreamClock clock;
    private final List<Integer> operations = new ArrayList<>();
    private final List<BitSet> known = new ArrayList<>();
    private BitSet before = new BitSet();

    Both(StreamClock clock) {
      this.clock = clock;
    }
  }

  private final Order order = new Order();
  private final List<Accesses> memories = new ArrayList<>();
  private final List<Seen> seen = new ArrayList<>();
  private final List<Both> streams = new ArrayList<>();
  private final BitSet host = new BitSet();
  private int operations;
  private int races;
  private int fine;

  private static Work work(String name) {
    return new Work(name, () -> null);
  }

  private static BitSet bytes(Footprint footprint) {
    BitSet bytes = new BitSet();
    for (long z = 0; z < footprint.planes(); z++) {
      for (long y = 0; y < footprint.rows(); y++) {
        int begin = (int) (footprint.address() + z * footprint.plane() + y * footprint.pitch());
        bytes.set(begin, begin + (int) footprint.width());
      }
    }
    return bytes;
  }

  private static Footprint footprint(SplittableRandom random) {
    if (random.nextInt(4) > 0) {
      long begin = random.nextInt(4) == 0 ? random.nextLong(BYTES) : 12 * random.nextLong(4);
      return Footprint.of(
          begin, random.nextInt(3) == 0 ? BYTES - begin : Math.min(12, BYTES - begin));
    }
    long width = random.nextLong(1, 5);
    return Footprint.ofRows(random.nextLong(8), width, 8, random.nextLong(1, 5));
  }

  private boolean races(int memory, BitSet bytes, boolean writes, BitSet before) {
    return seen.stream()
        .anyMatch(
            access ->
                access.memory == memory
                    && (writes || access.writes)
                    && access.bytes.intersects(bytes)
                    && !before.get(access.operation));
  }

  private void enqueue(SplittableRandom random, Both stream) {
    BitSet before = (BitSet) stream.before.clone();
    before.or(host);
    Issue issue =
        order.begin(stream.clock, stream.operations.size(), work("operation " + operations));
    List<Seen> its = new ArrayList<>();
    boolean expected = false;
    boolean refused = false;
    for (int i = random.nextInt(1, 4); i > 0 && !refused; i--) {
      int memory = random.nextInt(MEMORIES);
      Footprint footprint = footprint(random);
      boolean writes = random.nextInt(3) == 0;
      expected = races(memory, bytes(footprint), writes, before);
      try {
        if (writes) {
          issue.writes(memories.get(memory), footprint);
        } else {
          issue.reads(memories.get(memory), footprint);
        }
      } catch (RaceException _) {
        refused = true;
      }
      assertThat(refused).as("a race of operation %d", operations).isEqualTo(expected);
      its.add(new Seen(operations, memory, bytes(footprint), writes));
    }
    if (refused) {
      races++;
      issue.failed();
      stream.before = before; // it knows what the host knows, although nothing was enqueued
      return;
    }
    fine++;
    seen.addAll(its);
    stream.before = before;
    noteOperation(stream);
    issue.enqueued(stream.operations.size());
  }

  private void noteOperation(Both stream) {
    stream.before.set(operations);
    stream.operations.add(operations++);
    stream.known.add((BitSet) stream.before.clone());
  }

  private void access(SplittableRandom random) {
    int memory = random.nextInt(MEMORIES);
    Footprint footprint = footprint(random);
    boolean writes = random.nextBoolean();
    boolean expected = races(memory, bytes(footprint), writes, host);
    boolean refused = false;
    try {
      order.accesses(
          memories.get(memory),
          footprint,
          writes ? Way.WRITES : Way.READS,
          work("access " + operations));
    } catch (RaceException _) {
      refused = true;
    }
    assertThat(refused).as("a race of access %d", operations).isEqualTo(expected);
    if (refused) {
      races++;
      return;
    }
    fine++;
    seen.add(new Seen(operations, memory, bytes(footprint), writes));
    host.set(operations++);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 20})
  void aRaceIsFoundWhereNoPredecessorIsOrderedAndNowhereElse(int count) {
    for (long seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed * 31 + count);
      memories.clear();
      seen.clear();
      streams.clear();
      host.clear();
      for (int i = 0; i < MEMORIES; i++) {
        String name = "memory " + i;
        memories.add(new Accesses(() -> name));
      }
      for (int i = 0; i < count; i++) {
        String name = "stream " + i;
        streams.add(new Both(order.open(new Named(name), false)));
      }
      for (int step = 0; step < STEPS; step++) {
        Both stream = streams.get(random.nextInt(count));
        Both other = streams.get(random.nextInt(count));
        int behind = other.operations.isEmpty() ? 0 : random.nextInt(other.operations.size()) + 1;
        switch (random.nextInt(8)) {
          case 0, 1 -> {
            order.waits(stream.clock, stream.operations.size() + 1, other.clock, behind);
            stream.before.or(host);
            if (behind > 0) {
              stream.before.or(other.known.get(behind - 1));
            }
            noteOperation(stream);
          }
          case 2 -> {
            order.learns(other.clock, behind);
            if (behind > 0) {
              host.or(other.known.get(behind - 1));
            }
          }
          case 3 -> access(random);
          default -> enqueue(random, stream);
        }
      }
      streams.forEach(each -> order.close(each.clock));
    }
    assertThat(races).isPositive();
    assertThat(fine).isGreaterThan(1000);
  }

  @Test
  void aReportNamesBothAndWhatIsMissing() {
    StreamClock upload = order.open(new Named("upload"), false);
    StreamClock compute = order.open(new Named("compute"), false);
    Accesses memory = new Accesses(() -> "GlobalFloats[4]");
    Issue copy = order.begin(upload, 0, work("copy"));
    copy.writes(memory, Footprint.of(0, 16));
    copy.enqueued(1);
    Issue launch = order.begin(compute, 0, work("launch of sums"));
    assertThatThrownBy(() -> launch.reads(memory, Footprint.of(8, 8)))
        .isInstanceOf(RaceException.class)
        .hasMessage(
            "race on GlobalFloats[4]: launch of sums on compute reads 8 bytes at 0x8; nothing"
                + " orders it after copy on upload writes 16 bytes at 0x0. Let compute wait for it"
                + " before that line: stream.waitFor(event), with an event that was recorded on"
                + " upload behind it; or await it");
  }

  @Test
  void whatIsKeptOfManyOperationsIsBounded() {
    StreamClock one = order.open(new Named("one"), false);
    StreamClock two = order.open(new Named("two"), false);
    Accesses memory = new Accesses(() -> "memory");
    for (int i = 1; i <= 1_000_000; i++) {
      Issue issue = order.begin(one, 2L * i - 1, work("copy"));
      issue.writes(memory, Footprint.of(i % 64, 1));
      issue.enqueued(2L * i);
      order.waits(two, i, one, 2L * i);
      order.waits(one, 2L * i + 1, two, i);
    }
    assertThat(memory.count()).isLessThanOrEqualTo(64);
    assertThat(one.changes() + two.changes()).isLessThan(40_000);
  }

  @Test
  void whatTheHostLearnsWhileAnOperationIsEnqueuedIsNotThatOneIsDone() {
    StreamClock one = order.open(new Named("one"), false);
    Accesses memory = new Accesses(() -> "memory");
    Issue first = order.begin(one, 0, work("first"));
    first.writes(memory, Footprint.of(0, 4));
    first.enqueued(3); // it takes several numbers
    Issue second = order.begin(one, 5, work("second"));
    second.writes(memory, Footprint.of(8, 4));
    order.learns(one, 5); // a device advances within the call
    second.enqueued(6);
    order.accesses(memory, Footprint.of(0, 4), Way.READS, work("the program"));
    assertThatThrownBy(
            () -> order.accesses(memory, Footprint.of(8, 4), Way.READS, work("the program")))
        .isInstanceOf(RaceException.class);
  }

  @Test
  void whatTheHostLearnsWhileAnOperationIsEnqueuedComesBeforeIt() {
    StreamClock one = order.open(new Named("one"), false);
    StreamClock two = order.open(new Named("two"), false);
    Accesses memory = new Accesses(() -> "memory");
    Issue first = order.begin(one, 0, work("first"));
    first.writes(memory, Footprint.of(0, 4));
    first.enqueued(1);
    order.callback(two, 1);
    Issue second = order.begin(two, 1, work("second"));
    order.callbackBegins(two, 1);
    order.learns(one, 1);
    order.callbackEnds(two, 1);
    second.reads(memory, Footprint.of(0, 4));
    second.enqueued(2);
    assertThat(memory.count()).isPositive();
  }
}
