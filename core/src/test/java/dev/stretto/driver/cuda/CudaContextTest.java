package dev.stretto.driver.cuda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.TensorLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CudaContextTest extends OnFakeCuda {
  private DriverDevice second;
  private final long[] streams = new long[2];
  private final long[] memory = new long[2];

  @BeforeEach
  void openTheSecondDevice() {
    second = driver.open(1);
    for (int i = 0; i < 2; i++) {
      streams[i] = device(i).createStream(0);
      memory[i] = device(i).allocate(64);
    }
    List<String> _ = fake.calls();
  }

  private DriverDevice device(int ordinal) {
    return ordinal == 0 ? device : second;
  }

  private void copyOn(int ordinal) {
    device(ordinal)
        .copy(
            memory[ordinal], memory[ordinal] + 32, 32, CopyKind.DEVICE_TO_DEVICE, streams[ordinal]);
  }

  @Test
  void anotherLibrarysContextIsCurrentAgainAfterEachCall() {
    fake.makeCurrent(0);

    copyOn(1);

    assertThat(fake.calls())
        .containsExactly(
            "0 cuCtxPushCurrent_v2 1", "1 cuMemcpyDtoDAsync_v2 32", "1 cuCtxPopCurrent_v2");
    assertThat(fake.current()).isZero();
    assertThat(fake.depth()).isEqualTo(1);
  }

  @Test
  void theFirstDeviceReplacesNoOtherLibrarysContextEither() {
    fake.makeCurrent(1);

    copyOn(0);

    assertThat(fake.calls()).contains("0 cuMemcpyDtoDAsync_v2 32");
    assertThat(fake.current()).isEqualTo(1);
    assertThat(fake.depth()).isEqualTo(1);
  }

  @Test
  void everythingThatEnqueuesWorkHasItsContextCurrent() {
    fake.makeCurrent(0);
    long function =
        second.function(second.loadModule(".entry idle".getBytes(UTF_8)), "idle", NoTwin.INSTANCE);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment host = arena.allocate(32);
      assertThat(fake.calls()).isNotEmpty();

      second.launch(function, LaunchShape.of(1, 1, 1, 1, 1, 1, 0), streams[1], host, host);
      second.fill(memory[1], 1, 4, 4, streams[1]);
      second.fill(memory[1], 1, 8, 4, streams[1]);
      second.copy2D(memory[1], 8, host.address(), 8, 4, 2, CopyKind.HOST_TO_DEVICE, streams[1]);
      second.copyPageable(memory[1], host, CopyKind.HOST_TO_DEVICE, streams[1]);
    }

    assertThat(fake.calls())
        .filteredOn(call -> !call.contains("cuCtx"))
        .hasSize(6)
        .allMatch(call -> call.startsWith("1 "));
    assertThat(fake.current()).isZero();
  }

  /** The driver's table of them lies in the host's memory, and yet it wants a context. */
  @Test
  void aTensorMapOfTheSecondDeviceIsEncodedByAThreadWithoutAContext() {
    TensorLayout layout =
        TensorLayout.tiled(
            7, 4_096, new long[] {100}, new long[] {}, new int[] {32}, new int[] {1}, 0, 0, 0, 0);
    fake.makeCurrent(-1);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment map = arena.allocate(TensorLayout.BYTES, 8);

      second.encode(layout, map);

      assertThat(map.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(4_096);
    }
    assertThat(fake.current()).isEqualTo(-1);
  }

  @Test
  void theContextIsCurrentAgainAfterAFailureToo() {
    fake.makeCurrent(0);
    fake.failNext("cuMemcpyDtoDAsync_v2", 1);

    failure(Kind.INVALID, () -> copyOn(1));

    assertThat(fake.current()).isZero();
    assertThat(fake.depth()).isEqualTo(1);
  }

  @Test
  void theDevicesOwnContextNeedsNoChange() {
    fake.makeCurrent(1);

    copyOn(1);

    assertThat(fake.calls()).containsExactly("1 cuMemcpyDtoDAsync_v2 32");
  }

  @Test
  void onAThreadWithoutAContextTheFirstDevicesStays() {
    fake.makeCurrent(-1);

    copyOn(0);
    copyOn(0);

    assertThat(fake.calls())
        .containsExactly(
            "- cuCtxSetCurrent 0", "0 cuMemcpyDtoDAsync_v2 32", "0 cuMemcpyDtoDAsync_v2 32");
  }

  @Test
  void onAThreadWithoutAContextAnotherDevicesDoesNot() {
    fake.makeCurrent(-1);

    copyOn(1);

    assertThat(fake.current()).isEqualTo(-1);
  }

  @Test
  void callsOnStreamsAndEventsLeaveTheContextAlone() {
    long event = second.createEvent(true);
    long start = second.createEvent(true);
    fake.makeCurrent(-1);
    assertThat(fake.calls()).isNotEmpty();

    second.recordEvent(start, streams[1]);
    second.recordEvent(event, streams[1]);
    second.waitEvent(streams[1], event);
    assertThat(second.isDone(event)).isTrue();
    second.awaitEvent(event);
    assertThat(second.elapsedNanos(start, event)).isPositive();
    second.free(second.allocate(16));

    assertThat(fake.calls()).isNotEmpty().allMatch(call -> call.startsWith("- "));
  }

  @Test
  void manyVirtualThreadsOnManyDevicesNeverSeeAWrongContext()
      throws ExecutionException, InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        int ordinal = i % 2;
        all.add(
            threads.submit(
                () -> {
                  for (int n = 0; n < 20; n++) {
                    // The fake refuses a copy while another device's context is current.
                    copyOn(ordinal);
                    long event = device(ordinal).createEvent(false);
                    device(ordinal).recordEvent(event, streams[ordinal]);
                    LockSupport.parkNanos(1); // may continue on another carrier
                    copyOn(1 - ordinal);
                    device(ordinal).destroyEvent(event);
                  }
                  return 1;
                }));
      }
      for (Future<Integer> each : all) {
        assertThat(each.get()).isEqualTo(1);
      }
    }
  }

  @Test
  void virtualThreadsThatWaitForEachOtherWhileTheyCreateGraphsNeverChangeContexts()
      throws ExecutionException, InterruptedException {
    long module = second.loadModule(".version 8.0 .entry idle".getBytes(UTF_8));
    long function = second.function(module, "idle", NoTwin.INSTANCE);
    fake.makeCurrent(0);
    List<String> _ = fake.calls();
    fake.set("slowMillis", 1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Arena arena = Arena.ofShared()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        int shared = 50_000 + 16 * i; // each raises the limit of shared memory
        all.add(
            threads.submit(
                () -> second.destroyGraph(second.createGraph(plan(function, shared, arena)))));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }

    assertThat(fake.calls())
        .anyMatch(call -> call.contains("cuFuncSetAttribute"))
        .filteredOn(call -> call.contains("Pop") || call.contains("cuFuncSetAttribute"))
        .as("on a thread whose context is another's, or none")
        .allMatch(call -> call.startsWith("1 "));
  }

  private static GraphPlan plan(long function, int sharedBytes, Arena arena) {
    MemorySegment none = arena.allocate(8);
    GraphWork.Kernel kernel =
        new GraphWork.Kernel(function, LaunchShape.of(1, 1, 1, 1, 1, 1, sharedBytes), none, none);
    return new GraphPlan(List.of(new GraphPlan.Step(kernel, List.of())));
  }
}
