package dev.stretto.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Applications by spark-submit, in a process of their own. */
@Timeout(120)
class SubmitTest {
  @TempDir private Path folder;

  @Test
  void jarsBringStrettoToDriverAndExecutors() throws Exception {
    String script = Cluster.home().resolve("gpus").toString();
    assertThat(
            submit(
                "",
                "--master",
                "local-cluster[1,2,1024]",
                "--jars",
                jar(Device.class) + "," + jar(StrettoPlugin.class),
                "--conf",
                "spark.worker.resource.gpu.amount=2",
                "--conf",
                "spark.worker.resource.gpu.discoveryScript=" + script,
                "--conf",
                "spark.executor.resource.gpu.amount=2",
                "--conf",
                "spark.task.resource.gpu.amount=1"))
        .contains("sum 999000.0, devices [0 1.0, 1 1.0]");
  }

  @Test
  void localModeTakesTheDevicesInTurn() throws Exception {
    assertThat(
            submit(
                jar(Device.class) + ":" + jar(StrettoPlugin.class) + ":",
                "--master",
                "local[2]",
                "--conf",
                "spark.stretto.taskAmount=0.5"))
        .contains("sum 999000.0, devices [0 0.5, 1 0.5]");
  }

  /**
   * Does what the script spark-submit does.
   *
   * @param driverClassPath what goes before Spark's jars
   */
  private String submit(String driverClassPath, String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
    for (String option : System.getProperty("stretto.spark.options").strip().split("\\s+", -1)) {
      command.add(option);
    }
    command.addAll(
        List.of(
            "-cp",
            driverClassPath + Cluster.home().resolve("jars") + "/*",
            "org.apache.spark.deploy.SparkSubmit",
            "--class",
            SubmittedJob.class.getName(),
            "--conf",
            "spark.ui.enabled=false",
            "--conf",
            "spark.plugins=" + StrettoPlugin.class.getName(),
            "--conf",
            "spark.stretto.devices=" + Cluster.DEVICES,
            "--conf",
            "spark.executor.extraJavaOptions=--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of(options));
    command.add(jar(SubmittedJob.class).toString());
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    } finally {
      Process _ = process.destroyForcibly();
    }
    return Files.readString(out);
  }

  /** The jar of a class; in a build that has not packed it yet, one of its folder. */
  private Path jar(Class<?> type) throws IOException, URISyntaxException {
    Path from = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isRegularFile(from)) {
      return from;
    }
    Path jar = folder.resolve(type.getSimpleName() + ".jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        entries.putNextEntry(new JarEntry(from.relativize(file).toString()));
        long _ = Files.copy(file, entries);
        entries.closeEntry();
      }
    }
    return jar;
  }
}
