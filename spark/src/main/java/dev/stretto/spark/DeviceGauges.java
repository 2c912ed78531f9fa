package dev.stretto.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import dev.stretto.DeviceMetricsMXBean;
import java.util.List;
import java.util.function.Supplier;

/** Publishes the devices' numbers in Spark's registry. */
final class DeviceGauges {
  private DeviceGauges() {}

  static void register(MetricRegistry registry, List<OpenedDevice> devices) {
    for (OpenedDevice device : devices) {
      String prefix = "gpu" + device.address() + ".";
      DeviceMetricsMXBean metrics = device.device().metrics();
      gauge(registry, prefix + "copies", metrics::getCopies);
      gauge(registry, prefix + "bytesToDevice", metrics::getBytesToDevice);
      gauge(registry, prefix + "bytesToHost", metrics::getBytesToHost);
      gauge(registry, prefix + "gigabytesPerSecondToDevice", rate(metrics::getBytesToDevice));
      gauge(registry, prefix + "gigabytesPerSecondToHost", rate(metrics::getBytesToHost));
      gauge(registry, prefix + "waits", metrics::getWaits);
      gauge(registry, prefix + "waitNanos", metrics::getWaitNanos);
      gauge(registry, prefix + "pinnedBytes", metrics::getPinnedBytes);
      gauge(registry, prefix + "freeBytes", () -> device.isUsable() ? metrics.getFreeBytes() : 0L);
      gauge(registry, prefix + "totalBytes", metrics::getTotalBytes);
      gauge(registry, prefix + "tasks", device::tasks);
      gauge(registry, prefix + "lost", () -> device.device().isLost() ? 1 : 0);
    }
  }

  private static <T> void gauge(MetricRegistry registry, String name, Gauge<T> value) {
    Gauge<T> _ = registry.register(name, value);
  }

  private static Gauge<Double> rate(Supplier<Long> bytes) {
    return new ByteRate(bytes::get, System::nanoTime)::gigabytesPerSecond;
  }
}
