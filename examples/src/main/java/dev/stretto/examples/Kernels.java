package dev.stretto.examples;

import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The examples' kernels: Java methods, and for each {@code DeviceKernel} also PTX that {@code nvcc}
 * made from {@code examples/src/main/cuda/*.cu} for GPUs, together with the Java method that does
 * the same on a virtual device.
 */
final class Kernels {
  private Kernels() {}

  // @start region="saxpy"
  @Kernel
  static void saxpy(ThreadBlock block, float a, GlobalFloats x, GlobalFloats y, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      y.set(i, a * x.get(i) + y.get(i));
    }
  }

  // @end

  static void scramble(ThreadBlock block, GlobalInts x, int rounds, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      x.set(i, scrambled(x.get(i), rounds));
    }
  }

  /** {@return the result of {@link #scramble} for a number} The host checks its results with it. */
  static int scrambled(int number, int rounds) {
    int v = number;
    for (int round = 0; round < rounds; round++) {
      v ^= v << 13;
      v ^= v >>> 17;
      v ^= v << 5;
    }
    return v;
  }

  /**
   * {@return the kernel that scrambles numbers for a number of rounds}
   *
   * <p>The rounds are given here so that a virtual device's clock knows how long a launch takes:
   * six operations a round.
   */
  static DeviceKernel scrambling(int rounds) {
    return DeviceKernel.of(
            KernelImage.ofPtx(text("scramble.ptx")), "scramble", Kernels.class, "scramble")
        .withOperationsPerThread(6.0 * rounds);
  }

  @Kernel
  static void mask(ThreadBlock block, GlobalBytes in, GlobalBytes out, byte bits, long n) {
    long i = block.globalIndexX();
    if (i < n) {
      out.set(i, (byte) (in.get(i) ^ bits));
    }
  }

  // @start region="heat"
  static void heat(ThreadBlock block, GlobalFloats now, GlobalFloats next, float rate, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      float here = now.get(i);
      if (i > 0 && i < n - 1) {
        here += rate * (now.get(i - 1) + now.get(i + 1) - 2 * here);
      }
      next.set(i, here);
    }
  }

  // @end

  static String text(String resource) {
    try (InputStream in = Kernels.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing beside " + Kernels.class);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
