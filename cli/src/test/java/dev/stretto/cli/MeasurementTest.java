package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.compiler.KernelCompiler;
import dev.stretto.compiler.KernelSource;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.compiler.ptx.PtxText;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurementTest {
  @Test
  void aDriverIsAskedWithoutALaunch() {
    PtxText kernel =
        KernelCompiler.compile(
                new KernelSource(
                    getClass().getClassLoader(),
                    "dev/stretto/cli/ExplainedKernels",
                    "reverse",
                    "(Ldev/stretto/kernel/ThreadBlock;Ldev/stretto/memory/GlobalInts;IZ)V",
                    Map.of(2, 64, 3, true),
                    true),
                new KernelTarget(80))
            .ptx();
    try (Device device = Device.open("virtual")) {
      Resources said = Measurement.by(device, kernel);
      assertThat(said.tool()).isEqualTo("driver");
      assertThat(said.sharedBytes()).isEqualTo(64 * Integer.BYTES);
      assertThat(said.spillStoreBytes()).isEmpty();
      assertThat(device.isLost()).isFalse();
    }
  }
}
