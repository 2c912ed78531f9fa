package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.driver.HostClock;
import dev.stretto.flow.Chunk;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How fast a part of a flow is if nothing else runs on this machine: what the flow may reach if
 * that part bounds it.
 */
final class Alone {
  /** So much is read or written at most, a second or two of it. */
  private static final long MOST_BYTES = 2L << 30;

  private static final long PIECE_BYTES = 4L << 20;
  private static final long CHUNK_BYTES = 32L << 20;
  private static final int ROUNDS = 16;
  private static final int WRITTEN_FILES = 3;

  private final Device device;
  private final Encryption encryption;
  private final InputFile input;
  private final Path output;
  private final TemporaryFiles files;

  /**
   * @param output beside which a temporary file may be written
   */
  Alone(Device device, Encryption encryption, InputFile input, Path output, TemporaryFiles files) {
    this.device = device;
    this.encryption = encryption;
    this.input = input;
    this.output = output;
    this.files = files;
  }

  /** {@return the bytes per second of a part alone; 0 if a disk has no room for the measurement} */
  double rate(Part part) {
    try {
      return switch (part.kind()) {
        case READING -> reading(part.threads());
        case WRITING -> writing(part.threads());
        case COPY_IN, KERNELS, COPY_OUT -> onDevice(part.kind());
      };
    } catch (IOException e) {
      throw new CommandFailure(
          "what %s takes alone cannot be measured: %s".formatted(part.name(), Faults.reason(e)), e);
    }
  }

  // --- the host
  // --------------------------------------------------------------------------------------------------------------

  private double reading(int threads) throws IOException {
    HostClock clock = device.hostClock();
    if (clock.isModelled()) {
      return modelled(threads, clock.readNanos(PIECE_BYTES));
    }
    awaitDisk();
    try (Source source = Source.file(input.path())) {
      return byThreads(threads, Math.min(input.size(), MOST_BYTES), source::read);
    }
  }

  private double writing(int threads) throws IOException {
    HostClock clock = device.hostClock();
    if (clock.isModelled()) {
      return modelled(threads, clock.writeNanos(PIECE_BYTES, threads));
    }
    awaitDisk();
    double best = 0; // what the system still does with earlier files is not the flow's
    try (PinnedArena pinned = device.pinnedArena()) {
      MemorySegment block = pinned.allocate(CHUNK_BYTES, 4096).fill((byte) 1);
      for (int i = 0; i < WRITTEN_FILES; i++) {
        best = Math.max(best, newFileWritten(block));
      }
    }
    return best;
  }

  private double newFileWritten(MemorySegment block) throws IOException {
    Path file = files.createBeside(output);
    try {
      long room = Files.getFileStore(file).getUsableSpace() / 2;
      long bytes = Math.min(Math.min(input.size(), MOST_BYTES), room);
      return bytes == 0 ? 0 : written(block, bytes, file);
    } finally {
      files.delete(file);
    }
  }

  /** A flow that only writes: a sink has ways of its own to write a file. */
  private double written(MemorySegment block, long bytes, Path file) {
    FlowReport report =
        dev.stretto.flow.Flow.on(device)
            .from(new RepeatedBlock(block, bytes))
            .to(Sink.file(file))
            .chunkBytes(Math.min(bytes, CHUNK_BYTES))
            .start()
            .await();
    return Part.of(report, List.of(), _ -> 0).stream()
        .filter(part -> part.kind() == Part.Kind.WRITING)
        .findFirst()
        .orElseThrow()
        .bytesPerSecond();
  }

  /** Waits for the disk to write what the flow has left in the page cache. */
  private void awaitDisk() throws IOException {
    if (Files.isRegularFile(output)) {
      try (FileChannel written = FileChannel.open(output, StandardOpenOption.WRITE)) {
        written.force(false);
      }
    }
  }

  private static double modelled(int threads, long nanos) {
    return threads * PIECE_BYTES * 1e9 / nanos;
  }

  private interface Move {
    void move(long position, MemorySegment piece) throws IOException;
  }

  private static double byThreads(int threads, long bytes, Move move) throws IOException {
    try (ExecutorService all = Executors.newFixedThreadPool(threads);
        Arena arena = Arena.ofShared()) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        MemorySegment piece = arena.allocate(PIECE_BYTES, 4096).fill((byte) 1);
        long first = i * PIECE_BYTES;
        tasks.add(
            () -> {
              for (long at = first; at < bytes; at += threads * PIECE_BYTES) {
                move.move(at, piece.asSlice(0, Math.min(PIECE_BYTES, bytes - at)));
              }
              return null;
            });
      }
      long start = System.nanoTime();
      for (Future<Void> task : all.invokeAll(tasks)) {
        Void _ = task.get();
      }
      return bytes * 1e9 / (System.nanoTime() - start);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted", e));
    }
  }

  // --- the device
  // ------------------------------------------------------------------------------------------------------------

  private double onDevice(Part.Kind kind) {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(CHUNK_BYTES)) {
      MemorySegment host = pinned.allocate(CHUNK_BYTES);
      Chunk chunk = new Chunk(0, 0, CHUNK_BYTES, 0, array, array);
      stream.fill(array, (byte) 0);
      work(kind, stream, host, chunk); // what happens once happens before
      try (TimedEvent begin = stream.recordTimed()) {
        for (int i = 0; i < ROUNDS; i++) {
          work(kind, stream, host, chunk);
        }
        try (TimedEvent end = stream.recordTimed()) {
          end.await();
          return ROUNDS * CHUNK_BYTES * 1e9 / begin.nanosTo(end);
        }
      }
    } finally {
      encryption.forget();
    }
  }

  private void work(Part.Kind kind, Stream stream, MemorySegment host, Chunk chunk) {
    if (kind == Part.Kind.COPY_IN) {
      stream.copy(host, chunk.in());
    } else if (kind == Part.Kind.COPY_OUT) {
      stream.copy(chunk.out(), host);
    } else {
      encryption.enqueue(stream, chunk);
    }
  }
}
