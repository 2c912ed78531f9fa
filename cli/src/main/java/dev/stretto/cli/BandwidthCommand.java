package dev.stretto.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "bandwidth",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures copies between host and devices and between devices as NVIDIA's "
          + "nvbandwidth does: each sample has 16 copies that start behind a gate; times "
          + "are by the devices' clocks, every byte is compared on a device, and the "
          + "result is the median of 3 samples.",
      "GB are 10^9 bytes, as in nvbandwidth."
    },
    footer = {"", "Exit code: 0 if every byte was right, 2 for a wrong command line, 1 otherwise."})
final class BandwidthCommand implements Callable<Integer> {
  private static final long GPU_BYTES = 512L << 20;
  private static final long VIRTUAL_BYTES = 16L << 20;
  private static final long LEAST_BYTES = 4096;

  /** The most that the largest devices can hold at both ends of a copy. */
  private static final long MOST_BYTES = 64L << 30;

  private static final long MOST_VIRTUAL_BYTES = 1L << 30;

  private final Console console;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      completionCandidates = DeviceNames.class,
      description = {
        "cuda:N, virtual:h200x8, or another name of one or several devices; may be given several"
            + " times.",
        "Default: all GPUs, or virtual:h200x2 if there are none."
      })
  private List<String> devices = List.of();

  @Option(
      names = "--test",
      paramLabel = "NAME",
      arity = "1..*",
      split = ",",
      completionCandidates = Names.class,
      description = {
        "One or several of ${COMPLETION-CANDIDATES}; nvbandwidth's names are accepted too.",
        "Default: all that apply."
      })
  private List<BandwidthTest> tests = List.of();

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = {
        "The size of a copy, such as 64M; a multiple of 16, 4096 to 64G.",
        "Default: 512M, and 16M on virtual devices, which really move the bytes (1G at most)."
      })
  private @Nullable Long size;

  @Option(names = "--json", description = "Prints one JSON object instead of tables.")
  private boolean json;

  BandwidthCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (size != null && (size < LEAST_BYTES || size % BandwidthKernels.VECTOR_BYTES != 0)) {
      throw CommandFailure.wrongCommandLine(
          "--size is " + size + " bytes; it must be a multiple of 16, 4096 or more");
    }
    if (size != null && size > MOST_BYTES) {
      throw tooLarge(size, MOST_BYTES, "");
    }
    try (OpenDevices opened = devices.isEmpty() ? OpenDevices.all() : OpenDevices.named(devices)) {
      if (size != null && size > MOST_VIRTUAL_BYTES && opened.hasVirtual()) {
        throw tooLarge(
            size, MOST_VIRTUAL_BYTES, " on virtual devices, whose memory is host memory");
      }
      long bytes = size != null ? size : opened.hasVirtual() ? VIRTUAL_BYTES : GPU_BYTES;
      run(opened, bytes);
      return Main.DONE;
    }
  }

  private static CommandFailure tooLarge(long size, long most, String where) {
    return CommandFailure.wrongCommandLine(
        "--size is %d bytes; it must be %d (%s) or less%s"
            .formatted(size, most, ByteSize.show(most), where));
  }

  private void run(OpenDevices opened, long bytes) {
    Set<BandwidthTest> asked = EnumSet.noneOf(BandwidthTest.class);
    asked.addAll(tests);
    for (BandwidthTest test : asked) {
      String why = BandwidthLimits.reason(test, opened);
      if (!why.isEmpty()) {
        throw new CommandFailure(test.word() + " cannot be measured: " + why);
      }
    }
    List<BandwidthTest> possible =
        Arrays.stream(BandwidthTest.values())
            .filter(test -> asked.isEmpty() || asked.contains(test))
            .filter(test -> BandwidthLimits.reason(test, opened).isEmpty())
            .toList();
    BandwidthReport report = json ? new BandwidthJson(console) : new BandwidthText(console);
    report.begin(opened, bytes);
    Console shown = json ? console.withoutProgress() : console;
    try (BandwidthRun run = new BandwidthRun(opened.devices(), bytes, shown)) {
      possible.forEach(test -> run.run(test).forEach(report::matrix));
    }
    report.end(asked.isEmpty() ? BandwidthLimits.leftOut(opened) : List.of());
  }

  /** The names of the tests, for the help text. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return new ArrayList<>(
              Arrays.stream(BandwidthTest.values()).map(BandwidthTest::word).toList())
          .iterator();
    }
  }
}
