package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.PinnedBuffer;
import dev.stretto.PinnedBuffers;
import dev.stretto.Registration;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What goes away, changes or is launched again while launches of a graph are under way. */
class GraphLifetimeTest extends ContractTest {
  private static final int COUNT = 1000;
  private static final Grid GRID = Grid.covering(COUNT, 128);

  private Launch add(GlobalInts array, int value) {
    return device.prepare(GRID, Kernels.ADD, array, value, COUNT);
  }

  private int first(Stream stream, GlobalInts array) {
    int[] values = new int[1];
    stream.copy(array.slice(0, 1), values).await();
    return values[0];
  }

  @Test
  void theStreamOfALaunchWithCallbacksMayBeClosedBeforeTheNextLaunch() {
    try (Stream two = device.stream();
        GlobalInts array = device.allocateInts(COUNT)) {
      AtomicInteger calls = new AtomicInteger();
      Stream one = device.stream();
      one.fill(array, 0).await();
      try (Graph graph =
          Graph.capture(
              two,
              () -> {
                two.launch(add(array, 1));
                two.then(calls::incrementAndGet);
                two.launch(add(array, 1));
              })) {
        graph.launch(one);
        one.close(); // the launch may be under way still
        graph.launch(two).await();
        Stream three = device.stream();
        graph.launch(three).await();
        three.close();
        opened.settle(); // the stream is gone for certain
        graph.launch(two).await();
        assertThat(first(two, array)).isEqualTo(8);
        assertThat(calls.get()).isEqualTo(4);
      }
    }
  }

  @Test
  void aGraphIsLaunchedAgainAndClosedByItsOwnCallback() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(COUNT)) {
      stream.fill(array, 0).await();
      AtomicReference<Graph> made = new AtomicReference<>();
      AtomicReference<Event> last = new AtomicReference<>();
      AtomicInteger calls = new AtomicInteger();
      Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.launch(add(array, 1));
                stream.then(
                    () -> {
                      if (calls.incrementAndGet() < 5) {
                        last.set(made.get().launch(stream));
                      } else {
                        made.get().close();
                      }
                    });
                stream.launch(add(array, 10));
              });
      made.set(graph);
      graph.launch(stream);
      eventually("the graph is closed", () -> !graph.isOpen());
      last.get().await();
      assertThat(calls.get()).isEqualTo(5);
      assertThat(first(stream, array)).isEqualTo(55);
      assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void aThreadMayAddToAGraphWhileAnotherTriesToBuildIt() throws Exception {
    try (GlobalInts open = device.allocateInts(COUNT);
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      GlobalInts closed = device.allocateInts(COUNT);
      GraphBuilder builder = Graph.builder(device);
      GraphNode last = builder.fill(open, 0);
      for (int i = 1; i < 500; i++) {
        last = builder.fill(open, i, last);
      }
      GraphNode before = last;
      builder.fill(closed, 0);
      closed.close();
      AtomicInteger more = new AtomicInteger(5_000);
      Future<?> adding =
          threads.submit(
              () -> {
                GraphNode next = before;
                while (more.decrementAndGet() > 0) {
                  next = builder.fill(open, 0, next);
                }
              });
      for (int i = 0; i < 20; i++) {
        assertThatThrownBy(builder::build).isInstanceOf(ClosedException.class);
      }
      more.set(0);
      adding.get();
    }
  }

  @Test
  void launchesOfManyThreadsNeverOverlapAndChangesHoldForWhatFollows() throws Exception {
    int threads = 4;
    int launches = 40;
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(COUNT);
        GlobalInts copy = device.allocateInts(COUNT);
        ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      stream.fill(array, 0).await();
      // Were two launches to overlap, one would copy what the other has written before it adds.
      Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.copy(array, copy);
                stream.launch(add(copy, 1));
                stream.copy(copy, array);
                stream.fill(copy, 0);
              });
      GraphNode fill = graph.nodes().getLast();
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int thread = t;
        all.add(
            executor.submit(
                () -> {
                  try (Stream own = device.stream()) {
                    for (int i = 0; i < launches; i++) {
                      graph.setFill(fill, copy, thread * 1000 + i);
                      graph.launch(own);
                    }
                    own.await();
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      graph.close();
      assertThat(first(stream, array)).isEqualTo(threads * launches);
    }
  }

  @Test
  void aGraphThatIsUploadedOrRefusedAndThenClosedHoldsNothing() {
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared()) {
      MemorySegment host = arena.allocate(4096, 4096).fill((byte) 3);
      GlobalBytes array = device.allocateBytes(4096);
      Registration registration = device.register(host, arena);
      Graph graph = Graph.capture(stream, () -> stream.copy(host, array));
      graph.upload(stream);
      registration.close();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(ClosedException.class);
      }
      graph.close();
      array.close();
      if (machine.isVirtual()) {
        eventually("the graph is gone", () -> opened.live().graphs() == 0);
      }
    }
  }

  @Test
  void aLaunchComesAfterAnUploadThatIsUnderWayOnAnotherStream() {
    try (Stream busy = device.stream();
        Stream stream = device.stream();
        GlobalBytes large = device.allocateBytes(1 << 20);
        GlobalInts array = device.allocateInts(COUNT)) {
      for (int i = 1; i <= 5; i++) {
        try (Graph graph = Graph.capture(stream, () -> stream.launch(add(array, 1)))) {
          stream.fill(array, 10 * i);
          busy.fill(large, (byte) i);
          graph.upload(busy);
          graph.launch(stream);
          graph.launch(stream);
          assertThat(first(stream, array)).isEqualTo(10 * i + 2);
        }
      }
    }
  }

  @Test
  void anUploadDoesNotOvertakeALaunchThatWasCalledEarlierAndIsHeldBack() {
    try (Stream held = device.stream();
        Stream busy = device.stream();
        Stream second = device.stream();
        GlobalBytes large = device.allocateBytes(2 << 20);
        GlobalInts array = device.allocateInts(COUNT)) {
      for (int i = 1; i <= 5; i++) {
        try (Graph graph = Graph.capture(held, () -> held.launch(add(array, 1)))) {
          held.fill(array, 10 * i);
          try (Gate gate = gate(held)) {
            graph.launch(held);
            for (int fill = 0; fill < 10; fill++) {
              busy.fill(large.slice(0, 1 << 20), (byte) i);
              second.fill(large.slice(1 << 20, 1 << 20), (byte) i);
            }
            graph.upload(busy);
            graph.upload(second);
            graph.launch(held);
            assertThat(gate).isNotNull();
          }
          assertThat(first(held, array)).isEqualTo(10 * i + 2);
        }
      }
    }
  }

  @Test
  void memoryOfAStreamStaysForTheGraphThatUsesIt() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment out = pinned.allocate(JAVA_INT, COUNT);
      GlobalInts array = stream.allocateInts(COUNT);
      Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.fill(array, 1);
                stream.launch(add(array, 6));
                stream.copy(array, out);
              });
      graph.launch(stream);
      array.close(); // in the order of the stream, were it not for the graph
      GlobalInts next = stream.allocateInts(COUNT);
      stream.fill(next, 99);
      graph.launch(stream).await();
      assertThat(out.getAtIndex(JAVA_INT, COUNT - 1)).isEqualTo(7);
      assertThat(first(stream, next)).isEqualTo(99);
      graph.launch(stream);
      graph.close();
      next.close();
      stream.await();
      assertThat(out.getAtIndex(JAVA_INT, 0)).isEqualTo(7);
    }
  }

  @Test
  void aPinnedBufferIsLentAgainWhenTheGraphIsClosed() {
    try (Stream stream = device.stream();
        PinnedBuffers buffers = device.pinnedBuffers(1 << 16, 1);
        GlobalBytes array = device.allocateBytes(1 << 16)) {
      PinnedBuffer buffer = buffers.awaitLease();
      buffer.memory().fill((byte) 8);
      Graph graph = Graph.capture(stream, () -> stream.copy(buffer.memory(), array));
      buffer.close();
      assertThat(buffers.tryLease()).isEmpty();
      graph.launch(stream).await();
      assertThat(read(stream, array)).containsOnly(8);
      graph.launch(stream);
      graph.close();
      stream.await();
      eventually(
          "the buffer is lent again",
          () ->
              buffers
                  .tryLease()
                  .map(
                      again -> {
                        again.close();
                        return true;
                      })
                  .orElse(false));
    }
  }

  @Test
  void aStreamThatWasCapturedAndIsClosedIsNotNeededByLaunches() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(COUNT)) {
      Stream side = device.stream();
      try (Graph graph =
          Graph.capture(
              stream,
              () -> {
                side.waitFor(stream.record());
                side.fill(array, 5);
                stream.waitFor(side.record());
                side.close();
              })) {
        graph.launch(stream).await();
        assertThat(first(stream, array)).isEqualTo(5);
      }
    }
  }

  @Test
  void aCaptureThatClosesWhatItUsesFails() {
    try (Stream stream = device.stream()) {
      GlobalInts array = device.allocateInts(COUNT);
      assertThatThrownBy(
              () ->
                  Graph.capture(
                      stream,
                      () -> {
                        stream.fill(array, 1);
                        array.close();
                      }))
          .isInstanceOf(ClosedException.class);
      stream.await(); // is the program's again
    }
  }

  @Test
  void aGraphIsMadeReadyWithTheParametersThatItHasThen() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment out = pinned.allocate(JAVA_INT, COUNT);
      GlobalInts first = device.allocateInts(COUNT);
      GlobalInts second = device.allocateInts(COUNT);
      Graph graph =
          Graph.capture(
              stream,
              () -> {
                stream.fill(first, 1);
                stream.launch(add(first, 1));
                stream.copy(first, out);
              });
      List<GraphNode> nodes = graph.nodes();
      graph.setFill(nodes.get(0), second, 20);
      graph.setArgument(nodes.get(1), 0, second);
      graph.setCopy(nodes.get(2), second, out);
      first.close(); // nobody needs it any more, and the graph was never launched
      opened.settle();
      graph.launch(stream).await();
      assertThat(out.getAtIndex(JAVA_INT, 3)).isEqualTo(21);
      graph.close();
      second.close();
    }
  }

  @Test
  void aFirstLaunchIsRefusedAsAnyOtherIfRegisteredMemoryIsGone() {
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared();
        GlobalBytes array = device.allocateBytes(4096)) {
      MemorySegment host = arena.allocate(4096, 4096);
      Registration registration = device.register(host, arena);
      try (Graph graph = Graph.capture(stream, () -> stream.copy(host, array))) {
        registration.close();
        opened.settle();
        assertThatThrownBy(graph::instantiate).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> graph.upload(stream)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> graph.launch(stream)).isInstanceOf(ClosedException.class);
      }
    }
  }
}
