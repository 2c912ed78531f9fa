package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.memory.Fp8;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every instruction that a kernel may name does the same on every device as its Java body does on a
 * virtual one.
 */
class InstructionsTest extends KernelContractTest {
  private static final String NONE = "the device has no numbers of 8 bits";

  private static final int[] EDGES = {
    0, 0x80008000, 0x7f807c00, 0x7fc07e00, 0xffffffff, 0x00010001, 0x80018001, 0x3f803c00,
    0x7f7f7bff, 0x00800400, 0x7f800000, 0xff800000, 0x7fffffff, 0x00000001, 0x1f, 0x20
  };

  private static int[] numbers(int length, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] numbers = new int[length];
    for (int i = 0; i < length; i++) {
      numbers[i] = random.nextInt(4) == 0 ? EDGES[random.nextInt(EDGES.length)] : random.nextInt();
    }
    return numbers;
  }

  private static GlobalInts ints(Device device, Stream stream, int... values) {
    GlobalInts array = device.allocateInts(values.length);
    stream.copy(values, array);
    return array;
  }

  private static GlobalArray filled(Stream stream, GlobalArray array, long seed) {
    stream.copy(MemorySegment.ofArray(bytes((int) array.byteSize(), seed)), array);
    return array;
  }

  private static GlobalInts empty(Device device, Stream stream, int length) {
    GlobalInts array = device.allocateInts(length);
    stream.fill(array, 0);
    return array;
  }

  @Test
  void bitsAreMovedAsThePtxIsaSays() {
    int n = 4096;
    sameEverywhere(
        (on, stream) -> {
          GlobalInts in = ints(on, stream, numbers(3 * n, 1));
          GlobalInts out = on.allocateInts(13L * n);
          stream.launch(Grid.of(n / 256, 256), Instructions::bits, in, out);
          in.close();
          return List.of(out);
        });
  }

  @Test
  void packedNumbersAreRoundedAsThePtxIsaSays() {
    int n = 16384;
    sameEverywhere(
        (on, stream) -> {
          GlobalInts in = ints(on, stream, numbers(3 * n, 2));
          GlobalInts out = on.allocateInts(13L * n);
          stream.launch(Grid.of(n / 256, 256), Instructions::packed, in, out);
          in.close();
          return List.of(out);
        });
  }

  @Test
  void numbersOf8BitsAreRoundedAsThePtxIsaSays() {
    assumeTrue(hasNumbersOf8Bits(), NONE);
    int n = 16384;
    int[] numbers = numbers(2 * n, 6);
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < numbers.length; i += 2) {
      // As large as numbers of 8 bits are, half of them in the middle between two.
      float value = (float) (random.nextDouble(-2, 2) * Math.pow(2, random.nextInt(-20, 18)));
      int bits = Float.floatToRawIntBits(value);
      numbers[i] = random.nextBoolean() ? bits : (bits & ~0x7_ffff) | 0x8_0000;
    }
    sameEverywhere(
        (on, stream) -> {
          GlobalInts in = ints(on, stream, numbers);
          GlobalInts out = on.allocateInts(11L * n);
          stream.launch(Grid.of(n / 256, 256), Instructions::eights, in, out);
          in.close();
          return List.of(out);
        });
  }

  @Test
  void theInstructionsOf8BitsAreTheMethodsOfFp8() {
    assumeTrue(hasNumbersOf8Bits(), NONE);
    int n = 16384;
    int[] numbers = numbers(2 * n, 8);
    int[] found = new int[11 * n];
    try (Stream stream = device.stream();
        GlobalInts in = ints(device, stream, numbers);
        GlobalInts out = device.allocateInts(11L * n)) {
      stream.launch(Grid.of(n / 256, 256), Instructions::eights, in, out);
      stream.copy(out, found).await();
    }
    for (int i = 0; i < n; i++) {
      float x = Float.intBitsToFloat(numbers[i]);
      float y = Float.intBitsToFloat(numbers[n + i]);
      assertThat(found[i])
          .isEqualTo((Fp8.ofE4m3(x) & 0xff) << 8 | (Fp8.ofE4m3(y) & 0xff))
          .isEqualTo(found[5 * n + i] & 0xffff);
      int swapped = (Fp8.ofE4m3(y) & 0xff) << 8 | (Fp8.ofE4m3(x) & 0xff);
      assertThat(found[9 * n + i]).isEqualTo(swapped << 16 | found[i]);
      assertThat(found[n + i])
          .isEqualTo((Fp8.ofE5m2(x) & 0xff) << 8 | (Fp8.ofE5m2(y) & 0xff))
          .isEqualTo(found[6 * n + i] & 0xffff);
      swapped = (Fp8.ofE5m2(y) & 0xff) << 8 | (Fp8.ofE5m2(x) & 0xff);
      assertThat(found[10 * n + i]).isEqualTo(swapped << 16 | found[n + i]);
      byte[] codes = {(byte) numbers[i], (byte) (numbers[i] >> 8), (byte) (numbers[i] >> 16)};
      checkHalf(found[2 * n + i], Fp8.toFloatE4m3(codes[0]));
      checkHalf(found[2 * n + i] >> 16, Fp8.toFloatE4m3(codes[1]));
      checkHalf(found[3 * n + i], Fp8.toFloatE5m2(codes[0]));
      checkHalf(found[3 * n + i] >> 16, Fp8.toFloatE5m2(codes[1]));
      checkHalf(found[4 * n + i], Fp8.toFloatE4m3(codes[2]));
    }
  }

  private static void checkHalf(int found, float expected) {
    assertThat((short) found)
        .isEqualTo(Float.isNaN(expected) ? 0x7fff : Float.floatToFloat16(expected));
  }

  private boolean hasNumbersOf8Bits() {
    DeviceProperties properties = device.properties();
    return 10 * properties.computeMajor() + properties.computeMinor() >= 89;
  }

  @Test
  void lanesExchangeEveryType() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts in = ints(on, stream, numbers(96, 3));
          GlobalInts out = on.allocateInts(5 * 96);
          GlobalLongs wide = on.allocateLongs(4 * 96);
          stream.launch(Grid.of(1, 96), Instructions::lanes, in, out, wide);
          in.close();
          return List.of(out, wide);
        });
  }

  @Test
  void lanesThatAreNotThereAreNotWaitedFor() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts out = empty(on, stream, 192);
          stream.launch(Grid.of(1, 48), Instructions::partOfAWarp, out);
          return List.of(out);
        });
  }

  private static int packedSmall(SplittableRandom random, int type) {
    int packed = 0;
    for (int half = 0; half < 2; half++) {
      float value = (random.nextInt(33) - 16) / 8f;
      int bits =
          type == 0 ? Float.floatToRawIntBits(value) >>> 16 : Float.floatToFloat16(value) & 0xffff;
      packed |= bits << (16 * half);
    }
    return packed;
  }

  private static int fourSmall(SplittableRandom random, int type) {
    int packed = 0;
    for (int i = 0; i < 4; i++) {
      // A GPU's sums of such products may have few bits: these have few, too.
      float value = (random.nextInt(17) - 8) / 4f;
      byte bits = type == 4 ? Fp8.ofE4m3(value) : Fp8.ofE5m2(value);
      packed |= Byte.toUnsignedInt(bits) << (8 * i);
    }
    return packed;
  }

  /** Factors that are small multiples of 1/8, so that sums are exact in any order. */
  private static int[] factors(int length, int type, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] factors = new int[length];
    for (int i = 0; i < length; i++) {
      factors[i] =
          switch (type) {
            case 0, 1 -> packedSmall(random, type);
            case 2 -> Float.floatToRawIntBits((random.nextInt(33) - 16) / 8f) | 0x155;
            case 4, 5 -> fourSmall(random, type);
            default -> random.nextInt();
          };
    }
    return factors;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void matricesOfEveryTypeAreMultiplied(int type) {
    assumeTrue(type < 4 || hasNumbersOf8Bits(), NONE);
    sameEverywhere(
        (on, stream) -> {
          GlobalInts a = ints(on, stream, factors(128, type, 4));
          GlobalInts b = ints(on, stream, factors(64, type, 5));
          int[] start = new int[128];
          for (int i = 0; i < 128; i++) {
            start[i] = i * 3 - 100;
          }
          GlobalInts c = ints(on, stream, start);
          GlobalInts out = on.allocateInts(128);
          stream.launch(Grid.of(1, 32), Instructions::product, type, a, b, c, out);
          a.close();
          b.close();
          c.close();
          return List.of(out);
        });
  }

  @Test
  void matricesAreLoadedFromSharedMemory() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts out = on.allocateInts(14 * 32);
          stream.launch(Grid.of(1, 32), Instructions::loads, out);
          return List.of(out);
        });
  }

  @Test
  void numberedBarriersHandOverBetweenWarps() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts out = on.allocateInts(20 * 32);
          stream.launch(Grid.of(1, 64), Instructions::handOver, out);
          return List.of(out);
        });
  }

  @Test
  void atomicOperationsReturnWhatWasThere() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts ints = ints(on, stream, 1);
          GlobalLongs longs = on.allocateLongs(1);
          stream.fill(longs, 3);
          GlobalInts old = on.allocateInts(16);
          GlobalLongs oldWide = on.allocateLongs(12);
          stream.launch(Grid.of(1, 1), Instructions::olds, ints, longs, old, oldWide);
          return List.of(ints, longs, old, oldWide);
        });
  }

  @Test
  void atomicSumsTreatSmallNumbersAlike() {
    sameEverywhere(
        (on, stream) -> {
          GlobalFloats floats = on.allocateFloats(7);
          GlobalDoubles doubles = on.allocateDoubles(5);
          stream.fill(floats, 0);
          stream.fill(doubles, 0);
          stream.launch(Grid.of(1, 1), Instructions::sums, floats, doubles);
          return List.of(floats, doubles);
        });
  }

  @Test
  void cacheHintsChangeNoValue() {
    sameEverywhere(
        (on, stream) -> {
          GlobalBytes bytes = on.allocateBytes(64);
          GlobalShorts shorts = on.allocateShorts(64);
          GlobalInts ints = on.allocateInts(64);
          GlobalLongs longs = on.allocateLongs(64);
          GlobalFloats floats = on.allocateFloats(64);
          GlobalDoubles doubles = on.allocateDoubles(64);
          filled(stream, bytes, 6);
          filled(stream, shorts, 7);
          filled(stream, ints, 8);
          filled(stream, longs, 9);
          stream.fill(floats, 1.25f);
          stream.fill(doubles, 2.5);
          stream.launch(
              Grid.of(1, 32), Instructions::hints, bytes, shorts, ints, longs, floats, doubles);
          return List.of(bytes, shorts, ints, longs, floats, doubles);
        });
  }

  @Test
  void sixteenBytesAreLoadedAndStoredWhateverTheElements() {
    sameEverywhere(
        (on, stream) -> {
          GlobalShorts from = on.allocateShorts(8 * 64);
          GlobalBytes to = on.allocateBytes(16 * 64);
          filled(stream, from, 11);
          stream.launch(Grid.of(1, 64), Instructions::sixteenBytes, from, to);
          return List.of(from, to);
        });
  }

  // --- approximations
  // -------------------------------------------------------------------------------------------

  /** How far a result may be from the exact one. */
  private interface Tolerance {
    double of(double x, double exact);
  }

  private static double relative(double exact, double bits) {
    return Math.abs(exact) * Math.pow(2, -bits) + Float.MIN_VALUE;
  }

  private static double ulps(double exact, double count) {
    return count * Math.ulp((float) exact);
  }

  @Test
  void fastFunctionsAreAsExactAsTheySay() {
    int n = 8192;
    float[] in = new float[n];
    SplittableRandom random = new SplittableRandom(10);
    for (int i = 0; i < n; i++) {
      float sign = i % 2 == 0 ? 1 : -1;
      in[i] =
          sign
              * (i % 4 < 2
                  ? (float) random.nextDouble(Math.PI)
                  : (float) random.nextDouble(0.5, 2));
    }
    float[] out = new float[13 * n];
    try (Stream stream = device.stream();
        GlobalFloats x = device.allocateFloats(n);
        GlobalFloats y = device.allocateFloats(out.length)) {
      stream.copy(in, x);
      stream.launch(Grid.of(n / 256, 256), Instructions::functions, x, y);
      stream.copy(y, out).await();
    }
    Tolerance[] tolerances = {
      (a, exact) -> ulps(exact, 2 + Math.abs(1.173 * a)),
      (a, exact) -> relative(exact, 22),
      (a, exact) -> Math.abs(a) < 2 && Math.abs(a) > 0.5 ? Math.pow(2, -21.4) : ulps(exact, 3),
      (a, exact) -> Math.abs(a) < 2 && Math.abs(a) > 0.5 ? Math.pow(2, -22) : relative(exact, 22),
      (a, exact) -> Math.pow(2, -20.5),
      (a, exact) -> Math.pow(2, -20.5),
      (a, exact) -> relative(exact, 10.9),
      (a, exact) -> relative(exact, 22.9),
      (a, exact) -> relative(exact, 23),
      (a, exact) -> ulps(exact, 1),
      (a, exact) -> ulps(exact, 2),
      (a, exact) -> relative(exact, 22),
      (a, exact) -> 0,
    };
    for (int i = 0; i < n; i++) {
      double a = in[i];
      double m = Math.abs(a);
      double[] exact = {
        Math.exp(a),
        Math.pow(2, a),
        Math.log(m),
        Math.log(m) / Math.log(2),
        Math.sin(a),
        Math.cos(a),
        Math.tanh(a),
        1 / Math.sqrt(m),
        Math.sqrt(m),
        1 / a,
        1.7f / a,
        Math.pow(2, a),
        0
      };
      for (int f = 0; f < exact.length; f++) {
        assertThat(Math.abs(out[f * n + i] - exact[f]))
            .as("function %d of %s", f, in[i])
            .isLessThanOrEqualTo(tolerances[f].of(a, exact[f]));
      }
    }
  }
}
