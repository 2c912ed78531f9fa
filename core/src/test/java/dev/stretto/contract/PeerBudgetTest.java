package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Many pairs of devices that stage copies through too little pinned memory are slower, and done.
 */
class PeerBudgetTest extends ContractTest {
  private static final int BYTES = 6 << 20;

  @Override
  Machine machine() {
    if (!machine.isVirtual()) {
      return machine;
    }
    String seed = machine.isSeeded() ? machine.name().replaceAll(".*,seed", ",seed") : "";
    return new Machine("virtual:h200x8,no-peer,pinned=" + (36 << 20) + seed);
  }

  @Test
  void eightPairsShareABudgetThatIsTooSmallForThem() {
    List<Device> devices = opened.devices();
    if (devices.size() < 2) {
      devices = List.of(device, Device.open("virtual"));
    }
    for (Device each : devices) {
      each.pinnedBudget(9 << 20); // two slots
    }
    List<Stream> streams = new ArrayList<>();
    List<GlobalBytes> sources = new ArrayList<>();
    List<GlobalBytes> targets = new ArrayList<>();
    List<Copy> copies = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < devices.size(); i++) {
        Device sender = devices.get(i);
        Device receiver = devices.get((i + 1 + round) % devices.size());
        if (receiver == sender) {
          continue;
        }
        Stream stream = (round == 0 ? sender : receiver).stream();
        GlobalBytes source = sender.allocateBytes(BYTES);
        try (Stream filling = sender.stream()) {
          filling.fill(source, (byte) (i * 2 + round));
          stream.waitFor(filling.record());
        }
        GlobalBytes target = receiver.allocateBytes(BYTES);
        copies.add(stream.copy(source, target));
        streams.add(stream);
        sources.add(source);
        targets.add(target);
      }
    }
    copies.forEach(Copy::await);
    for (int i = 0; i < copies.size(); i++) {
      assertThat(copies.get(i).route().kind())
          .isIn(Route.Kind.PEER_STAGED, Route.Kind.PEER_BY_DRIVER, Route.Kind.STRANGER_STAGED);
      byte expected = (byte) (i % devices.size() * 2 + i / devices.size());
      if (devices.size() == 8) {
        byte[] all = new byte[BYTES];
        Arrays.fill(all, expected);
        assertSame(readWithoutPinnedMemory(targets.get(i)), all);
      }
    }
    streams.forEach(Stream::close);
    sources.forEach(GlobalBytes::close);
    targets.forEach(GlobalBytes::close);
    if (!opened.devices().containsAll(devices)) {
      devices.getLast().close();
    }
  }

  private static byte[] readWithoutPinnedMemory(GlobalBytes array) {
    try (Stream stream = Device.of(array).stream();
        Arena arena = Arena.ofConfined()) {
      MemorySegment host = arena.allocate(array.byteSize());
      stream.copy(array, host, Route.Kind.AWAITED_PAGEABLE).await();
      return host.toArray(ValueLayout.JAVA_BYTE);
    }
  }
}
