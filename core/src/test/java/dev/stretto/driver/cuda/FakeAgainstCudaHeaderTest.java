package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the fake against NVIDIA's own header, where there is one. */
class FakeAgainstCudaHeaderTest {
  private static final Path HEADERS =
      Path.of(System.getenv().getOrDefault("CUDA_HOME", "/usr/local/cuda"), "include");

  @Test
  void everySignatureStructureAndNumberIsThatOfCudaH(@TempDir Path folder) throws IOException {
    Path source = FakeCuda.sources().resolve("fakecuda.c");
    Assumptions.assumeTrue(Files.exists(HEADERS.resolve("cuda.h")), "no cuda.h");
    Assumptions.assumeTrue(Files.exists(source), "no sources");
    Path log = folder.resolve("cc.log");

    Optional<Integer> status =
        FakeCuda.compile(
            log,
            List.of(
                "-std=c11",
                "-D_GNU_SOURCE",
                "-DWITH_CUDA_H",
                "-I" + HEADERS,
                "-fsyntax-only",
                source.toString()));

    Assumptions.assumeTrue(status.isPresent(), "no C compiler");
    assertThat(status).as(() -> read(log)).contains(0);
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
