package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.contract.PlantedFaults.Fault;
import dev.stretto.fault.StrettoException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * That the seeded device is worth its name: a correct program passes under every seed, and if one
 * wait, one event or one free is wrong, at least one of the seeds shows it.
 */
class PlantedFaultTest {
  private static final int SEEDS = Sample.of(60, 200);

  /** So many until a fault counts as never caught; most are caught by the first few. */
  private static final int MOST_SEEDS = 1000;

  private static final int CHUNKS = 6;
  private static final int N = 1000;

  @Test
  void theCorrectProgramPassesUnderEverySeed() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      String trouble = run(seed, new PlantedFaults[1], Fault.DROPPED_WAIT, 0, Set.of());
      assertThat(trouble).as("under seed %d", seed).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void everyPlantedFaultIsCaughtByASeed(Fault fault) {
    int number = 1;
    while (isCaught(fault, number)) {
      number++;
    }
    assertThat(number).as("places of %s in the program", fault).isGreaterThan(CHUNKS);
  }

  /** {@return false if there is no such place under any seed} */
  private static boolean isCaught(Fault fault, int number) {
    int planted = 0;
    for (int seed = 1; seed <= MOST_SEEDS; seed++) {
      PlantedFaults[] driver = new PlantedFaults[1];
      Set<Integer> awaited = Set.of();
      if (fault == Fault.RECORD_OF_ANOTHER_EVENT) {
        run(seed, driver, fault, 0, Set.of());
        awaited = new TreeSet<>(driver[0].awaitedRecordings());
      }
      String trouble = run(seed, driver, fault, number, awaited);
      planted += driver[0].wasPlanted() ? 1 : 0;
      if (trouble != null && driver[0].wasPlanted()) {
        return true;
      }
      if (seed == 20 && planted == 0) {
        return false;
      }
    }
    throw new AssertionError(
        "%s number %d was planted under %d of %d seeds and never caught"
            .formatted(fault, number, planted, MOST_SEEDS));
  }

  /** {@return what went wrong, or null} */
  private static String run(
      int seed, PlantedFaults[] driver, Fault fault, int number, Set<Integer> awaited) {
    try (Machine.Opened opened =
        new Machine("virtual:h200,seed=" + seed)
            .open(inner -> driver[0] = new PlantedFaults(inner, fault, number, awaited))) {
      opened.device().pinnedBudget(9 << 20);
      return pipeline(opened.device());
    } catch (StrettoException e) {
      return e.toString();
    }
  }

  /**
   * Chunks go through two buffers on the device: in on one stream, through a kernel on a second,
   * out on a third; every other one by way of ordinary memory. Without any one of the waits the
   * buffers are used too early or too late.
   */
  private static String pipeline(Device device) {
    int[][] results = new int[CHUNKS][N];
    MemorySegment[] pinnedResults = new MemorySegment[CHUNKS];
    try (Stream in = device.stream();
        Stream compute = device.stream();
        Stream out = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      GlobalInts[] buffers = {device.allocateInts(N), device.allocateInts(N)};
      Event[] emptied = new Event[2];
      for (int i = 0; i < CHUNKS; i++) {
        GlobalInts buffer = buffers[i % 2];
        int[] source = new int[N];
        java.util.Arrays.fill(source, 1000 * (i + 1));
        MemorySegment from = pinned.allocate(4L * N, 4);
        MemorySegment.copy(source, 0, from, ValueLayout.JAVA_INT, 0, N);
        if (emptied[i % 2] != null) {
          in.waitFor(emptied[i % 2]);
        }
        in.copy(from, buffer);
        compute.waitFor(in.record());
        compute.launch(Grid.covering(N, 128), Kernels.ADD, buffer, i + 1, N);
        out.waitFor(compute.record());
        if (i % 3 == 2) {
          out.copy(buffer, results[i]);
        } else {
          pinnedResults[i] = pinned.allocate(4L * N, 4);
          out.copy(buffer, pinnedResults[i]);
        }
        emptied[i % 2] = out.record();
      }
      buffers[0].close();
      buffers[1].close();
      out.await();
      for (int i = 0; i < CHUNKS; i++) {
        if (pinnedResults[i] != null) {
          MemorySegment.copy(pinnedResults[i], ValueLayout.JAVA_INT, 0, results[i], 0, N);
        }
        for (int k = 0; k < N; k++) {
          if (results[i][k] != 1001 * (i + 1)) {
            return "chunk %d, element %d is %d".formatted(i, k, results[i][k]);
          }
        }
      }
      return null;
    }
  }
}
