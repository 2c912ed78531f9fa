package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.ForeignLibrary;
import dev.stretto.ForeignWork;
import dev.stretto.Graph;
import dev.stretto.GraphNode;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.fault.RaceException;
import dev.stretto.fault.StrettoException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.route.GraphGuest;
import dev.stretto.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What another library enqueues on a captured stream is done in each launch of the graph. */
class CapturedCallTest extends ContractTest {
  private static final int N = 10_000;

  private ForeignLibrary library;
  private Stream stream;
  private GlobalBytes a;
  private GlobalBytes b;

  @BeforeEach
  void allocate() {
    library = ForeignLibrary.on(device);
    stream = device.stream();
    a = device.allocateBytes(N);
    b = device.allocateBytes(N);
    stream.fill(a, (byte) 0);
    stream.fill(b, (byte) 0);
    stream.await();
  }

  @AfterEach
  void free() {
    stream.close();
    a.close();
    b.close();
    library.close();
  }

  private Event fill(Stream on, GlobalBytes array, int value) {
    long to = array.address();
    return on.call(work(handle -> library.fill(to, value, N, handle)), List.of(), List.of(array));
  }

  private static ForeignWork work(Consumer<Long> calls) {
    return (handle, failed) -> {
      calls.accept(handle);
      return true;
    };
  }

  private void requireAll(GlobalBytes array, int value) {
    assertThat(read(stream, array)).containsOnly((byte) value);
  }

  @Test
  void theLibraryIsCalledOnceAndItsWorkIsDoneInEachLaunch() {
    AtomicInteger called = new AtomicInteger();
    long to = a.address();
    try (Graph graph =
        Graph.capture(
            stream,
            () -> {
              stream.fill(a, (byte) 1);
              stream.call(
                  handle -> {
                    called.incrementAndGet();
                    library.fill(to, 2, N / 2, handle);
                    library.fill(to + N / 2, 3, N / 2, handle);
                  },
                  a);
              stream.copy(a, b);
              stream.fill(a, (byte) 4);
            })) {
      assertThat(graph.nodes())
          .extracting(GraphNode::kind)
          .containsExactly(
              GraphNode.Kind.FILL, GraphNode.Kind.CALL, GraphNode.Kind.COPY, GraphNode.Kind.FILL);
      assertThat(graph.toDot()).contains("call of another library");
      requireAll(a, 0);
      for (int i = 0; i < 3; i++) {
        stream.fill(b, (byte) 0);
        graph.launch(stream);
        assertThat(read(stream, b.slice(0, N / 2))).containsOnly((byte) 2);
        assertThat(read(stream, b.slice(N / 2, N / 2))).containsOnly((byte) 3);
        requireAll(a, 4);
      }
    }
    assertThat(called).hasValue(1);
  }

  @Test
  void whatIsNotEnqueuedAtOnceIsAwaitedBeforeTheCaptureGoesOn() {
    long[] stream1 = new long[1];
    long to = a.address();
    ForeignWork late =
        new ForeignWork() {
          @Override
          public boolean enqueue(long handle, Consumer<RuntimeException> failed) {
            stream1[0] = handle;
            return false;
          }

          @Override
          public void awaitEnqueued() {
            library.fill(to, 7, N, stream1[0]);
          }
        };
    try (Graph graph = Graph.capture(stream, () -> stream.call(late, List.of(), List.of(a)))) {
      graph.launch(stream).await();
      requireAll(a, 7);
    }
  }

  @Test
  void streamsThatJoinAreCapturedTooAndAnEmptyCallIsOnlyOrder() {
    try (Stream side = device.stream();
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  stream.fill(a, (byte) 1);
                  side.waitFor(stream.record());
                  fill(side, b, 5);
                  stream.call(_ -> {});
                  fill(stream, a, 6);
                  stream.waitFor(side.record());
                })) {
      graph.launch(stream);
      requireAll(a, 6);
      requireAll(b, 5);
    }
  }

  @Test
  void aGraphOwnsTheArraysAndIsANodeOfOthers() {
    GlobalBytes own = device.allocateBytes(N);
    try (Graph inner =
        Graph.capture(
            stream,
            () -> {
              fill(stream, own, 9);
              stream.copy(own, a);
            })) {
      own.close();
      Graph outer =
          Graph.capture(
              stream,
              () -> {
                inner.launch(stream);
                stream.copy(a, b);
              });
      inner.close();
      outer.launch(stream);
      outer.close();
    }
    requireAll(b, 9);
    assertThatThrownBy(() -> Graph.capture(stream, () -> fill(stream, own, 1)))
        .isInstanceOf(ClosedException.class);
  }

  @Test
  void whatTheLibraryThrowsEndsTheCapture() {
    assertThatThrownBy(
            () ->
                Graph.capture(
                    stream,
                    () -> {
                      fill(stream, a, 1);
                      stream.call(
                          handle -> {
                            library.fill(a.address(), 2, N, handle);
                            throw new IllegalStateException("their error");
                          },
                          a);
                    }))
        .hasMessage("their error");
    assertThatThrownBy(
            () ->
                Graph.capture(
                    stream,
                    () ->
                        stream.call(
                            (_, failed) -> {
                              failed.accept(new IllegalStateException("told"));
                              return true;
                            },
                            List.of(),
                            List.of(a))))
        .hasMessage("told");
    fill(stream, a, 3).await();
    requireAll(a, 3);
  }

  @Test
  void aCallThatCannotBeCapturedIsRefused() {
    assertThatThrownBy(
            () ->
                Graph.capture(
                    stream,
                    () ->
                        stream.call(
                            work(
                                handle -> {
                                  library.fill(a.address(), 1, N, handle);
                                  awaitInSpite(handle);
                                }),
                            List.of(),
                            List.of(a))))
        .isInstanceOf(GraphException.class)
        .hasMessageContaining("what another library has enqueued cannot be part of a graph")
        .hasMessageContaining("CAPTURE_INVALIDATED")
        .hasMessageContaining("CapturedCallTest.java");
    requireAll(a, 0);
    fill(stream, a, 3).await();
    requireAll(a, 3);
  }

  private void awaitInSpite(long handle) {
    try {
      library.await(handle);
    } catch (StrettoException _) {
      return; // as libraries do that look at no result
    }
  }

  @Test
  void bodiesHaveNoCallsAndNodesOfThemDoNotChange() {
    try (GlobalInts condition = device.allocateInts(1);
        Graph graph = Graph.capture(stream, () -> fill(stream, a, 1));
        Graph again = Graph.capture(stream, () -> fill(stream, a, 2))) {
      GraphNode node = graph.nodes().getFirst();
      assertThatThrownBy(() -> graph.setEnabled(node, false))
          .isInstanceOf(GraphException.class)
          .hasMessageContaining("cannot be switched off");
      assertThat(graph.misfits(again)).hasSize(1);
      assertThat(graph.misfits(again).getFirst().toString())
          .contains("what another library has enqueued does not change");
      assertThatThrownBy(() -> graph.update(again)).isInstanceOf(GraphException.class);
      assertThatThrownBy(
              () -> Graph.builder(device).ifNonZero(condition, body -> body.child(graph)))
          .isInstanceOf(GraphException.class)
          .hasMessageContaining("cannot be in the body of a conditional node");
      graph.launch(stream);
      requireAll(a, 1);
    }
  }

  @Test
  @WithOrder("checked")
  void theOrderOfCallsIsCheckedLikeThatOfOtherNodes() {
    try (Stream side = device.stream()) {
      assertThatThrownBy(
              () ->
                  Graph.capture(
                      stream,
                      () -> {
                        side.waitFor(stream.record());
                        fill(side, a, 5);
                        fill(stream, a, 6);
                        stream.waitFor(side.record());
                      }))
          .isInstanceOf(RaceException.class)
          .hasMessageContaining("call of another library");
      try (Graph graph = Graph.capture(stream, () -> fill(stream, a, 1))) {
        side.fill(a, (byte) 9);
        assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(RaceException.class);
        stream.waitFor(side.record());
        graph.launch(stream);
        requireAll(a, 1);
      }
    }
  }

  @Test
  void aTimelineShowsWhenALaunchDoesACall() {
    try (Graph graph =
            Graph.capture(
                stream,
                () -> {
                  stream.fill(a, (byte) 1);
                  fill(stream, b, 2);
                });
        Timeline timeline = Timeline.record(device).insideGraphs()) {
      graph.launch(stream).await();
      stream.await();
      assertThat(timeline.spans()).anyMatch(span -> span.name().equals("call of another library"));
    }
    requireAll(b, 2);
  }

  @Test
  void aDeviceThatIsClosedTakesItsGraphsAlong() throws InterruptedException {
    Machine.Opened own = machine.open();
    Guest guest;
    try (ForeignLibrary theirs = ForeignLibrary.on(own.device())) {
      Stream on = own.device().stream();
      GlobalBytes array = own.device().allocateBytes(N);
      guest = new Guest(this, array, theirs);
      Graph graph = Graph.capture(on, () -> on.call(guest, List.of(), List.of(array)));
      graph.launch(on).await();
      graph.launch(on);
    } finally {
      own.close();
    }
    guest.awaitReleased();
  }

  // --- guests -----------------------------------------------------------------------------------

  /** Work whose owner is told of the launches. */
  private final class Guest implements ForeignWork, GraphGuest<Stream, Event> {
    private final List<String> told = new ArrayList<>();
    private final Object owner;
    private final GlobalBytes array;
    private final ForeignLibrary theirs;
    private Consumer<RuntimeException> failed;
    private RuntimeException refusal;

    Guest(Object owner, GlobalBytes array) {
      this(owner, array, library);
    }

    Guest(Object owner, GlobalBytes array, ForeignLibrary theirs) {
      this.owner = owner;
      this.array = array;
      this.theirs = theirs;
    }

    @Override
    public boolean enqueue(long handle, Consumer<RuntimeException> unused) {
      theirs.fill(array.address(), 8, N, handle);
      return true;
    }

    @Override
    public Object owner() {
      return owner;
    }

    @Override
    public void launching(Stream on, Consumer<RuntimeException> whenFailed) {
      if (refusal != null) {
        throw refusal;
      }
      failed = whenFailed;
      told.add("launching on " + on.equals(stream));
    }

    @Override
    public void launched(Optional<Event> event) {
      event.ifPresent(Event::isDone);
      told.add("launched " + event.isPresent());
    }

    @Override
    public synchronized void released() {
      told.add("released");
      notifyAll();
    }

    synchronized void awaitReleased() throws InterruptedException {
      while (!told.contains("released")) {
        wait(10_000);
      }
    }
  }

  @Test
  void guestsAreToldOfEachLaunchAndOfTheEnd() throws InterruptedException {
    Guest first = new Guest(this, a);
    Guest second = new Guest(this, b);
    try (Graph graph =
        Graph.capture(
            stream,
            () -> {
              stream.call(first, List.of(), List.of(a));
              stream.call(second, List.of(), List.of(b));
            })) {
      stream.launch(graph);
      second.refusal = new IllegalStateException("not now");
      assertThatThrownBy(() -> graph.launch(stream)).hasMessage("not now");
      second.refusal = null;
      Event event = graph.launch(stream);
      first.failed.accept(new IllegalArgumentException("it went wrong"));
      assertThatThrownBy(event::await).hasMessage("it went wrong");
      assertThatThrownBy(stream::await).hasMessage("it went wrong");
    }
    first.awaitReleased();
    second.awaitReleased();
    assertThat(first.told)
        .containsExactly(
            "launching on true",
            "launched true",
            "launching on true",
            "launched false",
            "launching on true",
            "launched true",
            "released");
    assertThat(second.told)
        .containsExactly(
            "launching on true", "launched true", "launching on true", "launched true", "released");
    requireAll(b, 8);
  }

  @Test
  void worksOfOneOwnerComeOneAfterTheOther() {
    Guest first = new Guest(this, a);
    Guest second = new Guest(this, b);
    try (Stream side = device.stream();
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  side.waitFor(stream.record());
                  side.call(first, List.of(), List.of(a));
                  stream.call(second, List.of(), List.of(b));
                })) {
      assertThat(graph.nodes().getLast().after()).containsExactly(graph.nodes().getFirst());
      graph.launch(stream).await();
      requireAll(a, 8);
    }
  }

  @Test
  void aGraphThatIsNotMadeReleasesItsGuests() throws InterruptedException {
    Guest guest = new Guest(this, a);
    assertThatThrownBy(
            () ->
                Graph.capture(
                    stream,
                    () -> {
                      stream.call(guest, List.of(), List.of(a));
                      throw new IllegalStateException("enough");
                    }))
        .hasMessage("enough");
    guest.awaitReleased();
    assertThat(guest.told).containsExactly("released");
  }
}
