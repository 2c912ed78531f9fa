package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.DeviceMetricsMXBean;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalFloats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The code of the guide's section on metrics. */
class GuideMetricsTest {
  static void bind(Device device, MeterRegistry registry) {
    DeviceMetricsMXBean metrics = device.metrics();
    Tags tags = Tags.of("device", device.name());
    counter("stretto.copies", DeviceMetricsMXBean::getCopies, metrics, tags, registry);
    counter("stretto.bytes.in", DeviceMetricsMXBean::getBytesToDevice, metrics, tags, registry);
    counter("stretto.bytes.out", DeviceMetricsMXBean::getBytesToHost, metrics, tags, registry);
    counter("stretto.waits", DeviceMetricsMXBean::getWaits, metrics, tags, registry);
    counter("stretto.wait.nanos", DeviceMetricsMXBean::getWaitNanos, metrics, tags, registry);
    registry.gauge("stretto.pinned.bytes", tags, metrics, DeviceMetricsMXBean::getPinnedBytes);
    registry.gauge("stretto.free.bytes", tags, metrics, DeviceMetricsMXBean::getFreeBytes);
    registry.gauge("stretto.held.back", tags, metrics, DeviceMetricsMXBean::getHeldBackOperations);
  }

  private static void counter(
      String name,
      ToDoubleFunction<DeviceMetricsMXBean> count,
      DeviceMetricsMXBean metrics,
      Tags tags,
      MeterRegistry registry) {
    FunctionCounter.builder(name, metrics, count).tags(tags).register(registry);
  }

  @Test
  void micrometerReadsThem() {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats array = device.allocateFloats(1000)) {
      bind(device, registry);
      stream.copy(new float[1000], array);
      stream.copy(array, new float[1000]).await();
      assertThat(registry.get("stretto.copies").functionCounter().count()).isEqualTo(2);
      assertThat(registry.get("stretto.bytes.in").functionCounter().count()).isEqualTo(4000);
      assertThat(registry.get("stretto.bytes.out").functionCounter().count()).isEqualTo(4000);
      assertThat(registry.get("stretto.waits").functionCounter().count()).isEqualTo(1);
      assertThat(registry.get("stretto.free.bytes").gauge().value())
          .isEqualTo((double) device.freeBytes());
      assertThat(registry.get("stretto.copies").tag("device", device.name()).meters()).hasSize(1);
    }
  }
}
