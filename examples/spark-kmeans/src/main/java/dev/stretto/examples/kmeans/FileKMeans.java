package dev.stretto.examples.kmeans;

import dev.stretto.Device;
import dev.stretto.fault.StrettoException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
      PROCESS: [--device NAME] [--rank R --size N --meeting FILE] [--passes P] [--chunk-mib 128] [--depth N] [--pin]
      --pin maps this process's share and pins it, once: the device then reads all passes out of the page cache by itself.
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
          FileProcess.PIN,
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
      Options options =
          new Options(
              OPTIONS,
              Set.of(FileProcess.PIN),
              Arrays.asList(arguments).subList(1, arguments.length));
      FileKMeans program = new FileKMeans(out);
      switch (arguments[0]) {
        case "make" -> program.make(unpinned(options));
        case "check" -> program.check(unpinned(options));
        case "read", "run", "compare" -> new FileProcess(options, out).run(arguments[0]);
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

  /** Refuses a flag that only modes know that read files. */
  private static Options unpinned(Options options) {
    if (options.has(FileProcess.PIN)) {
      throw new UsageException("--pin is for read, run and compare");
    }
    return options;
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
}
