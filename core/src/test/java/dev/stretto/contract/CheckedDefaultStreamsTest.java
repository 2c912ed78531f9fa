package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Event;
import dev.stretto.ForeignLibrary;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** CUDA's default streams, whose operations wait for others without being told to. */
class CheckedDefaultStreamsTest extends CheckedPrograms {
  private static final Programs PROGRAMS = new Programs();

  /** What all devices have told of races that are only possible. */
  private static final List<String> TOLD = new ArrayList<>();

  static {
    PROGRAMS.bad(
        "a stream of ours does not wait for the legacy stream",
        legacy(
            (with, legacy) -> {
              legacy.fill(with.a, 1);
              with.second.copy(with.a, with.other);
            }));
    PROGRAMS.bad(
        "the legacy stream does not wait for a stream of ours",
        legacy(
            (with, legacy) -> {
              with.first.fill(with.a, 1);
              legacy.copy(with.a, with.b);
            }));
    PROGRAMS.good(
        "a stream of ours is told to wait for the legacy stream",
        legacy(
            (with, legacy) -> {
              legacy.fill(with.a, 1);
              with.second.waitFor(legacy.record());
              with.second.copy(with.a, with.other);
            }));
    PROGRAMS.good(
        "the legacy stream is told to wait for a stream of ours",
        legacy(
            (with, legacy) -> {
              with.first.fill(with.a, 1);
              legacy.waitFor(with.first.record());
              legacy.copy(with.a, with.b).await();
            }));
    PROGRAMS.good(
        "the program awaits the legacy stream",
        legacy(
            (with, legacy) -> {
              legacy.fill(with.a, 1);
              legacy.await();
              with.second.copy(with.a, with.other);
            }));
    PROGRAMS.good(
        "the legacy stream waits for the thread's default stream, and it for the legacy stream",
        both(
            (with, legacy, threads) -> {
              threads.fill(with.a, 1);
              legacy.copy(with.a, with.b);
              threads.fill(with.b, 2);
              legacy.copy(with.b, with.a);
              legacy.await();
            }));
    PROGRAMS.bad(
        "a stream of ours does not wait for the thread's default stream",
        threads(
            (with, threads) -> {
              threads.fill(with.a, 1);
              with.second.copy(with.a, with.other);
            }));
    PROGRAMS.good(
        "a stream of ours waits for the legacy stream, which has waited for the thread's",
        both(
            (with, legacy, threads) -> {
              threads.fill(with.a, 1);
              legacy.fill(with.b, 1);
              with.second.waitFor(legacy.record());
              with.second.copy(with.a, with.other);
            }));
    PROGRAMS.good(
        "a stream of ours waits for a point of the legacy stream, which waits for the thread's",
        both(
            (with, legacy, threads) -> {
              threads.fill(with.a, 1);
              with.second.waitFor(legacy.record());
              with.second.copy(with.a, with.other);
            }));
    PROGRAMS.good(
        "the program awaits the legacy stream, which waits for the thread's",
        both(
            (with, legacy, threads) -> {
              threads.fill(with.a, 1);
              legacy.await();
              with.second.copy(with.a, with.other);
            }));
    PROGRAMS.bad(
        "a stream of ours waits for an earlier point of the legacy stream",
        both(
            (with, legacy, threads) -> {
              legacy.fill(with.b, 1);
              with.second.waitFor(legacy.record());
              threads.fill(with.a, 1);
              with.second.copy(with.a, with.other);
            }));
    PROGRAMS.good(
        "the legacy stream and the thread's own take turns",
        both(
            (with, legacy, own) -> {
              for (int i = 0; i < 4; i++) {
                (i % 2 == 0 ? legacy : own).fill(with.a, i);
                (i % 2 == 0 ? own : legacy).copy(with.a, with.b);
              }
            }));
    PROGRAMS.good(
        "an event of the thread's own stream comes after the legacy stream",
        both(
            (with, legacy, own) -> {
              legacy.fill(with.a, 1);
              with.first.waitFor(own.record());
              with.first.copy(with.a, with.host);
            }));
    PROGRAMS.bad(
        "an event of the thread's own stream from before the legacy stream's fill",
        both(
            (with, legacy, own) -> {
              Event before = own.record();
              legacy.fill(with.a, 1);
              with.first.waitFor(before);
              with.first.copy(with.a, with.host);
            }));
    PROGRAMS.bad(
        "a stream overwrites what the thread's own stream copies",
        with -> {
          try (Stream own = with.device.perThreadStream();
              PinnedArena pinned = with.device.pinnedArena()) {
            MemorySegment host = pinned.allocate(256);
            own.copy(with.a, host);
            with.first.fill(with.a, 1);
          }
        });
    PROGRAMS.bad(
        "two threads' own streams do not wait for each other",
        threads(
            (with, own) -> {
              Thread other =
                  Thread.ofPlatform()
                      .start(
                          () -> {
                            try (Stream theirs = with.device.perThreadStream()) {
                              theirs.fill(with.a, 1);
                            }
                          });
              other.join();
              own.copy(with.a, with.b);
            }));
    PROGRAMS.good(
        "two threads' own streams with the legacy stream between them",
        both(
            (with, legacy, own) -> {
              Thread other =
                  Thread.ofPlatform()
                      .start(
                          () -> {
                            try (Stream theirs = with.device.perThreadStream()) {
                              theirs.fill(with.a, 1);
                            }
                          });
              other.join();
              legacy.fill(with.c(), 2);
              own.copy(with.a, with.b);
            }));
    PROGRAMS.good(
        "the legacy stream is closed and opened again",
        with -> {
          try (Stream legacy = with.device.legacyStream()) {
            legacy.fill(with.a, 1);
          }
          try (Stream legacy = with.device.legacyStream()) {
            legacy.copy(with.a, with.b);
          }
        });
    PROGRAMS.good(
        "the device is awaited after a stream was closed",
        with -> {
          try (Stream closed = with.device.stream()) {
            closed.fill(with.a, 1);
          }
          with.device.await();
          with.first.copy(with.a, with.host);
        });
    PROGRAMS.bad(
        "a stream was closed, which awaits nothing",
        with -> {
          try (Stream closed = with.device.stream()) {
            closed.fill(with.a, 1);
          }
          with.first.copy(with.a, with.host);
        });
    PROGRAMS.bad(
        "an array is closed and another stream still copies it",
        legacy(
            (with, legacy) -> {
              GlobalFloats c = with.c();
              with.first.fill(c, 1);
              with.second.copy(c, with.host);
              c.close();
              legacy.await();
            }));
  }

  /** A program with one of CUDA's default streams. */
  private interface OneStream {
    void run(Hands with, Stream one) throws Exception;
  }

  /** A program with the legacy stream and the thread's own. */
  private interface TwoStreams {
    void run(Hands with, Stream legacy, Stream threads) throws Exception;
  }

  private static Program legacy(OneStream program) {
    return with -> {
      try (Stream legacy = with.device.legacyStream()) {
        program.run(with, legacy);
      }
    };
  }

  private static Program threads(OneStream program) {
    return with -> {
      try (Stream threads = with.device.perThreadStream()) {
        program.run(with, threads);
      }
    };
  }

  private static Program both(TwoStreams program) {
    return with -> {
      try (Stream legacy = with.device.legacyStream();
          Stream threads = with.device.perThreadStream()) {
        program.run(with, legacy, threads);
      }
    };
  }

  @Test
  void aRaceWithAnAdoptedStreamIsPossibleAndIsToldOnce() {
    try (ForeignLibrary library = ForeignLibrary.on(device);
        LoggedErrors logged = new LoggedErrors();
        GlobalFloats array = device.allocateFloats(LENGTH);
        Stream adopted = device.adoptStream(library.createStream());
        Stream stream = device.stream()) {
      for (int i = 0; i < 3; i++) {
        adopted.fill(array, 1);
        stream.fill(array, 2);
        stream.await();
        adopted.await();
      }
      TOLD.addAll(logged.messages());
      assertThat(TOLD) // by one of the devices: the lines are the same on all
          .singleElement(InstanceOfAssertFactories.STRING)
          .startsWith("possible race on " + 4 * LENGTH + " bytes")
          .contains("a fill on stream 0x", "a fill on adopted stream 0x")
          .endsWith("Unless other code orders them, to which one of the streams belongs");
    }
  }

  @Test
  void anAdoptedStreamThatBlocksKeepsStepWithTheLegacyStream() {
    try (ForeignLibrary library = ForeignLibrary.on(device);
        LoggedErrors logged = new LoggedErrors();
        GlobalFloats array = device.allocateFloats(LENGTH);
        Stream adopted = device.adoptStream(library.createStream());
        Stream legacy = device.legacyStream()) {
      for (int i = 0; i < 3; i++) {
        adopted.fill(array, 1);
        legacy.fill(array, 2);
      }
      legacy.await();
      assertThat(logged.messages()).isEmpty();
    }
  }

  CheckedDefaultStreamsTest() {
    super(PROGRAMS);
  }

  static Set<String> bad() {
    return PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return PROGRAMS.good.keySet();
  }
}
