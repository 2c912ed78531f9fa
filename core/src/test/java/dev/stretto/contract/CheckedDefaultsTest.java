package dev.stretto.contract;

import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** CUDA's default streams wait for each other, and for no stream that Stretto opens. */
class CheckedDefaultsTest extends CheckedPrograms {
  private static final Programs PROGRAMS = new Programs();

  static {
    PROGRAMS.bad(
        "a stream reads what the legacy stream fills",
        with -> {
          try (Stream legacy = with.device.legacyStream()) {
            legacy.fill(with.a, 1);
            with.first.copy(with.a, with.host);
          }
        });
    PROGRAMS.bad(
        "the legacy stream fills what a stream reads",
        with -> {
          try (Stream legacy = with.device.legacyStream()) {
            with.first.copy(with.a, with.host);
            legacy.fill(with.a, 1);
          }
        });
    PROGRAMS.good(
        "a stream waits for the legacy stream",
        with -> {
          try (Stream legacy = with.device.legacyStream()) {
            legacy.fill(with.a, 1);
            with.first.waitFor(legacy.record());
            with.first.copy(with.a, with.host);
          }
        });
    PROGRAMS.good(
        "the legacy stream waits for a stream",
        with -> {
          try (Stream legacy = with.device.legacyStream()) {
            Event filled = with.first.fill(with.a, 1);
            legacy.waitFor(filled);
            legacy.copy(with.a, with.b);
          }
        });
    PROGRAMS.good(
        "the legacy stream is awaited",
        with -> {
          try (Stream legacy = with.device.legacyStream()) {
            legacy.fill(with.a, 1);
            legacy.await();
            with.first.copy(with.a, with.host);
          }
        });
    PROGRAMS.good(
        "the legacy stream and the thread's own take turns",
        with -> {
          try (Stream legacy = with.device.legacyStream();
              Stream own = with.device.perThreadStream()) {
            for (int i = 0; i < 4; i++) {
              (i % 2 == 0 ? legacy : own).fill(with.a, i);
              (i % 2 == 0 ? own : legacy).copy(with.a, with.b);
            }
          }
        });
    PROGRAMS.good(
        "an event of the thread's own stream comes after the legacy stream",
        with -> {
          try (Stream legacy = with.device.legacyStream();
              Stream own = with.device.perThreadStream()) {
            legacy.fill(with.a, 1);
            with.first.waitFor(own.record());
            with.first.copy(with.a, with.host);
          }
        });
    PROGRAMS.bad(
        "an event of the thread's own stream from before the legacy stream's fill",
        with -> {
          try (Stream legacy = with.device.legacyStream();
              Stream own = with.device.perThreadStream()) {
            Event before = own.record();
            legacy.fill(with.a, 1);
            with.first.waitFor(before);
            with.first.copy(with.a, with.host);
          }
        });
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
        with -> {
          try (Stream own = with.device.perThreadStream()) {
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
          }
        });
    PROGRAMS.good(
        "two threads' own streams with the legacy stream between them",
        with -> {
          try (Stream own = with.device.perThreadStream();
              Stream legacy = with.device.legacyStream()) {
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
          }
        });
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
        with -> {
          try (Stream legacy = with.device.legacyStream()) {
            GlobalFloats c = with.c();
            with.first.fill(c, 1);
            with.second.copy(c, with.host);
            c.close();
            legacy.await();
          }
        });
  }

  CheckedDefaultsTest() {
    super(PROGRAMS);
  }

  static Set<String> bad() {
    return PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return PROGRAMS.good.keySet();
  }
}
