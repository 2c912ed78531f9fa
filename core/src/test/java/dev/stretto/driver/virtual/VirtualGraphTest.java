package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.Volume;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a launch of a graph takes on the modelled device, and what cannot be one. */
class VirtualGraphTest {
  private static final int NODES = 64;
  private static final int BYTES = 1 << 20;

  private VirtualDriver driver;
  private DriverDevice device;
  private long stream;
  private long array;

  @BeforeEach
  void open() {
    driver = new VirtualDriver(VirtualConfig.parse("seed=1"));
    device = driver.open(0);
    stream = device.createStream(0);
    array = device.allocate(64L * BYTES);
  }

  @AfterEach
  void close() {
    device.close();
    assertThat(driver.live(0)).isEqualTo(LiveCounts.NONE);
  }

  private GraphPlan chain() {
    List<GraphPlan.Step> steps = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      steps.add(
          new GraphPlan.Step(
              new GraphWork.Fill(array, i, 1, 100), i == 0 ? List.of() : List.of(i - 1)));
    }
    return new GraphPlan(steps);
  }

  private void await(long onStream) {
    long event = device.createEvent(false);
    device.recordEvent(event, onStream);
    device.awaitEvent(event);
    device.destroyEvent(event);
  }

  @Test
  void aLaunchCostsTheHostMuchLessThanItsNodes() {
    long graph = device.createGraph(chain());
    device.uploadGraph(graph, stream);
    await(stream);
    long before = device.clock().now();
    device.launchGraph(graph, stream);
    long launch = device.clock().now() - before;
    await(stream);
    before = device.clock().now();
    for (int i = 0; i < NODES; i++) {
      device.fill(array, i, 1, 100, stream);
    }
    long singly = device.clock().now() - before;
    await(stream);
    assertThat(launch).isPositive().isLessThan(singly / 10);
    device.destroyGraph(graph);
  }

  @Test
  void theFirstLaunchTakesLongerUnlessTheGraphIsThere() {
    long graph = device.createGraph(chain());
    long before = device.clock().now();
    device.launchGraph(graph, stream);
    long first = device.clock().now() - before;
    before = device.clock().now();
    device.launchGraph(graph, stream);
    long second = device.clock().now() - before;
    assertThat(second).isLessThan(first / 2);
    await(stream);
    device.destroyGraph(graph);
  }

  @Test
  void branchesOverlapAndChainsDoNot() {
    long host = device.allocatePinned(2L * BYTES);
    GraphWork in = GraphWork.Copy.of(array, host, BYTES, CopyKind.HOST_TO_DEVICE);
    GraphWork out = GraphWork.Copy.of(host + BYTES, array + BYTES, BYTES, CopyKind.DEVICE_TO_HOST);
    long beside =
        nanos(
            new GraphPlan(
                List.of(new GraphPlan.Step(in, List.of()), new GraphPlan.Step(out, List.of()))));
    long behind =
        nanos(
            new GraphPlan(
                List.of(new GraphPlan.Step(in, List.of()), new GraphPlan.Step(out, List.of(0)))));
    assertThat(beside).isLessThan(behind * 7 / 10);
    device.freePinned(host);
  }

  private long nanos(GraphPlan plan) {
    long graph = device.createGraph(plan);
    device.uploadGraph(graph, stream);
    await(stream);
    long begin = device.createEvent(true);
    long end = device.createEvent(true);
    device.recordEvent(begin, stream);
    device.launchGraph(graph, stream);
    device.recordEvent(end, stream);
    device.awaitEvent(end);
    long nanos = (long) device.elapsedNanos(begin, end);
    device.destroyEvent(begin);
    device.destroyEvent(end);
    device.destroyGraph(graph);
    return nanos;
  }

  @Test
  void launchesOfOneGraphComeOneAfterTheOther() {
    long other = device.createStream(0);
    long graph = device.createGraph(chain());
    device.launchGraph(graph, stream);
    long first = device.createEvent(true);
    device.recordEvent(first, stream);
    device.launchGraph(graph, other);
    long second = device.createEvent(true);
    device.recordEvent(second, other);
    device.awaitEvent(second);
    assertThat(device.isDone(first)).isTrue();
    assertThat(device.elapsedNanos(first, second)).isGreaterThan(NODES * 1_000.0);
    await(stream);
    device.destroyGraph(graph);
    device.destroyStream(other);
  }

  @Test
  void aBodyTakesItsTimeAndWhatFollowsBeginsAfterIt() {
    // The body makes the condition 0, so it is done once, or not at all.
    GraphPlan body =
        new GraphPlan(
            List.of(
                new GraphPlan.Step(new GraphWork.Fill(array, 0, 4, 1), List.of()),
                new GraphPlan.Step(
                    GraphWork.Copy.of(
                        array + BYTES, array + 9L * BYTES, 8L * BYTES, CopyKind.DEVICE_TO_DEVICE),
                    List.of(0))));
    GraphPlan plan =
        new GraphPlan(
            List.of(
                new GraphPlan.Step(
                    new GraphWork.Conditional(GraphWork.Branching.WHILE, array, List.of(body)),
                    List.of())));
    long graph = device.createGraph(plan);
    device.uploadGraph(graph, stream);
    device.fill(array, 1, 4, 1, stream);
    await(stream);
    long begin = device.createEvent(true);
    long between = device.createEvent(true);
    long end = device.createEvent(true);
    device.recordEvent(begin, stream);
    device.launchGraph(graph, stream);
    device.recordEvent(between, stream); // enqueued before anybody knows what the body takes
    device.fill(array + 20L * BYTES, 7, 1, BYTES, stream);
    device.recordEvent(end, stream);
    device.awaitEvent(end);
    double looped = device.elapsedNanos(begin, between);
    double filled = device.elapsedNanos(between, end);
    device.recordEvent(begin, stream);
    device.launchGraph(graph, stream); // the condition is 0
    device.recordEvent(between, stream);
    device.awaitEvent(between);
    double skipped = device.elapsedNanos(begin, between);
    assertThat(skipped).isBetween(1_000.0, 20_000.0);
    // 8 MiB read and written on the device, and the condition once more.
    assertThat(looped).isGreaterThan(skipped + 4_000);
    assertThat(filled).isPositive();
    device.destroyEvent(begin);
    device.destroyEvent(between);
    device.destroyEvent(end);
    device.destroyGraph(graph);
  }

  private GraphWork.Conditional branch(long condition, GraphWork work) {
    return new GraphWork.Conditional(
        GraphWork.Branching.IF,
        condition,
        List.of(new GraphPlan(List.of(new GraphPlan.Step(work, List.of())))));
  }

  @Test
  void whatCudaRefusesOfConditionalNodesIsRefused() {
    long event = device.createEvent(true);
    GraphWork fill = new GraphWork.Fill(array, 0, 4, 1);
    refused(branch(array + 2, fill));
    refused(branch(4096, fill));
    refused(branch(array, new GraphWork.Fill(array + 1, 0, 4, 1)));
    refused(branch(array, new GraphWork.RecordEvent(event)));
    refused(branch(array, branch(array, new GraphWork.WaitEvent(event))));
    GraphPlan inner = new GraphPlan(List.of(new GraphPlan.Step(branch(array, fill), List.of())));
    refused(branch(array, new GraphWork.WriteValue(array, 1, 4)));
    assertThatThrownBy(
            () ->
                new GraphWork.Conditional(GraphWork.Branching.WHILE, array, List.of(inner, inner)))
        .isInstanceOf(IllegalArgumentException.class);
    device.destroyEvent(event);
  }

  @Test
  void aConditionThatIsFreedLosesTheDevice() {
    VirtualDriver other = new VirtualDriver(VirtualConfig.parse("seed=2"));
    DriverDevice lost = other.open(0);
    long condition = lost.allocate(4);
    long memory = lost.allocate(4);
    long onIt = lost.createStream(0);
    long graph =
        lost.createGraph(
            new GraphPlan(
                List.of(
                    new GraphPlan.Step(
                        branch(condition, new GraphWork.Fill(memory, 0, 4, 1)), List.of()))));
    lost.launchGraph(graph, onIt);
    lost.free(condition);
    long event = lost.createEvent(false);
    assertThatThrownBy(
            () -> {
              lost.recordEvent(event, onIt);
              lost.awaitEvent(event);
            })
        .isInstanceOf(DriverException.class)
        .hasMessageContaining("reading of a graph's condition");
    lost.close();
  }

  @Test
  void copiesBetweenDevicesNeedAccess() {
    VirtualDriver two = new VirtualDriver(VirtualConfig.parse("h200x2,seed=3"));
    DriverDevice first = two.open(0);
    DriverDevice second = two.open(1);
    long here = first.allocate(BYTES);
    long there = second.allocate(BYTES);
    GraphPlan plan =
        new GraphPlan(
            List.of(
                new GraphPlan.Step(
                    new GraphWork.PeerCopy(there, 1, here, 0, Volume.run(BYTES)), List.of())));
    assertThatThrownBy(() -> first.createGraph(plan)).isInstanceOf(DriverException.class);
    second.enablePeerAccess(first);
    assertThatThrownBy(() -> first.createGraph(plan))
        .isInstanceOf(DriverException.class)
        .hasMessageContaining("has no access");
    first.enablePeerAccess(second);
    assertThatThrownBy(
            () ->
                first.createGraph(
                    plan.with(new GraphWork.PeerCopy(there, 0, here, 1, Volume.run(BYTES)))))
        .isInstanceOf(DriverException.class);
    long graph = first.createGraph(plan);
    assertThatThrownBy(
            () ->
                first.updateGraph(
                    graph, 0, new GraphWork.PeerCopy(here, 0, there, 1, Volume.run(BYTES))))
        .isInstanceOf(DriverException.class);
    first.destroyGraph(graph);
    first.close();
    second.close();
  }

  @Test
  void whatCudaRefusesIsRefused() {
    refused(new GraphWork.Copy(array, 8, array + 64, 8, 8, 0, CopyKind.DEVICE_TO_DEVICE));
    refused(GraphWork.Copy.of(array, 4096, 8, CopyKind.HOST_TO_DEVICE));
    refused(new GraphWork.Fill(array + 1, 0, 4, 8));
    refused(new GraphWork.Fill(array, 0, 4, 64L * BYTES));
    refused(new GraphWork.RecordEvent(12345));
    long graph = device.createGraph(chain());
    assertThatThrownBy(() -> device.updateGraph(graph, 0, new GraphWork.Empty()))
        .isInstanceOf(DriverException.class);
    device.destroyGraph(graph);
    assertThatThrownBy(() -> device.launchGraph(graph, stream)).isInstanceOf(DriverException.class);
  }

  private void refused(GraphWork work) {
    GraphPlan plan = new GraphPlan(List.of(new GraphPlan.Step(work, List.of())));
    assertThatThrownBy(() -> device.createGraph(plan)).isInstanceOf(DriverException.class);
  }
}
