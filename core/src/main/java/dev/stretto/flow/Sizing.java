package dev.stretto.flow;

import dev.stretto.Device;
import dev.stretto.PinnedUse;
import dev.stretto.driver.HostClock;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The size of a flow's chunks, and how many are in flight at a time, on one device or on all.
 *
 * @param chunkBytes of each chunk but the last
 * @param depth chunks in flight at a time
 * @param most chunks that may be in flight until the first one is done
 * @param readers concurrent reads
 * @param writers concurrent writes
 * @param reason in a sentence
 */
record Sizing(long chunkBytes, int depth, int most, int readers, int writers, String reason) {
  private static final long LEAST_CHUNK = 256 << 10;
  private static final long MOST_CHUNK = 32 << 20;
  private static final long MOST_PINNED = 160L << 20;

  /** Of a chunk that threads of staged copies bring piece by piece. */
  private static final long MOST_STAGED = 128L << 20;

  /** Of such chunks: one comes while others wait, are worked on, or leave. */
  private static final int STAGED_DEPTH = 8;

  /** So many of them wait for the first one at most. */
  private static final int MOST_WAITING = 64;

  /** The part of a device's free memory, as a divisor, that such chunks take. */
  private static final int STAGED_SHARE = 16;

  /** The most that one thread reads at a time. */
  private static final long MOST_READ = 16 << 20;

  /**
   * So little device memory is taken without asking how much there is: the driver takes about a
   * millisecond to answer.
   */
  private static final long LITTLE = 64 << 20;

  /** So many bytes in flight keep a link busy, but no more than so many chunks. */
  private static final long IN_FLIGHT = 32L << 20;

  private static final int MOST_SMALL = 32;

  /** Of a chunk: a copy in, a kernel, a copy out. */
  private static final int OPERATIONS = 3;

  private static final int LEAST_CHUNKS = 8;

  /**
   * Of such a chunk: threads read its pieces side by side, each of which leaves for the device as
   * soon as it is read. Only what is done with a whole chunk has to wait for it.
   */
  private static final int LEAST_STAGED = 1;

  /** Of such a chunk that is also written: what writes it waits for the whole chunk. */
  private static final int LEAST_STAGED_BOTH_WAYS = 4;

  /** Chunks in flight of a flow from memory to memory. */
  private static final int RESIDENT_DEPTH = 8;

  /** What a chunk costs a host whose JVM has not run for long… */
  private static final double HOST_NANOS = 30_000;

  /** …and a chunk whose bytes come by a staged copy. */
  private static final double STAGED_NANOS = 250_000;

  /** The most that starting a copy may cost, as a fraction of the copy. */
  private static final double OVERHEAD = 0.005;

  /** More do not help with files: a file system mostly admits one writer of a file at a time. */
  private static final int FILE_WRITERS = 2;

  /** Of other sinks. */
  private static final int MOST_WRITERS = 6;

  /** A core copies 3 to 6 GB/s out of the page cache, and a link takes 55. */
  private static final int MOST_READERS = 16;

  /**
   * The requirements that a flow is sized for.
   *
   * @param size of the source, or -1
   * @param buffering whether chunks need buffers on the host
   * @param chunkBytes as set, or 0
   * @param depth as set, or 0
   * @param granularity of chunks
   * @param passage what a chunk needs on the device
   * @param devices how many
   * @param isMemoryShort whether the devices' free memory has to be asked for in any case
   */
  record Wish(
      long size,
      Buffering buffering,
      long chunkBytes,
      int depth,
      int granularity,
      Passage passage,
      int devices,
      boolean isMemoryShort) {}

  /**
   * {@return the sizing for each of several devices} All use the smallest chunk size that any of
   * them needs.
   */
  static List<Sizing> of(List<Device> devices, Source source, Sink sink, Wish wish) {
    List<Sizing> own = devices.stream().map(device -> of(device, source, sink, wish)).toList();
    long least = own.stream().mapToLong(Sizing::chunkBytes).min().orElseThrow();
    return own.stream().map(sizing -> sizing.withChunks(least)).toList();
  }

  private Sizing withChunks(long bytes) {
    return new Sizing(bytes, depth, most, readers, writers, reason);
  }

  /** {@return the sizing of all devices of a flow together} */
  static Sizing together(List<Sizing> each) {
    if (each.size() == 1) {
      return each.getFirst();
    }
    Sizing first = each.getFirst();
    return new Sizing(
        first.chunkBytes,
        each.stream().mapToInt(Sizing::depth).sum(),
        each.stream().mapToInt(Sizing::most).sum(),
        each.stream().mapToInt(Sizing::readers).max().orElseThrow(),
        each.stream().mapToInt(Sizing::writers).max().orElseThrow(),
        "the smallest of the chunk sizes that suit each device: "
            + each.stream().map(Sizing::reason).distinct().collect(Collectors.joining("; ")));
  }

  private static Sizing of(Device device, Source source, Sink sink, Wish wish) {
    HostClock clock = device.hostClock();
    int cores = clock.cores();
    int readers = source.isPositional() ? readers(cores) : 1;
    int writers = sink.isPositional() ? writers(sink, cores) : 1;
    int depth = wish.depth;
    if (depth == 0) {
      // One chunk for each concurrent activity: reads, writes, copy in, compute, copy out, and one
      // to spare. From memory to memory nothing is read or written: there the host has to learn in
      // time that a chunk is done, for which a cold JVM takes as long as the device for a chunk.
      boolean isStaged = wish.buffering.isStaged();
      depth =
          wish.buffering.isNeeded()
              ? (wish.buffering.in() || isStaged ? readers : 0)
                  + (wish.buffering.out() ? writers : 0)
                  + 4
              : RESIDENT_DEPTH;
      if (isStaged && wish.chunkBytes == 0) {
        depth = Math.min(depth, STAGED_DEPTH + (wish.buffering.out() ? writers : 0));
      }
      if (wish.chunkBytes > 0 && !wish.isMemoryShort) {
        // Of small chunks more have to be in flight to keep the link busy.
        long enough = Math.ceilDiv(IN_FLIGHT, wish.chunkBytes);
        depth = (int) Math.max(depth, Math.min(enough, MOST_SMALL));
      }
    }
    long chunk = wish.chunkBytes;
    String reason = "as set";
    if (chunk == 0) {
      LinkSpeed link = LinkSpeed.of(device);
      double enough = link.nanosPerCopy() * link.bytesPerNano() / OVERHEAD;
      chunk = LEAST_CHUNK;
      while (chunk < enough && chunk < MOST_CHUNK) {
        chunk *= 2;
      }
      if (wish.buffering.isStaged()) {
        chunk = MOST_STAGED; // each costs the host as much as some pieces
      }
      long enoughChunk = chunk;
      if (wish.buffering.in()) {
        chunk = Math.min(chunk, MOST_READ);
      }
      long size = wish.size;
      double best = size > 0 ? best((double) size / wish.devices, link, wish) : chunk;
      while (chunk > LEAST_CHUNK && chunk > best) {
        chunk /= 2;
      }
      long pinnedRoom = wish.buffering.isNeeded() ? pinnedRoom(device) : MOST_PINNED;
      long deviceRoom =
          wish.isMemoryShort || onDevice(wish, chunk) * depth > LITTLE
              ? wish.buffering.isStaged()
                  ? device.freeBytes() / STAGED_SHARE
                  : device.freeBytes() / 10 * 8
              : LITTLE;
      while (chunk > LEAST_CHUNK
          && (pinned(wish, chunk) * depth > pinnedRoom
              || onDevice(wish, chunk) * depth > deviceRoom)) {
        chunk /= 2;
      }
      while (wish.depth == 0
          && depth > 1
          && (pinned(wish, chunk) * depth > pinnedRoom
              || onDevice(wish, chunk) * depth > deviceRoom)) {
        depth--;
      }
      chunk = Math.max(wish.granularity, chunk / wish.granularity * wish.granularity);
      // Put together by hand: a format takes longer than a small flow.
      reason =
          "a copy costs "
              + tenths(link.nanosPerCopy() / 1e3)
              + " µs to start and runs at "
              + tenths(link.bytesPerNano())
              + " GB/s, so chunks of "
              + (enoughChunk >> 10)
              + " KiB are large enough; the size of the source and the memory allow "
              + (chunk >> 10)
              + " KiB";
    }
    int most = wish.depth == 0 ? most(device, wish, chunk, depth) : depth;
    if (wish.size >= 0) {
      long chunks = Math.max(1, Math.ceilDiv(wish.size, chunk));
      depth = (int) Math.min(depth, chunks);
      most = (int) Math.min(most, chunks);
    }
    // Of a chunk that threads of staged copies read, several read pieces at a time.
    int reading = wish.buffering.isStaged() ? readers : Math.min(readers, depth);
    int writing = StagedSink.of(sink) == null ? Math.min(writers, depth) : writers;
    return new Sizing(chunk, depth, most, reading, writing, reason);
  }

  /**
   * {@return how many chunks may wait for the first one} Its kernels may take long to be compiled,
   * while threads of staged copies bring others.
   */
  private static int most(Device device, Wish wish, long chunk, int depth) {
    boolean mayWait = wish.buffering.isStaged() && !wish.buffering.out() && !wish.isMemoryShort;
    if (!mayWait || onDevice(wish, chunk) * depth <= LITTLE) {
      return depth;
    }
    long room = device.freeBytes() / STAGED_SHARE / onDevice(wish, chunk);
    return (int) Math.max(depth, Math.min(room, MOST_WAITING));
  }

  private static int writers(Sink sink, int cores) {
    if (StagedSink.of(sink) != null) {
      return readers(cores); // the same threads
    }
    return sink instanceof FileSink ? FILE_WRITERS : Math.max(1, Math.min(MOST_WRITERS, cores / 2));
  }

  /** {@return how many threads read at once: some cores are left for all else} */
  private static int readers(int cores) {
    return Math.clamp(cores * 5L / 8, 1, MOST_READERS);
  }

  /**
   * {@return the size of chunks that takes the least time} The first chunk's copy in and the last
   * one's copy out overlap with nothing, which speaks for small chunks; and each chunk costs the
   * device three operations, and the host as much as its JVM is cold, which speaks for large ones.
   */
  private static double best(double size, LinkSpeed link, Wish wish) {
    double host = wish.buffering.isStaged() ? STAGED_NANOS : HOST_NANOS;
    double each = Math.max(host, OPERATIONS * link.nanosPerCopy());
    double chunks = Math.sqrt(2 * size / link.bytesPerNano() / each);
    return size / Math.max(leastChunks(wish), chunks);
  }

  private static int leastChunks(Wish wish) {
    if (!wish.buffering.isStaged()) {
      return LEAST_CHUNKS;
    }
    return wish.passage.output().isBytes() ? LEAST_STAGED_BOTH_WAYS : LEAST_STAGED;
  }

  /** {@return how much a chunk has pinned; of a flow from memory to memory, as if it had one} */
  private static long pinned(Wish wish, long chunk) {
    if (wish.buffering.isStaged() && !wish.buffering.out()) {
      return wish.passage.leaving(chunk);
    }
    return wish.buffering.isNeeded()
        ? wish.buffering.bytes(chunk, wish.passage.leaving(chunk))
        : chunk;
  }

  private static long onDevice(Wish wish, long chunk) {
    return wish.passage.layout(chunk).bytes();
  }

  private static double tenths(double number) {
    return Math.round(number * 10) / 10.0;
  }

  private static long pinnedRoom(Device device) {
    PinnedUse pinned = device.pinned();
    return Math.min(MOST_PINNED, pinned.budgetBytes() - pinned.usedBytes());
  }
}
