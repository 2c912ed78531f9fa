package dev.stretto.examples.kmeans.spark;

import dev.stretto.spark.StrettoPlugin;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * A cluster on this machine: two executors, which are processes of their own, with two cores and
 * two virtual devices each. All tests share one, because it takes seconds to start.
 */
final class Cluster {
  private static final String DEVICES = "virtual:h200x2,memory=1073741824";

  private static final String MASTER = "local-cluster[2,2,1024]";
  private static JavaSparkContext shared;

  private Cluster() {}

  /** The one that all tests of {@link UsesCluster} share. */
  static synchronized JavaSparkContext shared() {
    if (shared == null || shared.sc().isStopped()) {
      shared = start();
    }
    return shared;
  }

  static synchronized void stop() {
    if (shared != null) {
      shared.stop();
    }
  }

  static SparkSession session() {
    return SparkSession.builder().sparkContext(shared().sc()).getOrCreate();
  }

  private static JavaSparkContext start() {
    Path script = home().resolve("gpus");
    SparkConf conf =
        new SparkConf()
            .setMaster(MASTER)
            .setAppName("stretto")
            .set("spark.ui.enabled", "false")
            .set("spark.worker.resource.gpu.amount", "2")
            .set("spark.worker.resource.gpu.discoveryScript", script.toString())
            .set("spark.executor.resource.gpu.amount", "2")
            .set("spark.executor.resource.gpu.discoveryScript", script.toString())
            .set("spark.task.resource.gpu.amount", "1")
            .set("spark.executor.memory", "1g")
            .set("spark.executor.cores", "2")
            .set("spark.sql.shuffle.partitions", "2")
            .set("spark.plugins", StrettoPlugin.class.getName())
            .set("spark.stretto.devices", DEVICES)
            .set("spark.stretto.memoryWait", "2s")
            .set("spark.stretto.pinned", "64m")
            .set("spark.executor.extraClassPath", ownClasses())
            .set(
                "spark.executor.extraJavaOptions",
                "--enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
                    + " -Ddev.stretto.collective.address=127.0.0.1");
    return new JavaSparkContext(conf);
  }

  /** What the executors need beside Spark. */
  private static String ownClasses() {
    return entries()
        .filter(path -> path.getFileName().toString().matches(".*classes|stretto-.*jar"))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Stream<Path> entries() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(Path::of);
  }

  /** A folder as that of an unpacked Spark: workers take its jars for their executors. */
  private static Path home() {
    Path home = Path.of(System.getenv("SPARK_HOME"));
    Path jars = home.resolve("jars");
    try {
      Files.createDirectories(jars);
      link(jars);
      Path script = home.resolve("gpus");
      Path _ =
          Files.writeString(
              script, "#!/bin/sh\necho '{\"name\":\"gpu\",\"addresses\":[\"0\",\"1\"]}'\n");
      if (!script.toFile().setExecutable(true)) {
        throw new IOException(script + " cannot be made executable");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return home;
  }

  /** Those of this class path, and no older ones. */
  private static void link(Path folder) throws IOException {
    Set<Path> wanted = new HashSet<>();
    for (Path jar : entries().filter(path -> path.toString().endsWith(".jar")).toList()) {
      Path link = folder.resolve(jar.getFileName());
      if (jar.getFileName().toString().startsWith("stretto-")) {
        continue;
      }
      wanted.add(link);
      if (!Files.exists(link)) {
        Files.deleteIfExists(link);
        Path _ = Files.createSymbolicLink(link, jar);
      }
    }
    try (Stream<Path> links = Files.list(folder)) {
      for (Path link : links.filter(each -> !wanted.contains(each)).toList()) {
        Files.delete(link);
      }
    }
  }
}
