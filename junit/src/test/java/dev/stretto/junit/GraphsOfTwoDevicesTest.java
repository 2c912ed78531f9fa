package dev.stretto.junit;

import static dev.stretto.junit.Faults.ONE_BY_ONE;
import static dev.stretto.junit.Order.CHECKED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.PeerAccess;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;

/** Each call of a driver fails once, in graphs whose work two devices do. */
class GraphsOfTwoDevicesTest {
  @DeviceTest(devices = "h200x2", seeds = 20, order = CHECKED, faults = ONE_BY_ONE)
  void aCaptureForksToTheOtherDevice(Device first, Stream stream, Device second, Stream far) {
    int[] result = new int[100];
    try (PeerAccess there = first.enablePeerAccess(second);
        GlobalInts x = first.allocateInts(100);
        GlobalInts y = second.allocateInts(100);
        Graph graph =
            Graph.capture(
                stream,
                () -> {
                  far.waitFor(stream.record());
                  far.fill(y, 7);
                  stream.waitFor(far.record());
                  stream.copy(y, x);
                })) {
      assertThat(there.isOpen()).isTrue();
      graph.launch(stream);
      graph.setFill(graph.nodes().getFirst(), y, 8);
      graph.launch(stream);
      stream.copy(x, result).await();
    }
    assertThat(result).containsOnly(8);
  }
}
