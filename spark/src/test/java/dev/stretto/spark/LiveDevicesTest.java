package dev.stretto.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveDevicesTest {
  private final List<OpenedDevice> opened = AddressedDevices.openAll("virtual:h200x3");
  private final List<String> losses = new ArrayList<>();
  private final LiveDevices live =
      new LiveDevices(
          opened, (device, left) -> losses.add(device.address() + " left " + left), false);

  @AfterEach
  void close() {
    live.close();
  }

  private static void lose(OpenedDevice opened) {
    Device device = opened.device();
    Stream stream = device.stream();
    stream.launch(Grid.of(1, 1), Numbers::writesBeyond, device.allocateFloats(1));
    assertThatThrownBy(stream::await).isInstanceOf(DeviceLostException.class);
  }

  @Test
  void theDeviceOfTheFewestTasksTakesThePlaceOfALostOne() {
    opened.get(1).taskBegins();
    lose(opened.get(0));
    assertThat(live.at("0")).isSameAs(opened.get(2));
    assertThat(live.at("1")).isSameAs(opened.get(1));
    assertThat(losses).containsExactly("0 left 2");
  }

  @Test
  void aLostDeviceIsClosedAfterItsLastTask() {
    opened.get(0).taskBegins();
    lose(opened.get(0));
    live.giveUpLost();
    live.giveUpLost();
    assertThat(losses).containsExactly("0 left 2");
    assertThat(opened.get(0).device().isOpen()).isTrue();
    opened.get(0).taskEnds();
    live.giveUpLost();
    assertThat(opened.get(0).device().isOpen()).isFalse();
    assertThat(opened.get(1).device().isOpen()).isTrue();
  }

  @Test
  void anExecutorThatHasLostAllDevicesSaysSoToEachTask() {
    opened.forEach(LiveDevicesTest::lose);
    assertThatThrownBy(() -> live.at("1"))
        .isInstanceOf(NoTaskDeviceException.class)
        .hasMessageContaining("has lost all of its 3 devices, that at address 1 among them")
        .hasMessageContaining("spark.stretto.onLost=exit");
    assertThat(losses).containsExactly("0 left 0", "1 left 0", "2 left 0");
  }

  @Test
  void tasksOfLocalModeTakeTurns() {
    assertThat(List.of(live.addressFor(4), live.addressFor(5), live.addressFor(6)))
        .containsExactly(List.of("1"), List.of("2"), List.of("0"));
    assertThatThrownBy(() -> new LiveDevices(List.of(), (_, _) -> {}, true).addressFor(1))
        .isInstanceOf(NoTaskDeviceException.class)
        .hasMessageContaining("set spark.stretto.devices to virtual devices");
  }

  @Test
  void tasksMayPinWhatTheSettingSaysBesideTheStagingOfCopies() {
    OpenedDevice limited = opened.get(0).withPinned(8 << 20);
    assertThat(limited.pinnedBytes()).isEqualTo(8 << 20);
    assertThat(limited.device().pinned().budgetBytes()).isEqualTo((8L + 136) << 20);
  }
}
