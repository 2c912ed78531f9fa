package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Each kernel finds what the one before it has written, and overwrites only what that one no longer
 * reads, also where a device begins a kernel while the one before it ends.
 */
class KernelsInARowTest extends ContractTest {
  private static final int THREADS = 128;
  private static final int LAUNCHES = 60;

  /** Reads what other blocks have written; some blocks take much longer than others. */
  @Kernel
  static void step(ThreadBlock block, GlobalInts from, GlobalInts to, int stride, int n) {
    int i = (int) block.globalIndexX();
    if (i >= n) {
      return;
    }
    int value = from.get(((long) i * stride + 1) % n);
    int rounds = block.blockIndexX() % 7 == 0 ? 200 : 1;
    for (int round = 0; round < rounds; round++) {
      value = value * 1664525 + 1013904223;
    }
    to.set(i, value);
  }

  /** The same by way of shared memory, with barriers before the first access of global memory. */
  @Kernel
  static void shifted(ThreadBlock block, GlobalInts from, GlobalInts to, int n) {
    var tile = block.sharedInts(THREADS);
    int rank = block.threadRank();
    tile.set(rank, rank * 3);
    block.sync();
    int added = tile.get((rank + 1) % THREADS);
    block.sync();
    for (int i = (int) block.globalIndexX(); i < n; i += block.gridSizeX() * THREADS) {
      tile.set(rank, from.get(n - 1 - i));
      to.set(i, tile.get(rank) + added);
    }
  }

  private static int[] stepped(int[] from, int stride) {
    int n = from.length;
    int[] to = new int[n];
    for (int i = 0; i < n; i++) {
      int value = from[(int) (((long) i * stride + 1) % n)];
      int rounds = i / THREADS % 7 == 0 ? 200 : 1;
      for (int round = 0; round < rounds; round++) {
        value = value * 1664525 + 1013904223;
      }
      to[i] = value;
    }
    return to;
  }

  private static int[] shifted(int[] from) {
    int n = from.length;
    int[] to = new int[n];
    for (int i = 0; i < n; i++) {
      to[i] = from[n - 1 - i] + (i % THREADS + 1) % THREADS * 3;
    }
    return to;
  }

  /** An odd number, so that the last block has threads without an element. */
  private int length() {
    return machine.isVirtual() ? 1501 : 300_001;
  }

  private static int blocks(int n) {
    return Math.ceilDiv(n, THREADS);
  }

  private void enqueue(Stream stream, GlobalInts from, GlobalInts to, int number) {
    int n = (int) from.length();
    if (number % 3 == 2) {
      stream.launch(
          Grid.of(Math.min(blocks(n), 100), THREADS), KernelsInARowTest::shifted, from, to, n);
    } else {
      stream.launch(
          Grid.of(blocks(n), THREADS), KernelsInARowTest::step, from, to, 2 * number + 3, n);
    }
  }

  private static int[] next(int[] from, int number) {
    return number % 3 == 2 ? shifted(from) : stepped(from, 2 * number + 3);
  }

  private int[] first() {
    return new SplittableRandom(11).ints(length()).toArray();
  }

  private static int[] last(int[] first) {
    int[] values = first;
    for (int i = 0; i < LAUNCHES; i++) {
      values = next(values, i);
    }
    return values;
  }

  @Test
  void onOneStreamEachKernelSeesTheOneBefore() {
    int[] values = first();
    int[] found = new int[values.length];
    try (Stream stream = device.stream();
        GlobalInts a = device.allocateInts(values.length);
        GlobalInts b = device.allocateInts(values.length)) {
      stream.copy(values, a);
      for (int i = 0; i < LAUNCHES; i++) {
        enqueue(stream, i % 2 == 0 ? a : b, i % 2 == 0 ? b : a, i);
      }
      stream.copy(a, found).await();
    }
    assertThat(found).isEqualTo(last(values));
  }

  @Test
  void acrossStreamsAnEventIsEnough() {
    int[] values = first();
    int[] found = new int[values.length];
    try (Stream one = device.stream();
        Stream two = device.stream();
        GlobalInts a = device.allocateInts(values.length);
        GlobalInts b = device.allocateInts(values.length)) {
      one.copy(values, a);
      Event before = one.record();
      for (int i = 0; i < LAUNCHES; i++) {
        // Two in a row on one stream, then two on the other.
        Stream stream = i / 2 % 2 == 0 ? one : two;
        stream.waitFor(before);
        enqueue(stream, i % 2 == 0 ? a : b, i % 2 == 0 ? b : a, i);
        before = stream.record();
      }
      one.waitFor(before);
      one.copy(a, found).await();
    }
    assertThat(found).isEqualTo(last(values));
  }

  @Test
  void copiesBetweenKernelsSeeThemAndAreSeen() {
    int[] values = first();
    int[] found = new int[values.length];
    try (Stream stream = device.stream();
        GlobalInts a = device.allocateInts(values.length);
        GlobalInts b = device.allocateInts(values.length);
        GlobalInts c = device.allocateInts(values.length)) {
      stream.copy(values, a);
      for (int i = 0; i < LAUNCHES; i++) {
        enqueue(stream, a, b, i);
        stream.copy(b, c);
        stream.fill(b, 0);
        stream.copy(c, a);
      }
      stream.copy(a, found).await();
    }
    assertThat(found).isEqualTo(last(values));
  }

  @Test
  void inAGraphEachKernelSeesTheOneBefore() {
    int[] values = first();
    int[] found = new int[values.length];
    try (Stream stream = device.stream();
        GlobalInts a = device.allocateInts(values.length);
        GlobalInts b = device.allocateInts(values.length);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  for (int i = 0; i < LAUNCHES; i++) {
                    enqueue(stream, i % 2 == 0 ? a : b, i % 2 == 0 ? b : a, i);
                  }
                })) {
      stream.copy(values, a);
      graph.launch(stream);
      stream.copy(a, found).await();
    }
    assertThat(found).isEqualTo(last(values));
  }
}
