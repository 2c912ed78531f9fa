package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Fork;
import dev.stretto.Stream;
import dev.stretto.WorkScope;
import dev.stretto.fault.DeadlineExceededException;
import dev.stretto.flow.Flow;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow.Publisher;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the guide says of completion. */
class GuideCompletionTest {
  private static final int BYTES = 100_000;

  @ParameterizedTest
  @ValueSource(strings = {"virtual", "virtual:h200,seed=3"})
  void awaitingAndFutures(String name) {
    byte[] question = new byte[BYTES];
    byte[] answer = new byte[BYTES];
    try (Device device = Device.open(name);
        Stream stream = device.stream();
        GlobalBytes there = device.allocateBytes(BYTES)) {
      // @start region="await"
      stream.copy(question, there);
      Copy back = stream.copy(there, answer);
      if (!back.await(Duration.ofMillis(50))) {
        System.out.println("still under way, and none of its memory will go before it is done");
      }
      CompletableFuture<Integer> sum = back.toCompletableFuture().thenApply(_ -> sum(answer));
      // @end
      assertThat(sum.join()).isZero();
    }
  }

  private static int sum(byte[] bytes) {
    int sum = 0;
    for (byte each : bytes) {
      sum += each;
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(strings = {"virtual", "virtual:h200,seed=3"})
  void callbacksAndWhatTheyThrow(String name) {
    byte[] answer = new byte[BYTES];
    try (Device device = Device.open(name);
        Stream stream = device.stream();
        GlobalBytes there = device.allocateBytes(BYTES);
        ExecutorService executor = Executors.newSingleThreadExecutor()) {
      stream.fill(there, (byte) 1);
      // @start region="callback"
      stream.copy(there, answer);
      Event checked = stream.then(() -> requireSum(answer, BYTES + 1), executor);
      stream.fill(there, (byte) 2); // comes after the callback
      assertThatThrownBy(checked::await).hasMessage("the sum is 100000, not 100001");
      // @end
      assertThatThrownBy(stream::await).hasMessage("the sum is 100000, not 100001");
    }
  }

  private static void requireSum(byte[] bytes, int expected) {
    if (sum(bytes) != expected) {
      throw new IllegalStateException("the sum is " + sum(bytes) + ", not " + expected);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"virtual", "virtual:h200,seed=3"})
  void scopes(String name) {
    List<byte[]> pages = List.of(new byte[BYTES], new byte[BYTES], new byte[BYTES]);
    try (Device device = Device.open(name)) {
      // @start region="scope"
      int total = 0;
      try (Arena arena = Arena.ofShared();
          WorkScope scope = device.scope()) {
        MemorySegment results = arena.allocate(pages.size() * (long) BYTES);
        List<Fork<Integer>> sums =
            java.util.stream.IntStream.range(0, pages.size())
                .mapToObj(
                    page ->
                        scope.fork(
                            () -> {
                              Stream stream = scope.stream();
                              GlobalBytes there = scope.own(device.allocateBytes(BYTES));
                              MemorySegment result = results.asSlice(page * (long) BYTES, BYTES);
                              stream.copy(pages.get(page), there);
                              stream.fill(there, (byte) page);
                              stream.copy(there, result).await();
                              return sum(result.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
                            }))
                .toList();
        scope.awaitAll();
        for (Fork<Integer> sum : sums) {
          total += sum.result();
        }
      } // the scope's streams have finished all their work; only then does the arena close
      // @end
      assertThat(total).isEqualTo(3 * BYTES);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"virtual", "virtual:h200,seed=3"})
  void deadlines(String name) {
    try (Device device = Device.open(name)) {
      CountDownLatch never = new CountDownLatch(1);
      // @start region="deadline"
      try (WorkScope scope = device.scope(Duration.ofMillis(500))) {
        scope.fork(
            () -> {
              never.await(); // interrupted by the deadline
              return 0;
            });
        scope.awaitAll();
      } catch (DeadlineExceededException e) {
        assertThat(e.inFlight()).containsExactly("1 fork");
      }
      // @end
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"virtual", "virtual:h200,seed=3"})
  void publishers(String name) {
    byte[] plain = new byte[BYTES];
    byte[] result = new byte[BYTES];
    try (Device device = Device.open(name);
        Device other = Device.open("virtual");
        ExecutorService executor = Executors.newSingleThreadExecutor()) {
      // @start region="publisher"
      Publisher<ByteBuffer> chunks =
          Flow.on(device)
              .from(Source.of(MemorySegment.ofArray(plain)))
              .through((stream, chunk) -> stream.fill(chunk.out(), (byte) chunk.index()))
              .chunkBytes(25_600)
              .publish(executor);
      // @end
      // @start region="subscriber"
      Flow.on(other)
          .from(Source.publisher(chunks))
          .to(Sink.of(MemorySegment.ofArray(result)))
          .start()
          .await();
      // @end
      assertThat(sum(result)).isEqualTo(25_600 + 2 * 25_600 + 3 * (BYTES - 3 * 25_600));
    }
  }
}
