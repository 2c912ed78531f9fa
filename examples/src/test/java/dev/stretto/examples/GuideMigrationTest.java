package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.io.File;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide says to those who come from CUDA C++, JCuda and TornadoVM. */
class GuideMigrationTest {
  private static final int N = 1 << 20;

  // @start region="fromCuda"
  @Kernel
  static void brighten(ThreadBlock block, GlobalFloats in, GlobalFloats out, float by, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      out.set(i, in.get(i) + by);
    }
  }

  static void brighten(Device device, MemorySegment host, int n, int pieces) {
    int piece = n / pieces;
    try (GlobalFloats x = device.allocateFloats(n);
        GlobalFloats y = device.allocateFloats(n)) {
      for (int p = 0; p < pieces; p++) {
        try (Stream stream = device.stream()) { // goes when its work is done; nothing waits here
          GlobalFloats from = x.slice((long) p * piece, piece);
          GlobalFloats to = y.slice((long) p * piece, piece);
          MemorySegment h = host.asSlice(4L * p * piece, from.byteSize());
          stream.copy(h, from);
          stream.launch(
              Grid.covering(piece, 256), GuideMigrationTest::brighten, from, to, 0.5f, piece);
          stream.copy(to, h);
        }
      }
    } // so does the memory
    device.await();
  }

  // @end

  @Test
  void theTwinOfTheProgramInCudaOverlaps() {
    try (Device device = Device.open("virtual");
        PinnedArena pinned = device.pinnedArena();
        Timeline timeline = Timeline.record(device)) {
      MemorySegment host = pinned.allocate(JAVA_FLOAT, N);
      brighten(device, host, N, 4);
      assertThat(TextTimeline.draw(timeline.spans(), 72))
          .isEqualTo(
              """
              stream 1    >>>>>>>>>>>>#<<<<<<<<<<<<
              stream 2                >>>>>>>>>>>##<<<<<<<<<<<<
              stream 3                           >>>>>>>>>>>## <<<<<<<<<<<<
              stream 4                                      >>>>>>>>>>>##  <<<<<<<<<<<
              H2D engine  >>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>
              kernels                 #          ##         ##         ##
              D2H engine               <<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<
                          0         20         40        60        80         100 µs
              """);
      assertThat(host.toArray(JAVA_FLOAT)).containsOnly(0.5f);
    }
  }

  @Test
  void theProgramInCudaCompiles(@TempDir Path folder) throws Exception {
    Optional<Path> nvcc =
        java.util.stream.Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .map(place -> Path.of(place, "nvcc"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(nvcc.isPresent(), "there is no nvcc on the path");
    Process compiler =
        new ProcessBuilder(
                nvcc.orElseThrow().toString(),
                "-c",
                Path.of("src/test/cuda/brighten.cu").toAbsolutePath().toString())
            .directory(folder.toFile())
            .inheritIO()
            .start();
    assertThat(compiler.waitFor()).isZero();
  }
}
