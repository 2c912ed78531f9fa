package dev.stretto.driver.virtual;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.cuda.CudaDriver;
import dev.stretto.driver.cuda.Loading;
import dev.stretto.driver.cuda.NoTwin;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What the model of a multiprocessor says is what a GPU's driver says, where there is a GPU. */
class MultiprocessorOnGpuTest {
  private static final int[] SHARED = {
    0, 1, 100, 1024, 8000, 16_384, 40_000, 49_152, 65_536, 100_000, 116_000, 150_000, 232_448
  };

  /** A kernel that has so many numbers at the same time. */
  private static String kernel(int numbers) {
    StringBuilder all =
        new StringBuilder(
            """
            .version 7.0
            .target sm_52
            .address_size 64
            .visible .entry keep(.param .u64 a)
            {
            .reg .b64 $a;
            .reg .f32 $f<256>;
            ld.param.u64 $a, [a];
            """);
    for (int i = 0; i < numbers; i++) {
      all.append("ld.volatile.global.f32 $f%d, [$a+%d];\n".formatted(i, Float.BYTES * i));
    }
    for (int i = numbers - 1; i >= 0; i--) {
      all.append("st.volatile.global.f32 [$a+%d], $f%d;\n".formatted(Float.BYTES * i, i));
    }
    return all.append("ret;\n}\n").toString();
  }

  @Test
  void aMultiprocessorHoldsAsManyBlocksAsTheModelSays() {
    switch (CudaDriver.load()) {
      case Loading.Unavailable(String reason) -> Assumptions.abort(reason);
      case Loading.Ready(CudaDriver driver) -> {
        try (DriverDevice device = driver.open(0)) {
          for (int numbers = 1; numbers <= 250; numbers += 3) {
            compare(device, kernel(numbers));
          }
        }
      }
    }
  }

  private static void compare(DriverDevice device, String text) {
    long module = device.loadModule(text.getBytes(UTF_8));
    long function = device.function(module, "keep", NoTwin.INSTANCE);
    FunctionProperties properties = device.functionProperties(function);
    int most = Math.min(1024, properties.maxThreadsPerBlock());
    for (int threads = 1; threads <= most; threads += threads < 64 ? 1 : 31) {
      for (int shared : SHARED) {
        if (shared <= device.properties().sharedBytesPerBlockOptIn()) {
          assertThat(
                  Multiprocessor.blocks(
                      properties,
                      LaunchShape.of(1, 1, 1, threads, 1, 1, shared),
                      device.properties()))
              .as("%d registers, %d threads, %d bytes", properties.registers(), threads, shared)
              .isEqualTo(device.residentBlocks(function, threads, shared));
        }
      }
    }
    device.unloadModule(module);
  }
}
