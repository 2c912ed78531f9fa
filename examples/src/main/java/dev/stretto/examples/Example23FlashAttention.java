package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Launch;
import dev.stretto.examples.attention.AttentionRun;
import dev.stretto.examples.attention.FlashAttention;
import dev.stretto.examples.attention.Shape;

/**
 * FlashAttention in the steps in which one learns it: plain loads, double-buffered copies, swizzled
 * tiles with {@code ldmatrix}, and tuning. The kernels are in the package {@code attention};
 * docs/flash-attention.md walks through them.
 */
final class Example23FlashAttention {
  /** Some of the rows that are measured. */
  private static final int[] SOME_ROWS = {0, 1, 63, 64, 1_000, 8_191, 8_192, 50_000, 100_001};

  private Example23FlashAttention() {}

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0])) {
      System.out.println(device + ", because " + device.reason() + "\n");
      boolean small = arguments.length > 1 && arguments[1].equals("small");
      boolean measured = device.properties().driver().equals("cuda") && !small;
      for (int headDim : new int[] {64, 128}) {
        for (boolean causal : new boolean[] {false, true}) {
          boolean bfloat = measured || !causal;
          System.out.printf(
              "%d numbers a head, %s%s%n",
              headDim, bfloat ? "bfloat16" : "binary16", causal ? ", causal" : "");
          // Two heads of queries share one of keys, and neither length is a multiple of anything.
          Shape shape =
              measured
                  ? new Shape(2, 2048 / headDim, 2048 / headDim, 8192, 8192, headDim, causal)
                  : new Shape(1, 2, 1, 75, 101, headDim, causal);
          run(device, shape, bfloat, measured);
        }
      }
    }
  }

  private static void run(Device device, Shape shape, boolean bfloat, boolean measured) {
    try (AttentionRun run = new AttentionRun(device, shape, bfloat)) {
      for (FlashAttention.Step step : FlashAttention.Step.values()) {
        Launch launch = run.prepare(step);
        run.forget();
        run.stream().launch(launch);
        int[] rows = measured ? SOME_ROWS : run.allRows();
        boolean right = run.error(rows).isSmall(bfloat);
        System.out.printf("  %-16s%s", step, right ? "right" : "wrong");
        if (measured) {
          double nanos = DeviceTime.nanos(run.stream(), () -> run.stream().launch(launch));
          System.out.printf("   %5.1f TFLOP/s", shape.operations() / nanos / 1000);
        }
        System.out.println();
      }
    }
  }
}
