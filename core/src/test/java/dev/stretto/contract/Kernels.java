package dev.stretto.contract;

import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The kernels of {@code core/src/test/cuda/contract.cu}, and the methods that do the same. */
public final class Kernels {
  /** The file that holds them all. */
  static final KernelImage IMAGE = KernelImage.ofPtx(text());

  static final DeviceKernel SAXPY = kernel("saxpy");
  static final DeviceKernel EVERYTHING = kernel("everything");
  static final DeviceKernel PLACES = kernel("places");
  static final DeviceKernel ADD = kernel("add");
  static final DeviceKernel FAULT = kernel("fault");

  private Kernels() {}

  /** {@return the kernel {@code places} of an image that nobody has loaded} */
  static DeviceKernel placesOfNewImage(int number) {
    KernelImage image = KernelImage.ofPtx(text() + "\n// image " + number + "\n");
    return DeviceKernel.of(image, "places", Kernels.class, "places");
  }

  private static DeviceKernel kernel(String name) {
    return DeviceKernel.of(IMAGE, name, Kernels.class, name);
  }

  private static String text() {
    try (InputStream in = Kernels.class.getResourceAsStream("contract.ptx")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code y = a * x + y}. */
  public static void saxpy(ThreadBlock block, float a, GlobalFloats x, GlobalFloats y, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      y.set(i, Math.fma(a, x.get(i), y.get(i)));
    }
  }

  /** Stores every argument. */
  public static void everything(
      ThreadBlock block,
      byte b,
      long l,
      short s,
      double d,
      float f,
      int i,
      GlobalBytes bytes,
      GlobalShorts shorts,
      GlobalInts ints,
      GlobalLongs longs,
      GlobalFloats floats,
      GlobalDoubles doubles,
      GlobalHalfs halfs,
      GlobalBfloats bfloats) {
    if (block.globalIndexX() == 0) {
      bytes.set(0, b);
      shorts.set(0, s);
      ints.set(0, i);
      longs.set(0, l);
      floats.set(0, f);
      doubles.set(0, d);
      halfs.set(0, f);
      bfloats.set(0, f);
    }
  }

  /** Stores where each thread stands. */
  public static void places(ThreadBlock b, GlobalInts places) {
    int block =
        b.blockIndexX() + b.gridSizeX() * (b.blockIndexY() + b.gridSizeY() * b.blockIndexZ());
    int thread =
        b.threadIndexX() + b.blockSizeX() * (b.threadIndexY() + b.blockSizeY() * b.threadIndexZ());
    int threads = b.blockSizeX() * b.blockSizeY() * b.blockSizeZ();
    places.set((long) block * threads + thread, block * 1000 + thread);
  }

  /** Adds a number to every element. */
  public static void add(ThreadBlock block, GlobalInts array, int value, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      array.set(i, array.get(i) + value);
    }
  }

  /** Stores where nothing is. */
  public static void fault(ThreadBlock block, GlobalInts array) {
    array.set(1L << 44, 1);
  }
}
