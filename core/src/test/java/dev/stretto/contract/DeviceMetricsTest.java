package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.sun.management.ThreadMXBean;
import dev.stretto.Copy;
import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.DeviceMetricsMXBean;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.io.File;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeviceMetricsTest {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  private static ObjectName bean(Device device) throws Exception {
    return new ObjectName("dev.stretto:type=Device,name=" + ObjectName.quote(device.name()));
  }

  @Test
  void copiesAreCountedByDirectionAndRoute() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      GlobalBytes array = device.allocateBytes(1 << 20);
      GlobalBytes other = device.allocateBytes(1 << 20);
      MemorySegment host = pinned.allocate(1 << 20);
      stream.copy(host, array).await(); // before anybody asks
      DeviceMetricsMXBean metrics = device.metrics();
      assertThat(metrics.getCopies()).isZero();
      List<Copy> copies =
          List.of(
              stream.copy(new byte[100], array.slice(0, 100)),
              stream.copy(host, array),
              stream.copy(array, host),
              stream.copy(array, host),
              stream.copy(new byte[1 << 20], array),
              stream.copy(array, other));
      long[] sizes = {100, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20};
      Map<String, Long> counts = new TreeMap<>();
      Map<String, Long> bytes = new TreeMap<>();
      for (int i = 0; i < sizes.length; i++) {
        String route = copies.get(i).route().kind().name();
        counts.merge(route, 1L, Long::sum);
        bytes.merge(route, sizes[i], Long::sum);
      }
      stream.await();
      assertThat(metrics.getCopies()).isEqualTo(6);
      assertThat(metrics.getBytesToDevice()).isEqualTo((2 << 20) + 100);
      assertThat(metrics.getBytesToHost()).isEqualTo(2 << 20);
      assertThat(metrics.getBytesWithinDevice()).isEqualTo(1 << 20);
      assertThat(metrics.getBytesBetweenDevices()).isZero();
      assertThat(metrics.getCopiesByRoute()).isEqualTo(counts).containsKeys("DIRECT", "LOCAL");
      assertThat(metrics.getBytesByRoute()).isEqualTo(bytes);
      assertThat(device.metrics()).isSameAs(metrics);
    }
  }

  @Test
  void copiesOfBatchesAreCountedOneByOne() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      GlobalBytes array = device.allocateBytes(1000);
      MemorySegment host = pinned.allocate(1000);
      DeviceMetricsMXBean metrics = device.metrics();
      List<CopyRequest> copies = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        copies.add(CopyRequest.of(host.asSlice(100 * i, 100), array.slice(100 * i, 100)));
      }
      stream.copyAll(copies).await();
      assertThat(metrics.getCopiesByRoute()).containsExactly(entry("DIRECT", 10L));
      assertThat(metrics.getBytesToDevice()).isEqualTo(1000);
    }
  }

  @Test
  void copiesBetweenDevicesAreCountedByTheStreamsDevice() {
    List<Device> devices = Device.openAll("virtual:h200x2");
    try (Device one = devices.getFirst();
        Device two = devices.getLast();
        Stream stream = one.stream()) {
      GlobalBytes from = one.allocateBytes(5000);
      GlobalBytes to = two.allocateBytes(5000);
      DeviceMetricsMXBean metrics = one.metrics();
      DeviceMetricsMXBean others = two.metrics();
      stream.copy(from, to).await();
      assertThat(metrics.getBytesBetweenDevices()).isEqualTo(5000);
      assertThat(others.getCopies()).isZero();
    }
  }

  @Test
  void waitsAreCountedWithTheirTime() throws Exception {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream()) {
      DeviceMetricsMXBean metrics = device.metrics();
      CountDownLatch go = new CountDownLatch(1);
      stream.then(
          () -> {
            try {
              go.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      Thread waiting = Thread.ofPlatform().start(stream::await);
      Thread.sleep(100);
      go.countDown();
      waiting.join();
      stream.record().await();
      device.await();
      assertThat(metrics.getWaits()).isEqualTo(3);
      assertThat(metrics.getWaitNanos()).isBetween(90_000_000L, 50_000_000_000L);
    }
  }

  @Test
  void whatIsHeldBackPinnedAndOpenIsTold() throws Exception {
    try (Device device = Device.open("virtual:memory=16777216");
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      DeviceMetricsMXBean metrics = device.metrics();
      long objects = metrics.getLiveObjects();
      long streams = metrics.getStreams();
      GlobalBytes array = device.allocateBytes(1 << 20);
      MemorySegment host = pinned.allocate(1 << 20);
      assertThat(metrics.getLiveObjects()).isEqualTo(objects + 2);
      assertThat(metrics.getPinnedBytes()).isEqualTo(device.pinned().usedBytes()).isPositive();
      assertThat(metrics.getPinnedBudgetBytes()).isEqualTo(device.pinned().budgetBytes());
      assertThat(metrics.getTotalBytes()).isEqualTo(16777216);
      assertThat(metrics.getFreeBytes()).isEqualTo(device.freeBytes()).isLessThan(16777216);
      CountDownLatch go = new CountDownLatch(1);
      stream.then(
          () -> {
            try {
              go.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      stream.copy(host, array);
      stream.copy(array, host);
      assertThat(metrics.getHeldBackOperations()).isGreaterThanOrEqualTo(2);
      go.countDown();
      stream.await();
      assertThat(metrics.getHeldBackOperations()).isZero();
      array.close();
      device.await();
      assertThat(metrics.getLiveObjects()).isEqualTo(objects + 1);
      try (Stream another = device.stream()) {
        assertThat(another.isOpen()).isTrue();
        assertThat(metrics.getStreams()).isEqualTo(streams + 1);
      }
    }
  }

  @Test
  void aClosedDeviceKeepsItsCounts() {
    Device device = Device.open("virtual");
    DeviceMetricsMXBean metrics = device.metrics();
    try (Stream stream = device.stream()) {
      stream.copy(new byte[8], device.allocateBytes(8)).await();
    }
    device.close();
    assertThat(metrics.getCopies()).isEqualTo(1);
    assertThat(metrics.getPinnedBytes()).isZero();
    assertThat(metrics.getFreeBytes()).isZero();
    assertThat(metrics.getHeldBackOperations()).isZero();
    assertThat(metrics.getDevice()).isEqualTo(device.name());
  }

  @Test
  void managementReadsThemWhileTheDeviceIsOpen() throws Exception {
    Device device = Device.open("virtual");
    ObjectName name = bean(device);
    try (device;
        Stream stream = device.stream()) {
      assertThat(SERVER.isRegistered(name)).isFalse();
      DeviceMetricsMXBean before = device.metrics();
      assertThat(SERVER.isRegistered(name)).isFalse();
      device.registerMetrics();
      device.registerMetrics();
      stream.copy(new byte[8], device.allocateBytes(8)).await();
      assertThat(SERVER.getAttribute(name, "Copies")).isEqualTo(before.getCopies()).isEqualTo(1L);
      assertThat(SERVER.getAttribute(name, "CopiesByRoute")).isInstanceOf(TabularData.class);
      DeviceMetricsMXBean read = JMX.newMXBeanProxy(SERVER, name, DeviceMetricsMXBean.class);
      assertThat(read.getBytesByRoute()).isEqualTo(before.getBytesByRoute()).hasSize(1);
      assertThat(SERVER.getAttributes(name, attributes(name))).hasSize(attributes(name).length);
    }
    assertThat(SERVER.isRegistered(name)).isFalse();
  }

  private static String[] attributes(ObjectName name) throws Exception {
    return java.util.stream.Stream.of(SERVER.getMBeanInfo(name).getAttributes())
        .map(attribute -> attribute.getName())
        .toArray(String[]::new);
  }

  @Test
  void theSettingRegistersEveryDevice() throws Exception {
    System.setProperty("dev.stretto.metrics", "true");
    try (Device device = Device.open("virtual")) {
      assertThat(SERVER.isRegistered(bean(device))).isTrue();
    } finally {
      System.clearProperty("dev.stretto.metrics");
    }
    try (Device device = Device.open("virtual")) {
      assertThat(SERVER.isRegistered(bean(device))).isFalse();
    }
  }

  /** Copies and opens a device in a process of its own. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      try (Device device = Device.open("virtual");
          Stream stream = device.stream()) {
        stream.copy(new byte[8], device.allocateBytes(8)).await();
        System.out.println("copied, " + device.metrics().getWaits() + " waits");
        device.registerMetrics();
      } catch (IllegalStateException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void withoutTheModuleOfManagementAllElseWorks() throws Exception {
    String output = run("--limit-modules=java.base,java.logging", "-Ddev.stretto.metrics=true");
    assertThat(output)
        .contains("has no effect, because the module java.management is absent")
        .contains("copied, 0 waits")
        .contains("metrics cannot be registered: the module java.management is absent")
        .doesNotContain("Exception in");
    assertThat(run("-Ddev.stretto.metrics=false")).contains("copied, 0 waits");
  }

  private static String run(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of(options));
    String own =
        Path.of(DeviceMetricsTest.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    String core =
        Path.of(Device.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    command.addAll(List.of("-cp", core + File.pathSeparator + own, Program.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int _ = process.waitFor();
    return output;
  }

  /** Counting costs adders, not objects. */
  @Test
  void countedCopiesAllocateNoMoreThanOthers() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Device device = Device.openAll(new InstantDriver()).getFirst();
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      GlobalBytes array = device.allocateBytes(4096);
      MemorySegment host = pinned.allocate(4096);
      host.set(JAVA_BYTE, 0, (byte) 1);
      assertThat(device.metrics().getCopies()).isZero();
      for (int i = 0; i < 20_000; i++) {
        stream.copy(host, array);
      }
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 10_000; i++) {
        stream.copy(host, array);
      }
      long each = (threads.getCurrentThreadAllocatedBytes() - before) / 10_000;
      assertThat(each).isLessThanOrEqualTo(32);
      assertThat(device.metrics().getCopies()).isEqualTo(30_000);
    }
  }
}
