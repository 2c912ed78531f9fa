package dev.stretto.schedule;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Programs in which a wait is missing, with the fewest turns of streams in which they fail. What
 * happens after the last await does not count, so a stream for which nobody waits may have no turn.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists are never changed
enum ShortestRaces {
  /** The reader runs, the writer never does. */
  A_READER_DOES_NOT_WAIT(1, "second.copy1", "first.fill1") {
    @Override
    void run(Hands with) {
      with.first.fill(with.x, 7);
      with.second.copy(with.x, with.a).await();
      with.expect(with.a, 0, 7);
    }
  },
  /** The second stream, then the first. */
  A_WRITER_DOES_NOT_WAIT(2, "second.fill1", "first.copy1") {
    @Override
    void run(Hands with) {
      with.first.copy(with.x, with.a);
      with.second.fill(with.x, 7).await();
      with.first.await();
      with.expect(with.a, 0, 0);
    }
  },
  /** The third stream, then the second. */
  OTHER_WORK_IS_AWAITED_BETWEEN(2, "second.copy1", "first.fill1") {
    @Override
    void run(Hands with) {
      with.first.fill(with.x, 7);
      for (int i = 0; i < 8; i++) {
        with.third.fill(with.y, i).await();
      }
      with.second.copy(with.x, with.a).await();
      with.expect(with.a, 0, 7);
    }
  },
  /** The last of a chain alone. */
  THE_END_OF_A_CHAIN_DOES_NOT_WAIT(1, "third.copy1", "second.copy1") {
    @Override
    void run(Hands with) {
      with.first.fill(with.x, 7);
      with.second.waitFor(with.first.record());
      with.second.copy(with.x, with.y);
      with.third.copy(with.y, with.a).await();
      with.expect(with.a, 0, 7);
    }
  },
  /** The copy runs within its call. */
  THE_HOST_WRITES_A_SOURCE_THAT_IS_BEING_COPIED(1, "first.copy1") {
    @Override
    void run(Hands with) {
      with.first.copy(with.a, with.x);
      with.a.fill((byte) 7);
      with.first.copy(with.x, with.b).await();
      with.expect(with.b, 0, 0x07070707);
    }
  },
  /** The second stream, then the first. */
  THE_HOST_OVERWRITES_A_SOURCE_TOO_EARLY(2, "second.fill1", "first.copy1") {
    @Override
    void run(Hands with) {
      with.first.copy(with.a, with.x);
      with.second.fill(with.y, 1).await();
      with.a.fill((byte) 7);
      with.first.copy(with.x, with.b).await();
      with.expect(with.b, 0, 0);
    }
  },
  /** The first stream, and in the midst of it the second. */
  A_READER_SEES_WHAT_IS_THERE_FOR_A_SHORT_TIME(2, "second.copy1", "first.fill2") {
    @Override
    void run(Hands with) {
      with.first.fill(with.x, 1);
      with.first.fill(with.x, 2);
      with.second.copy(with.x, with.a).await();
      if (with.a.get(JAVA_INT, 0) == 1) {
        throw new AssertionError("the value in between");
      }
    }
  },
  /** One, the other, one, the other. */
  TWO_READS_SEE_TWO_WRITES(4, "first.fill2", "second.copy2") {
    @Override
    void run(Hands with) {
      with.first.fill(with.x, 1);
      with.first.fill(with.x, 2);
      with.second.copy(with.x, with.a);
      with.second.copy(with.x, with.b).await();
      if (with.a.get(JAVA_INT, 0) == 1 && with.b.get(JAVA_INT, 0) == 2) {
        throw new AssertionError("both values");
      }
    }
  },
  /** A piece of the fill, and the copy. */
  A_READER_SEES_HALF_A_FILL(2, "second.copy2", "first.fill1") {
    @Override
    void run(Hands with) {
      with.first.fill(with.large, 7);
      with.second.copy(with.large.slice(0, 1), with.a.asSlice(0, 4));
      with.second.copy(with.large.slice(LARGE - 1, 1), with.b.asSlice(0, 4)).await();
      if (with.a.get(JAVA_INT, 0) == 7 && with.b.get(JAVA_INT, 0) == 0) {
        throw new AssertionError("half of it");
      }
    }
  },
  /** The event, the third stream, the second. */
  AN_EVENT_WAS_RECORDED_TOO_EARLY(3, "third.copy1", "first.fill1") {
    @Override
    void run(Hands with) {
      Event early = with.first.record();
      with.first.fill(with.x, 7);
      with.third.waitFor(early);
      with.third.copy(with.x, with.y);
      with.second.waitFor(with.third.record());
      with.second.copy(with.y, with.a).await();
      with.expect(with.a, 0, 7);
    }
  };

  private static final int LENGTH = 64;
  private static final int LARGE = 1 << 14;

  /** What a program may use. */
  record Hands(
      Stream first,
      Stream second,
      Stream third,
      GlobalInts x,
      GlobalInts y,
      GlobalInts large,
      MemorySegment a,
      MemorySegment b) {
    void expect(MemorySegment in, int index, int value) {
      int found = in.getAtIndex(JAVA_INT, index);
      if (found != value) {
        throw new AssertionError("%d instead of %d".formatted(found, value));
      }
    }
  }

  private final int turns;
  private final List<String> ends;

  ShortestRaces(int turns, String... ends) {
    this.turns = turns;
    this.ends = List.of(ends);
  }

  /** {@return the operations whose order decides} */
  List<String> ends() {
    return ends;
  }

  /** {@return the fewest turns in which it fails, those of the preparation left out} */
  int turns() {
    return turns;
  }

  abstract void run(Hands with);

  /** Runs it on a device; the preparation happens on a stream of its own, in one turn. */
  void run(List<Device> devices, @Nullable Runnable between) {
    Device device = devices.getFirst();
    try (Stream before = device.stream("before");
        Stream first = device.stream("first");
        Stream second = device.stream("second");
        Stream third = device.stream("third");
        PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(LENGTH);
        GlobalInts y = device.allocateInts(LENGTH);
        GlobalInts large = device.allocateInts(LARGE)) {
      MemorySegment a = pinned.allocate(4 * LENGTH, 4);
      MemorySegment b = pinned.allocate(4 * LENGTH, 4);
      before.fill(x, 0);
      before.fill(y, 0);
      before.fill(large, 0).await();
      if (between != null) {
        between.run();
      }
      run(new Hands(first, second, third, x, y, large, a, b));
    }
  }
}
