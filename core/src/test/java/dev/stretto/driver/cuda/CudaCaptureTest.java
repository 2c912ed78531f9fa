package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which calls capture what another library enqueues, and that each capture ends. */
class CudaCaptureTest extends OnFakeCuda {
  private long stream;
  private long array;
  private long host;
  private int streams;

  @BeforeEach
  void allocate() {
    stream = device.createStream(0);
    array = device.allocate(4096);
    host = device.allocatePinned(4096);
    streams = fake.live(FakeCuda.Kind.STREAM);
    List<String> _ = fake.calls();
  }

  private GraphWork.Captured twoFills() {
    return device.capture(
        handle -> {
          device.fill(array, 7, 4, 100, handle);
          device.fill(array + 400, 8, 4, 50, handle);
        });
  }

  private static GraphPlan plan(GraphPlan.Step... steps) {
    return new GraphPlan(List.of(steps));
  }

  private static GraphPlan.Step step(GraphWork work, Integer... after) {
    return new GraphPlan.Step(work, List.of(after));
  }

  private int hostInt(int index) {
    return MemorySegment.ofAddress(host).reinterpret(4096).getAtIndex(JAVA_INT, index);
  }

  private void requireNothingLeft() {
    assertThat(fake.live(FakeCuda.Kind.STREAM)).isEqualTo(streams);
    assertThat(fake.live(FakeCuda.Kind.GRAPH)).isZero();
    assertThat(fake.live(FakeCuda.Kind.EXEC)).isZero();
    assertThat(fake.depth()).isLessThanOrEqualTo(1);
  }

  @Test
  void whatIsCapturedOnAStreamOfItsOwnBecomesAChildOfGraphs() {
    GraphWork.Captured captured = twoFills();
    assertThat(captured.nodes()).isEqualTo(2);
    assertThat(fake.calls())
        .containsExactly(
            "0 cuStreamCreateWithPriority 1 0",
            "0 cuStreamBeginCapture_v2 2",
            "0 cuMemsetD32Async 100",
            "0 cuMemsetD32Async 50",
            "0 cuStreamEndCapture",
            "0 cuStreamDestroy_v2",
            "0 cuGraphCreate 0",
            "0 cuGraphAddChildGraphNode",
            "0 cuGraphDestroy",
            "0 cuGraphGetNodes");
    long graph =
        device.createGraph(
            plan(
                step(new GraphWork.Fill(array, 1, 4, 200)),
                step(new GraphWork.Empty()),
                step(captured, 0, 1),
                step(GraphWork.Copy.of(host, array, 800, CopyKind.DEVICE_TO_HOST), 2)));
    assertThat(fake.calls())
        .containsSubsequence(
            "0 cuGraphAddChildGraphNode after 0 1",
            "0 cuGraphAddMemcpyNode 2>1 800 x 1, pitch 800 > 800 after 2");
    device.destroyCaptured(captured);
    for (int i = 0; i < 2; i++) {
      device.launchGraph(graph, stream);
      assertThat(hostInt(0)).isEqualTo(7);
      assertThat(hostInt(100)).isEqualTo(8);
      assertThat(hostInt(199)).isEqualTo(1);
      MemorySegment.ofAddress(host).reinterpret(4096).fill((byte) 0);
    }
    device.destroyGraph(graph);
    requireNothingLeft();
  }

  @Test
  void capturedWorkOfAnotherDeviceIsAddedInItsContext() {
    DriverDevice second = driver.open(1);
    long there = second.allocate(64);
    GraphWork.Captured captured = second.capture(handle -> second.fill(there, 5, 4, 16, handle));
    List<String> _ = fake.calls();
    streams = fake.live(FakeCuda.Kind.STREAM);
    long graph = device.createGraph(plan(step(new GraphWork.Elsewhere(second, captured))));
    assertThat(fake.calls()).contains("1 cuGraphAddChildGraphNode");
    device.destroyGraph(graph);
    second.destroyCaptured(captured);
    requireNothingLeft();
  }

  @Test
  void whateverHappensTheCaptureEndsAndNothingIsLeft() {
    assertThatThrownBy(
            () ->
                device.capture(
                    handle -> {
                      device.fill(array, 7, 4, 100, handle);
                      throw new IllegalStateException("their error");
                    }))
        .hasMessage("their error");
    assertThat(fake.calls())
        .containsSubsequence("0 cuStreamEndCapture", "0 cuGraphDestroy", "0 cuStreamDestroy_v2");
    requireNothingLeft();
    DriverException broken =
        failure(
            Kind.OTHER,
            () ->
                device.capture(
                    handle ->
                        assertThatThrownBy(() -> device.isIdle(handle))
                            .hasMessageContaining("900")));
    assertThat(broken)
        .hasMessageContaining("cuStreamEndCapture: CUDA_ERROR_STREAM_CAPTURE_INVALIDATED (901)");
    requireNothingLeft();
    for (String call :
        List.of(
            "cuStreamCreateWithPriority",
            "cuStreamBeginCapture_v2",
            "cuGraphCreate",
            "cuGraphAddChildGraphNode",
            "cuGraphGetNodes")) {
      fake.failNext(call, 1);
      failure(Kind.INVALID, this::twoFills);
      requireNothingLeft();
    }
  }
}
