package dev.stretto.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    return Main.run(List.of(arguments), print(out), print(err));
  }

  private static PrintStream print(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  private static List<String> lines(ByteArrayOutputStream from) {
    return from.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void strettoDoesEveryJobInEachOfItsWays(@TempDir Path folder) {
    String file = folder.resolve("words").toString();
    int status =
        run(
            "--device",
            "virtual",
            "--bytes",
            "2097152",
            "--rounds",
            "1",
            "--file",
            file,
            "stretto");
    assertThat(lines(err)).isEmpty();
    assertThat(status).isZero();
    List<String> expected =
        Stream.of(
                "arrays-in plain",
                "arrays-out plain",
                "pipeline-1m plain",
                "pipeline-1m flow",
                "pipeline-2m plain",
                "pipeline-2m flow",
                "copy-4k plain",
                "copy-4k-awaited plain",
                "copy-4k prepared",
                "copy-4k-awaited prepared",
                "launch plain",
                "record-wait plain",
                "launch prepared",
                "record-wait prepared",
                "file-sum plain",
                "file-sum chunks")
            .toList();
    assertThat(lines(out))
        .extracting(
            line -> line.replaceAll(".*\"bench\":\"([^\"]*)\".*\"way\":\"([^\"]*)\".*", "$1 $2"))
        .isEqualTo(expected);
  }

  @Test
  void aLibraryThatCannotBeLoadedIsALineAndAStatusOfOne() {
    int status =
        Main.run(
            Options.of(List.of("lwjgl", "arrays")),
            _ -> {
              throw new UnsatisfiedLinkError("no \"liblwjgl.so\"\nmore about that");
            },
            print(out),
            print(err));
    assertThat(status).isEqualTo(1);
    assertThat(lines(out))
        .containsExactly(
            "{\"bench\":\"load\",\"library\":\"lwjgl\",\"error\":\"java.lang.UnsatisfiedLinkError: "
                + "no \\\"liblwjgl.so\\\" more about that\"}");
    assertThat(lines(err))
        .containsExactly("lwjgl, load: java.lang.UnsatisfiedLinkError: no \"liblwjgl.so\"");
  }

  @Test
  void whatDoesNotExistIsRefusedByName() {
    assertThatThrownBy(() -> run("opencl")).hasMessageContaining("no such library: opencl");
    assertThatThrownBy(() -> run("jcuda", "sort")).hasMessageContaining("no such job: sort");
    assertThatThrownBy(() -> run("--chunk", "1", "jcuda")).hasMessage("no such option: --chunk");
    assertThatThrownBy(() -> run("--bytes", "1000", "jcuda"))
        .hasMessageContaining("1000 bytes: must be a multiple of 1048576");
    assertThatThrownBy(() -> run("--rounds")).hasMessage("--rounds needs a value");
    assertThatThrownBy(this::run).hasMessageContaining("name a library");
  }
}
