package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Awaitable;
import dev.stretto.Copy;
import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.PinnedBuffer;
import dev.stretto.PinnedBuffers;
import dev.stretto.Stream;
import dev.stretto.WorkScope;
import dev.stretto.collective.Collective;
import dev.stretto.collective.CollectiveCopy;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.DeadlineExceededException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the end of work is awaited. */
class AwaitTest extends ContractTest {
  private static final Duration MOMENT = Duration.ofMillis(20);

  @TempDir Path folder;

  @Test
  void twoThousandVirtualThreadsAwaitCopiesWithoutPinningACarrier() throws Exception {
    int threads = machine.isSeeded() ? 200 : 2_000; // there each thread steps for all the others
    byte[] data = bytes(64, 1);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(64L * threads)) {
      MemorySegment from = pinned(pinned, data);
      MemorySegment to = pinned.allocate(64L * threads);
      for (int i = 0; i < threads; i++) {
        stream.copy(from, array.slice(64L * i, 64));
      }
      stream.await();
      ConcurrentLinkedQueue<Throwable> trouble = new ConcurrentLinkedQueue<>();
      List<RecordedEvent> pins =
          recordPinning(
              () -> {
                stream.await(); // a class that is loaded does keep its carrier
                List<Thread> all = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                  int number = i;
                  all.add(
                      Thread.startVirtualThread(
                          () -> {
                            try {
                              stream
                                  .copy(array.slice(64L * number, 64), to.asSlice(64L * number, 64))
                                  .await();
                              assertSame(read(to.asSlice(64L * number, 64)), data);
                            } catch (Throwable e) {
                              trouble.add(e);
                            }
                          }));
                }
                for (Thread thread : all) {
                  thread.join();
                }
              });
      assertThat(trouble).isEmpty();
      assertThat(pins).isEmpty();
    }
  }

  private List<RecordedEvent> recordPinning(ThrowingRunnable body) throws Exception {
    if (machine.isSeeded() && !machine.name().endsWith("seed=1")) {
      body.run(); // recording takes its time, and the scheduler is the same under every seed
      return List.of();
    }
    Path file = folder.resolve("pinning.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ofMillis(5));
      recording.start();
      body.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
        .filter(event -> String.valueOf(event.getStackTrace()).contains("stretto"))
        .filter(event -> !isOfTheRecording(event))
        .toList();
  }

  /** The recording that looks for pinned carriers has locks of its own, which may be contended. */
  private static boolean isOfTheRecording(RecordedEvent event) {
    return event
        .getStackTrace()
        .getFrames()
        .getFirst()
        .getMethod()
        .getType()
        .getName()
        .startsWith("jdk.jfr.");
  }

  private interface ThrowingRunnable {
    void run() throws Exception;
  }

  @Test
  void onlyOneThreadOfTheLibraryWatchesHoweverManyAwait() throws IOException {
    if (machine.isSeeded()) {
      long before = threadsNamed("stretto-watch"); // of devices of other tests, which are closing
      try (Stream stream = device.stream()) {
        stream.record().await();
        assertThat(threadsNamed("stretto-watch")).isLessThanOrEqualTo(before);
      }
      return;
    }
    long before = threadsNamed("stretto-watch "); // this device's, and those of others that close
    try (Stream stream = device.stream()) {
      Gate gate = gate(stream);
      List<Thread> waiting = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        waiting.add(Thread.startVirtualThread(stream::await));
      }
      assertThat(threadsNamed("stretto-watch ")).isLessThanOrEqualTo(before);
      gate.open();
      waiting.forEach(AwaitTest::join);
    }
  }

  private static long threadsNamed(String start) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && thread.getName().startsWith(start))
        .count();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aWaitThatIsTooShortSaysSoAndTheWorkGoesOn() {
    byte[] data = bytes(1000, 2);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(1000)) {
      MemorySegment from = pinned(pinned, data);
      MemorySegment to = pinned.allocate(1000);
      Gate gate = gate(stream);
      Copy copy = stream.copy(from, array);
      Event event = stream.record();
      Copy back = stream.copy(array, to);
      if (gate.isShut()) {
        for (Awaitable work : List.of(copy, event, back, stream)) {
          assertThat(work.await(MOMENT)).isFalse();
          assertThat(work.await(Duration.ZERO)).isFalse();
          assertThat(work.await(Duration.ofSeconds(-1))).isFalse();
          assertThat(work.isDone()).isFalse();
        }
      }
      gate.open();
      assertThat(stream.await(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
      for (Awaitable work : List.of(copy, event, back, stream)) {
        assertThat(work.await(Duration.ZERO)).isTrue();
        assertThat(work.isDone()).isTrue();
      }
      assertSame(read(to), data);
    }
  }

  @Test
  void atMostMayBeAnyDuration() throws Exception {
    List<Duration> past =
        List.of(
            Duration.ZERO,
            Duration.ofNanos(-1),
            Duration.ofNanos(Long.MIN_VALUE),
            Duration.ofDays(-365L * 300),
            Duration.ofSeconds(Long.MIN_VALUE));
    List<Duration> future =
        List.of(
            Duration.ofNanos(Long.MAX_VALUE),
            Duration.ofDays(365L * 300),
            Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
    try (Stream stream = device.stream();
        PinnedBuffers buffers = device.pinnedBuffers(4096, 1);
        GlobalBytes array = device.allocateBytes(100);
        GlobalBytes second = device.allocateBytes(100);
        Collective collective = Collective.of(List.of(device))) {
      for (Duration atMost : past) {
        Gate gate = gate(stream);
        Copy copy = stream.copy(array, new byte[100]);
        Event event = stream.record();
        CollectiveCopy exchange = collective.allToAll(List.of(array), List.of(second), event);
        PinnedBuffer lent = buffers.awaitLease();
        CompletableFuture<Void> done = event.toCompletableFuture();
        for (Predicate<Duration> await :
            List.<Predicate<Duration>>of(
                stream::await,
                copy::await,
                event::await,
                device::await,
                exchange::await,
                time -> buffers.awaitLease(time).isPresent(),
                time -> isCompleted(done, time))) {
          boolean over = await.test(atMost);
          assertThat(over && gate.isShut()).as("%s", atMost).isFalse();
        }
        gate.open();
        exchange.await();
        lent.close();
        try (WorkScope scope = device.scope(atMost)) {
          eventually("the scope is over", scope::isCancelled);
        } catch (DeadlineExceededException e) {
          assertThat(e).hasMessageContaining(atMost.toString());
        }
      }
      for (Duration atMost : future) {
        Event event = stream.fill(array, (byte) 1);
        assertThat(isCompleted(event.toCompletableFuture(), atMost)).isTrue();
        assertThat(event.await(atMost)).isTrue();
        assertThat(stream.await(atMost)).isTrue();
        assertThat(device.await(atMost)).isTrue();
        assertThat(collective.allToAll(List.of(array), List.of(second), event).await(atMost))
            .isTrue();
        buffers.awaitLease(atMost).orElseThrow().close();
        try (WorkScope scope = device.scope(atMost)) {
          assertThat(scope.isCancelled()).isFalse();
        }
      }
    }
  }

  private static boolean isCompleted(CompletableFuture<Void> future, Duration atMost) {
    try {
      Void _ = future.get(TimeUnit.SECONDS.convert(atMost), TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void waitingForMomentsAgainAndAgainComesToAnEnd() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(100_000)) {
      int[] result = new int[100_000];
      stream.fill(array, 3);
      Copy copy = stream.copy(array, result);
      int rounds = 0;
      while (!copy.await(Duration.ZERO)) {
        rounds++;
        assertThat(rounds).isLessThan(100_000_000);
      }
      assertThat(result).containsOnly(3);
    }
  }

  @Test
  void anInterruptEndsTheWaitingAndNothingElse() throws InterruptedException {
    if (machine.isSeeded()) {
      return; // there a thread that awaits is at work; see aThreadThatIsInterruptedBefore…
    }
    byte[] data = bytes(3_000_000, 3);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(data.length)) {
      Gate gate = gate(stream);
      stream.copy(data, array);
      byte[] result = new byte[data.length];
      Copy copy = stream.copy(array, result);
      Throwable[] thrown = new Throwable[1];
      boolean[] flag = new boolean[1];
      Thread waiting =
          Thread.startVirtualThread(
              () -> {
                try {
                  copy.await();
                } catch (Throwable e) {
                  thrown[0] = e;
                  flag[0] = Thread.currentThread().isInterrupted();
                }
              });
      Thread.sleep(20);
      waiting.interrupt();
      waiting.join();
      assertThat(thrown[0])
          .isInstanceOf(AwaitInterruptedException.class)
          .hasMessageContaining("the work goes on");
      assertThat(flag[0]).isTrue();
      gate.open();
      copy.await();
      assertSame(result, data);
    }
  }

  @Test
  void aThreadThatIsInterruptedBeforeAwaitsNothing() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(1000)) {
      Event event = stream.fill(array, 1);
      Thread.currentThread().interrupt();
      assertThatThrownBy(event::await).isInstanceOf(AwaitInterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> device.await(MOMENT)).isInstanceOf(AwaitInterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
      event.await();
      Thread.currentThread().interrupt();
      assertThatThrownBy(event::await).isInstanceOf(AwaitInterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(read(stream, array)).startsWith(1);
    }
  }

  @Test
  void futuresCompleteWhenTheWorkIsDone() throws Exception {
    byte[] data = bytes(1_000_000, 4);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(data.length)) {
      byte[] result = new byte[data.length];
      Gate gate = gate(stream);
      Copy in = stream.copy(data, array);
      Event event = stream.record();
      Copy out = stream.copy(array, result);
      CompletableFuture<Void> first = in.toCompletableFuture();
      CompletableFuture<Void> second = event.toCompletableFuture();
      CompletableFuture<Boolean> third =
          out.toCompletableFuture().thenApply(_ -> java.util.Arrays.equals(result, data));
      CompletableFuture<Void> fourth = stream.toCompletableFuture();
      if (gate.isShut()) {
        assertThat(first).isNotDone();
        assertThatThrownBy(() -> third.get(10, TimeUnit.MILLISECONDS))
            .isInstanceOf(TimeoutException.class);
      }
      gate.open();
      assertThat(third.get()).isTrue();
      first.join();
      second.get(10, TimeUnit.SECONDS);
      fourth.join();
    }
  }

  @Test
  void futuresOfAllKindsMayBeAwaitedTogether() throws Exception {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalInts array = device.allocateInts(100_000)) {
      int[] result = new int[100_000];
      CompletableFuture<Void> one = stream.fill(array, 8).toCompletableFuture();
      CompletableFuture<Void> two = stream.copy(array, result).toCompletableFuture();
      CompletableFuture<Void> three = other.then(() -> {}).toCompletableFuture();
      CompletableFuture.allOf(one, two, three).get(20, TimeUnit.SECONDS);
      assertThat(result).containsOnly(8);
    }
  }

  @Test
  void whatDependsOnAFutureMayAwait() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(1000)) {
      int[] result = new int[1000];
      stream
          .fill(array, 2)
          .toCompletableFuture()
          .thenRun(() -> stream.copy(array, result).await())
          .join();
      assertThat(result).containsOnly(2);
    }
  }

  @Test
  void cancellingAFutureDoesNotStopTheWork() {
    byte[] data = bytes(100_000, 5);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(data.length)) {
      CompletableFuture<Void> future = stream.copy(data, array).toCompletableFuture();
      future.cancel(true);
      assertSame(read(stream, array), data);
    }
  }

  @Test
  void aFutureOfAStreamFailsWithWhatWentWrong() {
    try (Stream stream = device.stream()) {
      stream.then(
          () -> {
            throw new ArithmeticException("as planned");
          });
      CompletableFuture<Void> future = stream.toCompletableFuture();
      assertThatThrownBy(future::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(ArithmeticException.class)
          .hasMessage("as planned");
    }
  }

  @Test
  void manyThreadsMayAwaitTheSame() throws InterruptedException {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(1_000_000)) {
      stream.fill(array, 2);
      Event event = stream.record();
      ConcurrentLinkedQueue<Throwable> trouble = new ConcurrentLinkedQueue<>();
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        boolean platform = i % 2 == 0;
        all.add(
            (platform ? Thread.ofPlatform() : Thread.ofVirtual())
                .start(
                    () -> {
                      try {
                        event.await();
                        stream.await();
                        device.await();
                      } catch (Throwable e) {
                        trouble.add(e);
                      }
                    }));
      }
      for (Thread thread : all) {
        thread.join();
      }
      assertThat(trouble).isEmpty();
    }
  }
}
