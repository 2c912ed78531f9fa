package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.KernelImageException;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.fault.LaunchException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import org.junit.jupiter.api.Test;

/** What a block or an entry does not have is refused before anything is enqueued. */
class KernelLimitTest extends ContractTest {
  @Kernel
  static void takesTooMuch(ThreadBlock block, GlobalFloats out) {
    SharedFloats tile = block.sharedFloats(100_000);
    tile.set(block.threadRank(), 1);
    out.set(0, tile.get(0));
  }

  @Kernel
  static void takesMuch(ThreadBlock block, GlobalFloats out) {
    SharedFloats tile = block.sharedFloats(15_000);
    SharedBytes more = block.dynamicShared();
    tile.set(block.threadRank(), 1);
    block.sync();
    out.set(0, tile.get(0) + more.length());
  }

  static void twin(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, n);
  }

  static void twinOfFloats(ThreadBlock block, GlobalInts out, float n) {
    out.set(0, (int) n);
  }

  @Test
  void moreSharedMemoryThanABlockHasIsRefused() {
    try (Stream stream = device.stream();
        GlobalFloats out = device.allocateFloats(1)) {
      assertThatThrownBy(() -> stream.launch(Grid.of(1, 32), KernelLimitTest::takesTooMuch, out))
          .isInstanceOf(KernelRefusedException.class)
          .hasMessageContaining("400000 bytes")
          .hasMessageContaining("KernelLimitTest.java");
      stream.await();
    }
  }

  @Test
  void sharedMemoryOfTheKernelAndOfTheLaunchCountTogether() {
    int most = device.properties().sharedBytesPerBlockOptIn();
    try (Stream stream = device.stream();
        GlobalFloats out = device.allocateFloats(1)) {
      Grid full = Grid.of(1, 32).withSharedBytes(most - 60_032);
      stream.launch(full, KernelLimitTest::takesMuch, out);
      float[] found = new float[1];
      stream.copy(out, found).await();
      assertThat(found[0]).isEqualTo(1f + (most - 60_032));
      Grid more = Grid.of(1, 32).withSharedBytes(most - 59_000);
      assertThatThrownBy(() -> stream.launch(more, KernelLimitTest::takesMuch, out))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining(String.valueOf(most));
    }
  }

  private static DeviceKernel kernel(String parameters, String twin) {
    KernelImage image =
        KernelImage.ofPtx(
            ".version 7.0\n.target sm_80\n.address_size 64\n// .entry twin() is below\n"
                + ".visible .entry twin2() { ret; }\n.visible .entry twin("
                + parameters
                + ")\n{\n  ret;\n}\n");
    return DeviceKernel.of(image, "twin", KernelLimitTest.class, twin);
  }

  private void refuses(String parameters, String twin, String... why) {
    DeviceKernel kernel = kernel(parameters, twin);
    try (GlobalInts out = device.allocateInts(1)) {
      Object n = twin.equals("twin") ? (Object) 7 : (Object) 7f;
      assertThatThrownBy(() -> device.prepare(Grid.of(1, 1), kernel, out, n))
          .as(parameters)
          .isInstanceOf(KernelImageException.class)
          .hasMessageContainingAll(why);
    }
  }

  @Test
  void anEntryThatTakesOtherThanItsTwinIsRefused() {
    refuses(".param .u64 a", "twin", "takes 1 parameters", "takes 2");
    refuses("", "twin", "takes 0 parameters");
    refuses(".param .u64 a, .param .u32 b, .param .u32 c", "twin", "takes 3 parameters");
    refuses(".param .u64 a,\n.param .u64 b", "twin", "parameter 1", "8 bytes", "int of 4 bytes");
    refuses(".param .u32 a, .param .u32 b", "twin", "parameter 0", "GlobalInts of 8 bytes");
    refuses(".param .u64 a, .param .f32 b", "twin", "parameter 1", "floating-point");
    refuses(".param .u64 a, .param .u32 b", "twinOfFloats", "parameter 1", "integer");
    refuses(".param .u64 a, .param .align 8 .b8 b[16]", "twin", "parameter 1", "16 bytes");
  }

  @Test
  void anEntryThatTakesTheSameIsTaken() {
    try (GlobalInts out = device.allocateInts(1)) {
      for (String parameters :
          new String[] {
            ".param .u64 a, .param .u32 b",
            ".param .u64 .ptr .global .align 4 a, /* (n) */ .param .s32 b",
            ".param .b64 a, .param .align 4 .b8 b[4]"
          }) {
        device.prepare(Grid.of(1, 1), kernel(parameters, "twin"), out, 7);
      }
      device.prepare(
          Grid.of(1, 1), kernel(".param .u64 a, .param .f32 b", "twinOfFloats"), out, 7f);
    }
  }
}
