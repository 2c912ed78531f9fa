package dev.stretto.contract;

import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalFloats;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** What a callback does comes before what is behind it, if it awaits it. */
class CheckedCallbacksTest extends CheckedPrograms {
  private static final Programs PROGRAMS = new Programs();

  static {
    PROGRAMS.good(
        "a callback awaits what it enqueues before an operation behind it",
        with -> {
          with.first.then(() -> with.second.fill(with.a, 1).await());
          with.first.copy(with.a, with.other);
        });
    PROGRAMS.bad(
        "a callback does not await what it enqueues before an operation behind it",
        with -> {
          with.first.then(() -> with.second.fill(with.a, 1));
          with.first.copy(with.a, with.other);
          with.first.await();
        });
    PROGRAMS.bad(
        "a callback awaits another stream than that on which it enqueues",
        with -> {
          with.first.then(
              () -> {
                with.second.fill(with.a, 1);
                with.third.fill(with.b, 1).await();
              });
          with.first.copy(with.a, with.other);
          with.first.await();
        });
    PROGRAMS.good(
        "another stream waits for what is behind the callback",
        with -> {
          with.first.then(() -> with.second.fill(with.a, 1).await());
          with.third.waitFor(with.first.record());
          with.third.copy(with.a, with.other);
        });
    PROGRAMS.bad(
        "another stream waits for what is before the callback",
        with -> {
          Event before = with.first.fill(with.b, 1);
          with.third.waitFor(before);
          with.third.copy(with.a, with.other);
          with.first.then(() -> with.second.fill(with.a, 1).await());
          with.first.await();
        });
    PROGRAMS.good(
        "a callback lets another thread enqueue and await",
        with -> {
          with.first.then(
              () -> CompletableFuture.runAsync(() -> with.second.fill(with.a, 1).await()).join());
          with.first.copy(with.a, with.other);
        });
    PROGRAMS.good(
        "the second of two callbacks awaits what the first one has enqueued",
        with -> {
          Event[] filled = new Event[1];
          with.first.then(() -> filled[0] = with.second.fill(with.a, 1));
          with.first.then(() -> filled[0].await());
          with.first.copy(with.a, with.other);
        });
    PROGRAMS.bad(
        "the program enqueues on another stream what a callback's stream reads behind it",
        with -> {
          with.first.then(() -> {});
          with.first.copy(with.a, with.other);
          with.second.fill(with.a, 1);
        });
    PROGRAMS.bad(
        "a callback in between awaits nothing",
        with -> {
          with.second.fill(with.a, 1);
          with.first.then(() -> {});
          with.first.copy(with.a, with.other);
          with.first.await();
        });
    PROGRAMS.good(
        "a callback in between awaits the other stream",
        with -> {
          with.second.fill(with.a, 1);
          with.first.then(with.second::await);
          with.first.copy(with.a, with.other);
          with.third.waitFor(with.first.record());
          with.third.copy(with.a, with.b);
          with.first.await();
        });
    PROGRAMS.good(
        "each of two streams has a callback, and one awaits the other stream",
        with -> {
          with.second.then(() -> {});
          with.second.fill(with.a, 1);
          with.first.then(with.second::await);
          with.first.copy(with.a, with.other);
          with.first.await();
        });
    PROGRAMS.good(
        "a graph's callback awaits what it enqueues before a node behind it",
        with -> {
          try (Graph graph =
              Graph.capture(
                  with.first,
                  stream -> {
                    stream.then(() -> with.second.fill(with.a, 1).await());
                    stream.copy(with.a, with.b);
                  })) {
            graph.launch(with.first);
          }
        });
    PROGRAMS.good(
        "a graph's callback awaits what it enqueues before an operation behind the graph",
        with -> {
          try (Graph graph =
              Graph.capture(
                  with.first, stream -> stream.then(() -> with.second.fill(with.a, 1).await()))) {
            graph.launch(with.first);
            with.first.copy(with.a, with.other);
          }
        });
    PROGRAMS.bad(
        "a graph's callback does not await what it enqueues before an operation behind the graph",
        with -> {
          try (Graph graph =
              Graph.capture(with.first, stream -> stream.then(() -> with.second.fill(with.a, 1)))) {
            graph.launch(with.first);
            with.first.copy(with.a, with.other);
            with.first.await();
          }
        });
    PROGRAMS.good(
        "a graph's callback overwrites what a node before it has read",
        with -> {
          try (Graph graph =
              Graph.capture(
                  with.first,
                  stream -> {
                    stream.copy(with.a, with.b);
                    stream.then(() -> with.second.fill(with.a, 1).await());
                  })) {
            graph.launch(with.first);
          }
        });
    PROGRAMS.bad(
        "the program overwrites what a node behind a callback reads, knowing that that has begun",
        with -> {
          CompletableFuture<Void> begun = new CompletableFuture<>();
          try (Stream other = with.device.stream();
              GlobalFloats c = with.c();
              Graph graph =
                  Graph.capture(
                      with.first,
                      stream -> {
                        stream.then(() -> begun.complete(null));
                        stream.copy(with.a, c);
                      })) {
            graph.launch(with.first);
            while (!begun.isDone()) {
              with.third.fill(with.b, 1).await(); // lets a seeded device go on
            }
            other.fill(with.a, 1);
          }
        });
  }

  CheckedCallbacksTest() {
    super(PROGRAMS);
  }

  static Set<String> bad() {
    return PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return PROGRAMS.good.keySet();
  }
}
