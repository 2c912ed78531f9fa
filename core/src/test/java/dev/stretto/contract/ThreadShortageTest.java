package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that can have no more threads: nothing hangs, and later everything works again. */
@Timeout(120)
class ThreadShortageTest {
  @ParameterizedTest
  @ValueSource(strings = {"virtual cold", "virtual warm", "virtual:h200,seed=1 warm"})
  void nothingHangsWhereThreadsRunOut(String arguments) throws IOException, InterruptedException {
    List<String> java =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xms512m",
            "-Xmx512m",
            "-XX:ReservedCodeCacheSize=64m",
            "-XX:CompressedClassSpaceSize=64m",
            "-XX:CICompilerCount=2",
            "-Xss64m",
            "-ea",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            ThreadShortage.class.getName());
    String command =
        Stream.concat(java.stream(), Stream.of(arguments.split(" ")))
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" ", "ulimit -v 12000000; exec timeout -s KILL 60 ", ""));

    Process process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("short: ", "again: right", "over");
  }
}
