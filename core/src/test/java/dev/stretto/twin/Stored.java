package dev.stretto.twin;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * Runs a kernel over the numbers that all have, and prints a hash of what it stored: {@code
 * semantics/kernels.cuh}.
 */
final class Stored {
  private static final String KEY = "stored";
  static final int IN = 8192;
  static final int OUT = 4096;

  private Stored() {}

  static void say(Scene scene, Grid grid, KernelMethod.Of2<GlobalInts, GlobalInts> kernel) {
    say(scene, KEY, grid, kernel);
  }

  static void say(
      Scene scene, String key, Grid grid, KernelMethod.Of2<GlobalInts, GlobalInts> kernel) {
    Stream stream = scene.stream();
    say(scene, key, stream, (in, out) -> stream.launch(grid, kernel, in, out));
  }

  /** The same of a kernel that takes a constant. */
  static void say(
      Scene scene,
      String key,
      Grid grid,
      KernelMethod.Of3<GlobalInts, GlobalInts, Integer> kernel,
      int constant) {
    Stream stream = scene.stream();
    say(scene, key, stream, (in, out) -> stream.launch(grid, kernel, in, out, constant));
  }

  /** The same of a kernel that takes the numbers as bytes. */
  static void sayOfBytes(Scene scene, Grid grid, KernelMethod.Of2<GlobalBytes, GlobalInts> kernel) {
    Stream stream = scene.stream();
    GlobalBytes in = scene.bytes(4 * IN);
    stream.copy(MemorySegment.ofArray(numbers()), in).await();
    GlobalInts out = scene.ints(OUT);
    stream.launch(grid, kernel, in, out);
    stream.await();
    scene.say(KEY, Arrays.hashCode(Scene.read(out)));
  }

  /** The same of a kernel that takes everything as bytes. */
  static void sayOfAllBytes(
      Scene scene, Grid grid, KernelMethod.Of2<GlobalBytes, GlobalBytes> kernel) {
    Stream stream = scene.stream();
    GlobalBytes in = scene.bytes(4 * IN);
    stream.copy(MemorySegment.ofArray(numbers()), in).await();
    GlobalInts out = scene.ints(OUT);
    GlobalBytes outBytes = GlobalBytes.of(out.allocation());
    stream.launch(grid, kernel, in, outBytes);
    stream.await();
    scene.say(KEY, Arrays.hashCode(Scene.read(out)));
  }

  private static void say(
      Scene scene, String key, Stream stream, BiConsumer<GlobalInts, GlobalInts> launch) {
    GlobalInts in = numbers(scene, stream);
    GlobalInts out = scene.ints(OUT);
    launch.accept(in, out);
    stream.await();
    scene.say(key, Arrays.hashCode(Scene.read(out)));
  }

  /** {@return the numbers on the device} */
  static GlobalInts numbers(Scene scene, Stream stream) {
    GlobalInts in = scene.ints(IN);
    MemorySegment host = scene.ordinaryArena().allocate(JAVA_INT, IN);
    stream.copy(host.copyFrom(MemorySegment.ofArray(numbers())), in).await();
    return in;
  }

  private static int[] numbers() {
    return IntStream.range(0, IN).map(i -> 7 * i + 3).toArray();
  }
}
