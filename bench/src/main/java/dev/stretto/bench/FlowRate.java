package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowPlan;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/** Bytes through the device and back, with a kernel in between. */
final class FlowRate {
  private static final int SAMPLES = 5;

  /** With fewer, much of the measured time is Java code that is not compiled yet. */
  private static final int WARM_UPS = 200;

  /** A chunk size to try; by default the flow chooses it. */
  private static final long CHUNK_BYTES = Long.getLong("stretto.bench.chunk", 0);

  private static final int DEPTH = Integer.getInteger("stretto.bench.depth", 0);

  private final Device device;
  private final Report report;
  private final long bytes;
  private final Cipher cipher = new Cipher();

  FlowRate(Device device, Report report, long bytes) {
    this.device = device;
    this.report = report;
    this.bytes = bytes;
  }

  /**
   * Pinned memory to pinned memory; the payload counts once, although it moves in both directions.
   */
  void pinned() {
    try (PinnedArena arena = device.pinnedArena()) {
      MemorySegment source = arena.allocate(bytes, 4096);
      MemorySegment sink = arena.allocate(bytes, 4096);
      Bandwidth.pattern(source, 4);
      FlowReport[] last = new FlowReport[1];
      double rate =
          Samples.median(
              SAMPLES,
              () -> {
                sink.fill((byte) 0x5a);
                last[0] = run(source, sink);
                return bytes / (double) last[0].wallNanos();
              });
      // The cipher is its own inverse: after a second pass through the device, the bytes must be
      // the original ones.
      MemorySegment back = arena.allocate(bytes, 4096);
      run(sink, back);
      Bandwidth.compare(source, back);
      report.note(
          String.format(
              Locale.ROOT,
              "{\"bench\":\"flow\",\"bytes\":%d,\"chunkBytes\":%d,\"depth\":%d,\"gigabytesPerSecond\":%.3f,\"sizing\":\"%s\"}",
              bytes,
              last[0].chunkBytes(),
              last[0].depth(),
              rate,
              last[0].sizing()));
    }
  }

  private FlowReport run(MemorySegment source, MemorySegment sink) {
    FlowPlan plan = plan(source, sink);
    if (CHUNK_BYTES > 0) {
      plan.chunkBytes(CHUNK_BYTES);
    }
    if (DEPTH > 0) {
      plan.depth(DEPTH);
    }
    return plan.start().await();
  }

  private FlowPlan plan(MemorySegment source, MemorySegment sink) {
    return Flow.on(device)
        .from(Source.of(source))
        .through(
            (stream, chunk) -> cipher.enqueue(stream, chunk.in(), chunk.out(), chunk.position()))
        .inPlace()
        .to(Sink.of(sink));
  }

  /** Draws a timeline: 256 MiB between pinned ends, in chunks of 16 MiB, four at a time. */
  void picture() {
    long size = 256L << 20;
    try (PinnedArena arena = device.pinnedArena()) {
      MemorySegment source = arena.allocate(size, 4096);
      MemorySegment sink = arena.allocate(size, 4096);
      for (int i = 0; i < WARM_UPS; i++) {
        try (Timeline _ = Timeline.record(device)) {
          plan(source, sink).chunkBytes(16 << 20).depth(4).start().await();
          device.await();
        }
      }
      try (Timeline timeline = Timeline.record(device)) {
        plan(source, sink).chunkBytes(16 << 20).depth(4).start().await();
        device.await();
        report.note(TextTimeline.draw(timeline.spans(), 100));
        report.note(
            String.format(
                Locale.ROOT,
                "%.0f %% of the copying time overlaps with a kernel or a copy the other way",
                100 * Overlap.of(timeline.spans()).ratio()));
      }
    }
  }

  /** The kernel alone. */
  void kernel() {
    long size = 256L << 20;
    try (Stream stream = device.stream();
        GlobalBytes from = device.allocateBytes(size);
        GlobalBytes to = device.allocateBytes(size)) {
      stream.fill(from, (byte) 1);
      int launches = 10;
      double rate =
          Samples.median(
              9,
              () -> {
                try (TimedEvent begin = stream.recordTimed()) {
                  for (int i = 0; i < launches; i++) {
                    cipher.enqueue(stream, from, to, 0);
                  }
                  try (TimedEvent end = stream.recordTimed()) {
                    end.await();
                    return launches * size / begin.nanosTo(end);
                  }
                }
              });
      report.rate("chacha20", size, rate);
    }
  }
}
