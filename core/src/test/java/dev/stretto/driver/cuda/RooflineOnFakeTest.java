package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Arithmetic;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Roofline;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.contract.OpenedDeviceTest;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.Parameter;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The roofline of a launch that a GPU's clock has timed; the fake stands for the GPU. */
class RooflineOnFakeTest {
  /** Times a launch of the fake's kernel {@code add} by events, which it records 1.5 ms apart. */
  static final class OnFake {
    private OnFake() {}

    public static void main(String[] arguments) throws Throwable {
      CudaOpenedDeviceTest.OnFake.reset();
      DeviceKernel add =
          DeviceKernel.of(
              KernelImage.ofPtx(
                  ".version 8.0 .entry add (.param .u64 sum, .param .u32 a, .param .u64 b) {}"),
              "add",
              Parameter.pack(List.of(GlobalInts.class, int.class, long.class)),
              NoTwin.INSTANCE);
      try (Device device = Device.openGpu();
          Stream stream = device.stream();
          GlobalInts sum = device.allocateInts(1000)) {
        Launch launch = device.prepare(Grid.of(1, 64), add, sum, 1, 2L);
        try (TimedEvent start = stream.recordTimed()) {
          stream.launch(launch);
          try (TimedEvent end = stream.recordTimed()) {
            end.await();
            System.out.print(Roofline.of(launch, start, end, 3_000, Arithmetic.FLOATS).explain());
            System.out.print(
                Roofline.of(launch, start, end, 15_000_000_000L, 3_000, Arithmetic.FLOATS)
                    .explain());
            System.out.print(launch.explain());
          }
        }
      }
    }
  }

  @Test
  void aTimedLaunchIsShownBesideTheLimitsOfTheGpu() throws Exception {
    List<String> lines =
        OpenedDeviceTest.run(OnFake.class, FakeCuda.reset().library().toString(), "");
    String none = " ".repeat(40);
    assertThat(lines)
        .containsExactly(
            "kernel add on Fake 0: 3.00 ms",
            "  memory                |"
                + none
                + "| 2.67 MB/s of 333 GB/s (0 %); 8.00 kB, each byte of the arguments once",
            "  floats                |"
                + none
                + "| 1.00 MOP/s of a limit that is not known; 3.00 kOP, as given",
            "  which of them limits it is not known",
            "kernel add on Fake 0: 3.00 ms",
            "  memory                |"
                + "#".repeat(40)
                + "| 5.00 TB/s of 333 GB/s (1502 %, more than it has); 15.0 GB, as given",
            "  floats                |"
                + none
                + "| 1.00 MOP/s of a limit that is not known; 3.00 kOP, as given",
            "  which of them limits it is not known",
            "kernel add, 1 blocks of 64 threads: no argument is a view of host memory",
            // The fake's driver holds 2048 threads, whatever the kernel's 104 registers are.
            "  32 blocks per multiprocessor, 64 of 64 warps (100 %); 104 registers and 103 bytes of"
                + " local memory per thread");
  }
}
