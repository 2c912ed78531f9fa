package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.contract.RangesProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranges reach a profiler that listens to NVTX, by the protocol of NVIDIA's header. */
class NvtxTest {
  @TempDir private Path folder;

  private List<String> ran(String library) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                RangesProgram.class.getName())
            .redirectErrorStream(true);
    builder.environment().put("NVTX_INJECTION64_PATH", library);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  private Path built() throws IOException {
    Path library = folder.resolve("libfakenvtx.so");
    Path log = folder.resolve("cc.log");
    Path source = FakeCuda.sources().resolve("fakenvtx.c");
    List<String> arguments =
        List.of(
            "-std=c11",
            "-Wall",
            "-I/usr/local/cuda/include",
            "-shared",
            "-fPIC",
            source.toString(),
            "-o",
            library.toString());
    Optional<Integer> status = FakeCuda.compile(log, arguments);
    assumeTrue(status.isPresent(), "there is no C compiler");
    assertThat(status).as(Files.readString(log)).contains(0);
    return library;
  }

  @Test
  void aProfilerHearsOfEveryRange() throws Exception {
    assertThat(ran(built().toString()))
        .containsExactly(
            "push epoch 3", "push Übung", "start aside", "end 123456789abcdef", "pop", "pop");
  }

  @Test
  void withoutAProfilerNothingIsCalled() throws Exception {
    assertThat(ran("")).isEmpty();
  }

  @Test
  void aLibraryThatIsMissingIsLogged() throws Exception {
    assertThat(ran(folder.resolve("none.so").toString()))
        .anyMatch(line -> line.contains("NVTX_INJECTION64_PATH") && line.contains("none.so"));
  }
}
