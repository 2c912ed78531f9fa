package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** What holds between devices: of one driver, and of two. */
class TwoDevicesTest extends ContractTest {
  @Override
  Machine machine() {
    if (!machine.isVirtual()) {
      return machine;
    }
    return new Machine(
        machine.isSeeded() ? machine.name().replace("h200", "h200x2") : "virtual:h200x2");
  }

  /** The second device, which is the first once more where there is only one GPU. */
  private Device second() {
    return opened.devices().size() > 1 ? opened.devices().get(1) : Device.open(machine.name());
  }

  @Test
  void aStreamWaitsForAnEventOfAnotherDevice() {
    Device other = second();
    try (Stream one = device.stream();
        Stream two = other.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts a = device.allocateInts(100_000);
        GlobalInts b = other.allocateInts(100_000)) {
      MemorySegment host = pinned.allocate(ValueLayout.JAVA_INT, 100_000);
      for (int round = 0; round < 5; round++) {
        one.fill(a, round);
        one.launch(Grid.covering(100_000, 256), Kernels.ADD, a, 1, 100_000);
        one.copy(a, host);
        two.waitFor(one.record());
        Copy copy = two.copy(host, b); // pinned by the other device, and as good here
        assertThat(copy.route().kind()).isEqualTo(Route.Kind.DIRECT);
        int[] result = new int[100_000];
        two.copy(b, result);
        one.waitFor(two.record());
        two.await();
        assertThat(result).containsOnly(round + 1);
      }
    }
    closeSecond(other);
  }

  @Test
  void aStreamWaitsForAnEventOfAnotherDeviceThatIsHeldBack() {
    Device other = second();
    try (Stream one = device.stream();
        Stream two = other.stream();
        GlobalInts a = device.allocateInts(10);
        GlobalInts b = other.allocateInts(10)) {
      int[] between = new int[10];
      one.fill(a, 5);
      Gate gate = gate(one);
      one.copy(a, between); // staged
      two.waitFor(one.record());
      two.copy(between, b);
      int[] result = new int[10];
      two.copy(b, result);
      gate.open();
      two.await();
      assertThat(result).containsOnly(5);
    }
    closeSecond(other);
  }

  private void closeSecond(Device other) {
    if (!opened.devices().contains(other)) {
      other.close();
    }
  }

  @Test
  void aStreamWaitsForAnEventOfAnotherDriver() {
    try (Machine.Opened stranger =
            new Machine(machine.isSeeded() ? "virtual:a100,seed=99" : "virtual:a100").open();
        Stream one = stranger.device().stream();
        Stream two = device.stream();
        GlobalInts a = stranger.device().allocateInts(10);
        GlobalInts b = device.allocateInts(10)) {
      int[] between = new int[10];
      for (int round = 0; round < 5; round++) {
        one.fill(a, round);
        one.copy(a, between);
        two.waitFor(one.record());
        two.copy(between, b);
        int[] result = new int[10];
        Copy copy = two.copy(b, result);
        one.waitFor(two.record());
        copy.await();
        assertThat(result).containsOnly(round);
      }
      one.await();
    }
  }

  @Test
  void aSeededDeviceAndOneThatRunsByItselfWaitForEachOther() {
    try (Machine.Opened stranger =
            new Machine(machine.isSeeded() ? "virtual:a100" : "virtual:a100,seed=98").open();
        Stream one = stranger.device().stream();
        Stream two = device.stream();
        GlobalInts a = stranger.device().allocateInts(10);
        GlobalInts b = device.allocateInts(10)) {
      int[] between = new int[10];
      one.fill(a, 3);
      one.copy(a, between);
      Event event = one.record();
      two.waitFor(event);
      two.copy(between, b);
      int[] result = new int[10];
      two.copy(b, result).await();
      assertThat(result).containsOnly(3);
    }
  }

  @Test
  void aCopyToASeededDeviceOfAnotherDriverEndsWhoeverAwaitsIt() {
    for (int seed = 1; seed <= 12; seed++) {
      try (Device stranger = Device.open("virtual:a100,seed=" + seed);
          Stream stream = device.stream();
          GlobalInts a = device.allocateInts(100_000);
          GlobalInts b = stranger.allocateInts(100_000);
          GlobalInts c = device.allocateInts(100_000)) {
        stream.fill(a, seed);
        assertThat(stream.copy(a, b).route().kind()).isEqualTo(Route.Kind.STRANGER_STAGED);
        stream.copy(b, c).await();
        int[] result = new int[100_000];
        stream.copy(c, result).await();
        assertThat(result).containsOnly(seed);
      }
    }
  }

  @Test
  void memoryPinnedByAnotherDriverIsOrdinaryMemory() {
    byte[] data = bytes(100_000, 1);
    try (Machine.Opened stranger = new Machine("virtual:a100").open();
        PinnedArena pinned = stranger.device().pinnedArena();
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(data.length)) {
      MemorySegment host = pinned(pinned, data);
      Copy in = stream.copy(host, array);
      assertThat(in.route().kind()).isEqualTo(Route.Kind.STAGED);
      in.await();
      host.fill((byte) 0);
      Copy out = stream.copy(array, host);
      assertThat(out.route().kind()).isEqualTo(Route.Kind.STAGED);
      out.await();
      assertSame(read(host), data);
    }
  }

  @Test
  void closingOneDeviceLeavesTheOtherAlone() {
    Device other = second();
    try (Stream two = other.stream();
        GlobalInts b = other.allocateInts(1000)) {
      Stream one = device.stream();
      GlobalInts a = device.allocateInts(1000);
      one.fill(a, 1);
      two.fill(b, 2);
      two.waitFor(one.record());
      device.close();
      int[] result = new int[1000];
      two.copy(b, result).await();
      assertThat(result).containsOnly(2);
    }
    closeSecond(other);
  }
}
