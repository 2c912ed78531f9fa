package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.Timeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Encrypts a file in each of the modes, measures, verifies and reports. */
final class OverlapJob {
  /** The size of the input if no file is named. */
  private static final long RANDOM_BYTES = 256L << 20;

  /** Keeps a whole run within a timeline, with three operations per chunk. */
  private static final long MOST_CHUNKS = Timeline.MOST_SPANS / 4;

  private final Request request;
  private final Console console;
  private final Report report;
  private final TemporaryFiles files;

  private OverlapJob(Request request, Console console, TemporaryFiles files) {
    this.request = request;
    this.console = console;
    this.report = request.json() ? new JsonReport(console.out()) : new TextReport(console);
    this.files = files;
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
    InputFile named = request.file() == null ? null : InputFile.of(request.file());
    NewFile out = request.out() == null ? null : NewFile.regular(files, "--out", request.out());
    try (Traces traces = new Traces(files, request);
        Device device = openDevice()) {
      InputFile input = named == null ? randomInput() : named;
      checkChunks(input);
      traces.begin(device, input);
      report.begin(device, input, named == null);
      Cipher cipher =
          request.image() ? Cipher.ofImage(request.secret()) : Cipher.of(device, request.secret());
      Encryption encryption = new Encryption(device, cipher);
      encryption.warmUp();
      if (request.modes().size() > 1) {
        readAhead(input);
      }
      List<ModeResult> results = new ArrayList<>();
      for (Mode mode : request.modes()) {
        boolean last = mode == request.modes().getLast();
        Path output = out != null && last ? out.path() : files.create("encrypted");
        ModeResult result = run(mode, device, encryption, input, output, traces);
        results.add(result);
        report.mode(result);
        if (out != null && last && result.verified()) {
          out.complete();
        } else {
          files.delete(output);
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

  private Device openDevice() {
    String name = request.device();
    return name == null ? Device.open() : DeviceOption.open(name, Device::open);
  }

  private InputFile randomInput() throws IOException {
    Path file = files.create("random");
    RandomBytes.write(file, RANDOM_BYTES);
    return InputFile.of(file);
  }

  private void checkChunks(InputFile input) {
    if (request.chunkBytes() > 0 && input.size() / request.chunkBytes() >= MOST_CHUNKS) {
      long least = Math.ceilDiv(input.size(), MOST_CHUNKS);
      throw CommandFailure.wrongCommandLine(
          "%s has %d bytes, which is too many for chunks of %d: --chunk must be %s or more"
              .formatted(
                  input.path(),
                  input.size(),
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
      Mode mode,
      Device device,
      Encryption encryption,
      InputFile input,
      Path output,
      Traces traces) {
    ModeRun.Shape shape;
    List<Span> spans;
    long wallNanos;
    input.requireUnchanged();
    try (Progress progress = console.progress(mode.word(), input.size());
        Timeline timeline = Timeline.record(device)) {
      long start = System.nanoTime();
      shape = modeRun(mode, device, encryption, input).run(input, output, progress::to);
      wallNanos = System.nanoTime() - start;
      spans = timeline.spans();
    }
    input.requireUnchanged();
    traces.add(mode, spans);
    OptionalLong difference = Verification.firstDifference(input, output, request.secret());
    return new ModeResult(
        mode,
        input.size(),
        shape,
        Overlap.of(spans),
        wallNanos,
        difference,
        Picture.of(spans, console.width(), shape.depth()));
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

  private ModeRun modeRun(Mode mode, Device device, Encryption encryption, InputFile input) {
    // A chunk that is larger than the file would waste memory.
    long all = Math.ceilDiv(input.size(), Encryption.GRANULARITY) * Encryption.GRANULARITY;
    long chunkBytes = Math.min(request.chunkBytes(), all);
    return mode == Mode.OVERLAP
        ? new Overlapped(device, encryption, chunkBytes, request.depth())
        : new StepByStep(device, encryption, mode, chunkBytes);
  }
}
