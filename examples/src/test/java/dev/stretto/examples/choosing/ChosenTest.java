package dev.stretto.examples.choosing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.driver.virtual.VirtualProfile;
import dev.stretto.examples.attention.AttentionRun;
import dev.stretto.examples.attention.Shape;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On each product that virtual devices model, a kernel is chosen that it has, and is right. */
class ChosenTest {
  private static java.util.stream.Stream<String> products() {
    return VirtualProfile.all().stream().map(VirtualProfile::word);
  }

  @ParameterizedTest
  @MethodSource("products")
  void attentionIsRightOnEachDevice(String word) {
    try (Device device = Device.open("virtual:" + word)) {
      isAttention(device, new Shape(1, 2, 1, 20, 70, 64, true), false);
      Shape wide = new Shape(1, 1, 1, 30, 40, 128, false);
      if (device.properties().computeMajor() >= 8) {
        isAttention(device, wide, true);
      } else {
        isAttention(device, wide, false);
        assertThatThrownBy(() -> isAttention(device, wide, true))
            .isInstanceOf(KernelRefusedException.class)
            .hasMessageContainingAll(
                "Mma.bf16 needs compute capability 8.0", "; multiply binary16 numbers");
      }
    }
  }

  private static void isAttention(Device device, Shape shape, boolean bfloat) {
    try (AttentionRun run = new AttentionRun(device, shape, bfloat)) {
      run.forget();
      run.enqueue(ChosenTest::attend);
      assertThat(run.error(run.allRows()).isSmall(bfloat)).isTrue();
    }
  }

  private static void attend(
      Stream stream,
      Shape shape,
      GlobalArray q,
      GlobalArray k,
      GlobalArray v,
      GlobalArray o,
      GlobalFloats lse) {
    if (q instanceof GlobalBfloats queries) {
      Chosen.attend(
          stream, shape, queries, (GlobalBfloats) k, (GlobalBfloats) v, (GlobalBfloats) o, lse);
    } else {
      Chosen.attend(
          stream, shape, (GlobalHalfs) q, (GlobalHalfs) k, (GlobalHalfs) v, (GlobalHalfs) o, lse);
    }
  }
}
