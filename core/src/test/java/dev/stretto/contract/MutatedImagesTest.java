package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.driver.Mutations;
import dev.stretto.fault.KernelImageException;
import dev.stretto.fault.LaunchException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Images with faults are refused by type on a virtual device, which goes on; see Mutations. */
@Timeout(value = 20, unit = TimeUnit.MINUTES) // as many as one likes
class MutatedImagesTest {
  private static final String PTX =
      """
      // a comment
      .version 8.0
      .target sm_80
      .address_size 64
      .shared .align 4 .b8 outside[64];
      .extern .shared .align 16 .b8 dynamic[];
      .visible .entry idle() .maxntid 64, 2, 1 { .shared .f32 tile[16][17]; ret; }
      .visible .entry add() { .shared .align 8 .b64 barrier; ret; }
      """;

  static void idle(ThreadBlock block) {}

  private static boolean runs(Device device, Stream stream, KernelImage image) {
    DeviceKernel kernel = DeviceKernel.of(image, "idle", MutatedImagesTest.class, "idle");
    try {
      stream.launch(Grid.of(1, 1), kernel);
      stream.await();
      return true;
    } catch (KernelImageException | LaunchException e) {
      assertThat(e).hasMessageNotContainingAny("java.", "null");
      return false;
    } finally {
      assertThat(device.isLost()).isFalse();
    }
  }

  @Test
  void ofMachineCode() throws Exception {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream()) {
      assertThat(runs(device, stream, KernelImage.ofCubin(Mutations.cubin()))).isTrue();
      Mutations.each(
          "cubins",
          Mutations.cubin(),
          (file, _) -> runs(device, stream, KernelImage.ofCubin(file)));
    }
  }

  @Test
  void ofText() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream()) {
      assertThat(runs(device, stream, KernelImage.ofPtx(PTX))).isTrue();
      Mutations.each(
          "PTX texts",
          PTX.getBytes(StandardCharsets.UTF_8),
          (file, _) ->
              runs(
                  device,
                  stream,
                  KernelImage.ofPtx(new String(file, StandardCharsets.ISO_8859_1))));
    }
  }

  @Test
  void memoryThatNoDeviceHasIsNoNumberThatIsTooLarge() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream()) {
      for (String declared :
          new String[] {
            ".shared .b8 x[99999999999999999999999]",
            ".shared .b8 x[2147483647][2147483647][2147483647][2147483647]",
            ".shared .b99999999999 x[8]",
            ".shared .b8 x" + "[1]".repeat(20_000) + "[4000000]"
          }) {
        String text = PTX.replace(".shared .f32 tile[16][17]", declared);
        assertThat(runs(device, stream, KernelImage.ofPtx(text))).as(declared).isFalse();
      }
      String threads = PTX.replace(".maxntid 64, 2, 1", ".maxntid 99999999999, 99999999999, 9");
      assertThat(runs(device, stream, KernelImage.ofPtx(threads))).isTrue();
    }
  }

  @Test
  void manyFaultsTakeNoLongerThanOne() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream()) {
      long start = System.nanoTime();
      assertThat(runs(device, stream, KernelImage.ofPtx(PTX + "}\n".repeat(300_000)))).isFalse();
      assertThat(runs(device, stream, KernelImage.ofPtx(PTX + "{\n".repeat(300_000)))).isFalse();
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
    }
  }
}
