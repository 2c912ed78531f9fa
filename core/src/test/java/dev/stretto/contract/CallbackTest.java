package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.DeadlockException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What callbacks in stream order promise. */
class CallbackTest extends ContractTest {
  @Test
  void aCallbackRunsAfterWhatWasEnqueuedBeforeAndBeforeWhatIsEnqueuedAfter() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(1000)) {
      MemorySegment host = pinned.allocate(4000, 4);
      int[] seen = new int[2];
      stream.fill(array, 5);
      stream.copy(array, host);
      stream.then(
          () -> {
            seen[0] = host.getAtIndex(ValueLayout.JAVA_INT, 999);
            host.setAtIndex(ValueLayout.JAVA_INT, 999, 6);
          });
      stream.copy(host, array);
      stream.copy(array, host);
      stream.then(() -> seen[1] = host.getAtIndex(ValueLayout.JAVA_INT, 999));
      stream.await();
      assertThat(seen).containsExactly(5, 6);
    }
  }

  @Test
  void aCallbackSeesWhatStagedCopiesBeforeItBroughtAndStagedCopiesAfterItSeeWhatItDid() {
    byte[] data = bytes(4_000_001, 1);
    byte[] other = bytes(4_000_001, 2);
    try (Stream stream = device.stream()) {
      GlobalBytes array = onDevice(stream, data);
      byte[] heap = new byte[data.length];
      boolean[] arrived = {false};
      stream.copy(array, heap);
      stream.then(
          () -> {
            arrived[0] = java.util.Arrays.equals(heap, data);
            System.arraycopy(other, 0, heap, 0, other.length);
          });
      stream.copy(heap, array);
      stream.await();
      assertThat(arrived[0]).isTrue();
      assertSame(read(stream, array), other);
      array.close();
    }
  }

  @Test
  void theEventOfACallbackHappensWhenItHasReturned() {
    try (Stream stream = device.stream()) {
      AtomicInteger calls = new AtomicInteger();
      Event event = stream.then(calls::incrementAndGet);
      event.await();
      assertThat(calls).hasValue(1);
      assertThat(event.isDone()).isTrue();
    }
  }

  @Test
  void whatACallbackThrowsIsReportedOnceByTheStream() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(10)) {
      Event event =
          stream.then(
              () -> {
                throw new ArithmeticException("as planned");
              });
      stream.then(
          () -> {
            throw new ArithmeticException("the second");
          });
      stream.fill(array, 9);
      stream.record().await(); // is not the callback's end, and says nothing of it
      assertThatThrownBy(event::await)
          .isInstanceOf(ArithmeticException.class)
          .hasMessage("as planned");
      assertThatThrownBy(stream::await)
          .isInstanceOf(ArithmeticException.class)
          .hasMessage("as planned")
          .satisfies(
              first ->
                  assertThat(first.getSuppressed())
                      .singleElement()
                      .satisfies(second -> assertThat(second).hasMessage("the second")));
      stream.await(); // both were told
      assertThat(read(stream, array)).startsWith(9);
    }
  }

  @Test
  void theFutureOfACallbackFailsWithWhatItThrew() {
    try (Stream stream = device.stream()) {
      Event event =
          stream.then(
              () -> {
                throw new ArithmeticException("as planned");
              });
      assertThatThrownBy(() -> event.toCompletableFuture().get(20, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(ArithmeticException.class)
          .hasMessage("as planned");
      assertThat(event.isDone()).isTrue();
    }
  }

  @Test
  void whatACallbackThrewIsLoggedIfNobodyAwaitedItsEventOrTheStream() {
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            logged.add(entry);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.stretto");
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      Stream forgotten = device.stream();
      Stream awaited = device.stream();
      forgotten.then(
          () -> {
            throw new ArithmeticException("forgotten");
          });
      Event told =
          awaited.then(
              () -> {
                throw new ArithmeticException("told");
              });
      assertThatThrownBy(told::await).hasMessage("told");
      forgotten.close();
      awaited.close();
      eventually("it is logged", () -> !logged.isEmpty());
      assertThat(logged)
          .singleElement()
          .satisfies(entry -> assertThat(entry.getThrown()).hasMessage("forgotten"));
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
  }

  @Test
  void anExecutorThatThrowsAnErrorOrRunsATaskTwiceDoesNotHoldTheStreamAndRunsTheCallbackOnce() {
    if (machine.isSeeded()) {
      return; // its callbacks run while the program waits, on no executor
    }
    AtomicInteger calls = new AtomicInteger();
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(10)) {
      Event refused =
          stream.then(
              calls::incrementAndGet,
              task -> {
                throw new OutOfMemoryError("unable to create native thread");
              });
      stream.then(
          calls::incrementAndGet,
          task -> {
            task.run();
            task.run();
            throw new IllegalStateException("too late to refuse");
          });
      stream.fill(array, 3);
      assertThatThrownBy(refused::await).hasRootCauseInstanceOf(OutOfMemoryError.class);
      assertThatThrownBy(stream::await).hasRootCauseInstanceOf(OutOfMemoryError.class);
      assertThat(calls).hasValue(1);
      assertThat(read(stream, array)).startsWith(3);
      stream.await();
    }
  }

  @Test
  void anErrorInACallbackIsReportedAndDoesNotHoldTheStream() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(10)) {
      stream.then(
          () -> {
            throw new AssertionError("as planned");
          });
      stream.fill(array, 9);
      assertThatThrownBy(stream::await)
          .hasMessageContaining("as planned")
          .hasRootCauseInstanceOf(AssertionError.class);
      assertThat(read(stream, array)).startsWith(9);
    }
  }

  @Test
  void aCallbackMayUseStretto() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalInts array = device.allocateInts(1000)) {
      int[] result = new int[1000];
      stream.fill(array, 1);
      stream.then(
          () -> {
            try (GlobalInts mine = device.allocateInts(1000);
                Stream another = device.stream()) {
              another.fill(mine, 77);
              another.copy(mine, result).await();
              other.fill(array, result[500]).await();
            }
          });
      int[] after = new int[1000];
      stream.copy(array, after);
      stream.await();
      assertThat(result).containsOnly(77);
      assertThat(after).containsOnly(77);
    }
  }

  @Test
  void aCallbackMayEnqueueOnItsOwnStream() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(1000)) {
      Gate gate = gate(stream);
      stream.fill(array, 1);
      Event first = stream.then(() -> stream.then(() -> stream.fill(array, 3)));
      stream.fill(array, 2);
      gate.open(); // not before: the callbacks would race with this thread
      first.await();
      stream.await();
      stream.await();
      assertThat(read(stream, array)).startsWith(3);
    }
  }

  /**
   * The one of two callbacks that runs second waits within the first one's wait: on a device that
   * nobody but this thread steps, neither can go on.
   */
  @Test
  void aDeadlockNamesEveryStreamThatIsHeldBack() {
    if (!machine.isSeeded()) {
      return;
    }
    try (Stream one = device.stream();
        Stream two = device.stream()) {
      Event[] later = new Event[2];
      List<DeadlockException> told = new CopyOnWriteArrayList<>();
      one.then(() -> awaitFor(later[1], told));
      two.then(() -> awaitFor(later[0], told));
      later[0] = one.record();
      later[1] = two.record();
      one.await();
      two.await();
      assertThat(told).hasSize(1);
      String held = "is held back by a callback that has not returned, with 1 operation after it";
      assertThat(told.getFirst())
          .hasMessageContaining("can never happen, because no enqueued operation can run:")
          .message()
          .hasLineCount(3)
          .containsSubsequence(held, held);
    }
  }

  private static void awaitFor(Event event, List<DeadlockException> told) {
    try {
      event.await(java.time.Duration.ofSeconds(30));
    } catch (DeadlockException e) {
      told.add(e);
    }
  }

  @Test
  void callbacksRunOneAfterTheOtherInOrder() {
    try (Stream stream = device.stream()) {
      List<Integer> order = new ArrayList<>(); // no lock: the stream's order is enough
      for (int i = 0; i < 200; i++) {
        int number = i;
        stream.then(() -> order.add(number));
      }
      stream.await();
      assertThat(order).hasSize(200).isSorted();
    }
  }

  @Test
  void callbacksOfSeveralStreamsDoNotWaitForEachOther() {
    try (Stream one = device.stream();
        Stream two = device.stream()) {
      Gate gate = gate(one);
      AtomicInteger calls = new AtomicInteger();
      two.then(calls::incrementAndGet).await();
      assertThat(calls).hasValue(1);
      gate.open();
      one.await();
    }
  }

  @Test
  void anExecutorRunsCallbacksInTheOrderOfTheStream() {
    try (Stream stream = device.stream();
        ExecutorService executor = Executors.newFixedThreadPool(3);
        GlobalInts array = device.allocateInts(10)) {
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        int number = i;
        stream.then(() -> order.add(number), executor);
        stream.fill(array, i);
      }
      stream.await();
      assertThat(order).hasSize(50).isSorted();
      assertThat(read(stream, array)).startsWith(49);
    }
  }

  @Test
  void anExecutorThatRunsAtOnceMayAwait() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalInts array = device.allocateInts(100_000)) {
      int[] result = new int[100_000];
      stream.then(
          () -> {
            other.fill(array, 4);
            other.copy(array, result).await();
          },
          Runnable::run);
      stream.await();
      assertThat(result).containsOnly(4);
    }
  }

  @Test
  void anExecutorThatRefusesIsReportedAndDoesNotHoldTheStream() {
    if (machine.isSeeded()) {
      return; // its callbacks run while the program waits, on no executor
    }
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(10)) {
      ExecutorService executor = Executors.newSingleThreadExecutor();
      executor.shutdown();
      stream.then(() -> {}, executor);
      stream.fill(array, 3);
      assertThatThrownBy(stream::await).isInstanceOf(RejectedExecutionException.class);
      assertThat(read(stream, array)).startsWith(3);
    }
  }

  @Test
  void aCallbackThatFindsNoThreadIsRefusedAndDoesNotHoldTheStream() {
    if (machine.isSeeded()) {
      return; // its callbacks run while the program waits, on no executor
    }
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(10)) {
      OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
      Event event =
          stream.then(
              () -> {},
              _ -> {
                throw noThread;
              });
      stream.fill(array, 3);
      assertThatThrownBy(event::await)
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessageContaining("did not run")
          .hasCause(noThread);
      assertThat(read(stream, array)).startsWith(3);
    }
  }

  @Test
  void stagedCopiesBehindACallbackKeepTheirOrder() {
    byte[] data = bytes(300_000, 4);
    try (Stream stream = device.stream()) {
      GlobalBytes array = onDevice(stream, data);
      List<byte[]> results = new ArrayList<>();
      stream.then(() -> {});
      for (int i = 0; i < 20; i++) {
        byte[] result = new byte[1000];
        results.add(result);
        stream.copy(array.slice(i * 1000L, 1000), result);
      }
      stream.fill(array, (byte) 0);
      Event event = stream.record();
      event.await();
      for (int i = 0; i < 20; i++) {
        assertThat(results.get(i))
            .isEqualTo(java.util.Arrays.copyOfRange(data, i * 1000, i * 1000 + 1000));
      }
      assertThatCode(stream::await).doesNotThrowAnyException();
      array.close();
    }
  }

  @Test
  void nullsAreRefused() {
    try (Stream stream = device.stream()) {
      assertThatThrownBy(() -> stream.then(null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> stream.then(() -> {}, null))
          .isInstanceOf(NullPointerException.class);
    }
  }
}
