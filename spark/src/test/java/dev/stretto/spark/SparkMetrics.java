package dev.stretto.spark;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkEnv;
import scala.jdk.javaapi.CollectionConverters;

/** What a plugin has published in the registry of this process. */
final class SparkMetrics {
  private SparkMetrics() {}

  static List<String> of(String plugin) {
    List<String> lines = new ArrayList<>();
    CollectionConverters.asJava(SparkEnv.get().metricsSystem().getSourcesByName("plugin." + plugin))
        .forEach(
            source ->
                source
                    .metricRegistry()
                    .getMetrics()
                    .forEach((name, metric) -> lines.add(name + "=" + value(metric))));
    return lines;
  }

  private static Object value(Metric metric) {
    return switch (metric) {
      case Gauge<?> gauge -> gauge.getValue();
      case Counter counter -> counter.getCount();
      default -> metric;
    };
  }
}
