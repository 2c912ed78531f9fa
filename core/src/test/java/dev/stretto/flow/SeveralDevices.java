package dev.stretto.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Sample;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.virtual.LiveCounts;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.memory.GlobalBytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Devices of one or several drivers, which hold nothing any more once they are closed. */
final class SeveralDevices implements AutoCloseable {
  private static final int SEEDS = Sample.of("stretto.seeds", 1, 5);
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private final List<Device> devices = new ArrayList<>();
  private final List<VirtualDriver> drivers = new ArrayList<>();
  private final List<Long> freeBytes;

  /**
   * Opens devices.
   *
   * @param names as {@link Device#openAll(String)} takes them, separated by blanks
   */
  SeveralDevices(String names) {
    for (String name : names.split(" ", -1)) {
      if (name.startsWith("virtual:")) {
        VirtualDriver driver = new VirtualDriver(VirtualConfig.parse(name.substring(8)));
        drivers.add(driver);
        devices.addAll(Device.openAll(driver));
      } else {
        devices.add(Device.open(name));
      }
    }
    freeBytes = devices.stream().map(Device::freeBytes).toList();
  }

  /** {@return names of one to four devices: by threads, by seeds, of one driver, of several} */
  static Stream<String> names() {
    List<String> names =
        new ArrayList<>(List.of("virtual:h200x4", "virtual:h200 virtual:a100", "virtual:h200"));
    for (int seed = 1; seed <= SEEDS; seed++) {
      names.add("virtual:h200x3,seed=%d".formatted(seed));
      names.add("virtual:h200,seed=%d virtual:a100,seed=%d".formatted(seed, 100 + seed));
    }
    names.add("virtual:a100,seed=7 virtual:h200x2");
    long gpus = Device.all().stream().filter(it -> it.driver().equals("cuda")).count();
    if (gpus > 0) {
      names.add("cuda:0 virtual:h200");
    }
    if (gpus > 1) {
      names.add("cuda:0 cuda:1");
    }
    return names.stream();
  }

  /** {@return those names that stand for more than one device} */
  static Stream<String> several() {
    return names().filter(names -> !names.equals("virtual:h200"));
  }

  List<Device> all() {
    return devices;
  }

  Device last() {
    return devices.getLast();
  }

  /** Whatever a flow held is given back, and the devices go on working. */
  void assertUsableAndFree() {
    for (Device device : devices) {
      if (device.isOpen() && !device.isLost()) {
        long before = freeBytes.get(devices.indexOf(device));
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!isFree(device, before) && System.nanoTime() < deadline) {
          device.await(Duration.ofMillis(1));
          Thread.onSpinWait();
        }
        assertThat(device.pinned().usedBytes()).as("pinned bytes of %s", device).isZero();
        if (device.isVirtual()) {
          assertThat(device.freeBytes()).as("free bytes of %s", device).isEqualTo(before);
        }
        assertWorks(device);
      }
    }
  }

  private static boolean isFree(Device device, long before) {
    return device.pinned().usedBytes() == 0
        && (!device.isVirtual() || device.freeBytes() == before);
  }

  private static void assertWorks(Device device) {
    byte[] sent = AddOne.random(1000);
    byte[] received = new byte[sent.length];
    try (dev.stretto.Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(sent.length)) {
      stream.copy(sent, array);
      stream.copy(array, received).await();
    }
    assertThat(received).isEqualTo(sent);
  }

  @Override
  public void close() {
    devices.stream().filter(Device::isOpen).forEach(Device::close);
    for (VirtualDriver driver : drivers) {
      for (int ordinal = 0; ordinal < driver.deviceCount(); ordinal++) {
        awaitNothingHeld(driver, ordinal);
      }
    }
  }

  private static void awaitNothingHeld(VirtualDriver driver, int ordinal) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!driver.live(ordinal).equals(LiveCounts.NONE)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "%s still holds %s of device %d".formatted(driver, driver.live(ordinal), ordinal));
      }
      step(driver, ordinal);
    }
  }

  private static void step(VirtualDriver driver, int ordinal) {
    try (DriverDevice opening = driver.open(ordinal)) {
      if (opening.cooperation().isPresent()) {
        opening.cooperation().get().step();
      } else {
        Thread.sleep(1);
      }
    } catch (DriverException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
