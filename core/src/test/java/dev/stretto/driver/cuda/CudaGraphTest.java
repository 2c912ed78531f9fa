package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.ValueCondition;
import dev.stretto.driver.Volume;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which calls graphs become. */
class CudaGraphTest extends OnFakeCuda {
  private final Arena arena = Arena.ofShared();
  private long stream;
  private long array;
  private long other;
  private long host;

  @BeforeEach
  void allocate() {
    stream = device.createStream(0);
    array = device.allocate(4096);
    other = device.allocate(4096);
    host = device.allocatePinned(4096);
    List<String> _ = fake.calls();
  }

  @AfterEach
  void close() {
    arena.close();
  }

  private static GraphPlan.Step step(GraphWork work, Integer... after) {
    return new GraphPlan.Step(work, List.of(after));
  }

  private static GraphPlan plan(GraphPlan.Step... steps) {
    return new GraphPlan(List.of(steps));
  }

  private int hostInt(int index) {
    return MemorySegment.ofAddress(host).reinterpret(4096).getAtIndex(JAVA_INT, index);
  }

  private GraphWork.Kernel add(long function, long out, int a, long b) {
    MemorySegment parameters = arena.allocate(24, 8);
    parameters.set(JAVA_LONG, 0, out);
    parameters.set(JAVA_INT, 8, a);
    parameters.set(JAVA_LONG, 16, b);
    long at = parameters.address();
    return new GraphWork.Kernel(
        function,
        LaunchShape.of(2, 3, 4, 5, 6, 7, 8),
        parameters,
        arena.allocateFrom(JAVA_LONG, at, at + 8, at + 16));
  }

  private long function() {
    long module = device.loadModule(".version 8.0 .entry add .entry idle".getBytes(UTF_8));
    long function = device.function(module, "add", NoTwin.INSTANCE);
    List<String> _ = fake.calls();
    return function;
  }

  @Test
  void eachNodeIsAddedAfterThoseBeforeIt() {
    long function = function();
    long event = device.createEvent(true);
    List<String> _ = fake.calls();
    long graph =
        device.createGraph(
            plan(
                step(new GraphWork.Fill(array, 7, 4, 100)),
                step(new GraphWork.Fill(other, -1, 1, 100)),
                step(new GraphWork.Empty(), 0, 1),
                step(add(function, array, 40, 2), 2),
                step(new GraphWork.RecordEvent(event), 3),
                step(new GraphWork.WaitEvent(event), 2),
                step(GraphWork.Copy.of(host, array, 400, CopyKind.DEVICE_TO_HOST), 3, 5)));
    device.uploadGraph(graph, stream);
    device.launchGraph(graph, stream);
    device.destroyGraph(graph);

    assertThat(fake.calls())
        .containsExactly(
            "0 cuGraphCreate 0",
            "0 cuGraphAddMemsetNode 7 of 4, pitch 0, 100 x 1",
            "0 cuGraphAddMemsetNode 255 of 1, pitch 0, 100 x 1",
            "0 cuGraphAddEmptyNode after 0 1",
            "0 cuGraphAddKernelNode_v2 2 3 4 5 6 7 8 after 2",
            "0 cuGraphAddEventRecordNode after 3",
            "0 cuGraphAddEventWaitNode after 2",
            "0 cuGraphAddMemcpyNode 2>1 400 x 1, pitch 400 > 400 after 3 5",
            "0 cuGraphInstantiateWithFlags 0",
            "0 cuGraphUpload",
            "0 cuGraphLaunch",
            "0 cuGraphExecDestroy",
            "0 cuGraphDestroy");
    assertThat(hostInt(0)).isEqualTo(42);
    assertThat(hostInt(1)).isEqualTo(7);
    assertThat(fake.live(FakeCuda.Kind.GRAPH)).isZero();
    assertThat(fake.live(FakeCuda.Kind.EXEC)).isZero();
  }

  @Test
  void aFillOfEightBytesIsTwoNodesAndWhatFollowsComesAfterBoth() {
    long graph =
        device.createGraph(
            plan(
                step(new GraphWork.Fill(array, 0x0000_0002_0000_0001L, 8, 50)),
                step(GraphWork.Copy.of(host, array, 400, CopyKind.DEVICE_TO_HOST), 0)));
    assertThat(fake.calls())
        .containsSubsequence(
            "0 cuGraphAddMemsetNode 1 of 4, pitch 8, 1 x 50",
            "0 cuGraphAddMemsetNode 2 of 4, pitch 8, 1 x 50",
            "0 cuGraphAddMemcpyNode 2>1 400 x 1, pitch 400 > 400 after 0 1");
    device.launchGraph(graph, stream);
    assertThat(hostInt(98)).isEqualTo(1);
    assertThat(hostInt(99)).isEqualTo(2);
    failure(Kind.INVALID, () -> device.updateGraph(graph, 0, new GraphWork.Fill(array, 1, 8, 50)));
    device.destroyGraph(graph);
  }

  @Test
  void whicheverHalfOfAGraphCannotBeDestroyedTheOtherOneIs() {
    long graph = device.createGraph(plan(step(new GraphWork.Fill(array, 7, 4, 100))));
    fake.failNext("cuGraphExecDestroy", 1);
    failure(Kind.INVALID, () -> device.destroyGraph(graph));
    assertThat(fake.live(FakeCuda.Kind.GRAPH)).isZero();
  }

  @Test
  void rowsAreOneNodeUnlessTheyLieTooFarApart() {
    GraphWork.Copy rows = new GraphWork.Copy(array, 100, host, 80, 60, 3, CopyKind.HOST_TO_DEVICE);
    long graph = device.createGraph(plan(step(rows)));
    assertThat(fake.calls()).contains("0 cuGraphAddMemcpyNode 1>2 60 x 3, pitch 80 > 100");
    device.destroyGraph(graph);
    fake.set("pitch", 90);
    var narrow = driver.open(0);
    List<String> _ = fake.calls();
    long apart = narrow.createGraph(plan(step(rows), step(new GraphWork.Empty(), 0)));
    assertThat(fake.calls())
        .containsSubsequence(
            "0 cuGraphAddMemcpyNode 1>2 60 x 1, pitch 60 > 60",
            "0 cuGraphAddMemcpyNode 1>2 60 x 1, pitch 60 > 60",
            "0 cuGraphAddMemcpyNode 1>2 60 x 1, pitch 60 > 60",
            "0 cuGraphAddEmptyNode after 0 1 2");
    narrow.destroyGraph(apart);
  }

  @Test
  void clustersAreAnAttributeOfTheNode() {
    long function = function();
    MemorySegment none = arena.allocate(16);
    GraphWork.Kernel kernel = add(function, array, 1, 1);
    long graph =
        device.createGraph(
            plan(
                step(
                    new GraphWork.Kernel(
                        function,
                        new LaunchShape(2, 6, 4, 5, 6, 7, 1, 3, 2, 9),
                        kernel.parameters(),
                        kernel.parameterPointers()))));
    assertThat(none.byteSize()).isPositive();
    assertThat(fake.calls())
        .containsSubsequence(
            "0 cuGraphAddKernelNode_v2 2 6 4 5 6 7 9", "0 cuGraphKernelNodeSetAttribute 4: 1 3 2");
    device.destroyGraph(graph);
  }

  @Test
  void planesAreOneNodeIfCudaCanSayThem() {
    Volume tight = new Volume(8, 32, 16, 64, 8, 2, 3);
    Volume loose = new Volume(8, 33, 16, 64, 8, 2, 2);
    long graph =
        device.createGraph(
            plan(
                step(new GraphWork.Planes(other, array, tight, CopyKind.DEVICE_TO_DEVICE)),
                step(new GraphWork.Planes(other, array, loose, CopyKind.DEVICE_TO_DEVICE), 0)));
    assertThat(fake.calls())
        .containsExactly(
            "0 cuGraphCreate 0",
            "0 cuGraphAddMemcpyNode 2>2 8 x 2, pitch 16 > 8",
            "0 cuGraphAddMemcpyNode 2>2 8 x 2, pitch 16 > 8 after 0",
            "0 cuGraphAddMemcpyNode 2>2 8 x 2, pitch 16 > 8 after 0",
            "0 cuGraphInstantiateWithFlags 0");
    device.destroyGraph(graph);
  }

  @Test
  void numbersAreWrittenAndAwaitedByNodesThatChange() {
    long graph =
        device.createGraph(
            plan(
                step(new GraphWork.WriteValue(array, 7, 4)),
                step(new GraphWork.WaitValue(array + 8, -1, 8, ValueCondition.COMMON_BIT), 0)));
    device.updateGraph(graph, 0, new GraphWork.WriteValue(array, 8, 4));
    device.updateGraph(graph, 1, new GraphWork.WaitValue(array + 8, 3, 8, ValueCondition.AT_LEAST));
    assertThat(fake.calls())
        .containsExactly(
            "0 cuGraphCreate 0",
            "0 cuGraphAddBatchMemOpNode 2: 7, 0",
            "0 cuGraphAddBatchMemOpNode 4: 18446744073709551615, 2 after 0",
            "0 cuGraphInstantiateWithFlags 0",
            "0 cuGraphExecBatchMemOpNodeSetParams 0: 2: 8, 0",
            "0 cuGraphExecBatchMemOpNodeSetParams 1: 4: 3, 0");
    failure(
        Kind.INVALID,
        () -> device.updateGraph(graph, 0, new GraphWork.WriteValue(array + 2, 8, 4)));
    failure(
        Kind.INVALID,
        () -> device.createGraph(plan(step(new GraphWork.WriteValue(array + 4, 8, 8)))));
    device.destroyGraph(graph);
  }

  @Test
  void whatIsOffIsMadeAndThenSwitchedOff() {
    GraphWork fill = new GraphWork.Fill(array, 5, 4, 10);
    GraphWork words = new GraphWork.Fill(array, 5, 8, 10);
    long graph =
        device.createGraph(
            plan(step(fill), step(new GraphWork.Off(words), 0), step(new GraphWork.Empty(), 1)));
    device.updateGraph(graph, 0, new GraphWork.Off(new GraphWork.Fill(array, 6, 4, 10)));
    device.updateGraph(graph, 1, words);
    assertThat(fake.calls())
        .containsSubsequence(
            "0 cuGraphInstantiateWithFlags 0",
            "0 cuGraphNodeSetEnabled 1: 0",
            "0 cuGraphNodeSetEnabled 2: 0",
            "0 cuGraphExecMemsetNodeSetParams 0: 6 of 4, 10 x 1",
            "0 cuGraphNodeSetEnabled 0: 0",
            "0 cuGraphNodeSetEnabled 1: 1",
            "0 cuGraphNodeSetEnabled 2: 1");
    assertThatThrownBy(() -> new GraphWork.Off(new GraphWork.Empty()))
        .isInstanceOf(IllegalArgumentException.class);
    device.destroyGraph(graph);
  }

  private GraphWork.Conditional conditional(
      GraphWork.Branching branching, long condition, GraphPlan... bodies) {
    return new GraphWork.Conditional(branching, condition, List.of(bodies));
  }

  @Test
  void aConditionIsToldBeforeTheNodeAndBehindAllOfABodyThatIsRepeated() {
    long function = function();
    GraphPlan body =
        plan(
            step(new GraphWork.Fill(other, 4, 4, 10)),
            step(add(function, array, 0, 0)), // the int is 0 from now on
            step(new GraphWork.Fill(other + 40, 5, 4, 10), 0));
    long graph =
        device.createGraph(
            plan(
                step(new GraphWork.Fill(array, 1, 4, 1)),
                step(conditional(GraphWork.Branching.WHILE, array, body), 0),
                step(GraphWork.Copy.of(host, other, 80, CopyKind.DEVICE_TO_HOST), 1)));
    assertThat(fake.calls())
        .containsSubsequence(
            "0 cuGraphAddMemsetNode 1 of 4, pitch 0, 1 x 1",
            "0 cuGraphConditionalHandleCreate 0 0",
            "0 cuGraphAddKernelNode_v2 1 1 1 1 1 1 0 after 0",
            "0 cuGraphAddNode_v2 13: 1 of 1 after 1",
            "0 cuGraphAddMemsetNode 4 of 4, pitch 0, 10 x 1",
            "0 cuGraphAddKernelNode_v2 2 3 4 5 6 7 8",
            "0 cuGraphAddMemsetNode 5 of 4, pitch 0, 10 x 1 after 0",
            "0 cuGraphAddKernelNode_v2 1 1 1 1 1 1 0 after 1 2",
            "0 cuGraphAddMemcpyNode 2>1 80 x 1, pitch 80 > 80 after 2",
            "0 cuGraphInstantiateWithFlags 0");
    device.launchGraph(graph, stream);
    assertThat(hostInt(0)).isEqualTo(4);
    assertThat(hostInt(19)).isEqualTo(5);
    failure(Kind.INVALID, () -> device.updateGraph(graph, 1, new GraphWork.Empty()));
    device.destroyGraph(graph);
    assertThat(fake.live(FakeCuda.Kind.GRAPH)).isZero();
  }

  @Test
  void bodiesAreChosenAndNested() {
    GraphPlan inner =
        plan(
            step(
                conditional(
                    GraphWork.Branching.IF,
                    array,
                    plan(step(new GraphWork.Fill(other, 1, 4, 1))),
                    plan(step(new GraphWork.Fill(other, 2, 4, 1))))));
    long graph =
        device.createGraph(
            plan(
                step(
                    conditional(
                        GraphWork.Branching.SWITCH,
                        array,
                        inner,
                        plan(step(new GraphWork.Fill(other, 3, 4, 1))),
                        inner)),
                step(GraphWork.Copy.of(host, other, 4, CopyKind.DEVICE_TO_HOST), 0)));
    int[] expected = {2, 3, 1, 77};
    for (int choice = 0; choice < expected.length; choice++) {
      device.fill(other, 77, 4, 1, stream);
      device.fill(array, choice, 4, 1, stream);
      device.launchGraph(graph, stream);
      assertThat(hostInt(0)).isEqualTo(expected[choice]);
    }
    device.destroyGraph(graph);
    assertThat(fake.live(FakeCuda.Kind.GRAPH)).isZero();
  }

  @Test
  void theKernelThatTellsConditionsIsLoadedOnceAndUnloadedWithTheDevice() {
    var second = driver.open(1);
    long memory = second.allocate(64);
    GraphPlan plan =
        plan(step(conditional(GraphWork.Branching.IF, memory, plan(step(new GraphWork.Empty())))));
    int before = fake.live(FakeCuda.Kind.MODULE);
    long one = second.createGraph(plan);
    long two = second.createGraph(plan);
    assertThat(fake.live(FakeCuda.Kind.MODULE)).isEqualTo(before + 1);
    second.destroyGraph(one);
    second.destroyGraph(two);
    second.free(memory);
    second.close();
    assertThat(fake.live(FakeCuda.Kind.MODULE)).isEqualTo(before);
  }

  @Test
  void aConditionalNodeThatFailsLeavesNothingBehind() {
    GraphPlan plan =
        plan(
            step(
                conditional(
                    GraphWork.Branching.WHILE,
                    array,
                    plan(step(new GraphWork.Fill(other, 1, 4, 1))))));
    device.destroyGraph(device.createGraph(plan)); // the kernel is loaded
    for (String call :
        List.of(
            "cuGraphConditionalHandleCreate",
            "cuGraphAddNode_v2",
            "cuGraphAddKernelNode_v2",
            "cuGraphAddMemsetNode")) {
      fake.failNext(call, 2);
      failure(Kind.OUT_OF_MEMORY, () -> device.createGraph(plan));
      assertThat(fake.live(FakeCuda.Kind.GRAPH)).as(call).isZero();
      assertThat(fake.live(FakeCuda.Kind.EXEC)).as(call).isZero();
    }
    failure(
        Kind.INVALID,
        () ->
            device.createGraph(
                plan(
                    step(
                        conditional(
                            GraphWork.Branching.WHILE,
                            array + 2,
                            plan(step(new GraphWork.Empty())))))));
  }

  @Test
  void aCopyBetweenDevicesIsACopyOfTheGraphsOwn() {
    var second = driver.open(1);
    long memory = second.allocate(4096);
    device.enablePeerAccess(second);
    List<String> _ = fake.calls();
    long graph =
        device.createGraph(
            plan(
                step(new GraphWork.Fill(array, 6, 4, 8)),
                step(new GraphWork.PeerCopy(memory, 1, array, 0, Volume.run(32)), 0),
                step(new GraphWork.PeerCopy(other, 0, memory, 1, Volume.run(32)), 1),
                step(GraphWork.Copy.of(host, other, 32, CopyKind.DEVICE_TO_HOST), 2)));
    device.updateGraph(graph, 2, new GraphWork.PeerCopy(other, 0, memory, 1, Volume.run(16)));
    failure(
        Kind.INVALID,
        () ->
            device.updateGraph(
                graph, 2, new GraphWork.PeerCopy(memory, 1, other, 0, Volume.run(16))));
    assertThat(fake.calls())
        .contains(
            "0 cuGraphAddMemcpyNode 2>2 32 x 1, pitch 32 > 32 after 0",
            "0 cuGraphAddMemcpyNode 2>2 32 x 1, pitch 32 > 32 after 1",
            "0 cuGraphExecMemcpyNodeSetParams 2: 2>2 16 x 1");
    device.fill(other, 9, 4, 8, stream);
    device.launchGraph(graph, stream);
    assertThat(hostInt(3)).isEqualTo(6);
    assertThat(hostInt(4)).isEqualTo(9);
    device.destroyGraph(graph);
    device.disablePeerAccess(second);
    second.free(memory);
    second.close();
  }

  @Test
  void workOfAnotherDeviceIsAddedAndChangedInItsContext() {
    var second = driver.open(1);
    long memory = second.allocate(4096);
    long module = second.loadModule(".version 8.0 .entry add .entry idle".getBytes(UTF_8));
    long function = second.function(module, "add", NoTwin.INSTANCE);
    device.enablePeerAccess(second);
    List<String> _ = fake.calls();
    GraphWork off =
        new GraphWork.Off(new GraphWork.Elsewhere(second, new GraphWork.Fill(memory, 8, 4, 4)));
    long graph =
        device.createGraph(
            plan(
                step(new GraphWork.Elsewhere(second, new GraphWork.Fill(memory, 6, 4, 8))),
                step(new GraphWork.Elsewhere(second, add(function, memory, 2, 3)), 0),
                step(off, 1),
                step(
                    new GraphWork.Elsewhere(
                        second, new GraphWork.PeerCopy(array, 0, memory, 1, Volume.run(32))),
                    2),
                step(GraphWork.Copy.of(host, array, 32, CopyKind.DEVICE_TO_HOST), 3)));
    assertThat(fake.calls())
        .contains(
            "1 cuGraphAddMemsetNode 6 of 4, pitch 0, 8 x 1",
            "1 cuGraphAddKernelNode_v2 2 3 4 5 6 7 8 after 0",
            "1 cuGraphAddMemcpyNode 2>2 32 x 1, pitch 32 > 32 after 2",
            "0 cuGraphAddMemcpyNode 2>1 32 x 1, pitch 32 > 32 after 3");
    device.launchGraph(graph, stream);
    assertThat(hostInt(0)).isEqualTo(5);
    assertThat(hostInt(1)).isEqualTo(6);
    List<String> _ = fake.calls();
    device.updateGraph(
        graph, 0, new GraphWork.Elsewhere(second, new GraphWork.Fill(memory, 7, 4, 8)));
    device.updateGraph(graph, 1, new GraphWork.Elsewhere(second, add(function, memory, 20, 30)));
    device.updateGraph(
        graph,
        3,
        new GraphWork.Elsewhere(
            second, new GraphWork.PeerCopy(array, 0, memory, 1, Volume.run(16))));
    assertThat(fake.calls())
        .contains(
            "1 cuGraphExecMemsetNodeSetParams 0: 7 of 4, 8 x 1",
            "1 cuGraphExecKernelNodeSetParams_v2 1: 2 3 4 5 6 7 8",
            "1 cuGraphExecMemcpyNodeSetParams 3: 2>2 16 x 1");
    failure(Kind.INVALID, () -> device.updateGraph(graph, 0, new GraphWork.Fill(memory, 7, 4, 8)));
    device.launchGraph(graph, stream);
    assertThat(hostInt(0)).isEqualTo(50);
    assertThat(hostInt(1)).isEqualTo(7);
    device.destroyGraph(graph);
    second.unloadModule(module);
    second.free(memory);
    second.close();
  }

  @Test
  void nodesAreChangedInWhatIsLaunched() {
    long function = function();
    long graph =
        device.createGraph(
            plan(
                step(new GraphWork.Fill(array, 1, 4, 10)),
                step(add(function, array, 2, 3), 0),
                step(GraphWork.Copy.of(host, array, 8, CopyKind.DEVICE_TO_HOST), 1)));
    List<String> _ = fake.calls();
    device.updateGraph(graph, 0, new GraphWork.Fill(other, 8, 4, 20));
    device.updateGraph(graph, 1, add(function, other, 20, 30));
    device.updateGraph(graph, 2, GraphWork.Copy.of(host, other, 12, CopyKind.DEVICE_TO_HOST));
    assertThat(fake.calls())
        .containsExactly(
            "0 cuGraphExecMemsetNodeSetParams 0: 8 of 4, 20 x 1",
            "0 cuGraphExecKernelNodeSetParams_v2 1: 2 3 4 5 6 7 8",
            "0 cuGraphExecMemcpyNodeSetParams 2: 2>1 12 x 1");
    device.launchGraph(graph, stream);
    assertThat(hostInt(0)).isEqualTo(50);
    assertThat(hostInt(2)).isEqualTo(8);
    failure(
        Kind.INVALID,
        () ->
            device.updateGraph(
                graph, 2, GraphWork.Copy.of(array, host, 8, CopyKind.HOST_TO_DEVICE)));
    failure(Kind.INVALID, () -> device.updateGraph(graph, 0, new GraphWork.Empty()));
    device.destroyGraph(graph);
    failure(Kind.INVALID, () -> device.destroyGraph(graph));
    failure(Kind.INVALID, () -> device.updateGraph(graph, 0, new GraphWork.Empty()));
  }

  @Test
  void whatFailsLeavesNothingBehind() {
    GraphPlan plan = plan(step(new GraphWork.Fill(array, 1, 4, 10)), step(new GraphWork.Empty()));
    for (String call :
        List.of(
            "cuGraphCreate",
            "cuGraphAddMemsetNode",
            "cuGraphAddEmptyNode",
            "cuGraphInstantiateWithFlags")) {
      fake.failNext(call, 2);
      assertThat(failure(Kind.OUT_OF_MEMORY, () -> device.createGraph(plan)))
          .hasMessageStartingWith(call + ": CUDA_ERROR_OUT_OF_MEMORY (2)");
      assertThat(fake.live(FakeCuda.Kind.GRAPH)).as(call).isZero();
      assertThat(fake.live(FakeCuda.Kind.EXEC)).as(call).isZero();
    }
    assertThat(fake.depth()).isLessThanOrEqualTo(1);
    long graph = device.createGraph(plan);
    fake.failNext("cuGraphLaunch", 1);
    failure(Kind.INVALID, () -> device.launchGraph(graph, stream));
    failure(Kind.INVALID, () -> device.launchGraph(0, stream));
    failure(Kind.INVALID, () -> device.launchGraph(graph, 0));
    device.destroyGraph(graph);
  }

  @Test
  void graphsOfTheSecondDeviceAreMadeWithItsContext() {
    var second = driver.open(1);
    long memory = second.allocate(64);
    long onIt = second.createStream(0);
    List<String> _ = fake.calls();
    long graph = second.createGraph(plan(step(new GraphWork.Fill(memory, 1, 4, 16))));
    second.launchGraph(graph, onIt);
    assertThat(fake.calls())
        .contains(
            "1 cuGraphAddMemsetNode 1 of 4, pitch 0, 16 x 1",
            "1 cuGraphInstantiateWithFlags 0",
            "1 cuGraphLaunch");
    second.destroyGraph(graph);
  }
}
