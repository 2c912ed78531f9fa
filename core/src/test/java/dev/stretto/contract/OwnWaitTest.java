package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.DeadlockException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Code that a stream is held for cannot wait for what comes after it: the library knows the thread,
 * and refuses at once. Every other wait is the program's own business.
 */
class OwnWaitTest extends ContractTest {
  /** What a callback does once everything of the test has been enqueued. */
  private final AtomicReference<Runnable> body = new AtomicReference<>(() -> {});

  private final CountDownLatch enqueued = new CountDownLatch(1);

  private Event callback(Stream stream) {
    return stream.then(this::run);
  }

  private void run() {
    if (!machine.isSeeded()) { // where nothing runs before somebody awaits
      awaitEnqueued();
    }
    body.get().run();
  }

  private void awaitEnqueued() {
    try {
      assertThat(enqueued.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void begin(Runnable what) {
    body.set(what);
    enqueued.countDown();
  }

  private void assertRefused(Stream held, Event callback, Runnable wait) {
    begin(wait);
    assertThatThrownBy(callback::await)
        .isInstanceOf(DeadlockException.class)
        .hasMessageContaining("can never happen")
        .hasMessageContaining("stream 0x%x of %s".formatted(held.handle(), device.name()))
        .hasMessageContaining("let the callback return");
    try {
      held.await(); // tells it once more, unless a future of the stream was told
    } catch (DeadlockException e) {
      held.await();
    }
    held.record().await(); // the stream goes on
  }

  private void assertRefused(Consumer<Stream> wait) {
    try (Stream stream = device.stream()) {
      Event callback = callback(stream);
      assertRefused(stream, callback, () -> wait.accept(stream));
    }
  }

  @Test
  void aCallbackCannotAwaitItsOwnStream() {
    assertRefused(Stream::await);
  }

  @Test
  void aCallbackCannotAwaitItsOwnStreamForALimitedTimeEither() {
    assertRefused(stream -> assertThat(stream.await(Duration.ofHours(1))).isTrue());
  }

  @Test
  void aCallbackCannotAwaitItsOwnDevice() {
    assertRefused(stream -> device.await());
  }

  @Test
  void aCallbackCannotAwaitTheFutureOfItsOwnStream() {
    assertRefused(stream -> stream.toCompletableFuture().join());
  }

  @Test
  void aCallbackCannotGetTheFutureOfItsOwnStream() {
    assertRefused(
        stream -> {
          try {
            stream.toCompletableFuture().get(1, TimeUnit.HOURS);
          } catch (java.util.concurrent.ExecutionException
              | java.util.concurrent.TimeoutException
              | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void aCallbackCannotAwaitWhatItEnqueuesItself() {
    assertRefused(stream -> stream.record().await());
  }

  @Test
  void aCallbackCannotAwaitACopyBehindItself() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(100)) {
      MemorySegment host = pinned.allocate(100);
      Event callback = callback(stream);
      var copy = stream.copy(host, array);
      assertRefused(stream, callback, copy::await);
    }
  }

  @Test
  void aCallbackCannotAwaitAStagedCopyBehindItself() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(5_000_000)) {
      Event callback = callback(stream);
      var copy = stream.copy(array, new byte[5_000_000]);
      assertRefused(stream, callback, copy::await);
    }
  }

  @Test
  void aCallbackOnAnExecutorCannotAwaitItsOwnStream() {
    try (ExecutorService executor = Executors.newFixedThreadPool(1);
        Stream stream = device.stream()) {
      Event callback = stream.then(this::run, executor);
      assertRefused(stream, callback, stream::await);
    }
  }

  @Test
  void aCallbackCannotAwaitAStreamThatWaitsForItsOwn() {
    try (Stream stream = device.stream();
        Stream second = device.stream();
        Stream third = device.stream()) {
      Event callback = callback(stream);
      second.waitFor(stream.record());
      third.waitFor(second.record());
      Event last = third.record();
      assertRefused(stream, callback, last::await);
      third.await();
    }
  }

  @Test
  void ofTwoCallbacksThatAwaitEachOtherOneIsRefusedAndTheOtherGoesOn() {
    try (Stream one = device.stream();
        Stream two = device.stream()) {
      Event[] ends = new Event[2];
      List<DeadlockException> refused = new CopyOnWriteArrayList<>();
      Consumer<Integer> wait =
          other -> {
            if (!machine.isSeeded()) {
              awaitEnqueued();
            }
            try {
              Objects.requireNonNull(ends[other]).await();
            } catch (DeadlockException e) {
              refused.add(e);
            }
          };
      ends[0] = one.then(() -> wait.accept(1));
      ends[1] = two.then(() -> wait.accept(0));
      enqueued.countDown();
      one.await();
      two.await();
      assertThat(refused).hasSizeBetween(1, 2);
    }
  }

  @Test
  void aCallbackOfAGraphCannotAwaitItsLaunch() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(100);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  stream.fill(array, (byte) 1);
                  stream.then(this::run);
                  stream.fill(array, (byte) 2);
                })) {
      Event launch = graph.launch(stream);
      begin(launch::await);
      assertThatThrownBy(stream::await)
          .isInstanceOf(DeadlockException.class)
          .hasMessageContaining("let the callback return");
    }
  }

  @Test
  void aCallOfAnotherLibraryCannotAwaitItsOwnStream() {
    try (Stream stream = device.stream()) {
      assertThatThrownBy(() -> stream.call(handle -> stream.await()))
          .isInstanceOf(DeadlockException.class)
          .hasMessageContaining("let the call return");
      stream.await();
    }
  }

  @Test
  void aCallbackMayAwaitWhatIsDoneAndWhatDoesNotDependOnIt() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        Stream before = device.stream();
        GlobalBytes array = device.allocateBytes(1000)) {
      stream.fill(array, (byte) 3);
      Event earlier = stream.record();
      before.waitFor(earlier);
      Event callback = callback(stream);
      byte[] seen = new byte[1000];
      begin(
          () -> {
            earlier.await();
            before.await();
            other.copy(array, seen).await();
            other.fill(array, (byte) 4).toCompletableFuture().join();
            assertThat(stream.isDone()).isFalse();
            assertThat(callback.await(Duration.ZERO)).isFalse();
          });
      callback.await();
      stream.await();
      assertThat(seen).containsOnly((byte) 3);
    }
  }

  @Test
  void aCallbackMayAwaitACallbackOfAnotherStream() {
    try (Stream stream = device.stream();
        Stream other = device.stream()) {
      Event callback = callback(stream);
      begin(() -> other.then(() -> {}).await());
      callback.await();
    }
  }

  @Test
  void theThreadOfACallbackMayAwaitTheStreamOnceTheCallbackHasReturned() throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(1);
        Stream stream = device.stream()) {
      stream.then(() -> {}, executor).await();
      stream.then(() -> {});
      executor.submit((Runnable) stream::await).get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void whatDependsOnTheFutureOfACallbackMayAwaitItsStream() {
    try (Stream stream = device.stream()) {
      Event callback = callback(stream);
      CompletableFuture<Void> after =
          callback.toCompletableFuture().thenRun(() -> stream.record().await());
      begin(() -> {});
      after.join();
    }
  }
}
