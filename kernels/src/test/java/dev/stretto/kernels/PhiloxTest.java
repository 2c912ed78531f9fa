package dev.stretto.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "on {0}")
@MethodSource("dev.stretto.kernels.Devices#names")
class PhiloxTest {
  private static final long SEED = 0x0123456789abcdefL;

  private final Device device;
  private final Stream stream;

  PhiloxTest(String name) {
    device = Device.open(name);
    stream = device.stream();
  }

  @AfterEach
  void close() {
    stream.close();
    device.close();
  }

  /** From the file kat_vectors of Random123, the authors' library. */
  @Test
  void theAuthorsAnswers() {
    assertThat(PhiloxKernels.block(0, 0, 0, 0, 0, 0))
        .isEqualTo(new Int4(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
    assertThat(PhiloxKernels.block(-1, -1, -1, -1, -1, -1))
        .isEqualTo(new Int4(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
    assertThat(
            PhiloxKernels.block(
                0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0))
        .isEqualTo(new Int4(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
  }

  private static int expected(long element) {
    long counter = element >>> 2;
    Int4 four =
        PhiloxKernels.block(
            (int) counter, (int) (counter >>> 32), 0, 0, (int) SEED, (int) (SEED >>> 32));
    return switch ((int) (element & 3)) {
      case 0 -> four.x();
      case 1 -> four.y();
      case 2 -> four.z();
      default -> four.w();
    };
  }

  @Test
  void eachElementDependsOnItsPlaceAlone() {
    for (long offset : new long[] {0, 1, 2, 3, 4, (1L << 34) + 2}) {
      for (int length : new int[] {1, 3, 4, 5, 1025}) {
        try (GlobalInts out = device.allocateInts(length)) {
          Philox.bits(stream, out, SEED, offset);
          int[] got = new int[length];
          stream.copy(out, got).await();
          for (int i = 0; i < length; i++) {
            assertThat(got[i]).as("%d of %d", i, length).isEqualTo(expected(offset + i));
          }
        }
      }
    }
  }

  @Test
  void floatsAndDoublesAreMadeOfTheSameBits() {
    int length = 4001;
    try (GlobalFloats floats = device.allocateFloats(length + 1);
        GlobalDoubles doubles = device.allocateDoubles(length)) {
      Philox.uniform(stream, floats.slice(1, length), SEED, 8);
      Philox.uniform(stream, doubles, SEED, 3);
      float[] got = new float[length];
      double[] gotDoubles = new double[length];
      stream.copy(floats.slice(1, length), got);
      stream.copy(doubles, gotDoubles).await();
      for (int i = 0; i < length; i++) {
        assertThat(got[i]).isEqualTo((expected(8 + i) >>> 8) * 0x1p-24f);
        long high = Integer.toUnsignedLong(expected(2L * (3 + i)));
        long low = Integer.toUnsignedLong(expected(2L * (3 + i) + 1));
        assertThat(gotDoubles[i]).isEqualTo(((high << 32 | low) >>> 11) * 0x1p-53);
      }
      assertThat(Arrays.stream(gotDoubles).average().orElseThrow())
          .isCloseTo(0.5, within(5 / Math.sqrt(12.0 * length)));
    }
  }

  @Test
  void normalNumbersHaveTheirMoments() {
    int length = 20_000;
    try (GlobalFloats out = device.allocateFloats(length)) {
      Philox.normal(stream, out, SEED, 0);
      float[] got = new float[length];
      stream.copy(out, got).await();
      double sum = 0;
      double squares = 0;
      int near = 0;
      for (float x : got) {
        sum += x;
        squares += (double) x * x;
        near += Math.abs(x) < 1 ? 1 : 0;
      }
      double sigma = 1 / Math.sqrt(length);
      assertThat(sum / length).isCloseTo(0, within(5 * sigma));
      assertThat(squares / length).isCloseTo(1, within(5 * Math.sqrt(2) * sigma));
      assertThat((double) near / length).isCloseTo(0.6827, within(5 * 0.4655 * sigma));
      for (int i = 0; i < 100; i += 2) {
        double radius = Math.sqrt(-2 * Math.log(((expected(i) >>> 8) + 1) * 0x1p-24));
        double angle = 2 * Math.PI * ((expected(i + 1) >>> 8) * 0x1p-24);
        assertThat((double) got[i]).isCloseTo(radius * Math.cos(angle), within(2e-6));
        assertThat((double) got[i + 1]).isCloseTo(radius * Math.sin(angle), within(2e-6));
      }
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    try (GlobalInts out = device.allocateInts(1)) {
      assertThatThrownBy(() -> Philox.bits(stream, out, 1, -2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("offset is -2");
      Philox.bits(stream, out.slice(1, 0), 1, 0).await();
      assertThat(stream.isIdle()).isTrue();
    }
  }
}
