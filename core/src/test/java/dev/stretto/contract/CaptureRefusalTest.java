package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalInts;
import dev.stretto.rows.HostRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What cannot be captured is refused with the line that did it, and nothing was enqueued. */
class CaptureRefusalTest extends ContractTest {
  private Stream stream;
  private Stream side;
  private GlobalInts array;

  @BeforeEach
  void prepare() {
    stream = device.stream();
    side = device.stream();
    array = device.allocateInts(100);
    stream.fill(array, 7).await();
  }

  @AfterEach
  void nothingWasEnqueuedAndTheStreamsWork() {
    if (device.isOpen()) {
      int[] values = new int[100];
      stream.copy(array, values).await();
      assertThat(values).containsOnly(7);
      side.fill(array, 8).await();
    }
  }

  private void refused(String why, Consumer<Stream> body) {
    GraphException thrown =
        GraphRefusals.refused(
            () ->
                Graph.capture(
                    stream,
                    captured -> {
                      captured.fill(array, 1);
                      body.accept(captured);
                    }),
            why);
    assertThat(thrown.place().getFileName()).isEqualTo("CaptureRefusalTest.java");
    assertThat(thrown.place().getMethodName()).startsWith("lambda$");
  }

  @Test
  void askingForWhatIsCaptured() {
    refused("awaiting the stream", s -> s.await());
    refused("whether the stream is done", s -> assertThat(s.isIdle()).isFalse());
    refused("never done", s -> s.record().await());
    refused("never done", s -> assertThat(s.record().isDone()).isFalse());
    refused("never done", s -> assertThat(s.fill(array, 2).toCompletableFuture()).isNotDone());
    refused("awaiting the device", s -> device.await());
    refused("a timed event", s -> s.recordTimed().close());
    List<Event> events = new ArrayList<>();
    Graph graph = Graph.capture(stream, s -> events.add(s.record()));
    GraphRefusals.refused(() -> events.getFirst().await(), "never done");
    GraphRefusals.refused(() -> side.waitFor(events.getFirst()), "or one that has ended");
    graph.close();
  }

  @Test
  void ordinaryHostMemory() {
    refused("pageable host memory", s -> s.copy(new int[100], array));
    refused("pageable host memory", s -> s.copy(array, new int[100]));
    refused("in many places", s -> s.copyRows(HostRows.of(new float[10][10]), array));
    refused("in many places", s -> s.copyRows(array, HostRows.of(new float[10][10])));
    try (Arena arena = Arena.ofShared();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment host = arena.allocate(400);
      refused("pageable host memory", s -> s.copy2D(host, 40, array, 40, 20, 10));
      refused("pageable host memory", s -> s.copy(host, MemorySegment.ofArray(new int[100])));
      MemorySegment fine = pinned.allocate(400);
      refused("goes STAGED", s -> s.copy(fine, array, dev.stretto.Route.Kind.STAGED));
    }
  }

  @Test
  void allocations() {
    try (PinnedArena pinned = device.pinnedArena();
        Arena arena = Arena.ofShared()) {
      refused("device memory", s -> device.allocateInts(10).close());
      refused("pinned memory", s -> pinned.allocate(10));
      refused("pinning", s -> device.register(arena.allocate(4096), arena).close());
    }
  }

  @Test
  void streamsThatAreNotJoined() {
    GraphException thrown =
        GraphRefusals.refused(
            () ->
                Graph.capture(
                    stream,
                    () -> {
                      stream.fill(array, 1);
                      side.waitFor(stream.record());
                      side.fill(array, 2);
                    }),
            "is not yet joined on " + side);
    assertThat(thrown.place().getMethodName()).contains("streamsThatAreNotJoined");
  }

  @Test
  void eventsFromOutside() {
    Event outside = side.record();
    refused("outside the capture", s -> s.waitFor(outside));
  }

  @Test
  void defaultStreams() {
    Stream legacy = device.legacyStream();
    GraphRefusals.refused(() -> Graph.capture(legacy, () -> {}), "cannot be captured");
    refused("cannot be captured", s -> legacy.waitFor(s.record()));
  }

  @Test
  void aRefusalThatIsCaughtFailsTheCaptureAllTheSame() {
    refused(
        "awaiting the stream",
        s -> assertThatThrownBy(() -> s.await()).isInstanceOf(GraphException.class));
  }

  @Test
  void aCaptureWithinACaptureIsRefused() {
    refused("within a capture", s -> Graph.capture(side, () -> {}).close());
  }

  @Test
  void aCaptureFailsWhoseStreamAnotherThreadWorksOn() {
    Event[] captured = new Event[1];
    for (ThrowingCallable work :
        List.<ThrowingCallable>of(
            () -> stream.fill(array, 3),
            () -> stream.copy(array.slice(0, 1), array.slice(1, 1)),
            () -> stream.then(() -> {}),
            stream::record,
            stream::recordTimed,
            () -> stream.waitFor(side.record()),
            stream::isIdle,
            stream::await,
            () -> stream.allocateInts(1).close(),
            () -> stream.freeOnClose(array),
            () -> captured[0].await(),
            () -> captured[0].isDone(),
            () -> side.waitFor(captured[0]))) {
      AtomicReference<Throwable> seen = new AtomicReference<>();
      GraphException failed =
          GraphRefusals.refused(
              () ->
                  Graph.capture(
                          stream,
                          () -> {
                            stream.fill(array, 1);
                            captured[0] = stream.record();
                            joined(() -> seen.set(thrownBy(work)));
                            stream.fill(array, 2);
                          })
                      .close(),
              "on Thread[");
      assertThat(seen.get()).isInstanceOf(GraphException.class).isNotSameAs(failed);
      assertThat(failed.place()).isEqualTo(((GraphException) seen.get()).place());
    }
    stream.fill(array, 7).await(); // the stream is as before
  }

  private static Throwable thrownBy(ThrowingCallable work) {
    try {
      work.call();
    } catch (Throwable e) {
      return e;
    }
    return new AssertionError("nothing was thrown");
  }

  private static void joined(Runnable body) {
    try {
      Thread.ofPlatform().start(body).join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aStreamThatIsClosedInACaptureCapturesNothingMore() {
    Stream closing = device.stream();
    assertThatThrownBy(
            () ->
                Graph.capture(
                    closing,
                    () -> {
                      closing.close();
                      closing.fill(array, 1);
                    }))
        .isInstanceOf(ClosedException.class);
  }

  @Test
  void whatTheBodyThrowsEndsTheCapture() {
    assertThatThrownBy(
            () ->
                Graph.capture(
                    stream,
                    () -> {
                      stream.fill(array, 1);
                      throw new IllegalStateException("on purpose");
                    }))
        .hasMessage("on purpose");
  }

  @Test
  void whatIsWrongWithoutACaptureIsWrongInOne() {
    assertThatThrownBy(
            () ->
                Graph.capture(
                    stream,
                    s -> {
                      Copy _ = s.copy(array.slice(0, 10), array.slice(5, 10));
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("overlap");
    assertThatThrownBy(
            () -> Graph.capture(stream, s -> s.launch(Grid.of(1, 1), Kernels.ADD, array, 1f, 2)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
