package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Copies between host and device: bytes per second, with every byte compared. */
final class Bandwidth {
  private static final int SAMPLES = 9;

  private final Device device;
  private final Report report;
  private final long bytes;

  Bandwidth(Device device, Report report, long bytes) {
    this.device = device;
    this.report = report;
    this.bytes = bytes;
  }

  void pinned(boolean toDevice) {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(bytes)) {
      MemorySegment source = arena.allocate(bytes, 4096);
      MemorySegment back = arena.allocate(bytes, 4096);
      pattern(source, 1);
      stream.copy(source, array).await();
      double rate =
          Samples.median(
              SAMPLES,
              () -> {
                if (toDevice) {
                  stream.fill(array, (byte) 0x5a);
                } else {
                  back.fill((byte) 0x5a);
                }
                double nanos;
                try (TimedEvent begin = stream.recordTimed()) {
                  if (toDevice) {
                    stream.copy(source, array);
                  } else {
                    stream.copy(array, back);
                  }
                  try (TimedEvent end = stream.recordTimed()) {
                    end.await();
                    nanos = begin.nanosTo(end);
                  }
                }
                if (toDevice) {
                  stream.copy(array, back).await();
                }
                compare(source, back);
                return bytes / nanos;
              });
      report.rate(toDevice ? "pinned-h2d" : "pinned-d2h", bytes, rate);
    }
  }

  void pinnedBoth() {
    try (Stream in = device.stream();
        Stream out = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalBytes first = device.allocateBytes(bytes);
        GlobalBytes second = device.allocateBytes(bytes)) {
      MemorySegment source = arena.allocate(bytes, 4096);
      MemorySegment back = arena.allocate(bytes, 4096);
      pattern(source, 2);
      in.copy(source, second).await();
      double rate =
          Samples.median(
              SAMPLES,
              () -> {
                back.fill((byte) 0x5a);
                in.fill(first, (byte) 0x5a);
                double nanos;
                try (TimedEvent begin = in.recordTimed()) {
                  out.waitFor(begin);
                  in.copy(source, first);
                  out.copy(second, back);
                  try (TimedEvent inEnd = in.recordTimed();
                      TimedEvent outEnd = out.recordTimed()) {
                    inEnd.await();
                    outEnd.await();
                    nanos = Math.max(begin.nanosTo(inEnd), begin.nanosTo(outEnd));
                  }
                }
                compare(source, back);
                out.copy(first, back).await();
                compare(source, back);
                return 2 * bytes / nanos;
              });
      report.rate("pinned-both", 2 * bytes, rate);
    }
  }

  /** Ordinary memory, native or a Java array, by a given route; wall time, including the wait. */
  void ordinary(String bench, boolean toDevice, boolean heap, Route.Kind way) {
    try (Arena ordinary = Arena.ofShared();
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(bytes / 4)) {
      MemorySegment host =
          heap ? MemorySegment.ofArray(new int[(int) (bytes / 4)]) : ordinary.allocate(bytes, 4096);
      MemorySegment reference = pinned.allocate(bytes, 4096);
      pattern(reference, 3);
      MemorySegment.copy(reference, 0, host, 0, bytes);
      MemorySegment back = pinned.allocate(bytes, 4096);
      double rate =
          Samples.median(
              SAMPLES,
              () -> {
                if (toDevice) {
                  stream.fill(array, 0x5a5a5a5a).await();
                } else {
                  stream.copy(reference, array).await();
                  host.fill((byte) 0x5a);
                }
                long begin = System.nanoTime();
                if (toDevice) {
                  stream.copy(host, array, way).await();
                } else {
                  stream.copy(array, host, way).await();
                }
                double nanos = System.nanoTime() - begin;
                if (toDevice) {
                  stream.copy(array, back).await();
                  compare(reference, back);
                } else {
                  compare(reference, host);
                }
                return bytes / nanos;
              });
      report.rate(bench, bytes, rate);
    }
  }

  /** Device memory to device memory; bytes read and bytes written both count. */
  void local() {
    try (Stream stream = device.stream();
        GlobalInts from = device.allocateInts(bytes / 4);
        GlobalInts to = device.allocateInts(bytes / 4)) {
      Event filled = stream.fill(from, 0x12345678);
      filled.await();
      double rate =
          Samples.median(
              SAMPLES,
              () -> {
                try (TimedEvent begin = stream.recordTimed()) {
                  stream.copy(from, to);
                  try (TimedEvent end = stream.recordTimed()) {
                    end.await();
                    return 2 * bytes / begin.nanosTo(end);
                  }
                }
              });
      report.rate("device-local", 2 * bytes, rate);
    }
  }

  static void pattern(MemorySegment segment, long seed) {
    long state = seed * 0x9E3779B97F4A7C15L;
    for (long at = 0; at < segment.byteSize() / 8; at++) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
      segment.setAtIndex(ValueLayout.JAVA_LONG, at, state);
    }
  }

  static void compare(MemorySegment expected, MemorySegment actual) {
    long at = expected.mismatch(actual);
    if (at >= 0) {
      throw new IllegalStateException("byte " + at + " was not copied");
    }
  }
}
