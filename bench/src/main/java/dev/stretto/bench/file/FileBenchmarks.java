package dev.stretto.bench.file;

import dev.stretto.Device;
import dev.stretto.bench.options.Options;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The benchmarks of files. */
public final class FileBenchmarks {
  private FileBenchmarks() {}

  /**
   * Measures and prints tables.
   *
   * @param arguments {@code [--device NAME] [--file FILE] [--to FILE] [--bytes N] [--chunk N]
   *     [--depth N] [hot|copy|cold|together|long|mapped|sweep]…}: a file to keep, which is made
   *     unless it has so many bytes (8 GiB), else one that is deleted; one to write for {@code
   *     copy}; what flows choose by themselves otherwise; and what to measure, {@code hot} unless
   *     something is named
   */
  public static void run(List<String> arguments, PrintStream out) throws IOException {
    Options options =
        Options.of(arguments, "--device", "--file", "--to", "--bytes", "--chunk", "--depth");
    String path = options.text("--file", "");
    Path file = path.isEmpty() ? Files.createTempFile("stretto", ".bin") : Path.of(path);
    Path to = Path.of(options.text("--to", file + ".copy"));
    long bytes = options.number("--bytes", 8L << 30);
    List<String> words = options.words().isEmpty() ? List.of("hot") : options.words();
    try (Device device = Device.open(options.text("--device", "cuda:0"))) {
      TestFile.make(file, bytes);
      FileFlows flows =
          new FileFlows(device, options.number("--chunk", 0), options.count("--depth", 0));
      for (String word : words) {
        switch (word) {
          case "hot" -> new HotRate(flows, file, bytes, out).run();
          case "copy" -> new CopyRate(flows, file, to, bytes, out).run();
          case "cold" -> new ColdRate(flows, file, bytes, out).run();
          case "together" -> new TogetherRate(flows, file, bytes, out).run();
          case "long" -> new LongRate(flows, file, bytes, out).run();
          case "sweep" -> new SweepRate(flows, file, bytes, out).run();
          case "mapped" -> new MappedRate(flows, file, bytes, out).run();
          default -> throw new IllegalArgumentException("no such benchmark: " + word);
        }
      }
    } finally {
      if (path.isEmpty()) {
        Files.delete(file);
      }
    }
  }
}
