package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Graph;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.Tasks;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * Copies of parts of Java arrays: exactly those elements are read or written, on streams and as
 * tasks, and what an array has not is refused before anything is enqueued.
 */
class ArrayPartsTest extends ContractTest {
  /** One element, both sides of the limit of small copies, and several pieces. */
  private static final List<Integer> COUNTS = List.of(1, 5, 4096, 8193, 300_001);

  /** Where copies are enqueued. */
  private interface On<A, G> {
    Copy in(A source, int from, int count, G destination);

    Copy out(G source, A destination, int from, int count);
  }

  /** A type of arrays: how it is made of bytes, copied, and allocated on a device. */
  private record Type<A, G extends GlobalArray>(
      String name,
      int bytes,
      IntFunction<A> ofLength,
      Function<A, MemorySegment> memory,
      IntFunction<G> allocate,
      Function<Stream, On<A, G>> onStream,
      Function<Tasks, On<A, G>> onTasks) {}

  private interface In<S, A, G> {
    Copy copy(S on, A source, int from, int count, G destination);
  }

  private interface Out<S, A, G> {
    Copy copy(S on, G source, A destination, int from, int count);
  }

  private static <S, A, G> Function<S, On<A, G>> on(In<S, A, G> in, Out<S, A, G> out) {
    return place ->
        new On<>() {
          @Override
          public Copy in(A source, int from, int count, G destination) {
            return in.copy(place, source, from, count, destination);
          }

          @Override
          public Copy out(G source, A destination, int from, int count) {
            return out.copy(place, source, destination, from, count);
          }
        };
  }

  private List<Type<?, ?>> types() {
    return List.of(
        new Type<byte[], GlobalBytes>(
            "byte[]",
            1,
            byte[]::new,
            MemorySegment::ofArray,
            device::allocateBytes,
            on(Stream::copy, Stream::copy),
            on(Tasks::copy, Tasks::copy)),
        new Type<short[], GlobalShorts>(
            "short[]",
            2,
            short[]::new,
            MemorySegment::ofArray,
            device::allocateShorts,
            on(Stream::copy, Stream::copy),
            on(Tasks::copy, Tasks::copy)),
        new Type<int[], GlobalInts>(
            "int[]",
            4,
            int[]::new,
            MemorySegment::ofArray,
            device::allocateInts,
            on(Stream::copy, Stream::copy),
            on(Tasks::copy, Tasks::copy)),
        new Type<long[], GlobalLongs>(
            "long[]",
            8,
            long[]::new,
            MemorySegment::ofArray,
            device::allocateLongs,
            on(Stream::copy, Stream::copy),
            on(Tasks::copy, Tasks::copy)),
        new Type<float[], GlobalFloats>(
            "float[]",
            4,
            float[]::new,
            MemorySegment::ofArray,
            device::allocateFloats,
            on(Stream::copy, Stream::copy),
            on(Tasks::copy, Tasks::copy)),
        new Type<double[], GlobalDoubles>(
            "double[]",
            8,
            double[]::new,
            MemorySegment::ofArray,
            device::allocateDoubles,
            on(Stream::copy, Stream::copy),
            on(Tasks::copy, Tasks::copy)));
  }

  /** The same calls for arrays of floats whose elements have another form on the device. */
  private List<Type<?, ?>> converted() {
    return List.of(
        new Type<float[], GlobalHalfs>(
            "float[] to halfs",
            4,
            float[]::new,
            MemorySegment::ofArray,
            device::allocateHalfs,
            on(Stream::copy, Stream::copy),
            on(Tasks::copy, Tasks::copy)),
        new Type<float[], GlobalBfloats>(
            "float[] to bfloats",
            4,
            float[]::new,
            MemorySegment::ofArray,
            device::allocateBfloats,
            on(Stream::copy, Stream::copy),
            on(Tasks::copy, Tasks::copy)));
  }

  @Test
  void exactlyTheElementsOfThePartAreCopied() {
    try (Stream stream = device.stream()) {
      for (Type<?, ?> type : types()) {
        for (int count : COUNTS) {
          thereAndBack(stream, type, count, 3, 2);
        }
        thereAndBack(stream, type, 77, 0, 1);
        thereAndBack(stream, type, 77, 1, 0); // up to the last element
      }
    }
  }

  private <A, G extends GlobalArray> void thereAndBack(
      Stream stream, Type<A, G> type, int count, int before, int after) {
    int length = before + count + after;
    A array = type.ofLength.apply(length);
    byte[] content = bytes(length * type.bytes, count);
    MemorySegment.copy(
        MemorySegment.ofArray(content), 0, type.memory.apply(array), 0, content.length);
    byte[] expected =
        Arrays.copyOfRange(content, before * type.bytes, (before + count) * type.bytes);
    try (G there = type.allocate.apply(count)) {
      type.onStream.apply(stream).in(array, before, count, there);
      assertSame(read(stream, there), expected);

      A back = type.ofLength.apply(length);
      type.memory.apply(back).fill((byte) 7);
      Copy copy = type.onStream.apply(stream).out(there, back, before, count);
      copy.await();
      assertThat(copy.route().kind()).as(type.name).isEqualTo(Route.Kind.STAGED);
      byte[] all = bytesOf(type.memory.apply(back));
      Arrays.fill(content, 0, before * type.bytes, (byte) 7);
      Arrays.fill(content, (before + count) * type.bytes, content.length, (byte) 7);
      assertSame(all, content);
    }
  }

  private static byte[] bytesOf(MemorySegment array) {
    byte[] bytes = new byte[Math.toIntExact(array.byteSize())];
    MemorySegment.copy(array, 0, MemorySegment.ofArray(bytes), 0, bytes.length);
    return bytes;
  }

  @Test
  void aPartOfADevicesArrayIsASlice() {
    try (Stream stream = device.stream();
        GlobalInts there = device.allocateInts(10)) {
      stream.fill(there, 9);
      stream.copy(new int[] {0, 1, 2, 3, 4}, 1, 3, there.slice(5, 3));
      int[] back = new int[12];
      stream.copy(there.slice(4, 5), back, 6, 5).await();
      assertThat(back).containsExactly(0, 0, 0, 0, 0, 0, 9, 1, 2, 3, 9, 0);
    }
  }

  @Test
  void tasksAreOrderedByTheElementsThatTheyAccess() {
    int[] from = new int[100];
    int[] to = new int[100];
    Arrays.setAll(from, i -> i + 1);
    try (Tasks tasks = device.tasks();
        GlobalInts a = device.allocateInts(50);
        GlobalInts b = device.allocateInts(50)) {
      tasks.copy(from, 0, 50, a);
      tasks.copy(from, 50, 50, b);
      tasks.copy(a, b); // b is written again
      tasks.copy(a, to, 0, 50);
      Copy last = tasks.copy(b, to, 50, 50);
      last.await();
      tasks.await();
      assertThat(Arrays.copyOf(to, 50)).isEqualTo(Arrays.copyOf(from, 50));
      assertThat(Arrays.copyOfRange(to, 50, 100)).isEqualTo(Arrays.copyOf(from, 50));
    }
  }

  @Test
  void everyTypeIsATask() {
    try (Tasks tasks = device.tasks()) {
      for (Type<?, ?> type : types()) {
        task(tasks, type);
      }
      for (Type<?, ?> type : converted()) {
        task(tasks, type);
      }
    }
  }

  private <A, G extends GlobalArray> void task(Tasks tasks, Type<A, G> type) {
    A array = type.ofLength.apply(20);
    type.memory.apply(array).asSlice(4L * type.bytes, 8L * type.bytes).fill((byte) 64);
    A back = type.ofLength.apply(20);
    try (G there = type.allocate.apply(8)) {
      type.onTasks.apply(tasks).in(array, 4, 8, there);
      type.onTasks.apply(tasks).out(there, back, 4, 8).await();
    }
    // 0x40404040 is 3 + 0x4040 / 2^22; a conversion to 16 bits keeps 3 and no bytes below it.
    assertThat(type.memory.apply(back).mismatch(type.memory.apply(array)))
        .as(type.name)
        .isIn(-1L, 16L, 17L);
  }

  @Test
  void whatAnArrayHasNotIsRefusedWithTheNumbers() {
    try (Stream stream = device.stream();
        Tasks tasks = device.tasks()) {
      for (List<Type<?, ?>> all : List.of(types(), converted())) {
        for (Type<?, ?> type : all) {
          refused(type, type.onStream.apply(stream));
          refused(type, type.onTasks.apply(tasks));
        }
      }
      assertThat(stream.isIdle()).isTrue();
    }
  }

  /** The type's parameters have names here. */
  private static <A, G extends GlobalArray> void refused(Type<A, G> type, On<?, ?> on) {
    @SuppressWarnings("unchecked")
    On<A, G> there = (On<A, G>) on;
    A array = type.ofLength.apply(10);
    type.memory.apply(array).fill((byte) 1);
    try (G five = type.allocate.apply(5)) {
      for (int[] part :
          new int[][] {
            {-1, 5},
            {6, 5},
            {11, 0},
            {0, 11},
            {0, -1},
            {5, -5},
            {Integer.MIN_VALUE, 5},
            {Integer.MAX_VALUE, 5},
            {5, Integer.MAX_VALUE},
            {Integer.MAX_VALUE, Integer.MAX_VALUE},
            {Integer.MIN_VALUE, Integer.MIN_VALUE}
          }) {
        String numbers = "from = " + part[0] + " and count = " + part[1] + " are not within ";
        assertThatThrownBy(() -> there.in(array, part[0], part[1], five))
            .as(type.name)
            .isInstanceOf(IndexOutOfBoundsException.class)
            .hasMessage(numbers + "source, which has 10 elements");
        assertThatThrownBy(() -> there.out(five, array, part[0], part[1]))
            .as(type.name)
            .isInstanceOf(IndexOutOfBoundsException.class)
            .hasMessage(numbers + "destination, which has 10 elements");
      }
      for (int count : new int[] {0, 4, 6, 10}) {
        String but = " has 5 elements: slice it, or change count";
        assertThatThrownBy(() -> there.in(array, 0, count, five))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("count = " + count + ", but destination" + but);
        assertThatThrownBy(() -> there.out(five, array, 0, count))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("count = " + count + ", but source" + but);
      }
      assertThatThrownBy(() -> there.in(array, 10, 0, none(five)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("count = 0: there is nothing to copy");
      assertThatThrownBy(() -> there.out(none(five), array, 0, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("count = 0: there is nothing to copy");
      assertThat(bytesOf(type.memory.apply(array))).containsOnly(1);
    }
  }

  @SuppressWarnings("unchecked")
  private static <G extends GlobalArray> G none(G array) {
    return (G) array.slice(5, 0);
  }

  @Test
  void aClosedEndIsRefused() {
    try (Stream stream = device.stream()) {
      GlobalInts ints = device.allocateInts(5);
      GlobalHalfs halfs = device.allocateHalfs(5);
      ints.close();
      halfs.close();
      assertThatThrownBy(() -> stream.copy(new int[9], 2, 5, ints))
          .isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> stream.copy(ints, new int[9], 2, 5))
          .isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> stream.copy(new float[9], 2, 5, halfs))
          .isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> stream.copy(halfs, new float[9], 2, 5))
          .isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void captureRefusesThemAsWholeArrays() {
    try (Stream stream = device.stream();
        GlobalInts ints = device.allocateInts(5);
        GlobalHalfs halfs = device.allocateHalfs(5)) {
      for (Runnable copy :
          List.<Runnable>of(
              () -> stream.copy(new int[9], 2, 5, ints),
              () -> stream.copy(ints, new int[9], 2, 5),
              () -> stream.copy(new float[9], 2, 5, halfs),
              () -> stream.copy(halfs, new float[5]))) {
        GraphRefusals.refused(() -> Graph.capture(stream, _ -> copy.run()), "host");
      }
      int[] back = new int[9];
      stream.fill(ints, 4);
      stream.copy(ints, back, 2, 5).await();
      assertThat(back).containsExactly(0, 0, 4, 4, 4, 4, 4, 0, 0);
    }
  }
}
