package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.ChromeTrace;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What devices are called while several are open. */
@ExtendWith(OwnProcess.class)
class DeviceNameTest extends ContractTest {
  @Test
  void twoVirtualDevicesThatAreOpenHaveDifferentNames() {
    Set<String> names = new HashSet<>();
    List<Device> opened = new ArrayList<>();
    assertThat(names.add(device.name())).isTrue();
    for (String name : List.of("virtual", "virtual:h200", "virtual:a100", "virtual:h200x2")) {
      for (Device each : Device.openAll(name)) {
        assertThat(names.add(each.name())).as(each.name()).isTrue();
        assertThat(each.toString()).startsWith(each.name() + " (");
        opened.add(each);
      }
    }
    opened.forEach(Device::close);
  }

  @Test
  void aGpuHasOneNameAndTheFirstVirtualDeviceThePlainOne() {
    try (Machine.Opened again = machine.open()) {
      if (machine.isVirtual()) {
        assertThat(again.device().name()).startsWith("virtual:0#").isNotEqualTo(device.name());
      } else {
        assertThat(again.device().name()).isEqualTo(device.name());
      }
    }
  }

  @Test
  void twoOpeningsOfOneVirtualDriverHaveDifferentNamesThoughTheyAreOneDevice() {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse("h200x2"));
    List<Device> first = Device.openAll(driver);
    List<Device> second = Device.openAll(driver);
    assertThat(second.get(0).name()).startsWith("virtual:0").isNotEqualTo(first.get(0).name());
    assertThat(second.get(1).name()).startsWith("virtual:1").isNotEqualTo(first.get(1).name());
    assertThat(number(second.get(0))).isEqualTo(number(second.get(1)));
    first.forEach(Device::close);
    second.forEach(Device::close);
  }

  private static String number(Device device) {
    return device.name().substring("virtual:0".length());
  }

  @Test
  void theNameOfAClosedDeviceIsFreeAgain() {
    String name;
    try (Device first = Device.open("virtual")) {
      name = first.name();
      first.close();
      first.close();
    }
    try (Device second = Device.open("virtual");
        Device third = Device.open("virtual")) {
      assertThat(second.name()).isEqualTo(name);
      assertThat(third.name()).isNotEqualTo(name);
    }
  }

  @Test
  void messagesOfTheTwoSayWhichItWas() {
    try (Machine.Opened other =
        new Machine(machine.isVirtual() ? machine.name() : "virtual").open()) {
      Stream stream = other.device().stream();
      GlobalInts array = other.device().allocateInts(10);
      assertThat(array.toString()).contains("on " + other.device().name());
      stream.launch(Grid.of(1, 32), Kernels.FAULT, array);
      assertThatThrownBy(stream::await)
          .isInstanceOf(DeviceLostException.class)
          .hasMessageContaining(" of " + other.device().name() + "; ")
          .hasMessageContaining("; " + other.device().name() + " is lost")
          .hasMessageNotContaining("virtual device");
      other.device().close();
      assertThatThrownBy(() -> other.device().stream())
          .isInstanceOf(ClosedException.class)
          .hasMessageStartingWith(other.device().name() + " is closed");
    }
  }

  @Test
  void aTraceIsLabelledWithTheName() {
    StringWriter text = new StringWriter();
    try (Device other = Device.open("virtual");
        ChromeTrace _ = new ChromeTrace(text, other)) {
      assertThat(text.toString()).contains("\"labels\":\"" + other.name() + "\"");
    }
  }
}
