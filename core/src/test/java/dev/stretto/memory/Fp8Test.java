package dev.stretto.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Numbers of 8 bits are those of the definition, a sign, an exponent and a fraction in doubles, and
 * a float becomes the nearest one, found by looking at all of them.
 */
class Fp8Test {
  enum Format {
    E4M3(3, 7, false),
    E5M2(2, 15, true);

    private final int fraction;
    private final int bias;
    private final boolean hasInfinity;

    /** All numbers that are not negative, with their codes. */
    @SuppressWarnings("ImmutableEnumChecker") // filled once
    private final TreeMap<Double, Integer> numbers = new TreeMap<>();

    Format(int fraction, int bias, boolean hasInfinity) {
      this.fraction = fraction;
      this.bias = bias;
      this.hasInfinity = hasInfinity;
      for (int code = 0; code < 128; code++) {
        double number = exact(code);
        if (Double.isFinite(number)) {
          numbers.put(number, code);
        }
      }
    }

    /** What a code stands for, by the definition of the format. */
    private double exact(int code) {
      int size = code & 0x7f;
      if (hasInfinity && size == 0x7c) {
        return code < 128 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
      }
      if (hasInfinity ? size > 0x7c : size == 0x7f) {
        return Double.NaN;
      }
      int exponent = size >> fraction;
      double of = (double) (size & ((1 << fraction) - 1)) / (1 << fraction);
      double number =
          exponent == 0 ? of * Math.pow(2, 1 - bias) : (1 + of) * Math.pow(2, exponent - bias);
      return code < 128 ? number : -number;
    }

    private int nearest(float value) {
      if (Float.isNaN(value)) {
        return 0x7f;
      }
      int sign = Float.floatToRawIntBits(value) < 0 ? 128 : 0;
      double size = Math.min(Math.abs((double) value), numbers.lastKey());
      double below = numbers.floorKey(size);
      double above = numbers.ceilingKey(size);
      int low = numbers.get(below);
      int order = Double.compare(size - below, above - size);
      boolean isLow = order < 0 || (order == 0 && low % 2 == 0);
      return sign | (isLow ? low : numbers.get(above));
    }

    private int of(float value) {
      return Byte.toUnsignedInt(this == E4M3 ? Fp8.ofE4m3(value) : Fp8.ofE5m2(value));
    }

    private float toFloat(int code) {
      return this == E4M3 ? Fp8.toFloatE4m3((byte) code) : Fp8.toFloatE5m2((byte) code);
    }
  }

  @Test
  void theLargestNumbersAreThoseOfTheFormats() {
    assertThat(Format.E4M3.numbers.lastEntry()).returns(448.0, it -> it.getKey());
    assertThat(Format.E4M3.numbers).hasSize(127);
    assertThat(Format.E5M2.numbers.lastEntry()).returns(57_344.0, it -> it.getKey());
    assertThat(Format.E5M2.numbers).hasSize(124);
  }

  @ParameterizedTest
  @EnumSource
  void everyCodeIsItsNumber(Format format) {
    for (int code = 0; code < 256; code++) {
      float expected = (float) format.exact(code);
      float found = format.toFloat(code);
      if (Float.isNaN(expected)) {
        assertThat(found).as("code %#x", code).isNaN();
        assertThat(format.of(found)).isEqualTo(0x7f);
      } else {
        assertThat(Float.floatToRawIntBits(found))
            .as("code %#x", code)
            .isEqualTo(Float.floatToRawIntBits(expected));
        assertThat(format.of(found)).isEqualTo(format.nearest(expected));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyBfloat16IsRoundedToTheNearest(Format format) {
    for (int bits = 0; bits < 1 << 16; bits++) {
      check(format, Bfloat.toFloat((short) bits));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatLiesBetweenIsRoundedToTheNearest(Format format) {
    double last = 0;
    for (double number : format.numbers.keySet()) {
      float middle = (float) ((last + number) / 2);
      for (float value : new float[] {middle, Math.nextUp(middle), Math.nextDown(middle)}) {
        check(format, value);
        check(format, -value);
      }
      last = number;
    }
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 200_000; i++) {
      check(format, Float.intBitsToFloat(random.nextInt()));
      check(format, (float) (random.nextDouble(-2, 2) * Math.pow(2, random.nextInt(-20, 18))));
    }
  }

  private static void check(Format format, float value) {
    int found = format.of(value);
    int expected = format.nearest(value);
    if (found != expected) {
      assertThat(found).as("%s of %s (%a)", format, value, value).isEqualTo(expected);
    }
  }
}
