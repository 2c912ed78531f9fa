package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.bench.options.Options;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.settings.Settings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Copies between devices, under the names that {@code bench/cpp/peers.cu} uses for the same jobs in
 * C++. A benchmark that fails prints its error, and the others continue.
 */
final class PeerBenchmarks {
  private static final Map<String, Consumer<PeerBench>> BENCHES = new LinkedHashMap<>();

  static {
    BENCHES.put("peer-one", PeerRates::peerOne);
    BENCHES.put("peer-both", PeerRates::peerBoth);
    BENCHES.put("peer-read", PeerRates::peerRead);
    BENCHES.put("off-one", PeerRates::offOne);
    BENCHES.put("off-both", PeerRates::offBoth);
    BENCHES.put("latency-on", PeerLatency::withAccess);
    BENCHES.put("latency-off", PeerLatency::withoutAccess);
    BENCHES.put("all-to-all", PeerExchange::allToAll);
    BENCHES.put("chain-broadcast", PeerExchange::chainBroadcast);
    BENCHES.put("small-collectives", SmallCollectives::run);
    BENCHES.put("collectives", CollectiveRates::run);
    BENCHES.put("overlap", PeerOverlap::run);
  }

  private final PeerBench bench;

  private PeerBenchmarks(PeerBench bench) {
    this.bench = bench;
  }

  /** Whether a name is one of these benchmarks, or {@code peers}, which stands for all of them. */
  static boolean has(String name) {
    return name.equals("peers") || BENCHES.containsKey(name);
  }

  /**
   * Runs benchmarks.
   *
   * @param arguments {@code [--devices NAMES] [--size full|small] BENCH…}: the devices by name,
   *     separated by semicolons; by default every GPU, or the devices that the property {@code
   *     stretto.bench.devices} names
   * @param out receives a line for each
   * @return how many failed
   * @throws IllegalArgumentException if there is no such option or size
   */
  static int run(List<String> arguments, PrintStream out) {
    Options options = Options.of(arguments, "--devices", "--size");
    String names = options.text("--devices", System.getProperty("stretto.bench.devices", ""));
    PeerSize size = PeerSize.named(options.text("--size", "full"));
    List<String> words = options.words();
    // Otherwise the setting would follow Java's assertions, and the checks would be measured too.
    System.setProperty(Settings.CHECKED.name(), "false");
    List<Device> devices = open(names);
    try {
      PeerBenchmarks benchmarks = new PeerBenchmarks(new PeerBench(devices, size, new Report(out)));
      int failed = 0;
      for (String name : words.contains("peers") ? List.copyOf(BENCHES.keySet()) : words) {
        failed += benchmarks.run(name) ? 0 : 1;
      }
      return failed;
    } finally {
      devices.forEach(Device::close);
    }
  }

  /** Devices by their names, separated by semicolons; every GPU if there is none. */
  static List<Device> open(String names) {
    List<Device> devices = new ArrayList<>();
    try {
      if (names.isBlank()) {
        for (DeviceProperties properties : Device.all()) {
          if (properties.driver().equals("cuda")) {
            devices.add(Device.open("cuda:" + properties.ordinal()));
          }
        }
      } else {
        for (String name : names.split(";", -1)) {
          devices.addAll(Device.openAll(name.strip()));
        }
      }
      return List.copyOf(devices);
    } catch (RuntimeException e) {
      devices.forEach(Device::close);
      throw e;
    }
  }

  /** Returns whether the benchmark succeeded. */
  // An Error, such as a missing class, ends one benchmark just as an exception does.
  @SuppressWarnings("CatchingUnchecked")
  private boolean run(String name) {
    Consumer<PeerBench> job = BENCHES.get(name);
    if (job == null) {
      bench.report().error(name, "no such benchmark; there are " + BENCHES.keySet());
      return false;
    }
    if (bench.devices().size() < 2) {
      bench.report().error(name, "needs two GPUs");
      return false;
    }
    try {
      settle();
      job.accept(bench);
      return true;
    } catch (RuntimeException | Error failure) {
      failure.printStackTrace();
      bench.report().error(name, failure.toString());
      return false;
    }
  }

  /** Waits: access of the last benchmark ends, and its memory is unpinned, in the background. */
  private void settle() {
    if (!Gate.isModelled(bench.device(0))) {
      LockSupport.parkNanos(300_000_000);
    }
  }
}
