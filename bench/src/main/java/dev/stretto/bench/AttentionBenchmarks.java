package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Launch;
import dev.stretto.examples.attention.AttentionRun;
import dev.stretto.examples.attention.FlashAttention.Step;
import dev.stretto.examples.attention.Shape;
import dev.stretto.examples.hopper.Attention;
import dev.stretto.settings.Settings;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures the attention kernels of the examples. Prints one JSON object per line, as {@code
 * bench/py/attention.py} does for PyTorch: for bfloat16 numbers, 16,384 tokens in a call, and heads
 * times head dimension 2,048. On devices with warp groups (compute capability 9.0), also the
 * kernels that use them.
 */
final class AttentionBenchmarks {
  private static final int TOKENS = 16_384;
  private static final int WIDTH = 2_048;

  /** The length of a sequence, in tokens, for which all steps are measured. */
  private static final int LADDER = 8_192;

  private static final int LAUNCHES = 4;

  private final Device device;
  private final PrintStream out;
  private final List<Step> steps;
  private final boolean small;
  private final boolean errors;
  private @Nullable Path inputs;

  private AttentionBenchmarks(
      Device device,
      PrintStream out,
      List<Step> steps,
      boolean small,
      boolean errors,
      @Nullable Path inputs) {
    this.device = device;
    this.out = out;
    this.steps = steps;
    this.small = small;
    this.errors = errors;
    this.inputs = inputs;
  }

  /**
   * Runs benchmarks.
   *
   * @param arguments {@code [--device NAME] [--size full|small] [--ladder] [--errors] [--inputs
   *     FOLDER]}: the last step, or with {@code --ladder} all steps for 8,192 tokens; {@code
   *     --errors} prints the deviation of some rows of each head; {@code --inputs} writes the
   *     numbers, which are the same for all shapes, to files in a folder
   * @param out receives a line for each
   * @return how many results were wrong
   * @throws IllegalArgumentException if there is no such option or size
   */
  static int run(List<String> arguments, PrintStream out) {
    String name = "cuda:0";
    boolean small = false;
    boolean errors = false;
    List<Step> steps = List.of(Step.TUNED);
    Path inputs = null;
    List<String> words = new ArrayList<>(arguments);
    while (!words.isEmpty()) {
      String option = words.removeFirst();
      switch (option) {
        case "--ladder" -> steps = List.of(Step.values());
        case "--errors" -> errors = true;
        case "--device" -> name = value(option, words);
        case "--inputs" -> inputs = Path.of(value(option, words));
        case "--size" -> small = isSmall(value(option, words));
        default -> throw new IllegalArgumentException("no such option: " + option);
      }
    }
    // Otherwise the setting would follow Java's assertions, and the checks would be measured too.
    System.setProperty(Settings.CHECKED.name(), "false");
    try (Device device = Device.open(name)) {
      return new AttentionBenchmarks(device, out, steps, small, errors, inputs).run();
    }
  }

  private static String value(String option, List<String> words) {
    if (words.isEmpty()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return words.removeFirst();
  }

  private static boolean isSmall(String size) {
    return switch (size) {
      case "full" -> false;
      case "small" -> true;
      default ->
          throw new IllegalArgumentException(
              "no such size: " + size + "; there are full and small");
    };
  }

  private int run() {
    int wrong = 0;
    for (int headDim : new int[] {128, 64}) {
      for (boolean causal : new boolean[] {false, true}) {
        if (small) {
          wrong += run(new Shape(1, 2, 1, 70, 70, headDim, causal), "small");
          continue;
        }
        for (int length = 4_096; length <= TOKENS; length *= 2) {
          int heads = WIDTH / headDim;
          Shape shape = new Shape(TOKENS / length, heads, heads, length, length, headDim, causal);
          wrong += run(shape, length / 1_024 + "k");
        }
      }
    }
    return wrong;
  }

  private int run(Shape shape, String length) {
    int wrong = 0;
    String bench = "attention-d" + shape.headDim() + (shape.causal() ? "-causal-" : "-") + length;
    try (AttentionRun run = new AttentionRun(device, shape, true)) {
      Path folder = inputs;
      if (folder != null) {
        run.writeInputs(folder);
        inputs = null;
      }
      for (Step step : shape.queries() == LADDER || small ? steps : List.of(Step.TUNED)) {
        Launch launch = run.prepare(step);
        wrong += measure(run, shape, bench, step.toString(), () -> run.stream().launch(launch));
      }
      if (hasWarpGroups()) {
        int multiprocessors = device.properties().multiprocessors();
        Runnable enqueue =
            () ->
                run.enqueue(
                    (stream, of, q, k, v, o, lse) ->
                        Attention.enqueue(stream, multiprocessors, of, q, k, v, o, lse));
        wrong += measure(run, shape, bench, "warp-groups", enqueue);
      }
    }
    return wrong;
  }

  private boolean hasWarpGroups() {
    return device.properties().computeMajor() == 9 && device.properties().computeMinor() == 0;
  }

  private int measure(
      AttentionRun run, Shape shape, String bench, String implementation, Runnable enqueue) {
    run.forget();
    double milliseconds =
        small
            ? LaunchTime.once(run.stream(), enqueue)
            : LaunchTime.median(run.stream(), enqueue, LAUNCHES);
    AttentionRun.Deviation error = run.error(rows(shape));
    boolean right = error.isSmall(true);
    out.printf(
        Locale.ROOT,
        "{\"bench\":\"%s\",\"implementation\":\"%s\",\"milliseconds\":%.6f,"
            + "\"gigaflopsPerSecond\":%.1f%s%s}%n",
        bench,
        implementation,
        milliseconds,
        shape.operations() / milliseconds * 1e-6,
        errors ? ",\"error\":" + error.out() : "",
        right ? "" : ",\"wrong\":true");
    out.flush();
    return right ? 0 : 1;
  }

  /** The same rows of each head as in {@code attention.py}. */
  private static int[] rows(Shape shape) {
    int length = shape.queries();
    int[] inHead = {0, 1, 7, length / 3, length / 2 + 5, length - 2, length - 1};
    return IntStream.range(0, shape.batches() * shape.heads())
        .flatMap(head -> Arrays.stream(inHead).map(row -> head * length + row))
        .toArray();
  }
}
