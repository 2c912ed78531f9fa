package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalHalfs;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Floats that are bfloat16 or binary16 on the device: rounded to the nearest, ties to even, as the
 * JDK does and as exact arithmetic says.
 */
class ConvertedFloatsTest extends ContractTest {
  /** Of a format of 16 bits: how many are the exponent's and how many the fraction's. */
  private record Format(int exponentBits, int fractionBits) {
    static final Format BFLOAT = new Format(8, 7);
    static final Format HALF = new Format(5, 10);

    private int bias() {
      return (1 << (exponentBits - 1)) - 1;
    }

    /** {@return the number that bits without a sign stand for, exactly} */
    private double value(int bits) {
      int exponent = bits >>> fractionBits;
      int fraction = bits & ((1 << fractionBits) - 1);
      int whole = exponent == 0 ? fraction : fraction + (1 << fractionBits);
      return Math.scalb((double) whole, Math.max(exponent, 1) - bias() - fractionBits);
    }

    /**
     * {@return the bits of the nearest number, of two the one whose last bit is 0} What would be
     * the next number after the greatest one is infinite. All differences are exact as doubles.
     */
    private int nearest(float number) {
      int sign = Float.floatToRawIntBits(number) < 0 ? 0x8000 : 0;
      double exact = Math.abs((double) number);
      int low = 0;
      int high = ((1 << exponentBits) - 1) << fractionBits;
      if (exact >= value(high)) {
        return sign | high;
      }
      while (high - low > 1) {
        int middle = (low + high) >>> 1;
        if (value(middle) <= exact) {
          low = middle;
        } else {
          high = middle;
        }
      }
      int nearer = Double.compare(exact - value(low), value(high) - exact);
      return sign | (nearer < 0 || (nearer == 0 && low % 2 == 0) ? low : high);
    }

    private boolean isNaN(int bits) {
      return (bits & 0x7fff) > ((1 << exponentBits) - 1) << fractionBits;
    }
  }

  /**
   * {@return floats with every upper half, whose lower halves lie around what is a tie in either
   * format} Ties of small numbers of binary16 are in the upper half.
   */
  private static float[] patterns() {
    int[] lower = {0, 1, 0x0fff, 0x1000, 0x1001, 0x3000, 0x7fff, 0x8000, 0x8001, 0xffff};
    float[] all = new float[lower.length << 16];
    for (int i = 0; i < all.length; i++) {
      all[i] = Float.intBitsToFloat(((i / lower.length) << 16) | lower[i % lower.length]);
    }
    return all;
  }

  private static short[] shorts(byte[] bytes) {
    short[] all = new short[bytes.length / Short.BYTES];
    MemorySegment.ofArray(all).copyFrom(MemorySegment.ofArray(bytes));
    return all;
  }

  @Test
  void binary16IsWhatTheJdkMakesOfEveryPattern() {
    float[] floats = patterns();
    try (Stream stream = device.stream();
        GlobalHalfs there = device.allocateHalfs(floats.length)) {
      stream.copy(floats, there);
      short[] bits = shorts(read(stream, there));
      float[] back = new float[floats.length];
      stream.copy(there, back).await();
      for (int i = 0; i < floats.length; i++) {
        if (Float.isNaN(floats[i])) {
          if (!Format.HALF.isNaN(bits[i]) || !Float.isNaN(back[i])) {
            throw wrong(floats[i], bits[i], 0x7e00, back[i]);
          }
        } else if (bits[i] != Float.floatToFloat16(floats[i])
            || Float.floatToRawIntBits(back[i])
                != Float.floatToRawIntBits(Float.float16ToFloat(bits[i]))) {
          throw wrong(floats[i], bits[i], Float.floatToFloat16(floats[i]), back[i]);
        }
      }
    }
  }

  private static AssertionError wrong(float number, int bits, int expected, float back) {
    return new AssertionError(
        "%a became %04x, not %04x, and came back as %a"
            .formatted(number, bits & 0xffff, expected & 0xffff, back));
  }

  @Test
  void bfloat16IsTheNearestOfEveryPattern() {
    float[] floats = patterns();
    try (Stream stream = device.stream();
        GlobalBfloats there = device.allocateBfloats(floats.length)) {
      stream.copy(floats, there);
      short[] bits = shorts(read(stream, there));
      float[] back = new float[floats.length];
      stream.copy(there, back).await();
      for (int i = 0; i < floats.length; i++) {
        boolean isNegative = Float.floatToRawIntBits(floats[i]) < 0;
        if (Float.isNaN(floats[i])) {
          if (!Format.BFLOAT.isNaN(bits[i]) || bits[i] < 0 != isNegative || !Float.isNaN(back[i])) {
            throw wrong(floats[i], bits[i], 0x7fc0, back[i]);
          }
          continue;
        }
        int half = Float.floatToRawIntBits(floats[i]) & 0xffff;
        int upper = Float.floatToRawIntBits(floats[i]) >>> 16;
        int expected = half > 0x8000 || (half == 0x8000 && upper % 2 != 0) ? upper + 1 : upper;
        if ((bits[i] & 0xffff) != expected
            || Float.floatToRawIntBits(back[i]) != (bits[i] & 0xffff) << 16) {
          throw wrong(floats[i], bits[i], expected, back[i]);
        }
      }
    }
  }

  /** Both formats by arithmetic without roundings, which knows nothing of bits of floats. */
  @Test
  void randomAndSpecialFloatsAreTheNearest() {
    SplittableRandom random = new SplittableRandom(16);
    float[] some = {
      0f,
      -0f,
      1f,
      65504f,
      65519.996f,
      65520f,
      0x1p-14f,
      0x1p-24f,
      0x1p-25f,
      0x1.000002p-25f,
      0x1.8p-24f,
      0x3p-26f,
      Float.MIN_VALUE,
      Float.MIN_NORMAL,
      Float.MAX_VALUE,
      0x1.feffffp127f,
      0x1.ffp127f,
      0x1p-133f,
      0x1p-134f,
      0x1.8p-133f,
      Float.POSITIVE_INFINITY,
      Float.NEGATIVE_INFINITY,
      0x1.01p0f,
      0x1.03p0f,
      0x1.002p0f,
      0x1.006p0f
    };
    float[] floats = Arrays.copyOf(some, 3000);
    for (int i = some.length; i < floats.length; i++) {
      float bits = Float.intBitsToFloat(random.nextInt());
      float nearOne = (float) random.nextGaussian();
      float small = nearOne * 0x1p-15f;
      floats[i] = i % 3 == 0 && !Float.isNaN(bits) ? bits : i % 3 == 1 ? nearOne : small;
    }
    try (Stream stream = device.stream();
        GlobalHalfs halfs = device.allocateHalfs(floats.length);
        GlobalBfloats bfloats = device.allocateBfloats(floats.length)) {
      stream.copy(floats, halfs);
      stream.copy(floats, bfloats);
      short[] half = shorts(read(stream, halfs));
      short[] bfloat = shorts(read(stream, bfloats));
      for (int i = 0; i < floats.length; i++) {
        int nearestHalf = Format.HALF.nearest(floats[i]);
        int nearestBfloat = Format.BFLOAT.nearest(floats[i]);
        if ((half[i] & 0xffff) != nearestHalf || (bfloat[i] & 0xffff) != nearestBfloat) {
          throw new AssertionError(
              "%a became %04x and %04x, not %04x and %04x"
                  .formatted(
                      floats[i], half[i] & 0xffff, bfloat[i] & 0xffff, nearestHalf, nearestBfloat));
        }
      }
    }
  }

  @Test
  void everyNumberOfEitherFormatComesBackExactly() {
    short[] all = new short[1 << 16];
    for (int i = 0; i < all.length; i++) {
      all[i] = (short) i;
    }
    float[] of = new float[all.length];
    try (Stream stream = device.stream();
        GlobalHalfs halfs = device.allocateHalfs(all.length);
        GlobalBfloats bfloats = device.allocateBfloats(all.length)) {
      stream.copy(MemorySegment.ofArray(all), halfs);
      stream.copy(halfs, of).await();
      compare(Format.HALF, of);
      stream.copy(MemorySegment.ofArray(all), bfloats);
      stream.copy(bfloats, of).await();
      compare(Format.BFLOAT, of);
    }
  }

  private static void compare(Format format, float[] numbers) {
    for (int i = 0; i < numbers.length; i++) {
      float expected = format.isNaN(i) ? Float.NaN : signed(format, i);
      if (Float.floatToIntBits(numbers[i]) != Float.floatToIntBits(expected)) {
        throw new AssertionError("%04x is %a, not %a".formatted(i, numbers[i], expected));
      }
    }
  }

  private static float signed(Format format, int bits) {
    int positive = bits & 0x7fff;
    boolean isInfinite = positive == ((1 << format.exponentBits) - 1) << format.fractionBits;
    float value = isInfinite ? Float.POSITIVE_INFINITY : (float) format.value(positive);
    return bits > 0x7fff ? -value : value;
  }

  @Test
  void partsOfEveryLengthAreConverted() {
    float[] floats = new float[300_100];
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) random.nextGaussian();
    }
    try (Stream stream = device.stream()) {
      for (int count : new int[] {1, 2, 2047, 2048, 2049, 32_769, 300_001}) {
        try (GlobalHalfs there = device.allocateHalfs(count + 1);
            GlobalBfloats other = device.allocateBfloats(count + 1)) {
          stream.fill(there, 9);
          stream.copy(floats, 13, count, there.slice(1, count));
          stream.fill(other, 9);
          stream.copy(floats, 13, count, other.slice(0, count));
          float[] back = new float[count + 2];
          stream.copy(there, back, 1, count + 1).await();
          assertThat(back[0]).isZero();
          assertThat(back[1]).isEqualTo(9);
          for (int i = 0; i < count; i++) {
            if (back[i + 2] != Float.float16ToFloat(Float.floatToFloat16(floats[13 + i]))) {
              throw new AssertionError("binary16 " + i + " of " + count + " is " + back[i + 2]);
            }
          }
          stream.copy(other, back, 0, count + 1).await();
          assertThat(back[count]).isEqualTo(9);
          for (int i = 0; i < count; i++) {
            if (Math.abs(back[i] - floats[13 + i]) > Math.ulp(floats[13 + i]) * 0x1p15f) {
              throw new AssertionError("bfloat " + i + " of " + count + " is " + back[i]);
            }
          }
        }
      }
    }
  }

  @Test
  void otherNumbersOfElementsAreRefused() {
    try (Stream stream = device.stream();
        GlobalHalfs halfs = device.allocateHalfs(5);
        GlobalBfloats bfloats = device.allocateBfloats(5)) {
      String larger = ": slice the larger one, or copy a part of the array";
      assertThatThrownBy(() -> stream.copy(new float[6], halfs))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("source has 6 elements and destination 5" + larger);
      assertThatThrownBy(() -> stream.copy(bfloats, new float[0]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("source has 5 elements and destination 0" + larger);
      assertThatThrownBy(() -> stream.copy(new float[0], bfloats.slice(5, 0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("both ends of the copy have 0 elements: there is nothing to copy");
      assertThat(stream.isIdle()).isTrue();
    }
  }

  @Test
  void theSourceIsReadInTheOrderOfTheStream() {
    float[] floats = {1, 2, 3};
    try (Stream stream = device.stream();
        GlobalHalfs halfs = device.allocateHalfs(3)) {
      stream.fill(halfs, 0);
      stream.then(() -> floats[1] = 2049); // binary16 has 2048 and 2050
      Copy copy = stream.copy(floats, halfs);
      float[] back = new float[3];
      stream.copy(halfs, back).await();
      assertThat(copy.isDone()).isTrue();
      assertThat(back).containsExactly(1, 2048, 3);
    }
  }
}
