package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphNode;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.collective.Collective;
import dev.stretto.collective.CollectiveCopy;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * That seeds try many orders, and only legal ones, where graphs and collectives leave them open.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeededOrderTest {
  private static final int SEEDS = 60;
  private static final int BYTES = 1 << 14;

  /** {@return the different traces of a program under many seeds} */
  private static <T> Set<T> traces(IntFunction<T> program) {
    Set<T> traces = new HashSet<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      traces.add(program.apply(seed));
    }
    return traces;
  }

  @Test
  void callbacksOfAGraphThatAreInNoOrderRunInAny() {
    Set<List<Integer>> traces =
        traces(
            seed -> {
              List<Integer> trace = Collections.synchronizedList(new ArrayList<>());
              try (Device device = Device.open("virtual:h200,seed=" + seed);
                  Stream stream = device.stream()) {
                GraphBuilder builder = Graph.builder(device);
                GraphNode first = builder.then(() -> trace.add(0));
                builder.then(() -> trace.add(1));
                builder.then(() -> trace.add(2));
                builder.then(() -> trace.add(3), first);
                builder.then(() -> trace.add(4), first);
                try (Graph graph = builder.build()) {
                  graph.launch(stream);
                  stream.await();
                }
              }
              return List.copyOf(trace);
            });
    assertThat(traces).hasSizeGreaterThan(20);
    assertThat(traces)
        .allSatisfy(
            trace -> {
              assertThat(trace).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
              assertThat(trace.indexOf(0)).isLessThan(trace.indexOf(3));
              assertThat(trace.indexOf(0)).isLessThan(trace.indexOf(4));
            });
  }

  @Test
  void aCallbackThatIsInNoOrderWithACopyRunsBeforeItOrBehindIt() {
    Set<Byte> seen =
        traces(
            seed -> {
              byte[] byCallback = new byte[1];
              try (Device device = Device.open("virtual:h200,seed=" + seed);
                  Stream stream = device.stream();
                  PinnedArena pinned = device.pinnedArena();
                  GlobalBytes array = device.allocateBytes(BYTES)) {
                MemorySegment out = pinned.allocate(BYTES);
                stream.fill(array, (byte) 7).await();
                GraphBuilder builder = Graph.builder(device);
                GraphNode copy = builder.copy(array, out);
                GraphNode before = builder.then(() -> {});
                builder.then(() -> byCallback[0] = out.get(JAVA_BYTE, 0), before);
                byte[] behind = new byte[1];
                builder.then(() -> behind[0] = out.get(JAVA_BYTE, BYTES - 1), copy);
                try (Graph graph = builder.build()) {
                  graph.launch(stream);
                  stream.await();
                }
                assertThat(behind[0]).isEqualTo((byte) 7);
              }
              return byCallback[0];
            });
    assertThat(seen).containsExactlyInAnyOrder((byte) 0, (byte) 7);
  }

  @Test
  void copiesOfAGraphThatAreInNoOrderArriveInAny() {
    Set<List<Integer>> traces =
        traces(
            seed -> {
              try (Device device = Device.open("virtual:h200,seed=" + seed);
                  Stream stream = device.stream();
                  PinnedArena pinned = device.pinnedArena();
                  GlobalBytes array = device.allocateBytes(6 * BYTES)) {
                MemorySegment out = pinned.allocate(6 * BYTES);
                stream.fill(array, (byte) 7).await();
                GraphBuilder builder = Graph.builder(device);
                for (int i = 0; i < 6; i++) {
                  builder.copy(
                      array.slice((long) i * BYTES, BYTES), out.asSlice((long) i * BYTES, BYTES));
                }
                try (Graph graph = builder.build()) {
                  graph.launch(stream);
                  List<Integer> trace = new ArrayList<>();
                  while (!stream.isDone()) {
                    for (int i = 0; i < 6; i++) {
                      if (!trace.contains(i) && out.get(JAVA_BYTE, (i + 1L) * BYTES - 1) == 7) {
                        trace.add(i);
                      }
                    }
                  }
                  return trace;
                }
              }
            });
    assertThat(traces).hasSizeGreaterThan(SEEDS / 2);
  }

  @Test
  void copiesOfACollectiveThatAreInNoOrderArriveInAny() {
    Set<List<Integer>> traces =
        traces(
            seed -> {
              List<Device> devices = Device.openAll("virtual:h200x4,seed=" + seed);
              List<Integer> trace = Collections.synchronizedList(new ArrayList<>());
              try (Collective all = Collective.of(devices)) {
                List<GlobalBytes> slots = new ArrayList<>();
                List<GlobalBytes> wholes = new ArrayList<>();
                for (Device device : devices) {
                  slots.add(device.allocateBytes(BYTES));
                  wholes.add(device.allocateBytes(4 * BYTES));
                }
                CollectiveCopy copy = all.allGather(slots, wholes);
                List<Copy> copies = copy.copies();
                for (int i = 0; i < copies.size(); i++) {
                  int number = i;
                  var _ = copies.get(i).toCompletableFuture().thenRun(() -> trace.add(number));
                }
                copy.await();
                copies.forEach(Copy::await);
                slots.forEach(GlobalBytes::close);
                wholes.forEach(GlobalBytes::close);
              } finally {
                devices.forEach(Device::close);
              }
              return List.copyOf(trace);
            });
    assertThat(traces).hasSizeGreaterThan(SEEDS / 2);
  }
}
