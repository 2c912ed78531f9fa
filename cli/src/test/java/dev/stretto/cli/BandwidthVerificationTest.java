package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.PeerAccess;
import dev.stretto.Stream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code stretto bandwidth} would not overlook. */
class BandwidthVerificationTest {
  private static final long BYTES = 1 << 20;

  private final List<Device> devices = Device.openAll("virtual:h200x2");
  private final HostMemory host = new HostMemory();

  @AfterEach
  void close() {
    host.close();
    devices.forEach(Device::close);
  }

  static List<Flow> flows() {
    return List.of(
        Flow.toDevice(0),
        Flow.toHost(1).doubled(),
        Flow.read(0, 1),
        Flow.write(0, 1),
        Flow.local(1),
        Flow.toDevice(1).copiedByKernel(),
        Flow.toHost(0).copiedByKernel(),
        Flow.toHost(1).doubled().copiedByKernel(),
        Flow.read(0, 1).copiedByKernel(),
        Flow.write(1, 0).copiedByKernel());
  }

  private FlowMemory memory(Flow flow, int number) {
    return FlowMemory.of(flow, devices, host, BYTES, number);
  }

  @ParameterizedTest
  @MethodSource("flows")
  void whatWasCopiedIsRight(Flow flow) {
    try (PeerAccess _ = devices.get(0).enablePeerAccess(devices.get(1));
        PeerAccess _ = devices.get(1).enablePeerAccess(devices.get(0));
        FlowMemory memory = memory(flow, 0);
        Stream stream = devices.get(flow.at()).stream()) {
      for (int round = 0; round < 2; round++) {
        memory.prepare();
        memory.enqueue(stream, new ArrayList<>());
        stream.await();
        assertThatCode(memory::verify).doesNotThrowAnyException();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("flows")
  void whatWasNotCopiedIsFoundEvenIfItWasCopiedBefore(Flow flow) {
    try (PeerAccess _ = devices.get(0).enablePeerAccess(devices.get(1));
        PeerAccess _ = devices.get(1).enablePeerAccess(devices.get(0));
        FlowMemory memory = memory(flow, 0);
        Stream stream = devices.get(flow.at()).stream()) {
      memory.prepare();
      memory.enqueue(stream, new ArrayList<>());
      stream.await();
      memory.prepare();
      assertThatThrownBy(memory::verify)
          .isInstanceOf(CommandFailure.class)
          .hasMessageContaining("byte 0 or one of the next 3 of its " + memory.bytes());
    }
  }

  @Test
  void oneWrongWordIsFoundAndSaid() {
    try (FlowMemory memory = memory(Flow.write(1, 0), 0);
        Stream stream = devices.get(1).stream();
        Stream theirs = devices.get(0).stream()) {
      memory.prepare();
      memory.copy(stream).await();
      theirs.fill(memory.arrived().slice(200_003, 1), 7);
      theirs.await();
      assertThatThrownBy(memory::verify)
          .hasMessage(
              "a copy from virtual:1 to virtual:0 is wrong: byte 800012 or one of the next 3 of"
                  + " its 1048576 differs from the source");
    }
  }

  @Test
  void whatBelongsToAnotherFlowIsFound() {
    try (FlowMemory one = memory(Flow.local(0), 0);
        FlowMemory other = memory(Flow.local(0), 1);
        Stream stream = devices.get(0).stream()) {
      one.prepare();
      other.prepare();
      one.copy(stream);
      other.copy(stream).await();
      stream.copy(one.arrived(), other.arrived()).await();
      assertThatCode(one::verify).doesNotThrowAnyException();
      assertThatThrownBy(other::verify).isInstanceOf(CommandFailure.class);
    }
  }

  /** The kernel that holds streams up does so on a virtual device too. */
  @Test
  void behindTheGateOfAGpuEveryFlowWaitsUntilAllIsEnqueued() {
    try (FlowMemory one = memory(Flow.write(0, 1), 0);
        FlowMemory other = memory(Flow.write(1, 0).doubled(), 1);
        GatedCopies copies = new GatedCopies(List.of(one, other), devices, false)) {
      for (int sample = 0; sample < 3; sample++) {
        GatedCopies.Times times = copies.sample();
        assertThat(times.each()).hasSize(2).allMatch(nanos -> nanos > 0);
        assertThat(times.total()).isGreaterThanOrEqualTo(times.each().getFirst());
      }
      assertThat(copies.routes()).isEqualTo("PEER_STAGED");
    }
  }

  @Test
  void pointersAreFollowedToWhereTheyLead() {
    int[] samples = {0};
    double nanos =
        new PointerChase(5, 50_000).nanos(devices.get(0), devices.get(1), 3, () -> samples[0]++);
    assertThat(nanos).isPositive();
    assertThat(samples[0]).isEqualTo(3);
    assertThat(new PointerChase(5, 50_000).nanosOfHost(devices.get(0), 3, () -> samples[0]++))
        .isPositive();
    assertThat(samples[0]).isEqualTo(6);
  }
}
