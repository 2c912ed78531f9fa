package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PeerAccess;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.Topology;
import dev.stretto.collective.Collective;
import dev.stretto.collective.CollectiveCopy;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the guide says of collectives. */
class GuideCollectivesTest {
  private static final int N = 1_000;
  private static final Grid GRID = Grid.covering(N, 256);

  private final List<Device> devices = Device.openAll("virtual:h200x4");

  @AfterEach
  void close() {
    devices.forEach(Device::close);
  }

  @Kernel
  static void increment(ThreadBlock block, GlobalFloats x) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      x.set(i, x.get(i) + 1);
    }
  }

  // @start region="access"
  static List<PeerAccess> enableAll(List<Device> devices) {
    List<PeerAccess> accesses = new ArrayList<>();
    for (Device from : devices) {
      for (Device to : devices) {
        if (from.canAccess(to)) {
          accesses.add(from.enablePeerAccess(to));
        }
      }
    }
    return accesses;
  }

  // @end

  @Test
  void aTopologyIsPrintedAsAMatrix() {
    // @start region="topology"
    List<Device> devices = Device.openAll("virtual:h200x4,ring");
    Topology topology = Topology.of(devices);
    System.out.println(topology);
    // @end
    // Other virtual devices are open, so that these have a number behind their plain names.
    assertThat(topology.toString().replaceAll("#[0-9]+", "").replaceAll("  +", "  ").strip())
        .isEqualTo(
            """
            from \\ to    virtual:0    virtual:1    virtual:2    virtual:3
            virtual:0    SELF         NVLINK 396.0 HOST 38.1    NVLINK 396.0
            virtual:1    NVLINK 396.0 SELF         NVLINK 396.0 HOST 38.1
            virtual:2    HOST 38.1    NVLINK 396.0 SELF         NVLINK 396.0
            virtual:3    NVLINK 396.0 HOST 38.1    NVLINK 396.0 SELF
            GB/s of copies one way, as the virtual devices model them
            """
                .replaceAll("  +", "  ")
                .strip());
    assertThat(topology.reaches(devices.get(0), devices.get(2))).isFalse();
    devices.forEach(Device::close);
  }

  @Test
  void aBroadcastBetweenKernels() {
    List<PeerAccess> accesses = enableAll(devices);
    List<Stream> streams = devices.stream().map(Device::stream).toList();
    // @start region="broadcast"
    List<GlobalFloats> x = devices.stream().map(device -> device.allocateFloats(N)).toList();
    try (Collective all = Collective.of(devices)) {
      Stream first = streams.getFirst();
      first.fill(x.getFirst(), 41);
      CollectiveCopy sent = all.broadcast(x.getFirst(), x.subList(1, 4), first.record());
      for (int i = 0; i < 4; i++) {
        sent.before(streams.get(i));
        streams.get(i).launch(GRID, GuideCollectivesTest::increment, x.get(i));
      }
    }
    // @end
    for (int i = 0; i < 4; i++) {
      float[] result = new float[N];
      streams.get(i).copy(x.get(i), result).await();
      assertThat(result).containsOnly(42);
    }
    accesses.forEach(PeerAccess::close);
  }

  @Test
  void partsAndWholes() {
    List<GlobalFloats> wholes = devices.stream().map(it -> it.allocateFloats(4 * N)).toList();
    List<Stream> streams = devices.stream().map(Device::stream).toList();
    try (Collective all = Collective.of(devices)) {
      // @start region="parts"
      List<GlobalFloats> parts = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        parts.add(wholes.get(i).slice(i * N, N)); // each device's own part of its whole
        streams.get(i).fill(parts.get(i), i);
      }
      Event[] filled = streams.stream().map(Stream::record).toArray(Event[]::new);
      CollectiveCopy gathered = all.allGather(parts, wholes, filled);
      gathered.await();
      // @end
      float[] result = new float[4 * N];
      streams.getLast().copy(wholes.getLast(), result).await();
      assertThat(result).startsWith(0).endsWith(3);
      List<GlobalFloats> sources = wholes;
      List<GlobalFloats> destinations =
          devices.stream().map(it -> it.allocateFloats(4 * N)).toList();
      // @start region="exchange"
      CollectiveCopy exchanged = all.allToAll(sources, destinations, gathered.events());
      // @end
      exchanged.await();
      streams.getLast().copy(destinations.getLast(), result).await();
      assertThat(result).containsOnly(3);
    }
  }

  @Test
  void aCollectiveSaysItsWays() {
    // @start region="ways"
    try (Collective all = Collective.of(devices)) {
      System.out.println(all);
      assertThat(devices.get(0).routeTo(devices.get(1)).kind()).isEqualTo(Route.Kind.PEER_STAGED);
    }
    // @end
  }
}
