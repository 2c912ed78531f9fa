package dev.stretto.examples.kmeans;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.fault.StrettoException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** k-means over files without Spark, one process for each GPU. */
public final class FileKMeans {
  private static final String USAGE =
      """
      FileKMeans make --file FILE --gib N [--width 128] [--clusters 256] [--seed 1]
      FileKMeans read --file FILE… --width D [--rounds 5] [PROCESS]
      FileKMeans run --file FILE… --width D --k K [--iterations 20] [--tolerance 1e-4] [--output FILE] [PROCESS]
      FileKMeans check [--device NAME]
      FileKMeans compare --file FILE… --width D --k K [--rounds 5] [PROCESS]
      PROCESS: [--device NAME] [--rank R --size N --meeting FILE] [--passes P] [--chunk-mib 16] [--depth N]
      """;

  private static final Set<String> OPTIONS =
      Set.of(
          "file",
          "gib",
          "width",
          "clusters",
          "seed",
          "rounds",
          "k",
          "iterations",
          "tolerance",
          "output",
          "device",
          "rank",
          "size",
          "meeting",
          "passes",
          "chunk-mib",
          "depth");

  private final PrintStream out;

  private FileKMeans(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs a mode. Exits with 2 if the command line cannot be followed, and with 1 after a failure.
   *
   * @param arguments a mode, and options
   */
  public static void main(String... arguments) {
    int code = run(System.out, System.err, arguments);
    if (code != 0) {
      System.exit(code);
    }
  }

  static int run(PrintStream out, PrintStream err, String... arguments) {
    try {
      if (arguments.length == 0) {
        throw new UsageException("a mode is missing: make, read, run, compare or check");
      }
      Options options = new Options(OPTIONS, Arrays.asList(arguments).subList(1, arguments.length));
      FileKMeans program = new FileKMeans(out);
      switch (arguments[0]) {
        case "make" -> program.make(options);
        case "check" -> program.check(options);
        case "read", "run", "compare" -> program.measure(arguments[0], options);
        case "--help", "-h" -> out.print(USAGE);
        default ->
            throw new UsageException(
                arguments[0] + " is no mode; there are make, read, run, compare and check");
      }
      return 0;
    } catch (UsageException e) {
      err.println(e.getMessage());
      return 2;
    } catch (IOException
        | UncheckedIOException
        | StrettoException
        | UnsupportedOperationException
        | IllegalArgumentException
        | IllegalStateException e) {
      err.println(String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString()));
      return 1;
    }
  }

  private void make(Options options) throws IOException {
    Path file = Path.of(options.text("file"));
    int width = options.number("width", 1, 128);
    String _ = options.text("gib"); // is required
    long bytes = (long) (options.decimal("gib", 0) * (1L << 30));
    long begin = System.nanoTime();
    long points =
        new MadePoints(width, options.number("clusters", 1, 256), options.number("seed", 0, 1))
            .write(file, bytes);
    double seconds = (System.nanoTime() - begin) / 1e9;
    out.printf(Locale.ROOT, "%d points of %d floats in %.1f s%n", points, width, seconds);
  }

  /** Compares the device's results with the host's, for a few shapes, with hard decisions too. */
  private void check(Options options) {
    String name = options.text("device", "");
    try (Device device = name.isEmpty() ? Device.open() : Device.open(name)) {
      KMeansStep.requireTensorCores(device);
      boolean isSmall = !device.properties().driver().equals("cuda");
      for (StepCheck each :
          List.of(
              new StepCheck(1, 1, 1000, 1),
              new StepCheck(3, 5, 1000, 1),
              new StepCheck(33, 65, isSmall ? 200 : 10_000, 1),
              new StepCheck(128, isSmall ? 16 : 256, isSmall ? 100 : 30_000, 1),
              new StepCheck(128, isSmall ? 16 : 256, isSmall ? 100 : 10_000, 1e-4),
              new StepCheck(512, isSmall ? 8 : 1024, isSmall ? 50 : 4000, 0.1),
              new StepCheck(255, 3, isSmall ? 50 : 100_000, 1))) {
        double error = each.error(device);
        out.printf(
            Locale.ROOT, "%s: error %.1e, %s%n", each, error, error < 1e-9 ? "right" : "wrong");
        if (!(error < 1e-9)) {
          throw new IllegalStateException(each + ": the device's totals are not the host's");
        }
      }
    }
  }

  private void measure(String mode, Options options) throws IOException {
    int size = options.number("size", 1, 1);
    int rank = options.number("rank", 0, 0);
    if (rank >= size) {
      throw new UsageException("--rank %d of --size %d: ranks begin with 0".formatted(rank, size));
    }
    int width = options.number("width", 1);
    PointFiles files = PointFiles.local(width, options.texts("file"));
    String name = options.text("device", size > 1 ? "cuda:" + rank : "");
    try (Device device = name.isEmpty() ? Device.open() : Device.open(name);
        Stream stream = device.stream()) {
      KMeansStep.requireTensorCores(device);
      Optional<Communicator> ranks =
          size == 1
              ? Optional.empty()
              : Optional.of(
                  MeetingFile.await(Path.of(options.text("meeting")), rank, size, device));
      try {
        Sharing sharing = ranks.map(Sharing::among).orElse(Sharing.NONE);
        FilePass pass =
            new FilePass(
                device,
                files.share(rank, size),
                Opener.LOCAL,
                width,
                options.number("chunk-mib", 1, FilePass.CHUNK_BYTES >> 20) << 20,
                options.number("depth", 0, 0),
                options.number("passes", 1, 1));
        boolean isFirst = rank == 0;
        if (isFirst) {
          out.printf(
              Locale.ROOT,
              "%s, %d of %d, %s%n",
              device,
              rank + 1,
              size,
              ranks.map(Communicator::reason).orElse("alone"));
        }
        long bytes = files.bytes() * options.number("passes", 1, 1);
        Rounds rounds = new Rounds(stream, sharing, bytes, isFirst);
        switch (mode) {
          case "read" -> {
            for (int i = 0; i < options.number("rounds", 1, 5); i++) {
              rounds.time("read", pass::readAll);
            }
          }
          case "run" -> iterate(options, files, stream, sharing, pass, rounds, isFirst);
          default -> compare(options, files, stream, sharing, pass, rounds);
        }
      } finally {
        ranks.ifPresent(Communicator::close);
      }
    } catch (StrangePointException e) {
      throw e.isOwn()
          ? new IllegalArgumentException(e.getMessage() + ": " + files.place(e.point()), e)
          : e;
    }
  }

  /** What is done by all processes at the same time, and how long the last one takes. */
  private final class Rounds {
    private final Stream stream;
    private final Sharing sharing;
    private final long bytes;
    private final boolean isFirst;

    Rounds(Stream stream, Sharing sharing, long bytes, boolean isFirst) {
      this.stream = stream;
      this.sharing = sharing;
      this.bytes = bytes;
      this.isFirst = isFirst;
    }

    void time(String name, Runnable work) {
      meet();
      long begin = System.nanoTime();
      work.run();
      meet();
      double seconds = (System.nanoTime() - begin) / 1e9;
      if (isFirst) {
        out.printf(Locale.ROOT, "%s %.3f s %.2f GB/s%n", name, seconds, bytes / seconds / 1e9);
      }
    }

    private void meet() {
      try (GlobalDoubles one = stream.device().allocateDoubles(1)) {
        stream.fill(one, 0);
        sharing.sum(stream, one);
        stream.await();
      }
    }
  }

  private void iterate(
      Options options,
      PointFiles files,
      Stream stream,
      Sharing sharing,
      FilePass pass,
      Rounds rounds,
      boolean isFirst)
      throws IOException {
    int most = options.number("iterations", 0, 20);
    double tolerance = options.decimal("tolerance", 1e-4);
    try (Run run = new Run(options, files, stream, sharing, pass)) {
      while (run.state.iteration() < most && !run.state.isConverged()) {
        rounds.time("iteration", () -> run.next(tolerance));
      }
      if (isFirst) {
        out.printf(
            Locale.ROOT,
            "%d iterations, cost %s, %s%n",
            run.state.iteration(),
            run.state.cost(),
            run.state.isConverged() ? "converged" : "not converged");
      }
      if (isFirst && options.has("output")) {
        save(Path.of(options.text("output")), run.state.centres());
      }
    }
  }

  private void compare(
      Options options,
      PointFiles files,
      Stream stream,
      Sharing sharing,
      FilePass pass,
      Rounds rounds)
      throws IOException {
    try (Run run = new Run(options, files, stream, sharing, pass)) {
      for (int i = 0; i <= options.number("rounds", 1, 5); i++) {
        String warm = i == 0 ? "warm-" : "";
        rounds.time(warm + "read", pass::readAll);
        rounds.time(warm + "iteration", () -> run.next(0));
      }
    }
  }

  /** Iterations in device memory of their own. */
  private static final class Run implements AutoCloseable {
    private final GlobalBytes memory;
    private final Lloyd lloyd;
    private State state;

    Run(Options options, PointFiles files, Stream stream, Sharing sharing, FilePass pass) {
      int width = files.width();
      int k = options.number("k", 1);
      int chunk =
          FilePass.chunkPoints(
              width, options.number("chunk-mib", 1, FilePass.CHUNK_BYTES >> 20) << 20);
      state = State.before(FirstCentres.of(width, files.spread(k), Opener.LOCAL));
      memory = stream.device().allocateBytes(KMeansStep.bytes(width, k, chunk));
      lloyd = new Lloyd(stream, new KMeansStep(memory, width, k, chunk), pass, sharing);
    }

    void next(double tolerance) {
      state = lloyd.next(state, tolerance);
    }

    @Override
    public void close() {
      memory.close();
    }
  }

  private static void save(Path file, Centres centres) throws IOException {
    double[] values = centres.values();
    ByteBuffer bytes =
        ByteBuffer.allocate(Double.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asDoubleBuffer().put(values);
    Path _ = Files.write(file, bytes.array());
  }
}
