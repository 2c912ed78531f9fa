package dev.stretto.spark;

import com.codahale.metrics.Counter;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the settings early, and says on the driver what executors have lost. */
final class DriverReports implements DriverPlugin {
  static final String LOST = "lostDevices";

  private static final Logger LOG = LoggerFactory.getLogger(StrettoPlugin.class);

  private final Counter lost = new Counter();

  @Override
  public Map<String, String> init(SparkContext context, PluginContext plugin) {
    SparkSettings _ = SparkSettings.of(plugin.conf());
    return Map.of();
  }

  @Override
  public void registerMetrics(String application, PluginContext plugin) {
    Counter _ = plugin.metricRegistry().register(LOST, lost);
  }

  /** Text alone travels: the driver may have this module in another class loader than Spark. */
  @Override
  public @Nullable Object receive(Object message) {
    lost.inc();
    LOG.warn("{}", message);
    return null;
  }
}
