package dev.stretto.kernels.attention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.driver.virtual.VirtualProfile;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On each product that virtual devices model, a kernel is chosen that it has, and is right. */
class ChosenAttentionTest {
  private static final Map<String, AttentionKernel> EXPECTED =
      Map.of(
          "t4", AttentionKernel.FLOATS,
          "a100", AttentionKernel.TENSOR_CORES,
          "l4", AttentionKernel.TENSOR_CORES,
          "rtx4090", AttentionKernel.TENSOR_CORES,
          "h100", AttentionKernel.WARP_GROUPS,
          "h200", AttentionKernel.WARP_GROUPS,
          "b200", AttentionKernel.TENSOR_CORES,
          "rtx5090", AttentionKernel.TENSOR_CORES);

  private static java.util.stream.Stream<String> products() {
    return VirtualProfile.all().stream().map(VirtualProfile::word);
  }

  @ParameterizedTest
  @MethodSource("products")
  void isRightOnEachDevice(String word) {
    try (Device device = Device.open("virtual:" + word)) {
      Case.of(new AttentionShape(1, 2, 1, 20, 70, 64), true, true).isRight(device);
      new Case(new AttentionShape(2, 1, 1, 40, 30, 72), TokenOrder.TOKENS_FIRST, 9, 5, 0.2, false)
          .isRight(device);
    }
  }

  @Test
  void rowsOf256NumbersAreRightOnTensorCores() {
    try (Device device = Device.open("virtual:a100")) {
      Case.of(new AttentionShape(1, 1, 1, 30, 40, 256), false, true).isRight(device);
    }
  }

  @ParameterizedTest
  @MethodSource("products")
  void theChoiceSaysWhy(String word) {
    AttentionKernel expected = Objects.requireNonNull(EXPECTED.get(word));
    try (Device device = Device.open("virtual:" + word)) {
      String capability =
          device.properties().computeMajor() + "." + device.properties().computeMinor();
      AttentionChoice choice = Attention.of(AttentionShape.of(1, 1, 64, 96)).choice(device);
      assertThat(choice.kernel()).isEqualTo(expected);
      assertThat(choice.reason()).contains(capability);
      AttentionChoice packed =
          Attention.of(AttentionShape.of(1, 1, 64, 96)).packed().choice(device);
      assertThat(packed).isEqualTo(choice);
    }
  }

  @ParameterizedTest
  @MethodSource("products")
  void packedSequencesAreRightOnEachDevice(String word) {
    try (Device device = Device.open("virtual:" + word);
        Stream stream = device.stream();
        GlobalBfloats rows = device.allocateBfloats(30 * 64);
        GlobalBfloats o = device.allocateBfloats(30 * 64);
        GlobalFloats lse = device.allocateFloats(30);
        GlobalInts starts = Case.starts(device, stream, 10, 20)) {
      stream.fill(rows.slice(0, 640), 2f);
      stream.fill(rows.slice(640, 1280), 3f);
      Attention.of(AttentionShape.of(2, 1, 20, 64))
          .packed()
          .enqueue(stream, rows, rows, rows, starts, starts, o, lse);
      float[] found = new float[30 * 64];
      stream.copy(o, found).await();
      for (int i = 0; i < found.length; i++) {
        assertThat(found[i]).as("number %d", i).isEqualTo(i < 640 ? 2 : 3);
      }
    }
  }
}
