package dev.stretto.bench.schedule;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Programs in which a wait is missing. Each fails by its result, if the schedule lets it. */
enum BadProgram {
  READER_WITHOUT_WAIT("a reader on another stream") {
    @Override
    void run(Hands with) {
      with.first.fill(with.x, 7);
      with.second.copy(with.x, with.a).await();
      with.expect(with.a, 7);
    }
  },
  WRITER_WITHOUT_WAIT("a writer on another stream") {
    @Override
    void run(Hands with) {
      with.first.copy(with.x, with.a);
      with.second.fill(with.x, 7).await();
      with.first.await();
      with.expect(with.a, 0);
    }
  },
  FOUR_AWAITED_BETWEEN("4 awaited operations between") {
    @Override
    void run(Hands with) {
      with.distant(4);
    }
  },
  SIXTEEN_AWAITED_BETWEEN("16 awaited operations between") {
    @Override
    void run(Hands with) {
      with.distant(16);
    }
  },
  SIXTY_FOUR_AWAITED_BETWEEN("64 awaited operations between") {
    @Override
    void run(Hands with) {
      with.distant(64);
    }
  },
  EARLY_EVENT("an event recorded too early") {
    @Override
    void run(Hands with) {
      Event early = with.first.record();
      with.first.fill(with.x, 7);
      with.second.waitFor(early);
      with.second.copy(with.x, with.a).await();
      with.expect(with.a, 7);
    }
  },
  BROKEN_CHAIN("a chain of three without its last wait") {
    @Override
    void run(Hands with) {
      with.first.fill(with.x, 7);
      with.second.waitFor(with.first.record());
      with.second.copy(with.x, with.y);
      with.third.copy(with.y, with.a);
      with.second.await();
      with.third.await();
      with.expect(with.a, 7);
    }
  },
  SOURCE_OVERWRITTEN("the host overwrites a source") {
    @Override
    void run(Hands with) {
      with.first.copy(with.a, with.x);
      with.second.fill(with.y, 1).await();
      with.a.fill((byte) 7);
      with.first.copy(with.x, with.b).await();
      with.expect(with.b, 0);
    }
  },
  SOURCE_WRITTEN_LATE("the host fills a source behind the copy's call") {
    @Override
    void run(Hands with) {
      with.first.copy(with.a, with.x);
      with.a.fill((byte) 7);
      with.first.copy(with.x, with.b).await();
      with.expect(with.b, 0x07070707);
    }
  },
  VALUE_IN_BETWEEN("one of two writes is read") {
    @Override
    void run(Hands with) {
      with.first.fill(with.x, 1);
      with.first.fill(with.x, 2);
      with.second.copy(with.x, with.a);
      with.first.await();
      with.second.await();
      with.unless(with.a.get(JAVA_INT, 0) == 1);
    }
  },
  BOTH_VALUES("two reads between two writes") {
    @Override
    void run(Hands with) {
      with.first.fill(with.x, 1);
      with.first.fill(with.x, 2);
      with.second.copy(with.x, with.a);
      with.second.copy(with.x, with.b);
      with.first.await();
      with.second.await();
      with.unless(with.a.get(JAVA_INT, 0) == 1 && with.b.get(JAVA_INT, 0) == 2);
    }
  },
  TORN_FILL("half of a large fill is read") {
    @Override
    void run(Hands with) {
      with.first.fill(with.large, 7);
      with.second.copy(with.large.slice(0, 1), with.a.asSlice(0, 4));
      with.second.copy(with.large.slice(LARGE - 1, 1), with.b.asSlice(0, 4));
      with.first.await();
      with.second.await();
      with.unless(with.a.get(JAVA_INT, 0) == 7 && with.b.get(JAVA_INT, 0) == 0);
    }
  },
  LATE_AMONG_MANY("a reader beside eight busy streams") {
    @Override
    void run(Hands with) {
      with.first.fill(with.x, 7);
      for (Stream other : with.others) {
        for (int i = 0; i < 4; i++) {
          other.fill(with.y, i);
        }
      }
      with.second.copy(with.x, with.a);
      with.others.forEach(Stream::await);
      with.second.await();
      with.expect(with.a, 7);
    }
  };

  private static final int LENGTH = 64;
  private static final int LARGE = 1 << 14;

  /** What a program may use. */
  record Hands(
      Stream first,
      Stream second,
      Stream third,
      List<Stream> others,
      GlobalInts x,
      GlobalInts y,
      GlobalInts large,
      MemorySegment a,
      MemorySegment b) {
    void distant(int k) {
      first.fill(x, 7);
      for (int i = 0; i < k; i++) {
        third.fill(y, i).await();
      }
      second.copy(x, a).await();
      expect(a, 7);
    }

    void expect(MemorySegment in, int value) {
      unless(in.get(JAVA_INT, 0) != value);
    }

    void unless(boolean wrong) {
      if (wrong) {
        throw new WrongResult();
      }
    }
  }

  /** What a program throws that has computed something wrong. */
  static final class WrongResult extends RuntimeException {
    private static final long serialVersionUID = 1;

    WrongResult() {
      super("a wrong result", null, false, false);
    }
  }

  private final String title;

  BadProgram(String title) {
    this.title = title;
  }

  /** {@return a name for the table} */
  String title() {
    return title;
  }

  abstract void run(Hands with);

  /** Runs it on a device. */
  void run(List<Device> devices) {
    Device device = devices.getFirst();
    try (PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(LENGTH);
        GlobalInts y = device.allocateInts(LENGTH);
        GlobalInts large = device.allocateInts(this == TORN_FILL ? LARGE : 1)) {
      List<Stream> streams =
          java.util.stream.Stream.generate(device::stream)
              .limit(this == LATE_AMONG_MANY ? 11 : 3)
              .toList();
      MemorySegment a = pinned.allocate(4 * LENGTH, 4);
      MemorySegment b = pinned.allocate(4 * LENGTH, 4);
      streams.getFirst().fill(x, 0);
      streams.getFirst().fill(large, 0);
      streams.getFirst().fill(y, 0).await();
      try {
        run(
            new Hands(
                streams.get(0),
                streams.get(1),
                streams.get(2),
                streams.subList(3, streams.size()),
                x,
                y,
                large,
                a,
                b));
      } finally {
        streams.forEach(Stream::close);
      }
    }
  }
}
