package dev.stretto.bench.kernel;

import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.KernelReference;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.settings.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The host's cost of a first launch without the driver's assembly: from the method reference to a
 * kernel that can be loaded, with and without the folder of compiled kernels. Needs no GPU.
 */
public final class FirstLaunch {
  private static final int ROUNDS = 40;
  private static final int WARM = 15;

  private FirstLaunch() {}

  /**
   * Measures, and prints one JSON object per kernel.
   *
   * @param out receives the lines
   */
  public static void run(PrintStream out) {
    System.setProperty(Settings.CHECKED.name(), "false");
    measure("saxpy", FirstLaunch::saxpy, out);
    measure("reduction", FirstLaunch::reduction, out);
    measure("sgemm", FirstLaunch::sgemm, out);
    measure("mma-bf16", FirstLaunch::mma, out);
  }

  /** A kernel that differs for each number: values that a lambda captures are compiled in. */
  private interface Numbered {
    KernelMethod of(int number);
  }

  private static KernelMethod saxpy(int number) {
    KernelMethod.Of4<Float, GlobalFloats, GlobalFloats, Integer> kernel =
        (ThreadBlock block, Float a, GlobalFloats x, GlobalFloats y, Integer n) ->
            Saxpy.saxpy(block, a + number, x, y, n);
    return kernel;
  }

  private static KernelMethod reduction(int number) {
    KernelMethod.Of3<GlobalFloats, GlobalFloats, Integer> kernel =
        (ThreadBlock block, GlobalFloats x, GlobalFloats sums, Integer n) ->
            Sums.reduce(block, x, sums, n + number);
    return kernel;
  }

  private static KernelMethod sgemm(int number) {
    KernelMethod.Of5<GlobalFloats, GlobalFloats, GlobalFloats, Integer, Integer> kernel =
        (ThreadBlock block, GlobalFloats a, GlobalFloats b, GlobalFloats c, Integer n, Integer k) ->
            Sgemm.sgemm(block, a, b, c, n + number, k);
    return kernel;
  }

  private static KernelMethod mma(int number) {
    KernelMethod.Of5<GlobalInts, GlobalInts, GlobalFloats, Integer, Integer> kernel =
        (ThreadBlock block, GlobalInts a, GlobalInts b, GlobalFloats c, Integer n, Integer k) ->
            MmaBf16.mma(block, a, b, c, n + number, k);
    return kernel;
  }

  private static void measure(String name, Numbered kernel, PrintStream out) {
    Path folder = folder();
    System.setProperty(Settings.CACHE.name(), folder.toString());
    try {
      double[] fresh = new double[ROUNDS];
      double[] kept = new double[ROUNDS];
      for (int i = 0; i < ROUNDS; i++) {
        fresh[i] = milliseconds(kernel.of(i));
        kept[i] = milliseconds(kernel.of(i));
      }
      out.printf(
          Locale.ROOT,
          "{\"bench\":\"first-launch %s\",\"uncachedMilliseconds\":%.2f,"
              + "\"cachedMilliseconds\":%.2f}%n",
          name,
          median(fresh),
          median(kept));
    } finally {
      delete(folder);
    }
  }

  private static double milliseconds(KernelMethod kernel) {
    long start = System.nanoTime();
    KernelReference.of(kernel).compile(List.of(), 9, 0);
    return (System.nanoTime() - start) / 1e6;
  }

  private static double median(double[] all) {
    double[] warm = Arrays.copyOfRange(all, WARM, all.length);
    Arrays.sort(warm);
    return warm[warm.length / 2];
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory("stretto-first");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
