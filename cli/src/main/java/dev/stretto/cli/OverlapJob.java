package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.flow.FlowReport;
import dev.stretto.settings.Settings;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.Timeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Encrypts bytes in each of the modes, measures, verifies and reports. */
final class OverlapJob {
  /** The size of the input if no file is named, on a GPU. */
  private static final long MOST_BYTES = 1L << 30;

  /** The same on a virtual device. */
  private static final long LEAST_BYTES = 256L << 20;

  /** Keeps a whole run within a timeline, with three operations per chunk. */
  private static final long MOST_CHUNKS = Timeline.MOST_SPANS / 4;

  /** Shorter than the line that the library logs for programs. */
  private static final String STANDS_IN =
      "stretto: no GPU can be used; a virtual H200 stands in (stretto doctor)";

  private final Request request;
  private final Console console;
  private final Report report;
  private final TemporaryFiles files;

  private OverlapJob(Request request, Console console, TemporaryFiles files) {
    this.request = request;
    this.console = console;
    this.report = request.json() ? new JsonReport(console.out()) : textReport(request, console);
    this.files = files;
  }

  private static Report textReport(Request request, Console console) {
    return request.details() ? new DetailedReport(console) : new TextReport(console);
  }

  /** Runs a request, and returns whether every output was right. */
  static boolean run(Request request, Console console) {
    try (TemporaryFiles files = new TemporaryFiles()) {
      return new OverlapJob(request, console, files).run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean run() throws IOException {
    requireDistinctFiles();
    InputFile input = request.file() == null ? null : InputFile.of(request.file());
    NewFile out = request.out() == null ? null : NewFile.regular(files, "--out", request.out());
    Optional<String> whyNoGpu = request.device() == null ? whyNoGpu() : Optional.empty();
    try (Traces traces = new Traces(files, request);
        Device device = openDevice(request.device() == null && whyNoGpu.isPresent());
        Work work =
            input == null
                ? new MemoryWork(device, device.isVirtual() ? LEAST_BYTES : MOST_BYTES, out)
                : new FileWork(device, input, out, files)) {
      checkChunks(work);
      if (whyNoGpu.isPresent()) {
        console.err().println(STANDS_IN);
      }
      String reason = whyNoGpu.orElseGet(device::reason);
      traces.begin(device, reason, work);
      report.begin(device, reason, work);
      Cipher cipher =
          request.image() ? Cipher.ofImage(request.secret()) : Cipher.of(device, request.secret());
      Encryption encryption = new Encryption(device, cipher);
      WarmUp.run(device, encryption, request.modes());
      if (input != null && request.modes().size() > 1) {
        readAhead(input);
      }
      List<ModeResult> results = new ArrayList<>();
      for (Mode mode : request.modes()) {
        boolean isLast = mode == request.modes().getLast();
        if (mode == Mode.OVERLAP && input == null && !device.isVirtual()) {
          // Small chunks are done before anybody waits for them: what waits would be cold.
          work.begin(mode, isLast);
          WarmUp.recorded(device, modeRun(mode, device, encryption, work), work);
        }
        work.begin(mode, isLast);
        ModeResult result = run(mode, device, encryption, work, traces);
        results.add(result);
        report.mode(result);
        if (isLast && result.verified()) {
          work.complete();
        }
      }
      traces.complete();
      report.end(results);
      results.forEach(this::tellDifference);
      return results.stream().allMatch(ModeResult::verified);
    }
  }

  // --- before ---------------------------------------------------------------------------------

  private void requireDistinctFiles() throws IOException {
    List<Path> paths =
        Stream.of(request.file(), request.out(), request.trace(), request.html())
            .filter(path -> path != null)
            .toList();
    for (int i = 0; i < paths.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (isSame(paths.get(i), paths.get(j))) {
          throw new CommandFailure(
              paths.get(i)
                  + " and "
                  + paths.get(j)
                  + " are the same file: it would be overwritten");
        }
      }
    }
  }

  private static boolean isSame(Path one, Path other) throws IOException {
    if (Files.exists(one) && Files.exists(other)) {
      return Files.isRegularFile(one) && Files.isSameFile(one, other);
    }
    return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  /** Why there is no GPU, if nobody has said that another device will do. */
  private static Optional<String> whyNoGpu() {
    boolean none =
        !Settings.DEVICE.isSet() && Device.all().stream().allMatch(OverlapJob::isVirtual);
    return none ? Optional.of(OpenDevices.whyNoGpu()) : Optional.empty();
  }

  private static boolean isVirtual(DeviceProperties device) {
    return device.driver().equals("virtual");
  }

  private Device openDevice(boolean standsIn) {
    String name = standsIn ? "virtual" : request.device();
    return name == null ? Device.open() : DeviceOption.open(name, Device::open);
  }

  private void checkChunks(Work work) {
    if (request.chunkBytes() > 0 && work.size() / request.chunkBytes() >= MOST_CHUNKS) {
      long least = Math.ceilDiv(work.size(), MOST_CHUNKS);
      throw CommandFailure.wrongCommandLine(
          "%s has %d bytes, which is too many for chunks of %d: --chunk must be %s or more"
              .formatted(
                  work.describe(),
                  work.size(),
                  request.chunkBytes(),
                  Math.ceilDiv(least, Encryption.GRANULARITY) * Encryption.GRANULARITY));
    }
  }

  /** Reads the file once; otherwise the first mode alone would have to wait for the disk. */
  private void readAhead(InputFile input) throws IOException {
    try (Progress progress = console.progress("reading", input.size())) {
      input.readAhead(progress::to);
    }
  }

  // --- a mode ---------------------------------------------------------------------------------

  private ModeResult run(
      Mode mode, Device device, Encryption encryption, Work work, Traces traces) {
    ModeRun.Shape shape;
    List<Span> spans;
    long wallNanos;
    work.requireUnchanged();
    try (Progress progress = console.progress(mode.word(), work.size());
        Timeline timeline = Timeline.record(device)) {
      long start = System.nanoTime();
      shape = modeRun(mode, device, encryption, work).run(work, progress::to);
      wallNanos = System.nanoTime() - start;
      spans = timeline.spans();
    }
    work.requireUnchanged();
    traces.add(mode, spans);
    List<Part> parts = parts(shape.flow(), spans, work, encryption);
    // Before the verification, which reads the files into the system's cache.
    double alone = parts.isEmpty() ? 0 : work.alone(Part.bound(parts), encryption);
    OptionalLong difference = work.firstDifference(request.secret());
    return new ModeResult(
        mode,
        work.size(),
        shape,
        Overlap.of(spans),
        Engines.of(spans),
        wallNanos,
        difference,
        Picture.of(spans, console.width(), request.details() ? shape.depth() : 1),
        parts,
        alone);
  }

  private List<Part> parts(
      @Nullable FlowReport flow, List<Span> spans, Work work, Encryption encryption) {
    return flow == null || request.file() == null || flow.bytes() == 0
        ? List.of()
        : Part.of(flow, spans, kind -> work.alone(new Part(kind, 0, 0, 0), encryption));
  }

  private void tellDifference(ModeResult result) {
    result
        .firstDifference()
        .ifPresent(
            position ->
                console
                    .err()
                    .println(
                        "stretto: the output of %s differs from that of the JDK's cipher at byte %d"
                            .formatted(result.mode().word(), position)));
  }

  private ModeRun modeRun(Mode mode, Device device, Encryption encryption, Work work) {
    // A chunk that is larger than all would waste memory.
    long all = Math.ceilDiv(work.size(), Encryption.GRANULARITY) * Encryption.GRANULARITY;
    long chunkBytes = Math.min(request.chunkBytes(), all);
    return mode == Mode.OVERLAP
        ? new Overlapped(device, encryption, chunkBytes, request.depth())
        : new StepByStep(device, encryption, mode, chunkBytes);
  }
}
