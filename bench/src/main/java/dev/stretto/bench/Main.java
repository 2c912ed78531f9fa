package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Route;
import dev.stretto.bench.beside.Beside;
import dev.stretto.bench.file.FileBenchmarks;
import dev.stretto.bench.kernel.FirstLaunch;
import dev.stretto.bench.kernel.KernelBenchmarks;
import dev.stretto.bench.meeting.Clusters;
import dev.stretto.bench.meeting.Groups;
import dev.stretto.bench.meeting.Meeting;
import dev.stretto.bench.meeting.Stores;
import dev.stretto.bench.nccl.NcclCost;
import dev.stretto.bench.options.Options;
import dev.stretto.bench.primitives.Primitives;
import dev.stretto.bench.processes.HandOvers;
import dev.stretto.bench.schedule.ScheduleBenchmarks;
import dev.stretto.bench.steps.StepBenchmarks;
import dev.stretto.bench.sweep.Sweep;
import dev.stretto.bench.sweep.Unpinned;
import dev.stretto.bench.turns.Turns;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The GPU benchmarks: {@code [--device NAME] [--bytes N] [BENCH…]}. Prints one JSON object per
 * line, under the names that {@code bench/cpp/host.cu} uses for the same job in C++. With {@code
 * kernels} as the first argument, the {@linkplain KernelBenchmarks benchmarks of kernels}; with
 * {@code turns}, {@linkplain Turns attention and products on request}; with {@code
 * collective-turns}, {@linkplain CollectiveTurns collectives on request}; with {@code rank-turns},
 * {@linkplain RankTurns one rank of a communicator on request}; with {@code first-launch},
 * {@linkplain FirstLaunch the cost of a first launch}; with {@code nccl}, {@linkplain NcclCost a
 * call of NCCL}; with {@code steps}, {@linkplain StepBenchmarks kernels whose threads wait on a
 * virtual device}; with {@code schedules}, {@linkplain ScheduleBenchmarks the schedules of seeded
 * devices}; with {@code order-memory}, {@linkplain OrderMemory what a checked order keeps}; with
 * {@code first-calls [DEVICE]}, {@linkplain FirstCalls the first operations of a process}; with
 * {@code async}, {@linkplain AsyncBenchmarks asynchronous work compared with C++}; with {@code
 * arrays}, {@linkplain ArrayBenchmarks arrays in chunks}; with {@code sweep}, {@linkplain Sweep
 * every way over sizes, streams and threads}; with {@code file}, {@linkplain FileBenchmarks files};
 * with {@code meeting}, {@linkplain Meeting what kernels, the host and streams tell each other};
 * with {@code beside}, {@linkplain Beside small kernels and copies at the same time}; with {@code
 * primitives}, {@linkplain Primitives reduce, scan, select, histogram and sort}. With {@code
 * traced-run}, {@linkplain TracedRun a program to run under a trace}. Benchmarks between devices
 * have options of their own: {@code [--devices NAMES] [--size full|small] BENCH…}, or {@code peers}
 * for all of them. {@code many-threads}, {@code many-arrays} and {@code completion-latency} also
 * have their own: see {@link CompletionBenchmarks#run}.
 */
public final class Main {
  private Main() {}

  /**
   * Runs benchmarks.
   *
   * @param arguments as above; all benchmarks by default
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length > 0 && arguments[0].equals("kernels")) {
      List<String> others = List.of(arguments).subList(1, arguments.length);
      System.exit(KernelBenchmarks.run(others, System.out) == 0 ? 0 : 1);
    }
    if (arguments.length > 0 && arguments[0].equals("turns")) {
      List<String> others = List.of(arguments).subList(1, arguments.length);
      Turns.run(others, new InputStreamReader(System.in, StandardCharsets.UTF_8), System.out);
      return;
    }
    if (arguments.length > 0 && arguments[0].equals("collective-turns")) {
      List<String> others = List.of(arguments).subList(1, arguments.length);
      Reader requests = new InputStreamReader(System.in, StandardCharsets.UTF_8);
      CollectiveTurns.run(others, requests, System.out);
      return;
    }
    if (arguments.length > 0 && arguments[0].equals("rank-turns")) {
      List<String> others = List.of(arguments).subList(1, arguments.length);
      Reader requests = new InputStreamReader(System.in, StandardCharsets.UTF_8);
      RankTurns.run(others, requests, System.out);
      return;
    }
    if (arguments.length > 0 && arguments[0].equals("steps")) {
      List<String> others = List.of(arguments).subList(1, arguments.length);
      System.exit(StepBenchmarks.run(others, System.out) == 0 ? 0 : 1);
    }
    if (arguments.length > 0 && arguments[0].equals("schedules")) {
      ScheduleBenchmarks.run(List.of(arguments).subList(1, arguments.length), System.out);
      return;
    }
    if (arguments.length > 0 && arguments[0].equals("nccl")) {
      NcclCost.run(List.of(arguments).subList(1, arguments.length), System.out);
      return;
    }
    if (arguments.length > 0 && arguments[0].equals("first-launch")) {
      FirstLaunch.run(System.out);
      return;
    }
    if (arguments.length > 0 && arguments[0].equals("first-calls")) {
      FirstCalls.run(arguments.length > 1 ? arguments[1] : "cuda:0", System.out);
      return;
    }
    if (arguments.length > 0 && arguments[0].equals("async")) {
      AsyncBenchmarks.run(List.of(arguments).subList(1, arguments.length), System.out);
      return;
    }
    if (arguments.length > 0 && arguments[0].equals("arrays")) {
      ArrayBenchmarks.run(List.of(arguments).subList(1, arguments.length), System.out);
      return;
    }
    if (arguments.length > 0 && arguments[0].equals("file")) {
      FileBenchmarks.run(List.of(arguments).subList(1, arguments.length), System.out);
      return;
    }
    if (arguments.length > 0 && arguments[0].equals("sweep")) {
      List<String> others = List.of(arguments).subList(1, arguments.length);
      System.exit(Sweep.run(others, System.out) == 0 ? 0 : 1);
    }
    if (List.of(arguments).stream().anyMatch(PeerBenchmarks::has)) {
      System.exit(PeerBenchmarks.run(List.of(arguments), System.out) == 0 ? 0 : 1);
    }
    if (List.of(arguments).stream().anyMatch(CompletionBenchmarks::has)) {
      System.exit(CompletionBenchmarks.run(List.of(arguments), System.out) == 0 ? 0 : 1);
    }
    Options options =
        Options.of(
            List.of(arguments), "--device", "--bytes", "--operations", "--rows", "--hand-overs");
    long bytes = options.number("--bytes", 1L << 30);
    List<String> words = options.words();
    if (!words.isEmpty() && words.getFirst().equals("order")) {
      String device = options.text("--device", "cuda:0");
      new OrderCost(device, new Report(System.out)).run(words.subList(1, words.size()));
      return;
    }
    if (!words.isEmpty() && words.getFirst().equals("order-memory")) {
      String device = options.text("--device", "cuda:0");
      OrderMemory.run(device, options.number("--operations", 10_000_000), System.out);
      return;
    }
    if (!words.isEmpty() && words.getFirst().equals("traced-run")) {
      int operations = (int) options.number("--operations", 99_999);
      TracedRun.run(options.text("--device", "cuda:0"), operations, (int) bytes, System.out);
      return;
    }
    if (!words.isEmpty() && words.getFirst().equals("meeting")) {
      Meeting.run(options.text("--device", "cuda:0"), bytes, System.out);
      return;
    }
    if (!words.isEmpty() && words.getFirst().equals("beside")) {
      Beside.run(options.text("--device", "cuda:0"), System.out);
      return;
    }
    if (!words.isEmpty() && words.getFirst().equals("clusters")) {
      Clusters.run(options.text("--device", "cuda:0"), (int) (bytes / 8), System.out);
      return;
    }
    if (!words.isEmpty() && words.getFirst().equals("stores")) {
      Stores.run(options.text("--device", "cuda:0"), bytes / 4, System.out);
      return;
    }
    if (!words.isEmpty() && words.getFirst().equals("processes")) {
      HandOvers.run(
          options.text("--device", "cuda:0"),
          (int) options.number("--hand-overs", 10_000),
          System.out);
      return;
    }
    if (!words.isEmpty() && words.getFirst().equals("groups")) {
      Groups.run(options.text("--device", "cuda:0"), bytes / 4, System.out);
      return;
    }
    if (!words.isEmpty() && words.getFirst().equals("primitives")) {
      Primitives.run(options.text("--device", "cuda:0"), bytes, System.out);
      return;
    }
    if (!words.isEmpty() && words.getFirst().equals("rows")) {
      RowRate.run(
          options.text("--device", "cuda:0"),
          (int) options.number("--rows", 4_000_000),
          System.out);
      return;
    }
    try (Device device = Device.open(options.text("--device", "cuda:0"))) {
      Map<String, Runnable> benches = benches(device, new Report(System.out), bytes);
      for (String bench : words.isEmpty() ? List.copyOf(benches.keySet()) : words) {
        Runnable job = benches.get(bench);
        if (job == null) {
          throw new IllegalArgumentException(
              "no such benchmark: " + bench + "; there are " + benches.keySet());
        }
        Unpinned.await(device);
        job.run();
      }
    }
  }

  private static Map<String, Runnable> benches(Device device, Report report, long bytes) {
    Bandwidth bandwidth = new Bandwidth(device, report, bytes);
    SubmitCost submit = new SubmitCost(device, report);
    Map<String, Runnable> benches = new LinkedHashMap<>();
    benches.put("pinned-h2d", () -> bandwidth.pinned(true));
    benches.put("pinned-d2h", () -> bandwidth.pinned(false));
    benches.put("pinned-both", bandwidth::pinnedBoth);
    benches.put("device-local", bandwidth::local);
    benches.put("submit-copy-4k", submit::copy);
    benches.put("submit-launch", submit::launch);
    benches.put("submit-record-wait", submit::recordAndWait);
    benches.put("submit-launch-record-wait", submit::launchRecordAndWait);
    benches.put("submit-launch-method", submit::launchMethod);
    benches.put("submit-64-heap-slices", submit::heapSlices);
    benches.put("watching", new WatchingCost(device, report)::run);
    TaskCost tasks = new TaskCost(device, report);
    benches.put("tasks-copies", tasks::copies);
    benches.put("tasks-launches", tasks::launches);
    benches.put("tasks-pipeline", tasks::pipeline);
    benches.put("pinning", new Pinning(device, report)::run);
    benches.put("write-combined", new WriteCombined(device, report)::run);
    Route.Kind staged = Route.Kind.STAGED;
    benches.put("staged-h2d", () -> bandwidth.ordinary("staged-h2d", true, false, staged));
    benches.put("staged-d2h", () -> bandwidth.ordinary("staged-d2h", false, false, staged));
    benches.put("staged-heap-h2d", () -> bandwidth.ordinary("staged-heap-h2d", true, true, staged));
    benches.put(
        "staged-heap-d2h", () -> bandwidth.ordinary("staged-heap-d2h", false, true, staged));
    Route.Kind pageable = Route.Kind.AWAITED_PAGEABLE;
    benches.put("pageable-h2d", () -> bandwidth.ordinary("pageable-h2d", true, false, pageable));
    benches.put("pageable-d2h", () -> bandwidth.ordinary("pageable-d2h", false, false, pageable));
    FlowRate flow = new FlowRate(device, report, 4 * bytes);
    benches.put("flow", flow::pinned);
    benches.put("chacha20", flow::kernel);
    if (Boolean.getBoolean("stretto.bench.picture")) {
      benches.put("picture", flow::picture);
    }
    return benches;
  }
}
