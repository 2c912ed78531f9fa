package dev.stretto.cli;

import dev.stretto.flow.FlowException;
import dev.stretto.flow.Sink;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The speed of this machine's host for the work of a file flow. Rates are bytes per second.
 *
 * @param fileRead one thread reading a file that is in the system's cache
 * @param fileWrite one thread writing a new file into the system's cache
 * @param fileWrites several, together, as flows write
 * @param hostCopy one thread copying from memory to memory
 * @param cores how many threads run at a time
 */
record HostSpeed(double fileRead, double fileWrite, double fileWrites, double hostCopy, int cores) {
  private static final int ROUNDS = 3;

  /** More than a processor's cache holds: a smaller file would be read and written within that. */
  private static final long FILE_BYTES = 1L << 30;

  /** The chunk size of the step-by-step modes of {@code stretto overlap}. */
  private static final long CHUNK_BYTES = 64L << 20;

  private static final long MEMORY_BYTES = 256L << 20;

  /** The size of the pieces in which ordinary memory is staged. */
  private static final long PIECE_BYTES = 4L << 20;

  private static final long PAGE_BYTES = 4096;

  /**
   * Measures, for a few seconds.
   *
   * @param folder where a temporary file is written, or null for the system's folder for temporary
   *     files
   * @throws CommandFailure if the measurement fails
   */
  static HostSpeed measure(@Nullable Path folder) {
    double[] reads = new double[ROUNDS];
    double[] writes = new double[ROUNDS];
    double[] writesTogether = new double[ROUNDS];
    double[] copies = new double[ROUNDS];
    try (TemporaryFiles files = new TemporaryFiles();
        Arena arena = Arena.ofShared()) {
      MemorySegment from = arena.allocate(MEMORY_BYTES, PAGE_BYTES).fill((byte) 1);
      MemorySegment to = arena.allocate(MEMORY_BYTES, PAGE_BYTES).fill((byte) 2);
      for (int round = 0; round < ROUNDS; round++) {
        // A new file in each round, since each mode writes a new one.
        Path file =
            folder == null ? files.create("host") : files.createBeside(folder.resolve("host"));
        requireRoom(file);
        writes[round] = write(file, from.asSlice(0, CHUNK_BYTES));
        reads[round] = read(file, to.asSlice(0, CHUNK_BYTES));
        files.delete(file);
        Path next =
            folder == null ? files.create("host") : files.createBeside(folder.resolve("host"));
        writesTogether[round] = writeTogether(next, from);
        files.delete(next);
        copies[round] = copy(from, to);
      }
    } catch (IOException e) {
      throw new CommandFailure(
          "the host cannot be measured in "
              + (folder == null ? "the folder for temporary files" : folder)
              + ": "
              + Faults.reason(e),
          e);
    }
    return new HostSpeed(
        median(reads),
        median(writes),
        median(writesTogether),
        median(copies),
        Runtime.getRuntime().availableProcessors());
  }

  private static void requireRoom(Path file) throws IOException {
    long room = Files.getFileStore(file).getUsableSpace();
    if (room < FILE_BYTES) {
      throw new CommandFailure(
          "%s has room for %s; measuring the host needs %s"
              .formatted(file.getParent(), ByteSize.show(room), ByteSize.show(FILE_BYTES)));
    }
  }

  private static double write(Path file, MemorySegment from) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      long start = System.nanoTime();
      for (long position = 0; position < FILE_BYTES; position += CHUNK_BYTES) {
        ByteBuffer buffer = from.asByteBuffer();
        while (buffer.hasRemaining()) {
          channel.write(buffer, position + buffer.position());
        }
      }
      return rate(FILE_BYTES, start);
    }
  }

  /** As many threads as flows have write a file whose length its sink knows. */
  private static double writeTogether(Path file, MemorySegment from) {
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() * 5 / 8);
    long start = System.nanoTime();
    try (Sink sink = Sink.file(file);
        ExecutorService all = Executors.newFixedThreadPool(threads)) {
      sink.expect(FILE_BYTES);
      List<Future<?>> written = new ArrayList<>();
      for (long at = 0; at < FILE_BYTES; at += PIECE_BYTES) {
        long position = at;
        MemorySegment piece = from.asSlice(at % MEMORY_BYTES, PIECE_BYTES);
        written.add(all.submit(() -> sink.write(position, piece)));
      }
      for (Future<?> each : written) {
        Object _ = each.get();
      }
      return rate(FILE_BYTES, start);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof FlowException failure
          ? cannotBeMeasured(failure)
          : new IllegalStateException(e.getCause());
    } catch (FlowException e) {
      throw cannotBeMeasured(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("the measurement was interrupted", e);
    }
  }

  private static CommandFailure cannotBeMeasured(FlowException why) {
    return new CommandFailure("the host cannot be measured: " + why.getMessage(), why);
  }

  private static double read(Path file, MemorySegment to) throws IOException {
    InputFile input = InputFile.of(file);
    try (FileChannel channel = input.open()) {
      long start = System.nanoTime();
      for (long position = 0; position < FILE_BYTES; position += CHUNK_BYTES) {
        input.read(channel, position, to);
      }
      return rate(FILE_BYTES, start);
    }
  }

  private static double copy(MemorySegment from, MemorySegment to) {
    long start = System.nanoTime();
    for (long at = 0; at < MEMORY_BYTES; at += PIECE_BYTES) {
      MemorySegment.copy(from, at, to, at, PIECE_BYTES);
    }
    return rate(MEMORY_BYTES, start);
  }

  private static double rate(long bytes, long startNanos) {
    return bytes * 1e9 / Math.max(1, System.nanoTime() - startNanos);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** The value of {@code --device} for a virtual device on this host. */
  String device() {
    return String.format(
        Locale.ROOT,
        "virtual:h200,file-read=%.2f,file-write=%.2f,file-writes=%.2f,host-copy=%.2f,host-cores=%d",
        fileRead / 1e9,
        fileWrite / 1e9,
        fileWrites / 1e9,
        hostCopy / 1e9,
        cores);
  }
}
