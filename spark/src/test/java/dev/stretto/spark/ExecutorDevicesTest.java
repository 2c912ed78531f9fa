package dev.stretto.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.MetricRegistry;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.NoSuchDeviceException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.Test;

class ExecutorDevicesTest {
  /** What Spark tells the plugin of an executor. */
  private record Executor(MetricRegistry metricRegistry, List<String> addresses)
      implements PluginContext {
    @Override
    public SparkConf conf() {
      return new SparkConf(false).set("spark.stretto.devices", "virtual:h200x2");
    }

    @Override
    public String executorID() {
      return "7";
    }

    @Override
    public String hostname() {
      return "here";
    }

    @Override
    public Map<String, ResourceInformation> resources() {
      return addresses.isEmpty()
          ? Map.of()
          : Map.of("gpu", new ResourceInformation("gpu", addresses.toArray(String[]::new)));
    }

    @Override
    public void send(Object message) {
      throw new AssertionError(message);
    }

    @Override
    public Object ask(Object message) {
      throw new AssertionError(message);
    }
  }

  private static Map<String, Object> values(MetricRegistry registry) {
    Map<String, Object> values = new TreeMap<>();
    registry.getGauges().forEach((name, gauge) -> values.put(name, gauge.getValue()));
    return values;
  }

  @Test
  void anExecutorOpensItsDevicesOnceAndClosesThemInTheEnd() {
    ExecutorDevices devices = new ExecutorDevices();
    MetricRegistry registry = new MetricRegistry();
    devices.init(new Executor(registry, List.of("1")), Map.of());
    try {
      assertThat(ExecutorDevices.current()).isSameAs(devices);
      assertThat(System.getProperty(LoadedCopy.PROPERTY)).contains("AppClassLoader");
      assertThat(values(registry))
          .containsEntry("gpu1.lost", 0)
          .containsEntry("gpu1.tasks", 0)
          .doesNotContainKey("gpu0.lost");
      assertThat((long) values(registry).get("gpu1.freeBytes")).isPositive();
    } finally {
      devices.shutdown();
    }
    assertThat(ExecutorDevices.current()).isNull();
    assertThat(System.getProperty(LoadedCopy.PROPERTY)).isNull();
    assertThat(values(registry)).containsEntry("gpu1.freeBytes", 0L);
  }

  @Test
  void anExecutorWithoutItsDeviceDoesNotBegin() {
    ExecutorDevices devices = new ExecutorDevices();
    assertThatThrownBy(
            () -> devices.init(new Executor(new MetricRegistry(), List.of("0", "5")), Map.of()))
        .isInstanceOf(NoSuchDeviceException.class)
        .hasMessageContaining("address 5");
    assertThat(ExecutorDevices.current()).isNull();
    assertThat(System.getProperty(LoadedCopy.PROPERTY)).isNull();
  }

  @Test
  void anExecutorOfAProfileWithoutGpusBegins() {
    ExecutorDevices devices = new ExecutorDevices();
    MetricRegistry registry = new MetricRegistry();
    devices.init(new Executor(registry, List.of()), Map.of());
    devices.shutdown();
    assertThat(registry.getMetrics()).isEmpty();
  }

  @Test
  void theNumbersOfALostDeviceCanBeRead() {
    List<OpenedDevice> opened = AddressedDevices.openAll("virtual");
    MetricRegistry registry = new MetricRegistry();
    DeviceGauges.register(registry, opened);
    try (Stream stream = opened.getFirst().device().stream()) {
      stream.launch(
          Grid.of(1, 1), Numbers::writesBeyond, opened.getFirst().device().allocateFloats(1));
      assertThatThrownBy(stream::await).isInstanceOf(DeviceLostException.class);
      assertThat(values(registry)).containsEntry("gpu0.lost", 1).hasSize(12);
    }
    opened.getFirst().device().close();
    assertThat(values(registry)).containsEntry("gpu0.lost", 1).hasSize(12);
  }
}
