package dev.stretto.misuse;

import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.driver.ValueCondition;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Small programs without a fault. Each returns what it got, which has to be one more each. */
final class RightPrograms {
  private RightPrograms() {}

  /**
   * What its streams are called: a timeline's spans hand them to others, who must leave them be.
   */
  private static final String NAME = "of a right program";

  /** {@return whether an object is a right program's own, and nobody else's to use} */
  static boolean owns(Object object) {
    return object instanceof Stream stream && stream.toString().contains(NAME);
  }

  /** Runs one. */
  static void run(Device device, Random random) {
    int n = 1 + random.nextInt(random.nextBoolean() ? 100 : 20_000);
    int[] in = random.ints(n).toArray();
    int kind = random.nextInt(6);
    int[] out =
        switch (kind) {
          case 0 -> staged(device, in);
          case 1 -> pinned(device, in);
          case 2 -> graph(device, in);
          case 3 -> batch(device, in);
          case 4 -> numbers(device, in);
          default -> events(device, in);
        };
    int[] expected = Arrays.stream(in).map(i -> i + 1).toArray();
    int at = Arrays.mismatch(expected, out);
    if (at >= 0) {
      throw new AssertionError(
          "a right program of kind %d got %d instead of %d at %d of %d"
              .formatted(kind, out[at], expected[at], at, n));
    }
  }

  private static Grid grid(int n) {
    return Grid.covering(n, 128);
  }

  private static int[] staged(Device device, int[] in) {
    int[] out = new int[in.length];
    try (Stream stream = device.stream(NAME);
        GlobalInts array = device.allocateInts(in.length)) {
      stream.copy(in, array);
      stream.launch(grid(in.length), MisuseKernels::add, array, 1, in.length);
      stream.copy(array, out).await();
    }
    return out;
  }

  private static int[] pinned(Device device, int[] in) {
    try (Stream stream = device.stream(NAME);
        PinnedArena arena = device.pinnedArena();
        GlobalInts array = stream.allocateInts(in.length)) {
      MemorySegment host = arena.allocate(4L * in.length, 4);
      MemorySegment.copy(in, 0, host, ValueLayout.JAVA_INT, 0, in.length);
      stream.copy(host, array);
      stream.launch(grid(in.length), MisuseKernels::add, array, 1, in.length);
      stream.copy(array, host);
      stream.await();
      return host.toArray(ValueLayout.JAVA_INT);
    }
  }

  private static int[] graph(Device device, int[] in) {
    int[] out = new int[in.length];
    try (Stream stream = device.stream(NAME);
        GlobalInts array = device.allocateInts(in.length)) {
      stream.copy(Arrays.stream(in).map(i -> i - 1).toArray(), array).await();
      try (Graph graph =
          Graph.capture(
              stream,
              () -> stream.launch(grid(in.length), MisuseKernels::add, array, 1, in.length))) {
        graph.launch(stream);
        graph.launch(stream).await();
      }
      stream.copy(array, out).await();
    }
    return out;
  }

  private static int[] batch(Device device, int[] in) {
    int half = in.length / 2;
    int[] out = new int[in.length];
    try (Stream stream = device.stream(NAME);
        GlobalInts array = device.allocateInts(in.length)) {
      MemorySegment from = MemorySegment.ofArray(in);
      stream.fill(array, 0);
      if (half > 0) {
        stream.copyAll(
            List.of(
                CopyRequest.of(from.asSlice(0, 4L * half), array.slice(0, half)),
                CopyRequest.of(from.asSlice(4L * half), array.slice(half, in.length - half))));
      } else {
        stream.copyAll(List.of(CopyRequest.of(from, array)));
      }
      stream.launch(grid(in.length), MisuseKernels::add, array, 1, in.length);
      stream.copyAll(List.of(CopyRequest.of(array, MemorySegment.ofArray(out)))).await();
    }
    return out;
  }

  private static int[] events(Device device, int[] in) {
    int[] out = new int[in.length];
    try (Stream upload = device.stream(NAME);
        Stream work = device.stream(NAME);
        GlobalInts array = device.allocateInts(in.length)) {
      Event there = upload.copy(MemorySegment.ofArray(in), array).stream().record();
      work.waitFor(there);
      work.launch(grid(in.length), MisuseKernels::add, array, 1, in.length);
      Event done = work.record();
      upload.waitFor(done);
      upload.copy(array, out);
      upload.await();
    }
    return out;
  }

  private static int[] numbers(Device device, int[] in) {
    int[] out = new int[in.length];
    try (Stream upload = device.stream(NAME);
        Stream work = device.stream(NAME);
        GlobalInts signals = device.allocateSignals(2);
        GlobalInts array = device.allocateInts(in.length)) {
      upload.fill(signals, 0);
      work.waitFor(upload.record());
      upload.copy(in, array);
      upload.writeValue(signals, 0, 1);
      work.waitValue(signals, 0, 1, ValueCondition.AT_LEAST);
      work.launch(grid(in.length), MisuseKernels::add, array, 1, in.length);
      work.writeValue(signals, 1, 5);
      upload.waitValue(signals, 1, 5, ValueCondition.EQUAL);
      upload.copy(array, out);
      upload.await();
    }
    return out;
  }
}
