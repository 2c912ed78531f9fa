package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Tasks;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tasks of several devices are ordered by their bytes as those of one are. */
class PeerTasksTest extends ContractTest {
  private static final int LENGTH = 3000;
  private static final int STEPS = 80;

  @Test
  void randomTasksOfTwoDevicesDoWhatTheyWouldDoOneAfterTheOther() {
    try (Machine.Opened pair = machine.openPair(UnaryOperator.identity())) {
      for (long seed = 0; seed < 6; seed++) {
        run(pair.devices(), seed);
      }
    }
  }

  private static void run(List<Device> devices, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int count = 2 * devices.size();
    GlobalInts[] arrays = new GlobalInts[count];
    int[][] expected = new int[count + 1][LENGTH];
    int[] host = new int[LENGTH];
    List<Tasks> tasks = devices.stream().map(device -> device.tasks(3)).toList();
    for (int i = 0; i < count; i++) {
      arrays[i] = devices.get(i / 2).allocateInts(LENGTH);
      tasks.get(i / 2).fill(arrays[i], i);
      Arrays.fill(expected[i], i);
    }
    for (int step = 0; step < STEPS; step++) {
      int a = random.nextInt(count);
      int b = (a + 1 + random.nextInt(count - 1)) % count;
      int size = 1 + random.nextInt(LENGTH);
      int from = random.nextInt(LENGTH - size + 1);
      int to = random.nextInt(LENGTH - size + 1);
      switch (random.nextInt(5)) {
        case 0 -> {
          tasks.get(a / 2).fill(arrays[a].slice(from, size), step);
          Arrays.fill(expected[a], from, from + size, step);
        }
        case 1 -> {
          tasks.get(a / 2).copy(arrays[a], host);
          expected[count] = expected[a].clone();
        }
        case 2 -> {
          tasks.get(a / 2).copy(host, arrays[a]);
          expected[a] = expected[count].clone();
        }
        default -> {
          // Either device's tasks may copy.
          Tasks of = tasks.get((random.nextBoolean() ? a : b) / 2);
          of.copy(arrays[a].slice(from, size), arrays[b].slice(to, size));
          System.arraycopy(expected[a], from, expected[b], to, size);
        }
      }
    }
    tasks.forEach(Tasks::await);
    assertThat(host).as("seed %d: host", seed).isEqualTo(expected[count]);
    for (int i = 0; i < count; i++) {
      int[] read = new int[LENGTH];
      tasks.get(i / 2).copy(arrays[i], read).await();
      assertThat(read).as("seed %d: array %d", seed, i).isEqualTo(expected[i]);
      arrays[i].close();
    }
    tasks.forEach(Tasks::close);
  }
}
