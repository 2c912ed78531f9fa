package dev.stretto.bench.turns;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.bench.options.Options;
import dev.stretto.examples.attention.Shape;
import dev.stretto.settings.Settings;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Measures what it is told to, one request a line, and answers each with one JSON object a line, so
 * that another process can take turns with this one. {@code bench/py/attention.py} takes the same
 * requests for PyTorch:
 *
 * <ul>
 *   <li>{@code prepare attention BATCHES HEADS TOKENS DIM full|causal}, with {@code [bf16|fp16|fp8]
 *       [group=N] [window=N] [packed]} behind it for the kernel {@code chosen} alone, or {@code
 *       prepare product M N K [bf16|fp16] [plain|bias-gelu] [COUNT]}: what the next requests are
 *       about. A product with {@code bias-gelu} is a layer's: its right matrix is given as N rows
 *       of K
 *   <li>{@code error KERNEL}: how far its result is off
 *   <li>{@code measure KERNEL WARM-UPS LAUNCHES}: the device time of a launch, and the host's time
 *       to enqueue one. All launches follow each other, on the same arrays; the warm-ups come first
 *       and do not count. Nothing flushes the L2 cache in between.
 * </ul>
 *
 * <p>A request that fails is answered with {@code failed}.
 */
public final class Turns implements AutoCloseable {
  /** Words of attention for which the steps of the examples have kernels, too. */
  private static final int PLAIN = 5;

  private final Device device;
  private final @Nullable Path inputs;
  private @Nullable Job job;

  private Turns(Device device, @Nullable Path inputs) {
    this.device = device;
    this.inputs = inputs;
  }

  /**
   * Answers requests until there are no more.
   *
   * @param arguments {@code [--device NAME] [--inputs FOLDER]}: by default {@code cuda:0}; with a
   *     folder, {@code prepare} writes the numbers to files in it
   * @param requests the requests
   * @param out receives the answers
   * @throws IllegalArgumentException if there is no such option
   * @throws UncheckedIOException if the requests cannot be read
   */
  public static void run(List<String> arguments, Reader requests, PrintStream out) {
    Options options = Options.of(arguments, "--device", "--inputs").withoutWords();
    String folder = options.text("--inputs", "");
    // Otherwise the setting would follow Java's assertions, and the checks would be measured too.
    System.setProperty(Settings.CHECKED.name(), "false");
    try (Device device = Device.open(options.text("--device", "cuda:0"));
        Turns turns = new Turns(device, folder.isEmpty() ? null : Path.of(folder))) {
      Requests.answer(requests, out, turns::answer);
    }
  }

  private String answer(String... words) {
    return switch (words[0]) {
      case "prepare" -> prepare(words);
      case "error" -> error(words[1]);
      case "measure" -> measure(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]));
      default -> throw new IllegalArgumentException("no such request: " + words[0]);
    };
  }

  private String prepare(String... words) {
    close();
    Job next =
        switch (words[1]) {
          case "attention" -> attention(Arrays.copyOfRange(words, 2, words.length));
          case "product" ->
              new ProductJob(device, ProductShape.of(Arrays.copyOfRange(words, 2, words.length)));
          default -> throw new IllegalArgumentException("no such job: " + words[1]);
        };
    job = next;
    if (inputs != null) {
      next.writeInputs(inputs);
    }
    return "{\"prepared\":\"%s\",\"choice\":\"%s\"}"
        .formatted(String.join(" ", words), next.choice());
  }

  private Job attention(String... words) {
    AttentionForm form = AttentionForm.of(words);
    if (words.length > PLAIN) {
      return new ChosenAttentionJob(device, form);
    }
    return new AttentionJob(
        device,
        new Shape(
            form.batches(),
            form.heads(),
            form.keyHeads(),
            form.tokens(),
            form.tokens(),
            form.dim(),
            form.causal()));
  }

  private Job job() {
    if (job == null) {
      throw new IllegalStateException("nothing is prepared");
    }
    return job;
  }

  private String error(String kernel) {
    Runnable enqueuing = job().enqueuing(kernel);
    job().forget();
    enqueuing.run();
    Job.Deviation deviation = job().deviation();
    return "{\"error\":" + deviation.greatest() + ",\"wrong\":" + !deviation.isSmall() + "}";
  }

  private String measure(String kernel, int warmUps, int launches) {
    Stream stream = job().stream();
    LaunchRow row = new LaunchRow(stream, job().enqueuing(kernel));
    row.enqueue(warmUps);
    try (TimedEvent begin = stream.recordTimed()) {
      row.enqueue(launches);
      try (TimedEvent end = stream.recordTimed()) {
        end.await();
        return String.format(
            Locale.ROOT,
            "{\"milliseconds\":%.6f,\"hostMilliseconds\":%.6f}",
            begin.nanosTo(end) / launches * 1e-6,
            row.hostNanos() / (warmUps + launches) * 1e-6);
      }
    }
  }

  @Override
  public void close() {
    if (job != null) {
      job.close();
      job = null;
    }
  }
}
