package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Diagnosis;
import dev.stretto.Event;
import dev.stretto.Extent;
import dev.stretto.ForeignLibrary;
import dev.stretto.Graph;
import dev.stretto.PeerAccess;
import dev.stretto.PinnedArena;
import dev.stretto.Pitches;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.WorkScope;
import dev.stretto.collective.Collective;
import dev.stretto.diagnosis.Finding;
import dev.stretto.diagnosis.Rule;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.flow.Flow;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A copy to host memory that nobody awaits is told of when its device closes: whether its bytes are
 * there, nobody knows. Whatever makes a program know is no reason to tell.
 */
class NeverAwaitedCopyTest extends ContractTest {
  private static final int SIZE = 200_000;

  private LoggedErrors logged;

  @BeforeEach
  void listen() {
    logged = new LoggedErrors();
  }

  @AfterEach
  void stopListening() {
    logged.close();
  }

  private List<String> warnings() {
    return logged.messages().stream()
        .filter(each -> each.contains("neither it nor anything after it was awaited"))
        .toList();
  }

  /** What a program does with a copy to the host. */
  @FunctionalInterface
  private interface Program {
    void run(Device device, Stream stream, GlobalBytes array, MemorySegment pinned)
        throws Exception;
  }

  private void run(Program program) {
    try (Machine.Opened once = machine.open();
        PinnedArena arena = once.device().pinnedArena()) {
      Device on = once.device();
      Stream stream = on.stream();
      GlobalBytes array = on.allocateBytes(SIZE);
      stream.fill(array, (byte) 1).await();
      program.run(on, stream, array, arena.allocate(SIZE, 64));
      on.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void told(Program program) {
    logged.clear();
    run(program);
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("a copy to host memory", "NeverAwaitedCopyTest.java:", "await it, or its stream");
    findings(program, 1);
  }

  private void fine(Program program) {
    logged.clear();
    run(program);
    assertThat(warnings()).isEmpty();
    findings(program, 0);
  }

  private void findings(Program program, int expected) {
    logged.clear();
    run(
        (on, stream, array, pinned) -> {
          try (Diagnosis diagnosis = Diagnosis.of(on)) {
            program.run(on, stream, array, pinned);
            on.close();
            List<Finding> findings =
                diagnosis.findings().stream()
                    .filter(each -> each.rule() == Rule.NEVER_AWAITED)
                    .toList();
            assertThat(findings).hasSize(expected);
            assertThat(findings)
                .allSatisfy(
                    each ->
                        assertThat(each.place().toString()).contains("NeverAwaitedCopyTest.java:"));
          }
        });
    assertThat(warnings()).isEmpty();
  }

  // --- nobody knows
  // -----------------------------------------------------------------------------------------------------------

  @Test
  void aCopyThatNobodyAwaitsIsToldOfWhicheverWayItGoes() {
    told((_, stream, array, pinned) -> stream.copy(array, pinned));
    told((_, stream, array, _) -> stream.copy(array, new byte[SIZE]));
    told((_, stream, array, _) -> stream.copy(array.slice(0, 10), new byte[10]));
    told((_, stream, array, pinned) -> stream.copy2D(array, 100, pinned, 50, 50, 100));
    told(
        (_, stream, array, _) ->
            stream.copy2D(array, 100, MemorySegment.ofArray(new byte[5000]), 50, 50, 100));
    told(
        (_, stream, array, pinned) ->
            stream.copyAll(
                List.of(
                    CopyRequest.of(array.slice(0, 100), pinned.asSlice(0, 100)),
                    CopyRequest.of(array.slice(100, 100), pinned.asSlice(100, 100)))));
    told(
        (on, stream, array, pinned) -> {
          try (Graph graph = Graph.capture(stream, s -> s.copy(array, pinned))) {
            stream.launch(graph);
          }
        });
    told(
        (_, stream, array, pinned) -> {
          stream.copy(array, pinned);
          stream.fill(array, (byte) 2);
          stream.close();
        });
  }

  @Test
  void whatWasAwaitedBeforeDoesNotCountForIt() {
    told(
        (on, stream, array, pinned) -> {
          stream.copy(array, pinned).await();
          Event before = stream.record();
          stream.copy(array, pinned);
          before.await();
          on.stream().await();
        });
    told(
        (on, stream, array, pinned) -> {
          Stream other = on.stream();
          other.waitFor(stream.record());
          stream.copy(array, pinned);
          other.await();
        });
    told(
        (on, stream, array, pinned) -> {
          stream.copy(array, pinned);
          on.stream().waitFor(stream.record()); // on which nobody waits
        });
  }

  // --- somebody knows
  // ---------------------------------------------------------------------------------------------------------

  private static void ask(BooleanSupplier question) {
    while (!question.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whoeverAwaitsItOrAnythingBehindItKnows() {
    fine((_, stream, array, pinned) -> stream.copy(array, pinned).await());
    fine((_, stream, array, _) -> stream.copy(array, new byte[SIZE]).await());
    fine((_, stream, array, pinned) -> stream.copy(array, pinned).await(Duration.ofSeconds(20)));
    fine((_, stream, array, pinned) -> ask(stream.copy(array, pinned)::isDone));
    fine((_, stream, array, pinned) -> stream.copy(array, pinned).toCompletableFuture().join());
    fine(
        (_, stream, array, pinned) -> {
          stream.copy(array, pinned);
          stream.await();
        });
    fine(
        (_, stream, array, pinned) -> {
          stream.copy(array, pinned);
          ask(stream::isIdle);
        });
    fine(
        (_, stream, array, pinned) -> {
          stream.copy(array, pinned);
          stream.toCompletableFuture().join();
        });
    fine(
        (on, stream, array, pinned) -> {
          stream.copy(array, pinned);
          on.await();
        });
    fine(
        (on, stream, array, pinned) -> {
          stream.copy(array, pinned);
          stream.close();
          on.await();
        });
    fine(
        (_, stream, array, pinned) -> {
          stream.copy(array, pinned);
          stream.record().await();
        });
    fine(
        (_, stream, array, pinned) -> {
          stream.copy(array, pinned);
          try (TimedEvent end = stream.recordTimed()) {
            end.await();
          }
        });
    fine(
        (_, stream, array, pinned) -> {
          stream.copy(array, pinned);
          stream.copy(array, new byte[SIZE]).await();
        });
    fine(
        (_, stream, array, pinned) -> {
          stream.copy(array, pinned);
          stream.fill(array, (byte) 3).await();
        });
    fine(
        (_, stream, array, pinned) -> {
          stream
              .copyAll(List.of(CopyRequest.of(array.slice(0, 100), pinned.asSlice(0, 100))))
              .await();
        });
    fine(
        (_, stream, array, pinned) -> {
          try (Graph graph = Graph.capture(stream, s -> s.copy(array, pinned))) {
            graph.launch(stream).await();
          }
        });
    fine(
        (on, stream, array, pinned) -> {
          try (WorkScope scope = on.scope()) {
            scope.stream().copy(array, pinned);
          }
          try (WorkScope scope = on.scope()) {
            Stream own = scope.stream();
            own.copy(array, pinned);
            scope.awaitAll();
          }
        });
    fine(
        (_, stream, array, _) -> {
          try (Arena arena = Arena.ofShared()) {
            stream.copy(array, arena.allocate(SIZE), Route.Kind.AWAITED_PAGEABLE);
          }
        });
  }

  @Test
  void aCallbackBehindItKnows() {
    fine(
        (_, stream, array, pinned) -> {
          CountDownLatch there = new CountDownLatch(1);
          stream.copy(array, pinned);
          stream.then(there::countDown);
        });
  }

  @Test
  void theArenaOfRegisteredMemoryWaitsForIt() {
    fine(
        (on, stream, array, _) -> {
          try (Arena arena = Arena.ofShared()) {
            MemorySegment host = arena.allocate(SIZE, 4096);
            on.register(host, arena);
            stream.copy(array, host);
          }
        });
  }

  @Test
  void whoAwaitsAStreamThatHasWaitedForItKnows() {
    fine(
        (on, stream, array, pinned) -> {
          stream.copy(array, pinned);
          Stream other = on.stream();
          other.waitFor(stream.record());
          other.await();
        });
    fine(
        (on, stream, array, pinned) -> {
          Stream previous = stream;
          stream.copy(array, pinned);
          for (int i = 0; i < 40; i++) {
            Stream next = on.stream();
            next.waitFor(previous.record());
            next.fill(on.allocateBytes(100), (byte) 1);
            previous = next;
          }
          previous.record().await();
        });
    fine(
        (on, stream, array, pinned) -> {
          Stream other = on.stream();
          for (int i = 0; i < 100; i++) { // taking turns, as a pipeline does
            stream.copy(array, pinned);
            other.waitFor(stream.record());
            other.fill(array, (byte) i);
            stream.waitFor(other.record());
          }
          other.await();
          stream.await();
        });
    fine(
        (on, stream, array, pinned) -> {
          stream.copy(array, pinned);
          Stream other = on.stream();
          other.waitFor(stream.record());
          stream.await();
        });
  }

  @Test
  void whoGivesUpWaitingKnowsThatItIsNotThere() {
    if (machine.isSeeded()) {
      return; // an interrupt ends the wait before the first step
    }
    fine(
        (_, stream, array, pinned) -> {
          stream.copy(array, pinned);
          Thread.currentThread().interrupt();
          assertThatThrownBy(stream::await).isInstanceOf(AwaitInterruptedException.class);
          assertThat(Thread.interrupted()).isTrue();
        });
  }

  @Test
  void otherLibrariesMayAwaitAStreamWhoseHandleTheyHave() {
    fine(
        (_, stream, array, pinned) -> {
          assertThat(stream.handle()).isNotZero();
          stream.copy(array, pinned);
        });
  }

  @Test
  void otherLibrariesMayAwaitDefaultAndAdoptedStreams() {
    fine((on, _, array, pinned) -> on.legacyStream().copy(array, pinned));
    fine((on, _, array, pinned) -> on.perThreadStream().copy(array, pinned));
    fine(
        (on, _, array, pinned) -> {
          try (ForeignLibrary library = ForeignLibrary.on(on)) {
            long theirs = library.createNonBlockingStream();
            on.adoptStream(theirs).copy(array, pinned);
            library.await(theirs);
          }
        });
  }

  @Test
  void copiesBetweenDevicesAndTowardsOnesAreNoneToTheHost() {
    if (!machine.isVirtual()) {
      return; // takes two GPUs
    }
    for (boolean access : new boolean[] {false, true}) {
      try (Machine.Opened both = machine.openPair(driver -> driver)) {
        Device one = both.devices().get(0);
        Device two = both.devices().get(1);
        if (access) {
          PeerAccess _ = one.enablePeerAccess(two);
        }
        GlobalBytes from = one.allocateBytes(SIZE);
        GlobalBytes to = two.allocateBytes(SIZE);
        Stream stream = one.stream();
        stream.fill(from, (byte) 1);
        stream.copy(from, to);
        stream.copy(from.slice(0, 100), to.slice(0, 100));
        stream.copy(new byte[SIZE], from);
        Collective.of(List.of(one, two)).broadcast(from, List.of(to), stream.record()).await();
      }
    }
    assertThat(warnings()).isEmpty();
  }

  @Test
  void whatAFlowDoesByItselfIsItsOwnAffair() {
    fine(
        (on, _, _, _) -> {
          Flow.on(on)
              .from(Source.of(MemorySegment.ofArray(new byte[SIZE])))
              .to(Sink.of(MemorySegment.ofArray(new byte[SIZE])))
              .chunkBytes(4096)
              .start()
              .await();
          Flow flow =
              Flow.on(on)
                  .from(Source.of(MemorySegment.ofArray(new byte[SIZE])))
                  .to(Sink.of(MemorySegment.ofArray(new byte[SIZE])))
                  .chunkBytes(4096)
                  .start();
          flow.cancel();
        });
  }

  @Test
  void planesToTheHostAreToldOfToo() {
    Extent extent = new Extent(10, 10, 10);
    Pitches packed = new Pitches(10, 100);
    told((_, stream, array, pinned) -> stream.copy3D(array, packed, pinned, packed, extent));
  }
}
