package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.PeerAccess;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.Topology;
import dev.stretto.Topology.Link;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalBytes;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Who reaches whom: over every kind of virtual machine, and over the GPUs that there are. */
class TopologyTest extends ContractTest {
  /** Modelled copies of 64 MiB cost a few microseconds beside their bytes. */
  private static final double OVERHEAD = 0.02;

  /** A machine with this topology, of the same scheduler. */
  private List<Device> virtual(String words) {
    String seed = machine.isSeeded() ? machine.name().substring("virtual:h200".length()) : "";
    return Device.openAll("virtual:" + words + seed);
  }

  private static void close(List<Device> devices) {
    devices.stream().filter(Device::isOpen).forEach(Device::close);
  }

  @Test
  void behindASwitchEveryDeviceReachesEveryOther() {
    List<Device> devices = virtual("h200x3");
    Topology topology = Topology.of(devices);
    assertThat(topology.devices()).isEqualTo(devices);
    assertThat(topology.isMeasured()).isFalse();
    for (Device from : devices) {
      for (Device to : devices) {
        assertThat(topology.reaches(from, to)).isTrue();
        assertThat(topology.link(from, to)).isEqualTo(from == to ? Link.SELF : Link.NVLINK);
        if (from == to) {
          assertThat(topology.gigabytesPerSecond(from, to)).isEmpty();
        } else {
          assertThat(topology.gigabytesPerSecond(from, to)).hasValue(396);
        }
      }
    }
    close(devices);
  }

  /** Other virtual devices are open besides, so these have a number behind their plain names. */
  private static String withoutNumbers(String text) {
    return Pattern.compile("#[0-9]+")
        .matcher(text)
        .replaceAll(number -> " ".repeat(number.group().length()))
        .replaceAll(" +\n", "\n");
  }

  @Test
  void inARingOnlyNeighboursReachEachOther() {
    List<Device> devices = virtual("h200x4,ring");
    Topology topology = Topology.of(devices);
    for (int from = 0; from < 4; from++) {
      for (int to = 0; to < 4; to++) {
        boolean opposite = Math.abs(from - to) == 2;
        Link link = from == to ? Link.SELF : opposite ? Link.HOST : Link.NVLINK;
        assertThat(topology.link(devices.get(from), devices.get(to))).isEqualTo(link);
        assertThat(topology.reaches(devices.get(from), devices.get(to))).isEqualTo(!opposite);
      }
    }
    assertThat(withoutNumbers(topology.toString()).lines())
        .containsExactly(
            "from \\ to    virtual:0    virtual:1    virtual:2    virtual:3",
            "virtual:0    SELF         NVLINK 396.0 HOST 38.1    NVLINK 396.0",
            "virtual:1    NVLINK 396.0 SELF         NVLINK 396.0 HOST 38.1",
            "virtual:2    HOST 38.1    NVLINK 396.0 SELF         NVLINK 396.0",
            "virtual:3    NVLINK 396.0 HOST 38.1    NVLINK 396.0 SELF",
            "GB/s of copies one way, as the virtual devices model them");
    close(devices);
  }

  @Test
  void productsWithoutPeerAccessGoThroughTheHost() {
    for (String words : List.of("rtx4090,2", "h200x2,no-peer")) {
      List<Device> devices = virtual(words);
      Topology topology = Topology.of(devices);
      assertThat(topology.link(devices.get(0), devices.get(1))).isEqualTo(Link.HOST);
      assertThat(topology.reaches(devices.get(0), devices.get(1))).isFalse();
      close(devices);
    }
  }

  @Test
  void peersAreMeasuredAsTheirCopiesGo() {
    List<Device> devices = virtual("h200x2");
    Topology topology = Topology.measure(devices);
    assertThat(topology.isMeasured()).isTrue();
    for (int from = 0; from < 2; from++) {
      Device sender = devices.get(from);
      Device receiver = devices.get(1 - from);
      assertThat(topology.link(sender, receiver)).isEqualTo(Link.NVLINK);
      assertThat(topology.gigabytesPerSecond(sender, receiver).orElseThrow())
          .isCloseTo(396, within(396 * OVERHEAD));
      assertThat(topology.gigabytesPerSecond(sender, sender)).isEmpty();
    }
    assertThat(topology.toString()).contains("NVLINK 39").endsWith("measured");
    assertThat(routeOfACopy(devices).kind())
        .as("access ends with the measurement")
        .isEqualTo(Route.Kind.PEER_STAGED);
    close(devices);
  }

  @Test
  void accessThatTheProgramHasEnabledStays() {
    List<Device> devices = virtual("h200x2");
    try (PeerAccess access = devices.get(1).enablePeerAccess(devices.get(0))) {
      Topology.measure(devices);
      assertThat(access.isOpen()).isTrue();
      assertThat(routeOfACopy(devices).kind()).isEqualTo(Route.Kind.PEER);
    }
    close(devices);
  }

  private static Route routeOfACopy(List<Device> devices) {
    try (Stream stream = devices.get(0).stream();
        GlobalBytes source = devices.get(0).allocateBytes(1_000);
        GlobalBytes destination = devices.get(1).allocateBytes(1_000)) {
      stream.fill(source, (byte) 1);
      Copy copy = stream.copy(source, destination);
      copy.await();
      return copy.route();
    }
  }

  @Test
  void withoutAccessTheRateIsThatOfStaging() {
    List<Device> devices = virtual("h200x2,no-peer");
    Topology topology = Topology.measure(devices);
    assertThat(topology.link(devices.get(0), devices.get(1))).isEqualTo(Link.HOST);
    assertThat(topology.gigabytesPerSecond(devices.get(0), devices.get(1)).orElseThrow())
        .isBetween(38.0, 56.0);
    close(devices);
  }

  @Test
  void devicesOfDifferentDriversAreJoinedByTheHost() {
    List<Device> strangers = virtual("a100");
    List<Device> both = List.of(device, strangers.getFirst());
    Topology asked = Topology.of(both);
    assertThat(asked.link(device, strangers.getFirst())).isEqualTo(Link.HOST);
    assertThat(asked.reaches(strangers.getFirst(), device)).isFalse();
    assertThat(asked.gigabytesPerSecond(device, strangers.getFirst())).isEmpty();
    assertThat(asked.toString()).contains("no rates").contains("HOST");
    Topology measured = Topology.measure(both);
    assertThat(measured.gigabytesPerSecond(device, strangers.getFirst()).orElseThrow())
        .isPositive();
    assertThat(measured.gigabytesPerSecond(strangers.getFirst(), device).orElseThrow())
        .isPositive();
    close(strangers);
  }

  @Test
  void gpusAgreeWithWhatTheirDevicesSay() {
    List<Device> gpus = machine.isVirtual() ? List.of(device) : gpus();
    Topology topology = gpus.size() > 1 ? Topology.measure(gpus) : Topology.of(gpus);
    for (Device from : gpus) {
      for (Device to : gpus) {
        assertThat(topology.reaches(from, to)).isEqualTo(from == to || from.canAccess(to));
        assertThat(topology.gigabytesPerSecond(from, to).isPresent()).isEqualTo(from != to);
      }
    }
    close(gpus.stream().filter(gpu -> gpu != device).toList());
  }

  /** All GPUs, among them the test's own. */
  private List<Device> gpus() {
    int count = (int) Device.all().stream().filter(gpu -> gpu.driver().equals("cuda")).count();
    return java.util.stream.IntStream.range(0, count)
        .mapToObj(i -> i == device.properties().ordinal() ? device : Device.open(i))
        .toList();
  }

  @Test
  void anotherOpeningOfTheSameDeviceIsTheSameDevice() {
    assertThatThrownBy(() -> Topology.of(List.of(device, device)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twice");
    if (!machine.isVirtual()) {
      try (Device again = Device.open(machine.name())) {
        assertThat(Topology.of(List.of(device)).link(device, again)).isEqualTo(Link.SELF);
      }
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    List<Device> devices = virtual("h200x2");
    Topology topology = Topology.of(devices);
    assertThatThrownBy(() -> topology.link(device, devices.get(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a device of this topology");
    assertThatThrownBy(() -> Topology.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    devices.get(1).close();
    assertThatThrownBy(() -> Topology.of(devices)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> Topology.measure(devices)).isInstanceOf(ClosedException.class);
    assertThat(topology.link(devices.get(0), devices.get(1)))
        .as("a topology outlives its devices")
        .isEqualTo(Link.NVLINK);
    close(devices);
  }
}
