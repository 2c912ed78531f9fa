package dev.stretto.bench;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.flow.Flow;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Arrays on the heap, whole or in chunks on several streams: wall time from the first call until
 * the last byte has arrived. What arrives is compared, outside the measured time.
 */
final class ArrayRates implements AutoCloseable {
  private static final int WORDS = Long.BYTES;

  private final Device device;
  private final Report report;
  private final int rounds;
  private final long bytes;
  private final long[] source;
  private final long[] target;
  private final MemorySegment from;
  private final MemorySegment to;
  private final GlobalBytes in;
  private final GlobalBytes out;
  private final Cipher cipher = new Cipher();

  ArrayRates(Device device, Report report, long bytes, int rounds) {
    this.device = device;
    this.report = report;
    this.rounds = rounds;
    this.bytes = bytes;
    this.source = new long[Math.toIntExact(bytes / WORDS)];
    this.target = new long[source.length];
    fillSource();
    this.from = MemorySegment.ofArray(source);
    this.to = MemorySegment.ofArray(target);
    this.in = device.allocateBytes(bytes);
    this.out = device.allocateBytes(bytes);
  }

  private void fillSource() {
    Arrays.setAll(source, i -> i * 0x9e3779b97f4a7c15L);
  }

  @Override
  public void close() {
    in.close();
    out.close();
  }

  /** One copy in, one copy out, and one of each at once. */
  void whole() {
    try (Stream first = device.stream();
        Stream second = device.stream()) {
      rate("array-in-whole", 0, 1, () -> first.copy(from, in).await());
      rate("array-out-whole", 0, 1, () -> first.copy(in, to).await());
      requireSame();
      rate(
          "array-both-whole",
          0,
          2,
          () -> {
            Copy there = first.copy(from, out);
            Copy back = second.copy(in, to);
            there.await();
            back.await();
          });
      requireSame();
    }
  }

  /** Chunks in, chunks out, and chunks in, through a kernel and out. */
  void chunks(long chunk, int count) {
    List<Stream> streams = IntStream.range(0, count).mapToObj(_ -> device.stream()).toList();
    try {
      rate("array-in", chunk, count, () -> each(chunk, streams, this::copyIn));
      rate("array-out", chunk, count, () -> each(chunk, streams, this::copyOut));
      requireSame();
      rate("array-through", chunk, count, () -> each(chunk, streams, this::through));
      requireInverse(bytes, () -> each(chunk, streams, this::through));
    } finally {
      streams.forEach(Stream::close);
    }
  }

  private interface Work {
    void enqueue(Stream stream, long at, long size);
  }

  private void each(long chunk, List<Stream> streams, Work work) {
    int next = 0;
    for (long at = 0; at < bytes; at += chunk) {
      work.enqueue(streams.get(next++ % streams.size()), at, Math.min(chunk, bytes - at));
    }
    streams.forEach(Stream::await);
  }

  private void copyIn(Stream stream, long at, long size) {
    stream.copy(from.asSlice(at, size), in.slice(at, size));
  }

  private void copyOut(Stream stream, long at, long size) {
    stream.copy(in.slice(at, size), to.asSlice(at, size));
  }

  private void through(Stream stream, long at, long size) {
    copyIn(stream, at, size);
    cipher.enqueue(stream, in.slice(at, size), out.slice(at, size), at);
    stream.copy(out.slice(at, size), to.asSlice(at, size));
  }

  private void rate(String bench, long chunk, int streams, Runnable work) {
    double rate =
        Samples.median(
            rounds,
            () -> {
              Arrays.fill(target, 1);
              long begin = System.nanoTime();
              work.run();
              return bytes / (double) (System.nanoTime() - begin);
            });
    report.note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"%s\",\"bytes\":%d,\"chunkBytes\":%d,\"streams\":%d,\"gigabytesPerSecond\":%.3f}",
            bench,
            bytes,
            chunk,
            streams,
            rate));
  }

  /** A flow from array to array, from its plan to its end; several flows share the bytes. */
  void flows(long size, int count) {
    long each = size / count;
    double micros =
        Samples.median(
            size < bytes ? 4 * rounds : rounds,
            () -> {
              long begin = System.nanoTime();
              together(count, each);
              return (System.nanoTime() - begin) / 1e3;
            });
    requireInverse(size, () -> together(count, each));
    report.note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"array-flow\",\"bytes\":%d,\"flows\":%d,\"microseconds\":%.1f,\"gigabytesPerSecond\":%.3f}",
            size,
            count,
            micros,
            size / micros / 1e3));
  }

  private void together(int count, long each) {
    List<Flow> flows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      flows.add(flow(i * each, each));
    }
    flows.forEach(Flow::await);
  }

  private Flow flow(long at, long size) {
    return Flow.on(device)
        .from(Source.of(from.asSlice(at, size)))
        .through(
            (stream, chunk) ->
                cipher.enqueue(stream, chunk.in(), chunk.out(), at + chunk.position()))
        .inPlace()
        .to(Sink.of(to.asSlice(at, size)))
        .start();
  }

  /** Requires that the work, which has filled the target, changes that back: so does the cipher. */
  private void requireInverse(long size, Runnable work) {
    System.arraycopy(target, 0, source, 0, source.length);
    work.run();
    fillSource();
    requireSame(from.asSlice(0, size), to.asSlice(0, size));
  }

  private void requireSame() {
    requireSame(from, to);
  }

  private static void requireSame(MemorySegment expected, MemorySegment actual) {
    long at = expected.mismatch(actual);
    if (at >= 0) {
      throw new IllegalStateException(
          "byte %d is %02x, not %02x"
              .formatted(
                  at,
                  actual.get(ValueLayout.JAVA_BYTE, at),
                  expected.get(ValueLayout.JAVA_BYTE, at)));
    }
  }
}
