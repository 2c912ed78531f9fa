package dev.stretto.contract;

import dev.stretto.CopyRequest;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.WorkScope;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Every operation that writes an array, every one that reads or writes it then, and every edge. */
class CheckedEdgesTest extends CheckedPrograms {
  private static final Programs PROGRAMS = new Programs();
  private static final Grid GRID = Grid.of(2, 32);

  @Kernel
  static void adds(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    long i = block.globalIndexX();
    out.set(i, in.get(i) + 1);
  }

  /** An operation on a stream. */
  private interface Operation {
    void on(Stream stream, Hands with);
  }

  /** What happens between two operations, of which the second one is enqueued by it. */
  private interface Edge {
    void between(Hands with, Runnable first, Runnable second) throws Exception;
  }

  private static final Map<String, Operation> WRITES = new LinkedHashMap<>();
  private static final Map<String, Operation> AFTERWARDS = new LinkedHashMap<>();
  private static final Map<String, Edge> RIGHT = new LinkedHashMap<>();
  private static final Map<String, Edge> WRONG = new LinkedHashMap<>();

  static {
    WRITES.put("a fill", (stream, with) -> stream.fill(with.a, 1));
    WRITES.put("a copy in", (stream, with) -> stream.copy(with.host, with.a));
    WRITES.put("a copy within the device", (stream, with) -> stream.copy(with.b, with.a));
    WRITES.put(
        "rows in",
        (stream, with) -> stream.copy2D(MemorySegment.ofArray(with.host), 32, with.a, 32, 16, 8));
    WRITES.put(
        "rows within the device", (stream, with) -> stream.copy2D(with.b, 32, with.a, 32, 16, 8));
    WRITES.put(
        "a batch", (stream, with) -> stream.copyAll(List.of(CopyRequest.of(with.b, with.a))));
    WRITES.put(
        "a launch", (stream, with) -> stream.launch(GRID, CheckedEdgesTest::adds, with.b, with.a));

    AFTERWARDS.put("a copy out", (stream, with) -> stream.copy(with.a, with.other));
    AFTERWARDS.put(
        "rows out",
        (stream, with) -> stream.copy2D(with.a, 32, MemorySegment.ofArray(with.other), 32, 16, 8));
    AFTERWARDS.put("a fill of a part", (stream, with) -> stream.fill(with.a.slice(1, 1), 2));
    AFTERWARDS.put(
        "another batch",
        (stream, with) ->
            stream.copyAll(List.of(CopyRequest.of(with.a, MemorySegment.ofArray(with.other)))));
    AFTERWARDS.put(
        "another launch",
        (stream, with) -> stream.launch(GRID, CheckedEdgesTest::adds, with.a, with.b));

    RIGHT.put(
        "the stream waits for an event",
        (with, first, second) -> {
          first.run();
          with.second.waitFor(with.first.record());
          second.run();
        });
    RIGHT.put(
        "the stream waits for a timed event",
        (with, first, second) -> {
          first.run();
          with.second.waitFor(with.first.recordTimed());
          second.run();
        });
    RIGHT.put(
        "the program awaits the stream",
        (with, first, second) -> {
          first.run();
          with.first.await();
          second.run();
        });
    RIGHT.put(
        "the program awaits the device",
        (with, first, second) -> {
          first.run();
          with.device.await();
          second.run();
        });
    RIGHT.put(
        "the program asks until the stream is idle",
        (with, first, second) -> {
          first.run();
          while (!with.first.isIdle()) {
            Thread.onSpinWait();
          }
          second.run();
        });
    RIGHT.put(
        "the program joins a future",
        (with, first, second) -> {
          first.run();
          with.first.toCompletableFuture().join();
          second.run();
        });
    RIGHT.put(
        "a future's dependent enqueues",
        (with, first, second) -> {
          first.run();
          CompletableFuture<Void> next = with.first.toCompletableFuture().thenRun(second);
          with.first.await();
          next.join();
        });
    RIGHT.put(
        "a callback enqueues",
        (with, first, second) -> {
          first.run();
          with.first.then(second).await();
        });
    RIGHT.put(
        "a chain of two streams",
        (with, first, second) -> {
          first.run();
          with.third.waitFor(with.first.record());
          with.second.waitFor(with.third.record());
          second.run();
        });
    RIGHT.put(
        "an event is recorded and waited for again behind the operation",
        (with, first, second) -> {
          with.second.waitFor(with.first.record());
          first.run();
          with.second.waitFor(with.first.record());
          second.run();
        });
    RIGHT.put(
        "a scope's stream waits, and the scope ends",
        (with, first, second) -> {
          first.run();
          try (WorkScope scope = with.device.scope()) {
            scope.stream().waitFor(with.first.record());
          }
          second.run();
        });
    RIGHT.put(
        "in each round of a loop",
        (with, first, second) -> {
          for (int i = 0; i < 3; i++) {
            first.run();
            with.second.waitFor(with.first.record());
            second.run();
            with.first.waitFor(with.second.record());
          }
        });

    WRONG.put(
        "nothing",
        (with, first, second) -> {
          first.run();
          second.run();
        });
    WRONG.put(
        "the event is recorded before the operation",
        (with, first, second) -> {
          Event event = with.first.record();
          first.run();
          with.second.waitFor(event);
          second.run();
        });
    WRONG.put(
        "the event of another stream",
        (with, first, second) -> {
          first.run();
          with.second.waitFor(with.third.record());
          second.run();
        });
    WRONG.put(
        "another stream waits",
        (with, first, second) -> {
          first.run();
          with.third.waitFor(with.first.record());
          second.run();
        });
    WRONG.put(
        "another stream is awaited",
        (with, first, second) -> {
          first.run();
          with.third.fill(with.c(), 3).await();
          second.run();
        });
    WRONG.put(
        "an earlier operation of the stream is awaited",
        (with, first, second) -> {
          Event earlier = with.first.fill(with.c(), 3);
          first.run();
          earlier.await();
          second.run();
        });
    WRONG.put(
        "the wait is left out in one branch",
        (with, first, second) -> {
          first.run();
          if (with.a.length() > 1000) {
            with.second.waitFor(with.first.record());
          }
          second.run();
        });
    WRONG.put(
        "the wait is left out in the second round",
        (with, first, second) -> {
          for (int i = 0; i < 3; i++) {
            first.run();
            if (i != 1) {
              with.second.waitFor(with.first.record());
            }
            second.run();
            with.first.waitFor(with.second.record());
          }
        });
    WRONG.put(
        "the legacy stream, which waits for none of these streams",
        (with, first, second) -> {
          first.run();
          with.device.legacyStream().await();
          second.run();
        });
    WRONG.put(
        "a graph of another array is launched in between",
        (with, first, second) -> {
          GlobalFloats c = with.c();
          try (Graph graph = Graph.capture(with.third, stream -> stream.fill(c, 3))) {
            first.run();
            graph.launch(with.third).await();
            second.run();
          }
        });

    cross(RIGHT, false);
    cross(WRONG, true);
  }

  /** Each edge with each first operation, and with each second one. */
  private static void cross(Map<String, Edge> edges, boolean bad) {
    List<String> writes = new ArrayList<>(WRITES.keySet());
    List<String> afterwards = new ArrayList<>(AFTERWARDS.keySet());
    int turn = 0;
    for (Map.Entry<String, Edge> edge : edges.entrySet()) {
      for (int i = 0; i < writes.size(); i++) {
        String write = writes.get(i);
        String then = afterwards.get((i + turn) % afterwards.size());
        Operation first = WRITES.get(write);
        Operation second = AFTERWARDS.get(then);
        Program program =
            with ->
                edge.getValue()
                    .between(
                        with, () -> first.on(with.first, with), () -> second.on(with.second, with));
        String name = write + ", " + then + ": " + edge.getKey();
        if (bad) {
          PROGRAMS.bad(name, program);
        } else {
          PROGRAMS.good(name, program);
        }
      }
      turn++;
    }
  }

  CheckedEdgesTest() {
    super(PROGRAMS);
  }

  static Set<String> bad() {
    return PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return PROGRAMS.good.keySet();
  }
}
