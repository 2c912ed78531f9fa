package dev.stretto.bench.sweep;

import static dev.stretto.bench.sweep.HostMemory.Kind.HEAP;
import static dev.stretto.bench.sweep.HostMemory.Kind.MAPPED;
import static dev.stretto.bench.sweep.HostMemory.Kind.NATIVE;
import static dev.stretto.bench.sweep.HostMemory.Kind.PINNED;

import dev.stretto.bench.options.Options;
import dev.stretto.settings.Settings;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/** The Java half of {@code bench/sweep.sh}. */
public final class Sweep {
  private static final Map<String, BiConsumer<Bench, String>> WAYS = new LinkedHashMap<>();

  static {
    WAYS.put("pinned-in", (bench, way) -> HostCopies.in(bench, way, PINNED));
    WAYS.put("pinned-out", (bench, way) -> HostCopies.out(bench, way, PINNED));
    WAYS.put("pinned-both", (bench, way) -> HostCopies.both(bench, way, PINNED));
    WAYS.put("heap-in", (bench, way) -> HostCopies.in(bench, way, HEAP));
    WAYS.put("heap-out", (bench, way) -> HostCopies.out(bench, way, HEAP));
    WAYS.put("native-in", (bench, way) -> HostCopies.in(bench, way, NATIVE));
    WAYS.put("native-out", (bench, way) -> HostCopies.out(bench, way, NATIVE));
    WAYS.put("mapped-in", (bench, way) -> HostCopies.in(bench, way, MAPPED));
    WAYS.put("rows-in", (bench, way) -> HostCopies.rows(bench, way, HEAP, true));
    WAYS.put("rows-out", (bench, way) -> HostCopies.rows(bench, way, HEAP, false));
    WAYS.put("pinned-rows-in", (bench, way) -> HostCopies.rows(bench, way, PINNED, true));
    WAYS.put("local", DeviceWork::local);
    WAYS.put("fill-8", DeviceWork::fillBytes);
    WAYS.put("fill-32", DeviceWork::fillWords);
    WAYS.put("allocate-free", Allocations::inOrder);
    WAYS.put("allocate-use-free", Allocations::used);
    WAYS.put("device-allocate", Allocations::ofDevice);
    WAYS.put("pin", Allocations::pinned);
    WAYS.put("launch", Calls::launchPrepared);
    WAYS.put("launch-image", Calls::launchImage);
    WAYS.put("launch-method", Calls::launchMethod);
    WAYS.put("graph-1", (bench, way) -> Calls.graph(bench, way, 1));
    WAYS.put("graph-10", (bench, way) -> Calls.graph(bench, way, 10));
    WAYS.put("graph-100", (bench, way) -> Calls.graph(bench, way, 100));
    WAYS.put("record-wait", Calls::recordAndWait);
    WAYS.put("await-event", Calls::awaitEvent);
    WAYS.put("callback", Calls::callback);
    WAYS.put("copy-all", Calls::copyAll);
    WAYS.put("threads-launch", Threads::launches);
    WAYS.put("threads-copy", (bench, way) -> Threads.copies(bench, way, PINNED, 4096));
    WAYS.put("threads-heap-in", (bench, way) -> Threads.copies(bench, way, HEAP, 4096));
    WAYS.put("peer-on", (bench, way) -> DeviceWork.peer(bench, way, true));
    WAYS.put("peer-off", (bench, way) -> DeviceWork.peer(bench, way, false));
  }

  private Sweep() {}

  /** The names of all ways. */
  static List<String> ways() {
    return List.copyOf(WAYS.keySet());
  }

  /**
   * Sweeps ways, all of them by default. A way that fails prints its error, and the others
   * continue.
   *
   * @param arguments {@code [--device NAME] [--sizes 4K,1M,…] [--operations N] [--footprint 1G]
   *     [--millis N] [--warm-millis N] [WAY…]}: the device, by default the first GPU; sizes;
   *     operations of a sample and memory of a direction, at most; how long a row is measured, and
   *     how long the first row of a way has to be steady before
   * @param out receives a line for each row
   * @return how many ways failed
   * @throws IllegalArgumentException if there is no such option or way
   */
  public static int run(List<String> arguments, PrintStream out) {
    Options options =
        Options.of(
            arguments,
            "--device",
            "--sizes",
            "--operations",
            "--footprint",
            "--millis",
            "--warm-millis");
    List<String> ways = options.words().isEmpty() ? ways() : options.words();
    for (String way : ways) {
      if (!WAYS.containsKey(way)) {
        throw new IllegalArgumentException("no such way: " + way + "; there are " + ways());
      }
    }
    Plan plan =
        new Plan(
            Plan.sizes(options.text("--sizes", Plan.SIZES)),
            options.count("--operations", 2000),
            Plan.size(options.text("--footprint", "1G")));
    Meter meter =
        new Meter(
            out,
            options.number("--millis", 40) * 1_000_000,
            options.number("--warm-millis", 250) * 1_000_000);
    // Otherwise the setting would follow Java's assertions, and the checks would be measured too.
    System.setProperty(Settings.CHECKED.name(), "false");
    int failed = 0;
    try (Machine machine = new Machine(options.text("--device", Machine.firstGpu()))) {
      Bench bench = new Bench(machine, meter, plan);
      for (String way : ways) {
        failed += isGood(bench, way) ? 0 : 1;
      }
    }
    return failed;
  }

  // An Error, such as a missing class, ends one way just as an exception does.
  @SuppressWarnings("CatchingUnchecked")
  private static boolean isGood(Bench bench, String way) {
    BiConsumer<Bench, String> rows = Objects.requireNonNull(WAYS.get(way));
    try {
      if (!bench.device().hostClock().isModelled()) {
        System.gc(); // the arrays of the last way
        Unpinned.await(bench.device());
      }
      rows.accept(bench, way);
      return true;
    } catch (RuntimeException | Error failure) {
      failure.printStackTrace();
      bench.meter().failed(way, failure);
      return false;
    }
  }
}
