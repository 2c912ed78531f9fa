package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.memory.GlobalFloats;
import java.util.Arrays;

/**
 * A prepared launch in a loop: a kernel of a .cu file, compiled with {@code nvcc -ptx -arch=sm_80
 * heat.cu}, launched a thousand times. Its arguments are packed and checked once; then only the
 * arguments that change are replaced.
 */
final class Example12PreparedLaunch {
  private static final int N = 4096;
  private static final int STEPS = 1000;
  private static final float RATE = 0.25f;

  private Example12PreparedLaunch() {}

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Stream stream = device.stream();
        GlobalFloats now = device.allocateFloats(N);
        GlobalFloats next = device.allocateFloats(N)) {
      System.out.println(device + ", because " + device.reason() + "\n");
      // @start region="prepare"
      DeviceKernel heat =
          DeviceKernel.of(
              KernelImage.ofPtx(Kernels.text("heat.ptx")), "heat", Kernels.class, "heat");
      Launch launch = device.prepare(Grid.covering(N, 256), heat, now, next, RATE, N);
      // @end
      Runnable steps =
          () -> {
            // @start region="loop"
            for (int step = 0; step < STEPS; step += 2) {
              stream.launch(launch.set(0, now).set(1, next));
              stream.launch(launch.set(0, next).set(1, now));
            }
            // @end
          };
      WarmUp.of(device, steps);

      float[] rod = new float[N];
      rod[0] = 100;
      stream.copy(rod, now);
      try (TimedEvent begin = stream.recordTimed()) {
        steps.run();
        try (TimedEvent end = stream.recordTimed()) {
          stream.copy(now, rod).await();
          System.out.printf("%d launches in %.1f ms%n", STEPS, begin.nanosTo(end) / 1e6);
        }
      }
      System.out.println("rod: " + Arrays.toString(Arrays.copyOf(rod, 4)) + "...");
      System.out.println("right: " + Arrays.equals(rod, computedOnHost()));
    }
  }

  private static float[] computedOnHost() {
    float[] now = new float[N];
    now[0] = 100;
    for (int step = 0; step < STEPS; step++) {
      float[] next = now.clone();
      for (int i = 1; i < N - 1; i++) {
        next[i] = now[i] + RATE * (now[i - 1] + now[i + 1] - 2 * now[i]);
      }
      now = next;
    }
    return now;
  }
}
