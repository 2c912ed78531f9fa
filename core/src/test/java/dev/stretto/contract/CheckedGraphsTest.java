package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.CopyRequest;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.RaceException;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Graphs and batches, whose order is checked. */
class CheckedGraphsTest extends CheckedPrograms {
  private static final Programs PROGRAMS = new Programs();
  private static final Grid GRID = Grid.of(2, 32);

  @Kernel
  static void adds(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    long i = block.globalIndexX();
    out.set(i, in.get(i) + 1);
  }

  static {
    PROGRAMS.bad(
        "a graph reads what another stream copies in",
        with -> {
          try (Graph graph = graph(with)) {
            with.second.copy(with.host, with.a);
            graph.launch(with.first);
          }
        });
    PROGRAMS.good(
        "a graph reads what another stream has copied in",
        with -> {
          try (Graph graph = graph(with)) {
            with.second.copy(with.host, with.a);
            with.first.waitFor(with.second.record());
            graph.launch(with.first);
          }
        });
    PROGRAMS.bad(
        "a copy takes what a graph writes",
        with -> {
          try (Graph graph = graph(with)) {
            graph.launch(with.first);
            with.second.copy(with.b, with.host);
          }
        });
    PROGRAMS.good(
        "a copy takes what a graph that was awaited has written",
        with -> {
          try (Graph graph = graph(with)) {
            graph.launch(with.first).await();
            with.second.copy(with.b, with.host);
          }
        });
    PROGRAMS.good(
        "launches of a graph come after each other on any stream",
        with -> {
          try (Graph graph = graph(with)) {
            graph.launch(with.first);
            graph.launch(with.second);
            with.second.copy(with.b, with.host);
          }
        });
    PROGRAMS.bad(
        "two graphs write one array",
        with -> {
          try (Graph one = graph(with);
              Graph other = graph(with)) {
            one.launch(with.first);
            other.launch(with.second);
          }
        });
    PROGRAMS.good(
        "a graph calls back, and waits there",
        with -> {
          try (Graph graph =
              Graph.capture(
                  with.first,
                  stream -> {
                    stream.then(with.second::await);
                    stream.copy(with.a, with.b);
                  })) {
            with.second.fill(with.a, 3);
            graph.launch(with.first);
          }
        });
    PROGRAMS.bad(
        "a graph decides by an int that another stream fills",
        with -> {
          try (GlobalInts flag = flag(with);
              Graph graph = deciding(with, flag)) {
            with.second.fill(flag, 0);
            graph.launch(with.first);
          }
        });
    PROGRAMS.bad(
        "the int by which a graph decides is filled while it may run",
        with -> {
          try (GlobalInts flag = flag(with);
              Graph graph = deciding(with, flag)) {
            graph.launch(with.first);
            with.second.fill(flag, 0);
          }
        });
    PROGRAMS.good(
        "a graph decides by an int that was filled",
        with -> {
          try (GlobalInts flag = flag(with);
              Graph graph = deciding(with, flag)) {
            with.second.fill(flag, 0);
            with.first.waitFor(with.second.record());
            graph.launch(with.first);
          }
        });
    PROGRAMS.good(
        "another stream reads the int by which a graph decides",
        with -> {
          try (GlobalInts flag = flag(with);
              Graph graph = deciding(with, flag)) {
            graph.launch(with.first);
            with.second.copy(flag, new int[1]);
          }
        });
    PROGRAMS.bad(
        "a loop begins by an int that another stream fills",
        with -> {
          try (GlobalInts flag = flag(with);
              Graph graph = looping(with, flag)) {
            with.second.fill(flag, 0);
            graph.launch(with.first);
          }
        });
    PROGRAMS.good(
        "another stream ends a loop",
        with -> {
          try (GlobalInts flag = flag(with);
              Graph graph = looping(with, flag)) {
            graph.launch(with.first);
            with.second.fill(flag, 0).await();
          }
        });
    PROGRAMS.bad(
        "a copy takes what a loop writes",
        with -> {
          try (GlobalInts flag = flag(with);
              Graph graph = looping(with, flag)) {
            graph.launch(with.first);
            with.second.fill(flag, 0).await();
            with.second.copy(with.a, with.host);
          }
        });
    PROGRAMS.bad(
        "a copy takes what a body may write",
        with -> {
          try (GlobalInts flag = flag(with);
              Graph graph = deciding(with, flag)) {
            graph.launch(with.first);
            with.second.copy(with.a, with.host);
          }
        });
    PROGRAMS.good(
        "a copy takes what a body may have written",
        with -> {
          try (GlobalInts flag = flag(with);
              Graph graph = deciding(with, flag)) {
            with.second.waitFor(graph.launch(with.first));
            with.second.copy(with.a, with.host);
          }
        });
    PROGRAMS.bad(
        "a child graph writes what another stream reads",
        with -> {
          try (Graph child = graph(with);
              Graph graph = parent(with, child)) {
            with.second.copy(with.b, with.host);
            graph.launch(with.first);
          }
        });
    PROGRAMS.good(
        "a child graph writes what another stream has read",
        with -> {
          try (Graph child = graph(with);
              Graph graph = parent(with, child)) {
            with.second.copy(with.b, with.host);
            with.first.waitFor(with.second.record());
            graph.launch(with.first);
          }
        });
    PROGRAMS.good(
        "a graph's argument was exchanged",
        with -> {
          try (GlobalFloats c = with.c();
              Graph graph = graph(with)) {
            graph.setArgument(graph.nodes().getFirst(), 1, c);
            graph.launch(with.first);
            with.second.copy(with.b, with.host);
          }
        });
    PROGRAMS.bad(
        "a graph's argument was exchanged for one that another stream reads",
        with -> {
          try (GlobalFloats c = with.c();
              Graph graph = graph(with)) {
            graph.setArgument(graph.nodes().getFirst(), 1, c);
            with.second.copy(c, with.host);
            graph.launch(with.first);
          }
        });
    PROGRAMS.bad(
        "a graph copies pinned memory that a copy still fills",
        with -> {
          try (PinnedArena pinned = with.device.pinnedArena()) {
            MemorySegment host = pinned.allocate(LENGTH * 4L);
            try (Graph graph = Graph.capture(with.first, stream -> stream.copy(host, with.b))) {
              with.second.copy(with.a, host);
              graph.launch(with.first);
            }
          }
        });
    PROGRAMS.bad(
        "a batch takes what another stream fills",
        with -> {
          with.first.fill(with.a, 1);
          with.second.copyAll(
              List.of(
                  CopyRequest.of(with.b, MemorySegment.ofArray(with.other)),
                  CopyRequest.of(with.a, MemorySegment.ofArray(with.host))));
        });
    PROGRAMS.good(
        "a batch takes what another stream has filled",
        with -> {
          with.first.fill(with.a, 1);
          with.second.waitFor(with.first.record());
          with.second.copyAll(
              List.of(
                  CopyRequest.of(with.b, MemorySegment.ofArray(with.other)),
                  CopyRequest.of(with.a, MemorySegment.ofArray(with.host))));
        });
    PROGRAMS.bad(
        "a fill overwrites what a batch copies",
        with -> {
          with.first.copyAll(
              List.of(
                  CopyRequest.of(MemorySegment.ofArray(with.other), with.b),
                  CopyRequest.of(with.a, MemorySegment.ofArray(with.host))));
          with.second.fill(with.a, 2);
        });
    PROGRAMS.good(
        "a fill overwrites what a copy of a batch has copied",
        with -> {
          with.first
              .copyAll(
                  List.of(
                      CopyRequest.of(MemorySegment.ofArray(with.other), with.b),
                      CopyRequest.of(with.a, MemorySegment.ofArray(with.host))))
              .copies()
              .getLast()
              .await();
          with.second.fill(with.a, 2);
        });
    PROGRAMS.good(
        "a batch was awaited",
        with -> {
          with.first
              .copyAll(
                  List.of(
                      CopyRequest.of(MemorySegment.ofArray(with.other), with.b),
                      CopyRequest.of(with.a.slice(0, 32), with.a.slice(32, 32))))
              .await();
          with.second.fill(with.a, 2);
          with.third.fill(with.b, 2);
        });
    PROGRAMS.bad(
        "a batch within the device, beside a copy",
        with -> {
          with.first.copyAll(
              List.of(
                  CopyRequest.of(with.b.slice(0, 32), with.b.slice(32, 32)),
                  CopyRequest.of(with.a.slice(0, 32), with.a.slice(32, 32))));
          with.second.copy(with.a.slice(60, 4), new float[4]);
        });
    PROGRAMS.good(
        "a batch within the device, beside a copy of what it does not touch",
        with -> {
          with.first.copyAll(
              List.of(
                  CopyRequest.of(with.b.slice(0, 16), with.b.slice(32, 16)),
                  CopyRequest.of(with.a.slice(0, 16), with.a.slice(32, 16))));
          with.second.copy(with.a.slice(48, 16), new float[16]);
        });
  }

  private static GlobalInts flag(Hands with) {
    GlobalInts flag = with.device.allocateInts(1);
    with.first.fill(flag, 1).await();
    return flag;
  }

  private static Graph deciding(Hands with, GlobalInts flag) {
    GraphBuilder builder = Graph.builder(with.device);
    builder.ifNonZero(flag, body -> body.fill(with.a, 5f));
    return builder.build();
  }

  private static Graph looping(Hands with, GlobalInts flag) {
    GraphBuilder builder = Graph.builder(with.device);
    builder.whileNonZero(flag, body -> body.fill(with.a, 5f));
    return builder.build();
  }

  private static Graph parent(Hands with, Graph child) {
    GraphBuilder builder = Graph.builder(with.device);
    builder.child(child, builder.fill(with.a, 1f));
    return builder.build();
  }

  private static Graph graph(Hands with) {
    return Graph.capture(
        with.first, stream -> stream.launch(GRID, CheckedGraphsTest::adds, with.a, with.b));
  }

  CheckedGraphsTest() {
    super(PROGRAMS);
  }

  static Set<String> bad() {
    return PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return PROGRAMS.good.keySet();
  }

  @Test
  void branchesOfAGraphThatNothingOrdersAreRefusedWhenItIsCaptured() {
    try (Stream first = device.stream("first");
        Stream second = device.stream("second");
        GlobalFloats a = device.allocateFloats(LENGTH);
        GlobalFloats b = device.allocateFloats(LENGTH)) {
      RaceException race =
          catchThrowableOfType(
              RaceException.class,
              () ->
                  Graph.capture(
                      first,
                      stream -> {
                        second.waitFor(stream.record());
                        stream.fill(a, 1);
                        second.copy(a, b);
                        stream.waitFor(second.record());
                      }));
      assertThat(race).hasMessageContaining("race in a graph").hasMessageContaining("fill");
      assertThat(race.second().orElseThrow().getLineNumber())
          .isEqualTo(race.first().orElseThrow().getLineNumber() + 1);
    }
  }

  @Test
  void branchesOfAGraphThatUseOtherBytesAreRight() {
    try (Stream first = device.stream("first");
        Stream second = device.stream("second");
        GlobalFloats a = device.allocateFloats(LENGTH);
        GlobalFloats b = device.allocateFloats(LENGTH)) {
      Graph.capture(
              first,
              stream -> {
                second.waitFor(stream.record());
                stream.fill(a.slice(0, 32), 1);
                second.copy(a.slice(32, 32), b.slice(32, 32));
                stream.waitFor(second.record());
                stream.copy(a.slice(0, 32), b.slice(0, 32));
              })
          .close();
    }
  }

  @Test
  void nodesOfABodyThatNothingOrdersAreRefusedWhenTheGraphIsBuilt() {
    try (GlobalInts flag = device.allocateInts(1);
        GlobalFloats a = device.allocateFloats(LENGTH);
        GlobalFloats b = device.allocateFloats(LENGTH)) {
      GraphBuilder builder = Graph.builder(device);
      builder.ifNonZero(
          flag,
          body -> {
            body.fill(a, 1f);
            body.copy(a, b);
          });
      assertThat(catchThrowableOfType(RaceException.class, builder::build))
          .hasMessageContaining("race in a graph");
    }
  }

  @Test
  void aNodeThatNothingOrdersBeforeADecisionIsRefusedWhenTheGraphIsBuilt() {
    try (GlobalInts flag = device.allocateInts(1);
        GlobalFloats a = device.allocateFloats(LENGTH)) {
      GraphBuilder builder = Graph.builder(device);
      builder.fill(flag, 1);
      builder.ifNonZero(flag, body -> body.fill(a, 1f));
      assertThat(catchThrowableOfType(RaceException.class, builder::build))
          .hasMessageContaining("race in a graph");
    }
  }
}
