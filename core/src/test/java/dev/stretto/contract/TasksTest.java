package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.GraphNode;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.TaskDrawing;
import dev.stretto.Tasks;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What tasks do is what they would do one after the other. */
class TasksTest extends ContractTest {
  private static final int LENGTH = 64;

  /** Random tasks, and what they do to a model of the memory. */
  private static final class Program implements AutoCloseable {
    private final SplittableRandom random;
    private final Tasks tasks;
    private final Stream stream;
    private final PinnedArena pinned;
    private final GlobalInts[] arrays = new GlobalInts[3];
    private final MemorySegment[] hosts = new MemorySegment[3];
    private final int[][] heap = new int[2][LENGTH];
    private final int[][] memory = new int[8][LENGTH];

    Program(Device device, long seed, int lanes) {
      this.random = new SplittableRandom(seed);
      this.stream = device.stream();
      this.pinned = device.pinnedArena();
      this.tasks = device.tasks(lanes);
      for (int i = 0; i < 3; i++) {
        arrays[i] = device.allocateInts(LENGTH);
        tasks.fill(arrays[i], i);
        Arrays.fill(memory[i], i);
        hosts[i] = pinned.allocate(4L * LENGTH, 4);
      }
      for (int i = 0; i < heap.length; i++) {
        Arrays.fill(heap[i], 100 + i);
        Arrays.fill(memory[6 + i], 100 + i);
      }
    }

    private GlobalInts array(int number, int from, int count) {
      return arrays[number].slice(from, count);
    }

    /** {@return a part of host memory: pinned from 3 on, of the heap from 6 on} */
    private MemorySegment host(int number, int from, int count) {
      MemorySegment all = number < 6 ? hosts[number - 3] : MemorySegment.ofArray(heap[number - 6]);
      return all.asSlice(4L * from, 4L * count);
    }

    void step() {
      int count = 1 + random.nextInt(LENGTH / 2);
      int from = random.nextInt(LENGTH - count + 1);
      int to = random.nextInt(LENGTH - count + 1);
      int a = random.nextInt(3);
      int b = (a + 1 + random.nextInt(2)) % 3;
      int host = 3 + random.nextInt(5);
      switch (random.nextInt(9)) {
        case 0, 1 -> {
          tasks.copy(host(host, from, count), array(a, to, count));
          System.arraycopy(memory[host], from, memory[a], to, count);
        }
        case 2, 3 -> {
          tasks.copy(array(a, from, count), host(host, to, count));
          System.arraycopy(memory[a], from, memory[host], to, count);
        }
        case 4 -> {
          tasks.copy(array(a, from, count), array(b, to, count));
          System.arraycopy(memory[a], from, memory[b], to, count);
        }
        case 5 -> {
          int value = random.nextInt();
          tasks.fill(array(a, from, count), value);
          Arrays.fill(memory[a], from, from + count, value);
        }
        case 6 -> {
          int width = 1 + random.nextInt(4);
          int pitch = width + random.nextInt(4);
          int rows = 1 + random.nextInt(5);
          tasks.copy2D(arrays[a], 4L * pitch, arrays[b], 4L * width, 4L * width, rows);
          for (int row = 0; row < rows; row++) {
            System.arraycopy(memory[a], row * pitch, memory[b], row * width, width);
          }
        }
        case 7 -> {
          tasks.launch(
              Grid.covering(count, 32),
              TaskKernels::mix,
              array(a, from, count),
              array(b, to, count),
              count);
          for (int i = 0; i < count; i++) {
            memory[b][to + i] = memory[b][to + i] * 31 + memory[a][from + i];
          }
        }
        default -> onStream(a, from, count);
      }
    }

    /** Streams and tasks are ordered by events. */
    private void onStream(int a, int from, int count) {
      if (random.nextInt(8) == 0) {
        stream.waitFor(tasks.record());
        Event filled = stream.fill(array(a, from, count), 7);
        tasks.waitFor(filled);
        Arrays.fill(memory[a], from, from + count, 7);
      }
    }

    void check(String what) {
      tasks.await();
      for (int i = 0; i < 3; i++) {
        int[] read = new int[LENGTH];
        tasks.copy(arrays[i], read).await();
        assertThat(read).as("%s: array %d", what, i).isEqualTo(memory[i]);
        assertThat(hosts[i].toArray(ValueLayout.JAVA_INT))
            .as("%s: pinned memory %d", what, i)
            .isEqualTo(memory[3 + i]);
      }
      for (int i = 0; i < heap.length; i++) {
        assertThat(heap[i]).as("%s: heap %d", what, i).isEqualTo(memory[6 + i]);
      }
    }

    @Override
    public void close() {
      tasks.close();
      stream.close();
      pinned.close();
      for (GlobalInts array : arrays) {
        array.close();
      }
    }
  }

  @Test
  void randomTasksDoWhatTheyWouldDoOneAfterTheOther() {
    int seeds = Integer.getInteger("stretto.tasks.seeds", 10);
    int steps = Integer.getInteger("stretto.tasks.steps", 200);
    for (long seed = 0; seed < seeds; seed++) {
      try (Machine.Opened own = machine.later(seed).open();
          Program program = new Program(own.device(), seed, 1 + (int) (seed % 9))) {
        for (int i = 0; i < steps; i++) {
          program.step();
        }
        program.check("seed " + seed);
      }
    }
  }

  @Test
  void aPlainSequenceOfChunksIsSpreadOverLanesAsStreamsWouldBe() {
    int chunks = 12;
    int slots = 4;
    try (Tasks tasks = device.tasks();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts((long) slots * LENGTH);
        GlobalInts y = device.allocateInts((long) slots * LENGTH)) {
      MemorySegment in = pinned.allocate(4L * chunks * LENGTH, 4);
      MemorySegment out = pinned.allocate(4L * chunks * LENGTH, 4);
      for (int i = 0; i < chunks * LENGTH; i++) {
        in.setAtIndex(ValueLayout.JAVA_INT, i, i);
      }
      TaskDrawing drawing = tasks.draw();
      for (int i = 0; i < chunks; i++) {
        long slot = (long) i % slots * LENGTH;
        GlobalInts from = x.slice(slot, LENGTH);
        GlobalInts to = y.slice(slot, LENGTH);
        tasks.copy(in.asSlice(4L * i * LENGTH, 4L * LENGTH), from);
        tasks.launch(Grid.covering(LENGTH, 32), TaskKernels::scale, from, to, LENGTH);
        tasks.copy(to, out.asSlice(4L * i * LENGTH, 4L * LENGTH));
      }
      drawing.close();
      tasks.await();
      for (int i = 0; i < chunks * LENGTH; i++) {
        assertThat(out.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(3 * i + 1);
      }
      assertThat(drawing.size()).isEqualTo(3 * chunks);
      // Of the first slots nothing waits for anything but its own chunk.
      assertThat(edges(drawing, 3 * slots))
          .containsExactly("1-0", "2-1", "4-3", "5-4", "7-6", "8-7", "10-9", "11-10");
    }
  }

  private static List<String> edges(TaskDrawing drawing, int most) {
    List<String> edges = new ArrayList<>();
    int number = -1;
    for (String line : drawing.toText().lines().toList()) {
      if (line.startsWith("     after ")) {
        edges.add(number + "-" + line.substring(11, line.indexOf(':')));
      } else {
        number = Integer.parseInt(line.substring(0, line.indexOf(' ')));
        if (number == most) {
          break;
        }
      }
    }
    return edges;
  }

  @Test
  void aDrawingSaysWhichTaskComesAfterWhichAndForWhichBytes() {
    try (Tasks tasks = device.tasks();
        GlobalInts x = device.allocateInts(LENGTH);
        GlobalInts y = device.allocateInts(LENGTH);
        TaskDrawing drawing = tasks.draw()) {
      tasks.fill(x, 1);
      tasks.fill(y, 2);
      tasks.launch(Grid.covering(16, 32), TaskKernels::scale, x, y.slice(16, 16), 16);
      tasks.await();
      assertThat(drawing.toText())
          .contains("0  a fill (TasksTest.java:")
          .contains("2  kernel scale (TasksTest.java:")
          .containsPattern("after 0: it writes 256 bytes at .*, and this reads 64 bytes at")
          .containsPattern("after 1: it writes 256 bytes at .*, and this writes 64 bytes at");
      assertThat(drawing.toDot()).startsWith("digraph tasks {").contains("t0 -> t2");
      assertThatThrownBy(tasks::draw).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void capturedTasksBecomeAGraphWithTheEdgesThatTheirBytesDemand() {
    try (Tasks tasks = device.tasks();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(2L * LENGTH);
        GlobalInts y = device.allocateInts(2L * LENGTH)) {
      MemorySegment in = pinned.allocate(8L * LENGTH, 4);
      MemorySegment out = pinned.allocate(8L * LENGTH, 4);
      try (Graph graph =
          tasks.capture(
              () -> {
                for (int i = 0; i < 2; i++) {
                  GlobalInts from = x.slice((long) i * LENGTH, LENGTH);
                  GlobalInts to = y.slice((long) i * LENGTH, LENGTH);
                  tasks.copy(in.asSlice(4L * i * LENGTH, 4L * LENGTH), from);
                  tasks.launch(Grid.covering(LENGTH, 32), TaskKernels::scale, from, to, LENGTH);
                  tasks.copy(to, out.asSlice(4L * i * LENGTH, 4L * LENGTH));
                }
              })) {
        List<GraphNode> nodes = graph.nodes();
        assertThat(nodes).hasSize(6);
        assertThat(nodes.get(3).after()).isEmpty();
        assertThat(nodes.get(5).after()).containsExactly(nodes.get(4));
        for (int round = 0; round < 3; round++) {
          tasks.await(); // the program writes what the graph reads
          for (int i = 0; i < 2 * LENGTH; i++) {
            in.setAtIndex(ValueLayout.JAVA_INT, i, i + round);
          }
          tasks.launch(graph).await();
          for (int i = 0; i < 2 * LENGTH; i++) {
            assertThat(out.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(3 * (i + round) + 1);
          }
        }
      }
    }
  }

  @Test
  void codeOfTheHostIsATaskOfTheMemoryThatItUses() {
    try (Tasks tasks = device.tasks();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts x = device.allocateInts(LENGTH)) {
      MemorySegment host = pinned.allocate(4L * LENGTH, 4);
      for (int i = 1; i <= 20; i++) {
        tasks.fill(x, i);
        tasks.copy(x, host);
        int expected = i;
        tasks.then(
            () -> {
              assertThat(host.getAtIndex(ValueLayout.JAVA_INT, 5)).isEqualTo(expected);
              host.fill((byte) 0);
            },
            host);
        tasks.copy(host, x);
      }
      int[] read = new int[LENGTH];
      tasks.copy(x, read).await();
      assertThat(read).containsOnly(0);
    }
  }

  @Test
  void closedTasksTakeNothingMore() {
    try (GlobalInts x = device.allocateInts(LENGTH)) {
      Tasks tasks = device.tasks(2);
      tasks.fill(x, 3);
      tasks.close();
      assertThatThrownBy(() -> tasks.fill(x, 4)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> tasks.capture(() -> {})).isInstanceOf(ClosedException.class);
    }
    assertThatThrownBy(() -> device.tasks(0)).hasMessageContaining("1 to 64");
  }

  @Test
  void streamsOfAnAutomaticDeviceWaitForWhatTheirBytesDemand() {
    String name = machine.name().replace("+real-time", "");
    String word = (name.contains(":") ? "," : ":") + "order=automatic";
    try (Device automatic = Device.open(name + word);
        Stream one = automatic.stream();
        Stream two = automatic.stream();
        Tasks tasks = automatic.tasks();
        GlobalInts x = automatic.allocateInts(1 << 20)) {
      int[] read = new int[1 << 20];
      for (int i = 1; i <= 20; i++) {
        one.fill(x, i);
        two.copy(x, read);
        tasks.fill(x, -i);
        one.copy(x.slice(0, 1), x.slice(5, 1));
      }
      two.await();
      assertThat(read).containsOnly(20);
      int[] last = new int[1 << 20];
      two.copy(x, last).await();
      assertThat(last).containsOnly(-20);
    }
  }
}
