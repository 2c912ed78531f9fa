package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Programs at random on several streams, with exactly the waits that their data needs: captured and
 * launched some times, they leave behind what they do when they are run as often.
 */
class RandomGraphTest extends ContractTest {
  private static final int PROGRAMS = 8;
  private static final int SIZE = 3000;
  private static final int ARRAYS = 4;
  private static final int LAUNCHES = 3;

  @Test
  void aCapturedProgramDoesWhatTheProgramDoes() {
    for (int number = 1; number <= PROGRAMS; number++) {
      long seed = 1000L * number + machine.name().hashCode();
      int[][] direct;
      int[][] captured;
      try {
        direct = new Program(seed).runDirectly();
        captured = new Program(seed).runCaptured();
      } catch (RuntimeException | Error e) {
        throw new AssertionError("program of seed " + seed, e);
      }
      assertThat(captured).as("program of seed " + seed).isDeepEqualTo(direct);
    }
  }

  /** What has to be waited for before some memory is used. */
  private static final class Uses {
    Event written;
    final List<Event> read = new ArrayList<>();
  }

  private final class Program {
    private final long seed;
    private final List<Stream> streams = new ArrayList<>();
    private final List<GlobalInts> arrays = new ArrayList<>();
    private final List<MemorySegment> hosts = new ArrayList<>();
    private final PinnedArena pinned = device.pinnedArena();
    private final boolean callbacks;
    private SplittableRandom random;
    private Uses[] uses;

    Program(long seed) {
      this.seed = seed;
      this.callbacks = seed % 3 == 0;
      for (int i = 0; i < 3; i++) {
        streams.add(device.stream());
      }
      for (int i = 0; i < ARRAYS; i++) {
        GlobalInts array = device.allocateInts(SIZE);
        streams.getFirst().fill(array, i);
        arrays.add(array);
        hosts.add(pinned.allocate(ValueLayout.JAVA_INT, SIZE));
      }
      streams.getFirst().await();
    }

    int[][] runDirectly() {
      for (int i = 0; i < LAUNCHES; i++) {
        body();
        device.await();
      }
      return results();
    }

    int[][] runCaptured() {
      Stream first = streams.getFirst();
      Graph graph = Graph.capture(first, this::body);
      for (GraphNode node : graph.nodes()) {
        assertThat(node.after()).allMatch(before -> before.index() < node.index());
      }
      for (int i = 0; i < LAUNCHES; i++) {
        graph.launch(streams.get(i % streams.size()));
      }
      graph.close();
      device.await();
      return results();
    }

    /** One stream begins and ends it, as a capture has to. */
    private void body() {
      random = new SplittableRandom(seed);
      uses = new Uses[2 * ARRAYS];
      Stream first = streams.getFirst();
      Event begin = first.record();
      for (int i = 0; i < uses.length; i++) {
        uses[i] = new Uses();
        uses[i].written = begin;
      }
      int operations = 5 + random.nextInt(40);
      for (int i = 0; i < operations; i++) {
        step(streams.get(random.nextInt(streams.size())));
      }
      for (Uses all : uses) {
        first.waitFor(all.written);
        all.read.forEach(first::waitFor);
      }
    }

    private void step(Stream stream) {
      int from = random.nextInt(ARRAYS);
      int to = random.nextInt(ARRAYS);
      int value = random.nextInt(1000);
      switch (random.nextInt(6)) {
        case 0 -> {
          writes(stream, to);
          stream.fill(arrays.get(to), value);
          written(stream, to);
        }
        case 1 -> {
          writes(stream, to);
          stream.launch(Grid.covering(SIZE, 256), Kernels.ADD, arrays.get(to), value, SIZE);
          written(stream, to);
        }
        case 2 -> {
          if (from != to) {
            reads(stream, from);
            writes(stream, to);
            stream.copy(arrays.get(from), arrays.get(to));
            read(stream, from);
            written(stream, to);
          }
        }
        case 3 -> {
          reads(stream, ARRAYS + from);
          writes(stream, to);
          int length = 1 + random.nextInt(SIZE);
          stream.copy(hosts.get(from).asSlice(0, 4L * length), arrays.get(to).slice(0, length));
          read(stream, ARRAYS + from);
          written(stream, to);
        }
        case 4 -> {
          reads(stream, from);
          writes(stream, ARRAYS + to);
          stream.copy(arrays.get(from), hosts.get(to));
          read(stream, from);
          written(stream, ARRAYS + to);
        }
        default -> {
          if (callbacks) {
            writes(stream, ARRAYS + to);
            MemorySegment host = hosts.get(to);
            stream.then(
                () ->
                    host.setAtIndex(
                        ValueLayout.JAVA_INT,
                        value,
                        host.getAtIndex(ValueLayout.JAVA_INT, value) * 3 + 1));
            written(stream, ARRAYS + to);
          }
        }
      }
    }

    private void reads(Stream stream, int memory) {
      stream.waitFor(uses[memory].written);
    }

    private void writes(Stream stream, int memory) {
      reads(stream, memory);
      uses[memory].read.forEach(stream::waitFor);
    }

    private void read(Stream stream, int memory) {
      uses[memory].read.add(stream.record());
    }

    private void written(Stream stream, int memory) {
      uses[memory].read.clear();
      uses[memory].written = stream.record();
    }

    private int[][] results() {
      int[][] results = new int[2 * ARRAYS][];
      for (int i = 0; i < ARRAYS; i++) {
        results[i] = new int[SIZE];
        streams.getFirst().copy(arrays.get(i), results[i]).await();
        results[ARRAYS + i] = hosts.get(i).toArray(ValueLayout.JAVA_INT);
        arrays.get(i).close();
      }
      streams.forEach(Stream::close);
      pinned.close();
      return results;
    }
  }
}
