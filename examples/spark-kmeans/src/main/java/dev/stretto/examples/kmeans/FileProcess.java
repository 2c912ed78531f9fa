package dev.stretto.examples.kmeans;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One of the processes that share files, or the only one: what it reads, and what it does. */
final class FileProcess {
  /** The flag that has the share pinned. */
  static final String PIN = "pin";

  private static final int MIB = 1 << 20;
  private static final int MOST_CHUNK_MIB = 1024;

  /** A small device has this part of its memory, as a divisor, for a chunk. */
  private static final int CHUNKS_IN_MEMORY = 64;

  private final Options options;
  private final int rank;
  private final int size;
  private final PointFiles files;

  /** As set, or 0. */
  private final int setChunkBytes;

  private final int passes;

  /** Only the first process prints. */
  private final PrintStream out;

  /**
   * @throws UsageException if the options cannot be followed
   */
  FileProcess(Options options, PrintStream out) {
    this.options = options;
    size = options.number("size", 1, 1);
    rank = options.number("rank", 0, 0);
    if (rank >= size) {
      throw new UsageException("--rank %d of --size %d: ranks begin with 0".formatted(rank, size));
    }
    int mib = options.has("chunk-mib") ? options.number("chunk-mib", 1) : 0;
    if (mib > MOST_CHUNK_MIB) {
      throw new UsageException("--chunk-mib %d: at most %d".formatted(mib, MOST_CHUNK_MIB));
    }
    setChunkBytes = mib * MIB;
    passes = options.number("passes", 1, 1);
    files = PointFiles.local(options.number("width", 1), options.texts("file"));
    this.out = rank == 0 ? out : new PrintStream(OutputStream.nullOutputStream());
  }

  /** Does what a mode says: read, run or compare. */
  void run(String mode) throws IOException {
    String name = options.text("device", size > 1 ? "cuda:" + rank : "");
    try (Device device = name.isEmpty() ? Device.open() : Device.open(name);
        Stream stream = device.stream()) {
      KMeansStep.requireTensorCores(device);
      Optional<Communicator> ranks = ranks(device);
      try {
        out.printf(
            Locale.ROOT,
            "%s, %d of %d, %s%n",
            device,
            rank + 1,
            size,
            ranks.map(Communicator::reason).orElse("alone"));
        run(mode, stream, ranks.map(Sharing::among).orElse(Sharing.NONE));
      } finally {
        ranks.ifPresent(Communicator::close);
      }
    } catch (StrangePointException e) {
      throw e.isOwn()
          ? new IllegalArgumentException(e.getMessage() + ": " + files.place(e.point()), e)
          : e;
    }
  }

  private Optional<Communicator> ranks(Device device) {
    return size == 1
        ? Optional.empty()
        : Optional.of(MeetingFile.await(Path.of(options.text("meeting")), rank, size, device));
  }

  private void run(String mode, Stream stream, Sharing sharing) throws IOException {
    List<PointPart> share = files.share(rank, size);
    if (!options.has(PIN)) {
      run(mode, stream, sharing, share, Opener.LOCAL);
      return;
    }
    long begin = System.nanoTime();
    try (PinnedShare pinned = PinnedShare.of(stream.device(), share)) {
      out.printf(
          Locale.ROOT,
          "pinned %d bytes in %.3f s%n",
          pinned.bytes(),
          (System.nanoTime() - begin) / 1e9);
      run(mode, stream, sharing, share, pinned);
    }
  }

  private void run(
      String mode, Stream stream, Sharing sharing, List<PointPart> share, Opener opener)
      throws IOException {
    int chunkBytes = chunkBytes(stream.device());
    FilePass pass =
        new FilePass(
            stream.device(),
            share,
            opener,
            files.width(),
            chunkBytes,
            options.number("depth", 0, 0),
            passes);
    Rounds rounds = new Rounds(out, stream, sharing, files.bytes() * passes);
    if (mode.equals("read")) {
      for (int i = 0; i < options.number("rounds", 1, 5); i++) {
        rounds.time("read", pass::readAll);
      }
      return;
    }
    try (FileRun run =
        new FileRun(stream, files, pass, sharing, options.number("k", 1), chunkBytes)) {
      if (mode.equals("run")) {
        iterate(run, rounds);
      } else {
        compare(run, rounds, pass);
      }
    }
  }

  private int chunkBytes(Device device) {
    long most = device.properties().totalBytes() / CHUNKS_IN_MEMORY;
    return setChunkBytes > 0 ? setChunkBytes : Math.clamp(most, MIB, FilePass.CHUNK_BYTES);
  }

  private void iterate(FileRun run, Rounds rounds) throws IOException {
    int most = options.number("iterations", 0, 20);
    double tolerance = options.decimal("tolerance", 1e-4);
    while (run.state().iteration() < most && !run.state().isConverged()) {
      rounds.time("iteration", () -> run.next(tolerance));
    }
    State state = run.state();
    out.printf(
        Locale.ROOT,
        "%d iterations, cost %s, %s%n",
        state.iteration(),
        state.cost(),
        state.isConverged() ? "converged" : "not converged");
    if (rank == 0 && options.has("output")) {
      double[] values = state.centres().values();
      ByteBuffer bytes =
          ByteBuffer.allocate(Double.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asDoubleBuffer().put(values);
      Path _ = Files.write(Path.of(options.text("output")), bytes.array());
    }
  }

  private void compare(FileRun run, Rounds rounds, FilePass pass) {
    out.printf(Locale.ROOT, "kernels %.2f GB/s%n", run.kernels());
    for (int i = 0; i <= options.number("rounds", 1, 5); i++) {
      String warm = i == 0 ? "warm-" : "";
      rounds.time(warm + "read", pass::readAll);
      rounds.time(warm + "iteration", () -> run.next(0));
    }
  }
}
