package dev.stretto.bench.kernel;

import dev.stretto.Device;
import dev.stretto.settings.Settings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Measures kernels and checks their results. Prints one JSON object per line, under the names that
 * {@code bench/cpp/kernels.cu} uses; a job that fails prints its error in one, and the others
 * continue.
 */
public final class KernelBenchmarks {
  private static final Map<String, Function<Workbench, Job>> JOBS = new LinkedHashMap<>();

  static {
    JOBS.put("saxpy", StreamJobs::saxpy);
    JOBS.put("triad", StreamJobs::triad);
    JOBS.put("reduction", StreamJobs::reduction);
    JOBS.put("sum-1g", StreamJobs::wideSum);
    JOBS.put("transpose", TileJobs::transpose);
    JOBS.put("stencil", TileJobs::stencil);
    JOBS.put("histogram", ByteJobs::histogram);
    JOBS.put("chacha20", ByteJobs::chacha20);
    JOBS.put("sgemm", MatrixJobs::sgemm);
    JOBS.put("nbody", BodyJobs::nbody);
    JOBS.put("mma-bf16", MatrixJobs::mmaBf16);
    SampleJobs.putAll(JOBS);
    JOBS.put("tma-stream", TensorJobs.sum(256));
    JOBS.put("tma-stream-64", TensorJobs.sum(64));
    JOBS.put("tma-pipeline", TensorJobs.sumPipelined(256));
    JOBS.put("tma-copy", TensorJobs.copy(256));
    for (boolean cached : new boolean[] {false, true}) {
      String size = cached ? "-l2" : "";
      JOBS.put("copy-plain" + size, CopyJobs.plain(cached));
      JOBS.put("copy-barrier" + size, CopyJobs.onBarrier(cached));
      JOBS.put("copy-pipeline-1" + size, CopyJobs.pipelined(cached, 1));
      JOBS.put("copy-pipeline-2" + size, CopyJobs.pipelined(cached, 2));
      JOBS.put("copy-pipeline-4" + size, CopyJobs.pipelined(cached, 4));
      JOBS.put("copy-roles-4" + size, CopyJobs.byRoles(cached, 4));
      JOBS.put("copy-bulk" + size, CopyJobs.bulk(cached));
    }
  }

  private final Device device;
  private final Size size;
  private final PrintStream out;

  private KernelBenchmarks(Device device, Size size, PrintStream out) {
    this.device = device;
    this.size = size;
    this.out = out;
  }

  /**
   * Runs benchmarks.
   *
   * @param arguments {@code [--checked] [--device NAME] [--size full|small] [BENCH…]}: with {@code
   *     --checked} the kernels check indices and assertions; {@code full} is the size of the C++
   *     program, {@code small} is for virtual devices; all benchmarks by default
   * @param out receives a line for each
   * @return how many failed
   * @throws IllegalArgumentException if there is no such option or size
   */
  public static int run(List<String> arguments, PrintStream out) {
    String name = "cuda:0";
    Size size = Size.FULL;
    boolean checked = false;
    List<String> words = new ArrayList<>(arguments);
    while (!words.isEmpty() && words.getFirst().startsWith("--")) {
      String option = words.removeFirst();
      switch (option) {
        case "--checked" -> checked = true;
        case "--device" -> name = value(option, words);
        case "--size" -> size = Size.named(value(option, words));
        default -> throw new IllegalArgumentException("no such option: " + option);
      }
    }
    // Otherwise the setting would follow Java's assertions, and the checks would be measured too.
    System.setProperty(Settings.CHECKED.name(), Boolean.toString(checked));
    try (Device device = Device.open(name)) {
      KernelBenchmarks benchmarks = new KernelBenchmarks(device, size, out);
      int failed = 0;
      for (String bench : words.isEmpty() ? List.copyOf(JOBS.keySet()) : words) {
        failed += benchmarks.run(bench) ? 0 : 1;
      }
      return failed;
    }
  }

  private static String value(String option, List<String> words) {
    if (words.isEmpty()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return words.removeFirst();
  }

  /** Returns whether the job succeeded. */
  // An Error, such as a missing class, ends one job just as an exception does.
  @SuppressWarnings("CatchingUnchecked")
  private boolean run(String name) {
    Function<Workbench, Job> job = JOBS.get(name);
    if (job == null) {
      print(name, "\"error\":" + quoted("no such benchmark; there are " + JOBS.keySet()));
      return false;
    }
    try (Workbench bench = new Workbench(device, size)) {
      print(name, figures(bench, job.apply(bench)));
      return true;
    } catch (RuntimeException | Error failure) {
      failure.printStackTrace();
      print(name, "\"error\":" + quoted(failure.toString()));
      return false;
    }
  }

  private static String figures(Workbench bench, Job job) {
    double milliseconds = bench.milliseconds(job);
    double checksum = job.check().sum();
    return String.format(
        Locale.ROOT,
        "\"milliseconds\":%.6f,\"%s\":%.1f,\"checksum\":%.9e",
        milliseconds,
        job.unit().rate,
        job.work() / milliseconds * 1e-6,
        checksum);
  }

  private void print(String name, String fields) {
    out.println("{\"bench\":" + quoted(name) + "," + fields + "}");
    out.flush();
  }

  private static String quoted(String text) {
    return '"'
        + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ")
        + '"';
  }
}
