package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Graphs at random of branches and loops in each other, with exactly the edges that their data
 * needs: they leave behind what the same program does step by step on the host.
 */
class RandomConditionalGraphTest extends ContractTest {
  private static final int PROGRAMS = 12;
  private static final int CELLS = 8;
  private static final int DEEPEST = 3;
  private static final Grid ONE = Grid.of(1, 1);

  /** Something that a graph does: to cells on the device, and in the same way to an array. */
  private abstract static class Deed {
    final BitSet reads = new BitSet();
    final BitSet writes = new BitSet();

    abstract void run(int[] cells);

    abstract GraphNode build(GraphBuilder builder, GraphNode... after);

    boolean isBefore(Deed later) {
      return writes.intersects(later.reads)
          || writes.intersects(later.writes)
          || reads.intersects(later.writes);
    }
  }

  private final SplittableRandom seeds = new SplittableRandom(20261122);
  private GlobalInts cells;
  private int counters;

  private GlobalInts cell(int index) {
    return cells.slice(index, 1);
  }

  @Test
  void aGraphDoesWhatTheProgramDoes() {
    for (int program = 0; program < PROGRAMS; program++) {
      long seed = seeds.nextLong();
      try (Stream stream = device.stream()) {
        cells = device.allocateInts(1000);
        counters = CELLS;
        SplittableRandom random = new SplittableRandom(seed);
        List<Deed> deeds = deeds(random, 0, CELLS);
        int[] expected = IntStream.range(0, 1000).map(i -> i < CELLS ? i - 2 : 0).toArray();
        stream.copy(expected.clone(), cells).await();
        GraphBuilder builder = Graph.builder(device);
        build(builder, deeds);
        try (Graph graph = builder.build()) {
          for (int launch = 0; launch < 3; launch++) {
            graph.launch(stream);
            deeds.forEach(deed -> deed.run(expected));
            int[] actual = new int[1000];
            stream.copy(cells, actual).await();
            assertThat(actual).as("seed %d%n%s", seed, graph.toDot()).isEqualTo(expected);
          }
        }
        cells.close();
      }
    }
  }

  private void build(GraphBuilder builder, List<Deed> deeds) {
    List<GraphNode> nodes = new ArrayList<>();
    for (Deed deed : deeds) {
      List<GraphNode> after = new ArrayList<>();
      for (int i = 0; i < nodes.size(); i++) {
        if (deeds.get(i).isBefore(deed)) {
          after.add(nodes.get(i));
        }
      }
      nodes.add(deed.build(builder, after.toArray(GraphNode[]::new)));
    }
  }

  private List<Deed> deeds(SplittableRandom random, int depth, int most) {
    int count = random.nextInt(most + 1);
    return IntStream.range(0, count).mapToObj(i -> deed(random, depth)).toList();
  }

  private Deed deed(SplittableRandom random, int depth) {
    int kind = random.nextInt(depth < DEEPEST ? 7 : 3);
    int cell = random.nextInt(CELLS);
    return switch (kind) {
      case 0 -> new Add(cell, random.nextInt(-3, 4));
      case 1 -> new Fill(cell, random.nextInt(-1, 4));
      case 2 -> new CopyCell(cell, (cell + 1 + random.nextInt(CELLS - 1)) % CELLS);
      case 3 -> new Choice(0, cell, bodies(random, depth, 1));
      case 4 -> new Choice(0, cell, bodies(random, depth, 2));
      case 5 -> new Choice(1, cell, bodies(random, depth, 1 + random.nextInt(4)));
      default -> new Loop(1 + random.nextInt(3), deeds(random, depth + 1, 3));
    };
  }

  private List<List<Deed>> bodies(SplittableRandom random, int depth, int count) {
    return IntStream.range(0, count).mapToObj(i -> deeds(random, depth + 1, 4)).toList();
  }

  private final class Add extends Deed {
    private final int cell;
    private final int value;

    Add(int cell, int value) {
      this.cell = cell;
      this.value = value;
      reads.set(cell);
      writes.set(cell);
    }

    @Override
    void run(int[] all) {
      all[cell] += value;
    }

    @Override
    GraphNode build(GraphBuilder builder, GraphNode... after) {
      return builder.launch(device.prepare(ONE, GraphKernels::add, cell(cell), value), after);
    }
  }

  private final class Fill extends Deed {
    private final int cell;
    private final int value;

    Fill(int cell, int value) {
      this.cell = cell;
      this.value = value;
      writes.set(cell);
    }

    @Override
    void run(int[] all) {
      all[cell] = value;
    }

    @Override
    GraphNode build(GraphBuilder builder, GraphNode... after) {
      return builder.fill(cell(cell), value, after);
    }
  }

  private final class CopyCell extends Deed {
    private final int from;
    private final int to;

    CopyCell(int from, int to) {
      this.from = from;
      this.to = to;
      reads.set(from);
      writes.set(to);
    }

    @Override
    void run(int[] all) {
      all[to] = all[from];
    }

    @Override
    GraphNode build(GraphBuilder builder, GraphNode... after) {
      return builder.copy(cell(from), cell(to), after);
    }
  }

  /** One of several bodies, by a switch or by an if. */
  private final class Choice extends Deed {
    private final boolean isSwitch;
    private final int cell;
    private final List<List<Deed>> bodies;

    Choice(int sort, int cell, List<List<Deed>> bodies) {
      this.isSwitch = sort == 1;
      this.cell = cell;
      this.bodies = bodies;
      reads.set(cell);
      bodies.forEach(
          body ->
              body.forEach(
                  deed -> {
                    reads.or(deed.reads);
                    writes.or(deed.writes);
                  }));
    }

    @Override
    void run(int[] all) {
      int chosen = isSwitch ? all[cell] : all[cell] != 0 ? 0 : 1;
      if (chosen >= 0 && chosen < bodies.size()) {
        bodies.get(chosen).forEach(deed -> deed.run(all));
      }
    }

    @Override
    GraphNode build(GraphBuilder builder, GraphNode... after) {
      List<Consumer<GraphBuilder>> made = new ArrayList<>();
      bodies.forEach(body -> made.add(inner -> RandomConditionalGraphTest.this.build(inner, body)));
      if (isSwitch) {
        return builder.switchOn(cell(cell), made, after);
      }
      return made.size() == 1
          ? builder.ifNonZero(cell(cell), made.getFirst(), after)
          : builder.ifNonZero(cell(cell), made.getFirst(), made.getLast(), after);
    }
  }

  /** A loop with a counter of its own, which nobody else uses. */
  private final class Loop extends Deed {
    private final int times;
    private final int counter;
    private final List<Deed> body;

    Loop(int times, List<Deed> body) {
      this.times = times;
      this.counter = counters++;
      this.body = body;
      reads.set(counter);
      writes.set(counter);
      body.forEach(
          deed -> {
            reads.or(deed.reads);
            writes.or(deed.writes);
          });
    }

    @Override
    void run(int[] all) {
      for (int i = 0; i < times; i++) {
        body.forEach(deed -> deed.run(all));
      }
    }

    @Override
    GraphNode build(GraphBuilder builder, GraphNode... after) {
      GraphNode begin = builder.fill(cell(counter), times, after);
      return builder.whileNonZero(
          cell(counter),
          inner -> {
            RandomConditionalGraphTest.this.build(inner, body);
            // Beside all others of the pass: the pass is done when both are.
            inner.launch(device.prepare(ONE, GraphKernels::add, cell(counter), -1));
          },
          begin);
    }
  }
}
