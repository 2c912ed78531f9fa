package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Copy;
import dev.stretto.Event;
import dev.stretto.Extent;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Pitches;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Small copies of ordinary memory, very many at once, and threads that share streams. */
class ManySmallCopiesTest extends ContractTest {
  private static final int WORDS = 256;
  private static final int SIZE = 4 * WORDS;

  @Test
  void thousandsOfThreadsThatCopyTheirArraysOnOneStreamGetTheirOwnResults() throws Exception {
    inManyThreads(1);
  }

  @Test
  void thousandsOfThreadsThatCopyTheirArraysOnManyStreamsGetTheirOwnResults() throws Exception {
    inManyThreads(16);
  }

  private void inManyThreads(int streamCount) throws InterruptedException {
    int threads = machine.isSeeded() ? 60 : 3_000; // there each thread steps for all the others
    List<Stream> streams = new ArrayList<>();
    for (int i = 0; i < streamCount; i++) {
      streams.add(device.stream());
    }
    try (GlobalInts there = device.allocateInts((long) threads * WORDS)) {
      ConcurrentLinkedQueue<Throwable> trouble = new ConcurrentLinkedQueue<>();
      CountDownLatch over = new CountDownLatch(threads);
      for (int i = 0; i < threads; i++) {
        int number = i;
        Thread.startVirtualThread(
            () -> {
              try {
                work(number, streams.get(number % streamCount), there);
              } catch (Throwable e) {
                trouble.add(e);
              } finally {
                over.countDown();
              }
            });
      }
      over.await();
      assertThat(trouble).isEmpty();
    } finally {
      streams.forEach(Stream::close);
    }
  }

  private static void work(int number, Stream stream, GlobalInts there) {
    int[] mine = new int[WORDS];
    Arrays.fill(mine, number);
    int[] back = new int[WORDS];
    GlobalInts part = there.slice((long) number * WORDS, WORDS);
    stream.copy(mine, part);
    stream.launch(Grid.of(1, WORDS), ManySmallCopiesTest::add, part, 7);
    stream.copy(part, back).await();
    int[] expected = new int[WORDS];
    Arrays.fill(expected, number + 7);
    assertThat(back).isEqualTo(expected);
  }

  @Kernel
  static void add(ThreadBlock block, GlobalInts array, int more) {
    int i = block.threadIndexX();
    array.set(i, array.get(i) + more);
  }

  /**
   * A program may change the memory of a copy that went inline as soon as the call has returned.
   */
  @Test
  void rowsAndPlanesOfManySmallCopiesAreThoseOfTheirCalls() {
    int count = machine.isSeeded() ? 100 : 3_000;
    int width = 64;
    int pitch = 2 * width;
    int rows = SIZE / pitch;
    int inline = 0;
    try (Stream stream = device.stream();
        GlobalBytes there = device.allocateBytes((long) count * SIZE)) {
      stream.fill(there, (byte) 0);
      byte[] expected = new byte[count * SIZE];
      byte[] host = new byte[SIZE];
      for (int i = 0; i < count; i++) {
        byte[] data = bytes(SIZE, i);
        System.arraycopy(data, 0, host, 0, SIZE);
        for (int row = 0; row < rows; row++) {
          int at = row * width;
          System.arraycopy(data, at, expected, i * SIZE + row * pitch, width);
        }
        GlobalBytes part = there.slice((long) i * SIZE, SIZE);
        MemorySegment source = MemorySegment.ofArray(host);
        Copy copy =
            i % 3 == 0
                ? stream.copy3D(
                    source,
                    new Pitches(width, (long) rows / 2 * width),
                    part,
                    new Pitches(pitch, (long) rows / 2 * pitch),
                    new Extent(width, rows / 2, 2))
                : stream.copy2D(source, width, part, pitch, width, rows);
        if (copy.route().kind() == Route.Kind.INLINE) {
          inline++;
          Arrays.fill(host, (byte) -1);
        } else {
          copy.await();
        }
      }
      assertSame(read(stream, there), expected);
    }
    assertThat(inline).as("of %d copies", count).isGreaterThan(count / 2);
  }

  @Test
  void copiesOutToTheSameMemoryArriveInTheirOrder() {
    int count = 40;
    try (Stream stream = device.stream();
        GlobalBytes there = device.allocateBytes((long) count * SIZE)) {
      byte[] all = bytes(count * SIZE, 1);
      stream.copy(all, there).await();
      byte[] host = new byte[SIZE];
      for (int round = 1; round <= count; round++) {
        for (int i = 0; i < round; i++) {
          stream.copy(there.slice((long) i * SIZE, SIZE), host);
        }
        stream.await();
        assertSame(host, Arrays.copyOfRange(all, (round - 1) * SIZE, round * SIZE));
      }
    }
  }

  @Test
  void aCopyInSeesWhatASmallCopyOutBeforeItBrings() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalBytes first = device.allocateBytes(SIZE);
        GlobalBytes second = device.allocateBytes(SIZE);
        GlobalBytes third = device.allocateBytes(SIZE)) {
      for (int round = 0; round < 50; round++) {
        byte[] data = bytes(SIZE, round);
        stream.copy(data, first);
        byte[] between = new byte[SIZE];
        Copy out = stream.copy(first, between);
        stream.copy(between, second); // the same stream
        Event brought = stream.record();
        other.waitFor(brought);
        other.copy(between, third); // a stream that waits for it
        assertSame(read(stream, second), data);
        assertSame(read(other, third), data);
        assertThat(out.isDone()).isTrue();
      }
    }
  }

  @Test
  void aSmallCopyOutArrivesThoughOnlyALaterPointIsAwaited() {
    try (Stream stream = device.stream();
        GlobalBytes there = device.allocateBytes(SIZE)) {
      byte[] data = bytes(SIZE, 5);
      for (int round = 0; round < 50; round++) {
        byte[] host = new byte[SIZE];
        stream.copy(data, there);
        stream.copy(there, host);
        stream.fill(there, (byte) round);
        if (round % 2 == 0) {
          stream.record().await();
        } else {
          stream.toCompletableFuture().join();
        }
        assertSame(host, data);
      }
    }
  }

  @Test
  void smallCopiesOfEverySizeBehindAStreamThatIsHeldBackBringTheBytesOfTheirCalls() {
    int count = 3_000;
    SplittableRandom random = new SplittableRandom(9);
    int[] sizes = random.ints(count, 1, 9_000).toArray();
    int most = Arrays.stream(sizes).sum();
    byte[] data = bytes(most, 3);
    try (Stream stream = device.stream();
        GlobalBytes there = device.allocateBytes(most)) {
      stream.copy(new byte[16], there.slice(0, 16)).await();
      Gate gate = gate(stream);
      int at = 0;
      MemorySegment source = MemorySegment.ofArray(data);
      for (int size : sizes) {
        stream.copy(source.asSlice(at, size), there.slice(at, size));
        at += size;
      }
      gate.open();
      assertSame(read(stream, there), data);
    }
  }

  @Test
  void threadsThatShareAStreamAndALaunchLoseNoneOfTheirOperations() throws Exception {
    int threads = 6;
    int each = machine.isSeeded() ? 60 : 600;
    try (Stream stream = device.stream();
        Stream own = device.stream();
        GlobalInts counters = device.allocateInts(threads);
        GlobalInts total = device.allocateInts(1)) {
      stream.fill(counters, 0);
      stream.fill(total, 0).await();
      Launch shared = device.prepare(Grid.of(1, 1), ManySmallCopiesTest::count, total, 0);
      ConcurrentLinkedQueue<Throwable> trouble = new ConcurrentLinkedQueue<>();
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        all.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        enqueue(number, each, stream, own, counters, shared);
                      } catch (Throwable e) {
                        trouble.add(e);
                      }
                    }));
      }
      for (Thread thread : all) {
        thread.join();
      }
      assertThat(trouble).isEmpty();
      stream.await();
      own.await();
      int[] counted = new int[threads];
      stream.copy(counters, counted).await();
      int[] expected = new int[threads];
      Arrays.fill(expected, each);
      assertThat(counted).isEqualTo(expected);
      int[] sum = new int[1];
      stream.copy(total, sum).await();
      assertThat(sum[0]).isEqualTo(threads * each);
    }
  }

  /**
   * Each round a small copy out, whose result the next launch on the same counter must not miss.
   */
  private static void enqueue(
      int number, int rounds, Stream stream, Stream own, GlobalInts counters, Launch shared) {
    GlobalInts counter = counters.slice(number, 1);
    int[] seen = new int[1];
    for (int i = 0; i < rounds; i++) {
      stream.launch(Grid.of(1, 1), ManySmallCopiesTest::count, counter, 0);
      own.launch(shared);
      if (i % 50 == 49) {
        stream.copy(counter, seen).await();
        assertThat(seen[0]).isEqualTo(i + 1);
      }
    }
  }

  @Kernel
  static void count(ThreadBlock block, GlobalInts counter, int at) {
    counter.set(at, counter.get(at) + 1);
  }

  @Test
  @WithOrder("off") // both kernels would note a torn argument in one place
  void aLaunchThatThreadsChangeAndEnqueueAtOnceAlwaysHasArgumentsOfOneTime() throws Exception {
    int rounds = machine.isSeeded() ? 50 : 500;
    try (Stream first = device.stream();
        Stream second = device.stream();
        GlobalInts pairs = device.allocateInts(2)) {
      first.fill(pairs, 0).await();
      Launch launch = device.prepare(Grid.of(1, 1), ManySmallCopiesTest::same, pairs, 0L, 0);
      ConcurrentLinkedQueue<Throwable> trouble = new ConcurrentLinkedQueue<>();
      List<Thread> threads = new ArrayList<>();
      for (Stream stream : List.of(first, second)) {
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        for (int i = 0; i < rounds; i++) {
                          stream.launch(launch);
                        }
                      } catch (Throwable e) {
                        trouble.add(e);
                      }
                    }));
      }
      for (int i = 0; i < rounds; i++) {
        launch.set(1, (long) i); // one argument at a time, each whole
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(trouble).isEmpty();
      first.await();
      second.await();
      int[] result = new int[2];
      first.copy(pairs, result).await();
      assertThat(result[1]).as("a torn argument was seen").isZero();
    }
  }

  /** Notes an argument that is none of those that were set. */
  @Kernel
  static void same(ThreadBlock block, GlobalInts pairs, long number, int unused) {
    if (number < 0 || number >= 500) {
      pairs.set(1, 1);
    }
    pairs.set(0, (int) number + unused);
  }
}
