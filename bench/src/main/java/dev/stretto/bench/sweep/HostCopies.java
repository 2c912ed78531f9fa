package dev.stretto.bench.sweep;

import dev.stretto.Awaitable;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongPredicate;

/** Copies from and to host memory of several kinds, whole or in rows with gaps. */
final class HostCopies {
  private static final double SHARE_OF_ROWS = 0.75;
  private static final long LARGEST_PITCH = 4096;

  private HostCopies() {}

  static void in(Bench bench, String way, HostMemory.Kind kind) {
    try (Ends ends = new Ends(bench, kind, true)) {
      new Rounds(bench, way, Plan.HOST_BYTES, (size, pieces) -> List.of(ends.job(size, pieces, 0)))
          .run();
    }
  }

  static void out(Bench bench, String way, HostMemory.Kind kind) {
    try (Ends ends = new Ends(bench, kind, false)) {
      new Rounds(bench, way, Plan.HOST_BYTES, (size, pieces) -> List.of(ends.job(size, pieces, 0)))
          .run();
    }
  }

  static void both(Bench bench, String way, HostMemory.Kind kind) {
    try (Ends in = new Ends(bench, kind, true);
        Ends out = new Ends(bench, kind, false)) {
      new Rounds(
              bench,
              way,
              Plan.HOST_BYTES,
              (size, pieces) -> List.of(in.job(size, pieces, 0), out.job(size, pieces, 0)))
          .run();
    }
  }

  /** Rows of three quarters of their pitch, which is 4 KiB, or a quarter of a small size. */
  static void rows(Bench bench, String way, HostMemory.Kind kind, boolean in) {
    try (Ends ends = new Ends(bench, kind, in)) {
      new Rounds(
              bench,
              way,
              Plan.HOST_BYTES,
              (size, pieces) -> List.of(ends.job(size, pieces, Math.min(LARGEST_PITCH, size / 4))))
          .run(SHARE_OF_ROWS);
    }
  }

  /** The two ends of all copies of a way: as much memory as the largest size needs. */
  private static final class Ends implements AutoCloseable {
    private final DeviceData data;
    private final boolean in;
    private final HostMemory host;
    private final GlobalBytes there;

    Ends(Bench bench, HostMemory.Kind kind, boolean in) {
      long bytes = bench.plan().bytes(Plan.HOST_BYTES);
      this.data = bench.data();
      this.in = in;
      this.host = HostMemory.of(kind, bench.device(), bytes);
      this.there = bench.device().allocateBytes(bytes);
      if (!in) {
        data.fill(there);
      } else if (!host.segment().isReadOnly()) {
        Pattern.fill(host.segment());
      }
    }

    /** Copies of so many bytes, or of rows if there is a pitch. */
    Job job(long size, int pieces, long pitch) {
      return new HostJob(
          data,
          in,
          host.segment().asSlice(0, size * pieces),
          there.slice(0, size * pieces),
          size,
          pieces,
          pitch);
    }

    @Override
    public void close() {
      there.close();
      host.close();
    }
  }

  /** Copies of one size. */
  private static final class HostJob implements Job {
    private final DeviceData data;
    private final boolean in;
    private final MemorySegment host;
    private final GlobalBytes there;
    private final MemorySegment[] hostPieces;
    private final GlobalBytes[] therePieces;
    private final long pitch;
    private final long width;
    private final long rows;

    HostJob(
        DeviceData data,
        boolean in,
        MemorySegment host,
        GlobalBytes there,
        long size,
        int pieces,
        long pitch) {
      this.data = data;
      this.in = in;
      this.host = host;
      this.there = there;
      this.hostPieces = new MemorySegment[pieces];
      this.therePieces = new GlobalBytes[pieces];
      for (int i = 0; i < pieces; i++) {
        hostPieces[i] = host.asSlice(i * size, size);
        therePieces[i] = there.slice(i * size, size);
      }
      this.pitch = pitch;
      this.width = pitch / 4 * 3;
      this.rows = pitch == 0 ? 0 : size / pitch;
    }

    @Override
    public Awaitable enqueue(Stream stream, int piece) {
      MemorySegment h = hostPieces[piece];
      GlobalBytes d = therePieces[piece];
      if (rows > 0) {
        return in
            ? stream.copy2D(h, pitch, d, pitch, width, rows)
            : stream.copy2D(d, pitch, h, pitch, width, rows);
      }
      return in ? stream.copy(h, d) : stream.copy(d, h);
    }

    @Override
    public void poison() {
      if (in) {
        data.poison(there);
      } else {
        Pattern.poison(host);
      }
    }

    @Override
    public void compare() {
      LongPredicate copied = rows > 0 ? at -> at % pitch < width : _ -> true;
      if (in) {
        data.require(there, copied);
      } else {
        Pattern.require(host, copied);
      }
    }
  }
}
