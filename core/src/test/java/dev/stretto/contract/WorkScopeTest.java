package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Fork;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.WorkScope;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeadlineExceededException;
import dev.stretto.fault.ScopeFailedException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What a scope promises: that what is in it is over when it is closed. */
class WorkScopeTest extends ContractTest {
  private static final Duration MOMENT = Duration.ofMillis(30);

  @Test
  void forksShareTheScopesStreamsAndMemoryAndTheirResultsAreThereWhenAllWereAwaited() {
    int parts = 8;
    byte[] data = bytes(parts * 10_000, 1);
    List<Fork<byte[]>> forks = new ArrayList<>();
    try (WorkScope scope = device.scope()) {
      GlobalBytes there = scope.own(device.allocateBytes(data.length));
      for (int i = 0; i < parts; i++) {
        int part = i * 10_000;
        forks.add(
            scope.fork(
                () -> {
                  Stream stream = scope.stream();
                  GlobalBytes mine = there.slice(part, 10_000);
                  stream.copy(MemorySegment.ofArray(data).asSlice(part, 10_000), mine);
                  byte[] back = new byte[10_000];
                  stream.copy(mine, back).await();
                  return back;
                }));
      }
      scope.awaitAll();
    }
    for (int i = 0; i < parts; i++) {
      assertThat(forks.get(i).isDone()).isTrue();
      assertSame(
          forks.get(i).result(),
          java.util.Arrays.copyOfRange(data, i * 10_000, i * 10_000 + 10_000));
    }
  }

  @Test
  void memoryThatTheProgramHasOpenedAroundAScopeMayGoOnceTheScopeIsClosed() {
    byte[] data = bytes(3_000_000, 2);
    Copy[] copies = new Copy[2];
    byte[] seen;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment from = arena.allocate(data.length).copyFrom(MemorySegment.ofArray(data));
      MemorySegment to = arena.allocate(data.length);
      Stream stream;
      try (WorkScope scope = device.scope()) {
        stream = scope.stream();
        GlobalBytes there = scope.own(device.allocateBytes(data.length));
        copies[0] = stream.copy(from, there);
        copies[1] = stream.copy(there, to);
      } // nobody has awaited anything
      assertThat(stream.isOpen()).isFalse();
      seen = to.toArray(JAVA_BYTE);
    }
    copies[0].await();
    copies[1].await(); // neither has lost its memory
    assertSame(seen, data);
  }

  @Test
  void closingWaitsForTheDeviceThoughTheScopeHasFailed() {
    byte[] data = bytes(2_000_000, 3);
    try (Arena arena = Arena.ofShared();
        GlobalBytes there = device.allocateBytes(data.length)) {
      MemorySegment from = arena.allocate(data.length).copyFrom(MemorySegment.ofArray(data));
      AtomicReference<Gate> gate = new AtomicReference<>();
      AtomicReference<Copy> copy = new AtomicReference<>();
      assertThatThrownBy(
              () -> {
                try (WorkScope scope = device.scope()) {
                  Stream stream = scope.stream();
                  gate.set(gate(stream));
                  copy.set(stream.copy(from, there));
                  Fork<Boolean> failing =
                      scope.fork(
                          () -> {
                            throw new ArithmeticException("as planned");
                          });
                  try {
                    scope.awaitAll();
                  } finally {
                    assertThat(failing.failure()).isPresent();
                    if (gate.get().isShut()) {
                      assertThat(copy.get().isDone()).isFalse();
                    }
                    openSoon(gate.get());
                  }
                }
              })
          .isInstanceOf(ScopeFailedException.class)
          .hasMessageContaining("as planned")
          .cause()
          .isInstanceOf(ArithmeticException.class);
      assertThat(copy.get().isDone()).isTrue();
      try (Stream stream = device.stream()) {
        assertSame(read(stream, there), data);
      }
    }
  }

  private static void openSoon(Gate gate) {
    Thread.startVirtualThread(
        () -> {
          try {
            Thread.sleep(MOMENT);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          gate.open();
        });
  }

  @Test
  void oneForkThatFailsInterruptsTheOthersAndNothingMoreIsEnqueued() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    CountDownLatch running = new CountDownLatch(1);
    try (WorkScope scope = device.scope();
        GlobalInts array = device.allocateInts(10)) {
      Stream stream = scope.stream();
      Fork<Boolean> waiting =
          scope.fork(
              () -> {
                running.countDown();
                try {
                  never.await();
                } catch (InterruptedException e) {
                  interrupted.set(true);
                  throw e;
                }
                return true;
              });
      scope.fork(
          () -> {
            running.await();
            throw new java.io.IOException("as planned");
          });
      assertThatThrownBy(scope::awaitAll)
          .isInstanceOf(ScopeFailedException.class)
          .hasCauseInstanceOf(java.io.IOException.class);
      assertThat(scope.isCancelled()).isTrue();
      assertThatThrownBy(() -> stream.fill(array, 1)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(scope::stream)
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining("as planned");
      assertThatThrownBy(() -> scope.fork(() -> 1)).isInstanceOf(CancellationException.class);
      eventually("the other one has ended", waiting::isDone);
    }
    assertThat(interrupted).isTrue();
  }

  @Test
  void whatGoesWrongOnAStreamOfTheScopeFailsIt() {
    try (WorkScope scope = device.scope()) {
      scope.stream()
          .then(
              () -> {
                throw new ArithmeticException("as planned");
              });
      assertThatThrownBy(scope::awaitAll)
          .isInstanceOf(ScopeFailedException.class)
          .hasCauseInstanceOf(ArithmeticException.class);
    }
  }

  @Test
  void whatNobodyWasToldOfIsThrownByClose() {
    WorkScope scope = device.scope();
    scope.stream()
        .then(
            () -> {
              throw new ArithmeticException("as planned");
            });
    assertThatThrownBy(scope::close)
        .isInstanceOf(ScopeFailedException.class)
        .hasCauseInstanceOf(ArithmeticException.class);
    scope.close(); // again, and it throws nothing more
    assertThatThrownBy(scope::awaitAll).isInstanceOf(ClosedException.class);
    assertThatThrownBy(scope::stream).isInstanceOf(ClosedException.class);
  }

  @Test
  void aDeadlineSaysWhatWasInFlightAndAbandonsNoMemory() {
    byte[] data = bytes(1_000_000, 4);
    try (PinnedArena pinned = device.pinnedArena();
        Stream other = device.stream();
        GlobalBytes there = device.allocateBytes(data.length)) {
      MemorySegment from = pinned(pinned, data);
      Duration deadline = MOMENT;
      while (!comesTooLate(deadline, from, there)) {
        deadline = deadline.multipliedBy(4);
        assertThat(deadline).isLessThan(Duration.ofMinutes(1));
      }
      assertSame(read(other, there), data);
    }
  }

  /** {@return false if the deadline came before all was enqueued that is to miss it} */
  private boolean comesTooLate(Duration deadline, MemorySegment from, GlobalBytes there) {
    try (WorkScope scope = device.scope(deadline)) {
      Gate gate = null;
      try {
        Stream stream = scope.stream();
        gate = gate(stream);
        stream.copy(from, there);
        scope.fork(
            () -> {
              new CountDownLatch(1).await();
              return true;
            });
        boolean shut = gate.isShut();
        assertThatThrownBy(scope::awaitAll)
            .isInstanceOf(DeadlineExceededException.class)
            .hasMessageContaining("was not done within " + deadline + "; in flight: ")
            .hasMessageContaining("1 fork")
            .satisfies(
                e -> {
                  List<String> inFlight = ((DeadlineExceededException) e).inFlight();
                  assertThat(inFlight).last().asString().contains("1 fork");
                  if (shut) {
                    assertThat(inFlight).hasSize(2);
                    assertThat(inFlight.getFirst()).matches("2 operations of stream .* of .*");
                  }
                });
        return true;
      } catch (CancellationException | ClosedException e) { // this machine has other work too
        return false;
      } finally {
        if (gate != null) {
          gate.open();
        }
      }
    } catch (DeadlineExceededException e) { // told at the end, as nobody was told before
      return false;
    }
  }

  @Test
  void aDeadlineComesThoughNobodyAwaitsTheScope() {
    WorkScope scope = device.scope(Duration.ofSeconds(1));
    Fork<Boolean> fork =
        scope.fork(
            () -> {
              new CountDownLatch(1).await();
              return true;
            });
    eventually("the fork was interrupted", fork::isDone);
    assertThatThrownBy(fork::result).hasCauseInstanceOf(InterruptedException.class);
    assertThatThrownBy(scope::close)
        .isInstanceOf(DeadlineExceededException.class)
        .hasMessageContaining("1 fork");
  }

  @Test
  void aScopeThatIsDoneInTimeKnowsNothingOfItsDeadline() throws InterruptedException {
    byte[] data = bytes(1000, 5);
    try (WorkScope scope = device.scope(Duration.ofMinutes(5))) {
      Stream stream = scope.stream();
      GlobalBytes there = scope.own(device.allocateBytes(data.length));
      stream.copy(data.clone(), there);
      Fork<byte[]> back = scope.fork(() -> read(stream, there));
      scope.awaitAll();
      assertSame(back.result(), data);
      assertThat(scope.isCancelled()).isFalse();
    }
    eventually(
        "its alarm has ended",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("stretto-deadline")));
  }

  @Test
  void anInterruptCancelsTheScopeAndClosingWaitsAllTheSame() {
    byte[] data = bytes(500_000, 6);
    try (PinnedArena pinned = device.pinnedArena();
        GlobalBytes there = device.allocateBytes(data.length)) {
      MemorySegment from = pinned(pinned, data);
      Copy copy;
      try (WorkScope scope = device.scope()) {
        Stream stream = scope.stream();
        Gate gate = gate(stream);
        copy = stream.copy(from, there);
        Thread.currentThread().interrupt();
        assertThatThrownBy(scope::awaitAll).isInstanceOf(AwaitInterruptedException.class);
        openSoon(gate); // closing waits, interrupted as it is
      }
      assertThat(Thread.interrupted()).isTrue();
      assertThat(copy.isDone()).isTrue();
    }
  }

  @Test
  void aScopeThatWasCancelledThrowsNoMoreThanThat() {
    try (WorkScope scope = device.scope()) {
      Fork<Boolean> fork =
          scope.fork(
              () -> {
                new CountDownLatch(1).await();
                return true;
              });
      scope.cancel();
      assertThatThrownBy(scope::awaitAll).isInstanceOf(CancellationException.class);
      eventually("the fork was interrupted", fork::isDone);
    }
    WorkScope unawaited = device.scope();
    unawaited.cancel();
    unawaited.close();
  }

  @Test
  void closingWhileForksRunInterruptsThemAndIsReportedAsAMistake() {
    WorkScope scope = device.scope();
    Fork<Boolean> fork =
        scope.fork(
            () -> {
              new CountDownLatch(1).await();
              return true;
            });
    assertThatThrownBy(scope::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1 fork was running");
    assertThat(fork.isDone()).isTrue();
  }

  @Test
  void whatTheScopeOwnsIsClosedLastFirst() {
    List<String> closed = new ArrayList<>();
    try (WorkScope scope = device.scope()) {
      scope.own(() -> closed.add("first"));
      scope.own(() -> closed.add("second"));
      PinnedArena pinned = scope.pinnedArena();
      assertThat(pinned.allocate(10).byteSize()).isEqualTo(10);
    }
    assertThat(closed).containsExactly("second", "first");
    WorkScope over = device.scope();
    over.close();
    GlobalInts late = device.allocateInts(1);
    assertThatThrownBy(() -> over.own(late)).isInstanceOf(ClosedException.class);
    assertThat(late.isOpen()).isFalse();
  }

  @Test
  void aResourceThatCannotBeClosedFailsTheScopeAndTheOthersAreClosed() {
    WorkScope scope = device.scope();
    GlobalInts array = scope.own(device.allocateInts(10));
    scope.own(
        () -> {
          throw new java.io.IOException("as planned");
        });
    assertThatThrownBy(scope::close)
        .isInstanceOf(ScopeFailedException.class)
        .hasCauseInstanceOf(java.io.IOException.class);
    assertThat(array.isOpen()).isFalse();
  }

  @Test
  void nothingIsForkedAndNoStreamTakenOnceAScopeIsBeingClosed() throws InterruptedException {
    Thread owner = Thread.currentThread();
    List<Throwable> refusals = new ArrayList<>();
    AtomicBoolean running = new AtomicBoolean();
    WorkScope scope = device.scope();
    Gate gate = gate(scope.stream());
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  awaitParked(owner);
                  for (Runnable call :
                      List.<Runnable>of(
                          () -> scope.fork(() -> running.set(true)),
                          scope::stream,
                          scope::pinnedArena)) {
                    try {
                      call.run();
                    } catch (RuntimeException e) {
                      refusals.add(e);
                    }
                  }
                  gate.open();
                });
    scope.close();
    other.join();
    assertThat(refusals).hasSize(3).allMatch(e -> e instanceof ClosedException);
    assertThat(running).isFalse();
  }

  /** Or until it is past whatever it was to wait for. */
  private static void awaitParked(Thread thread) {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (thread.getState() == Thread.State.RUNNABLE && System.nanoTime() < deadline) {
      LockSupport.parkNanos(20_000);
    }
  }

  @Test
  void whatAnotherThreadHandsToAScopeThatClosesIsClosedWithItOrAtOnce()
      throws InterruptedException {
    for (int round = 0; round < 50; round++) {
      WorkScope scope = device.scope();
      List<GlobalInts> arrays = new ArrayList<>();
      CountDownLatch begun = new CountDownLatch(1);
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (true) {
                        GlobalInts array = device.allocateInts(1);
                        arrays.add(array);
                        begun.countDown();
                        GlobalInts _ = scope.own(array);
                      }
                    } catch (ClosedException e) {
                      begun.countDown(); // what was to come
                    }
                  });
      begun.await();
      scope.close();
      other.join();
      assertThat(arrays).noneMatch(GlobalInts::isOpen);
    }
  }

  @Test
  void whatAnotherThreadEnqueuesOnAStreamOfAScopeThatClosesIsDoneToo() throws InterruptedException {
    for (int round = 0; round < 5; round++) {
      List<Copy> copies = new ArrayList<>();
      try (Arena arena = Arena.ofShared();
          GlobalBytes there = device.allocateBytes(100_000)) {
        MemorySegment back = arena.allocate(100_000);
        WorkScope scope = device.scope();
        Stream stream = scope.stream();
        CountDownLatch begun = new CountDownLatch(3);
        Thread other =
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        while (true) {
                          if (copies.size() < 200) { // a thread that is faster than the copies
                            copies.add(stream.copy(there, back));
                          } else {
                            stream.record();
                            // Otherwise a seeded device has to step through marks for seconds.
                            LockSupport.parkNanos(1_000);
                          }
                          begun.countDown();
                        }
                      } catch (ClosedException e) {
                        begun.countDown(); // what was to come
                      }
                    });
        begun.await();
        scope.close();
        other.join();
        assertThat(copies).allMatch(Copy::isDone);
      }
    }
  }

  @Test
  void aScopeThatFailsEndsItsOwnUseOfADefaultStreamAndNobodyElses() {
    try (Stream others = device.legacyStream();
        GlobalInts array = device.allocateInts(1)) {
      try (WorkScope scope = device.scope()) {
        Stream own = scope.own(device.legacyStream());
        scope.cancel();
        assertThat(own.isOpen()).isFalse();
      }
      others.fill(array, 1).await();
      assertThat(others.isOpen()).isTrue();
    }
  }

  @Test
  void aResourceThatThrowsAnErrorDoesNotKeepTheOthersOpen() {
    WorkScope scope = device.scope();
    GlobalInts array = scope.own(device.allocateInts(1));
    AutoCloseable _ =
        scope.own(
            () -> {
              throw new StackOverflowError("as planned");
            });
    assertThatThrownBy(scope::close)
        .isInstanceOf(ScopeFailedException.class)
        .hasCauseInstanceOf(StackOverflowError.class);
    assertThat(array.isOpen()).isFalse();
  }

  @Test
  void onlyTheThreadThatOpenedAScopeAwaitsAndClosesIt() throws InterruptedException {
    try (WorkScope scope = device.scope()) {
      List<Throwable> thrown = new ArrayList<>();
      Thread other =
          Thread.startVirtualThread(
              () -> {
                for (Runnable call : List.<Runnable>of(scope::awaitAll, scope::close)) {
                  try {
                    call.run();
                  } catch (Throwable e) {
                    thrown.add(e);
                  }
                }
              });
      other.join();
      assertThat(thrown).hasSize(2).allMatch(e -> e instanceof WrongThreadException);
      assertThat(scope.fork(() -> {})).isNotNull();
      scope.awaitAll();
    }
  }

  @Test
  void aForkMayForkAndMayWaitForWhatACallbackDoes() {
    try (WorkScope scope = device.scope()) {
      Stream stream = scope.stream();
      CountDownLatch called = new CountDownLatch(1);
      AtomicReference<Fork<Integer>> inner = new AtomicReference<>();
      stream.then(called::countDown);
      Fork<Boolean> outer =
          scope.fork(
              () -> {
                inner.set(scope.fork(() -> 42));
                called.await();
                return true;
              });
      scope.awaitAll();
      assertThat(outer.result()).isTrue();
      assertThat(inner.get().result()).isEqualTo(42);
    }
  }

  @Test
  void modelledTimeGoesOnFromTheForksEnd() {
    if (!machine.isModelled()) {
      return; // there time passes by itself
    }
    try (WorkScope scope = device.scope()) {
      long before = device.hostClock().now();
      Fork<Long> end =
          scope.fork(
              () -> {
                assertThat(device.hostClock().now()).isGreaterThanOrEqualTo(before);
                device.hostClock().set(before + 5_000_000);
                return before + 5_000_000;
              });
      scope.awaitAll();
      assertThat(device.hostClock().now()).isGreaterThanOrEqualTo(end.result());
    }
  }
}
