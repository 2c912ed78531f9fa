package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.DeadlockException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A missing wait, found by a seed. The program is wrong, but its result is wrong only if the kernel
 * runs before the copy, which hardly ever happens on a GPU. A seeded virtual device runs the work
 * in an order that the seed picks among all legal ones, so a failure can be repeated.
 */
final class Example10MissingWait {
  private static final int N = 1000;
  private static final DeviceKernel SCRAMBLE = Kernels.scrambling(1);
  private static final Grid GRID = Grid.covering(N, 256);

  private Example10MissingWait() {}

  /** A program to try, which returns its result. */
  @FunctionalInterface
  interface Program {
    int[] run(Device device);
  }

  // @start region="wrong"
  static int[] withoutWait(Device device) {
    try (Stream copies = device.stream();
        Stream kernels = device.stream();
        GlobalInts x = device.allocateInts(N)) {
      int[] numbers = IntStream.range(0, N).toArray();
      copies.copy(numbers, x);
      // A wait is missing here.
      kernels.launch(GRID, SCRAMBLE, x, 1, N);
      kernels.copy(x, numbers).await();
      return numbers;
    }
  }

  // @end

  // @start region="right"
  static int[] withWait(Device device) {
    try (Stream copies = device.stream();
        Stream kernels = device.stream();
        GlobalInts x = device.allocateInts(N)) {
      int[] numbers = IntStream.range(0, N).toArray();
      copies.copy(numbers, x);
      kernels.waitFor(copies.record());
      kernels.launch(GRID, SCRAMBLE, x, 1, N);
      kernels.copy(x, numbers).await();
      return numbers;
    }
  }

  // @end

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0])) {
      System.out.println(device + ", because " + device.reason());
      System.out.println("without the wait, once: " + verdict(withoutWait(device)));
    }
    search("without the wait", Example10MissingWait::withoutWait);
    search("with the wait", Example10MissingWait::withWait);
    deadlock();
  }

  private static void search(String which, Program program) {
    int[] wrong = IntStream.range(0, 100).filter(seed -> !isRight(run(program, seed))).toArray();
    System.out.printf("%n%s, under 100 seeds: wrong under %d%n", which, wrong.length);
    if (wrong.length > 0) {
      int[] numbers = run(program, wrong[0]);
      System.out.println("seed=" + wrong[0] + ": " + verdict(numbers));
      System.out.println("again: " + Arrays.equals(numbers, run(program, wrong[0])));
    }
  }

  // @start region="seed"
  private static int[] run(Program program, int seed) {
    try (Device device = Device.open("virtual:h200,seed=" + seed)) {
      return program.run(device);
    }
  }

  // @end

  private static boolean isRight(int[] numbers) {
    return IntStream.range(0, N).allMatch(i -> numbers[i] == Kernels.scrambled(i, 1));
  }

  private static String verdict(int[] numbers) {
    return isRight(numbers)
        ? "right"
        : "wrong, numbers[1] is 0x%08x instead of 0x%08x"
            .formatted(numbers[1], Kernels.scrambled(1, 1));
  }

  /** A wait that can never end is reported, instead of waiting forever. */
  private static void deadlock() {
    // @start region="deadlock"
    try (Device device = Device.open("virtual:h200,seed=1");
        Stream stream = device.stream()) {
      stream.then(stream::await); // a callback that waits for its own end
      stream.await();
    } catch (DeadlockException e) {
      System.out.println("\n" + e.getMessage());
    }
    // @end
  }
}
