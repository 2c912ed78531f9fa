package dev.stretto.kernel.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is exact, or otherwise the same as the JDK's to the last bit. */
final class DeviceMathBitsTest {
  private static final int ARGUMENTS = 100_000;
  private static final long SEED = Long.getLong("stretto.math.seed", 20260102);

  private static final double[] DOUBLES = {
    0,
    Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Math.nextDown(Double.MIN_NORMAL),
    Math.nextDown(0.5),
    0.5,
    1,
    1.5,
    2.5,
    3,
    0x1p31,
    0x1p31 - 0.5,
    0x1p51 + 0.5,
    0x1p52 + 1,
    0x1p53,
    0x1p62,
    0x1p63,
    Double.MAX_VALUE / 2,
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NaN,
  };

  private static final long[] LONGS = {
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1,
    Integer.MIN_VALUE,
    -7,
    -2,
    -1,
    0,
    1,
    2,
    7,
    Integer.MAX_VALUE,
    Long.MAX_VALUE,
  };

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void remainderOfDoublesIsJavas() {
    forPairs((x, y) -> assertSame(DeviceMath.remainder(x, y), x % y, "%s %% %s", x, y));
  }

  @Test
  void remainderOfFloatsIsJavas() {
    forPairs(
        (x, y) -> {
          float a = (float) x;
          float b = (float) y;
          assertSame(DeviceMath.remainder(a, b), a % b, "%s %% %s", a, b);
          float c = Float.intBitsToFloat((int) Double.doubleToRawLongBits(x));
          float d = Float.intBitsToFloat((int) Double.doubleToRawLongBits(y));
          assertSame(DeviceMath.remainder(c, d), c % d, "%s %% %s", c, d);
        });
  }

  @Test
  void remainderToTheNearestIsTheJdks() {
    forPairs(
        (x, y) ->
            assertSame(
                DeviceMath.IEEEremainder(x, y), StrictMath.IEEEremainder(x, y), "%s, %s", x, y));
  }

  @Test
  void roundedNumbersAreTheJdks() {
    forDoubles(
        x -> {
          assertThat(DeviceMath.round(x)).as("%s", x).isEqualTo(Math.round(x));
          float f = (float) x;
          assertThat(DeviceMath.round(f)).as("%s", f).isEqualTo(Math.round(f));
        });
  }

  @Test
  void exponentsUlpsAndNeighboursAreTheJdks() {
    forDoubles(
        x -> {
          float f = (float) x;
          assertThat(DeviceMath.getExponent(x)).as("%s", x).isEqualTo(Math.getExponent(x));
          assertThat(DeviceMath.getExponent(f)).as("%s", f).isEqualTo(Math.getExponent(f));
          assertSame(DeviceMath.ulp(x), Math.ulp(x), "%s", x);
          assertSame(DeviceMath.ulp(f), Math.ulp(f), "%s", f);
          assertSame(DeviceMath.nextUp(x), Math.nextUp(x), "%s", x);
          assertSame(DeviceMath.nextUp(f), Math.nextUp(f), "%s", f);
          assertSame(DeviceMath.nextDown(x), Math.nextDown(x), "%s", x);
          assertSame(DeviceMath.nextDown(f), Math.nextDown(f), "%s", f);
        });
  }

  @Test
  void scaledNumbersAreRoundedOnceAsTheJdks() {
    int[] powers = {
      0,
      1,
      -1,
      24,
      -24,
      53,
      -53,
      126,
      127,
      128,
      -126,
      -127,
      -149,
      1022,
      1023,
      1024,
      -1022,
      -1023,
      -1074,
      -1075,
      2046,
      -2046,
      2098,
      -2098,
      4000,
      -4000,
      Integer.MAX_VALUE,
      Integer.MIN_VALUE,
    };
    forDoubles(
        x -> {
          for (int power : powers) {
            int n = Math.abs(power) < 3000 ? power + random.nextInt(-2, 3) : power;
            assertSame(DeviceMath.scalb(x, n), Math.scalb(x, n), "%s times 2 to the %s", x, n);
            float f = (float) x;
            assertSame(DeviceMath.scalb(f, n), Math.scalb(f, n), "%s times 2 to the %s", f, n);
          }
        });
  }

  @Test
  void degreesAndRadiansAreTheJdks() {
    forDoubles(
        x -> {
          assertSame(DeviceMath.toRadians(x), Math.toRadians(x), "%s", x);
          assertSame(DeviceMath.toDegrees(x), Math.toDegrees(x), "%s", x);
        });
  }

  @Test
  void clampedNumbersAreTheJdks() {
    forPairs(
        (x, y) -> {
          double bound = random.nextDouble(-2, 2);
          if (y <= bound) {
            assertSame(DeviceMath.clamp(x, y, bound), Math.clamp(x, y, bound), "%s", x);
            assertSame(
                DeviceMath.clamp((float) x, (float) y, (float) bound),
                Math.clamp((float) x, (float) y, (float) bound),
                "%s",
                x);
          }
        });
    forLongs(
        (x, y) -> {
          long bound = random.nextLong();
          long min = Math.min(y, bound);
          long max = Math.max(y, bound);
          assertThat(DeviceMath.clamp(x, min, max)).isEqualTo(Math.clamp(x, min, max));
          int low = (int) (min >> 32);
          int high = (int) (max >> 32);
          assertThat(DeviceMath.clamp(x, low, high)).isEqualTo(Math.clamp(x, low, high));
        });
  }

  @Test
  void integerQuotientsAndRestsAreTheJdks() {
    forLongs(
        (x, y) -> {
          if (y != 0) {
            assertThat(DeviceMath.floorDiv(x, y)).isEqualTo(Math.floorDiv(x, y));
            assertThat(DeviceMath.floorMod(x, y)).isEqualTo(Math.floorMod(x, y));
            assertThat(DeviceMath.ceilDiv(x, y)).isEqualTo(Math.ceilDiv(x, y));
            assertThat(DeviceMath.ceilMod(x, y)).isEqualTo(Math.ceilMod(x, y));
          }
          int i = (int) x;
          int j = (int) y;
          if (j != 0) {
            assertThat(DeviceMath.floorDiv(x, j)).isEqualTo(Math.floorDiv(x, j));
            assertThat(DeviceMath.floorMod(x, j)).isEqualTo(Math.floorMod(x, j));
            assertThat(DeviceMath.ceilDiv(x, j)).isEqualTo(Math.ceilDiv(x, j));
            assertThat(DeviceMath.ceilMod(x, j)).isEqualTo(Math.ceilMod(x, j));
            assertThat(DeviceMath.floorDiv(i, j)).isEqualTo(Math.floorDiv(i, j));
            assertThat(DeviceMath.floorMod(i, j)).isEqualTo(Math.floorMod(i, j));
            assertThat(DeviceMath.ceilDiv(i, j)).isEqualTo(Math.ceilDiv(i, j));
            assertThat(DeviceMath.ceilMod(i, j)).isEqualTo(Math.ceilMod(i, j));
          }
        });
  }

  @Test
  void powersOfIntegersThatAreDoublesAreExact() {
    for (int base = 2; base < 1000; base++) {
      BigInteger power = BigInteger.valueOf(base);
      for (int n = 1; power.bitLength() - power.getLowestSetBit() <= 53 && n < 100; n++) {
        double expected = power.doubleValue();
        assertThat(DeviceMath.pow((double) base, n)).isEqualTo(expected);
        assertThat(DeviceMath.pow((double) -base, n)).isEqualTo(n % 2 == 0 ? expected : -expected);
        power = power.multiply(BigInteger.valueOf(base));
      }
    }
  }

  @Test
  void powersOfIntegersThatAreFloatsAreExact() {
    for (int base = 2; base < 4096; base++) {
      BigInteger power = BigInteger.valueOf(base);
      for (int n = 1; power.bitLength() - power.getLowestSetBit() <= 24 && n < 100; n++) {
        assertThat(DeviceMath.pow((float) base, n)).isEqualTo(power.floatValue());
        power = power.multiply(BigInteger.valueOf(base));
      }
    }
  }

  @Test
  void decimalLogarithmsOfPowersOfTenAreExact() {
    for (int n = 0; n <= 22; n++) {
      assertThat(DeviceMath.log10(Double.parseDouble("1e" + n))).isEqualTo(n);
    }
  }

  @Test
  void rootsOfCubesAreExact() {
    for (int n = 1; n < 200_000; n++) {
      assertThat(DeviceMath.cbrt((double) n * n * n)).isEqualTo(n);
    }
  }

  private interface Doubles {
    void accept(double x, double y);
  }

  private interface Longs {
    void accept(long x, long y);
  }

  private interface One {
    void accept(double x);
  }

  private void forDoubles(One body) {
    for (double x : DOUBLES) {
      body.accept(x);
      body.accept(-x);
    }
    for (int i = 0; i < ARGUMENTS; i++) {
      body.accept(argument());
    }
  }

  private void forPairs(Doubles body) {
    for (double x : DOUBLES) {
      for (double y : DOUBLES) {
        body.accept(x, y);
        body.accept(-x, y);
        body.accept(x, -y);
        body.accept(-x, -y);
      }
    }
    for (int i = 0; i < ARGUMENTS; i++) {
      double y = argument();
      // Also multiples and their neighbours, halves among them.
      double multiple = y * random.nextInt(1 << 20) * 0.5;
      double x =
          switch (i % 4) {
            case 0 -> multiple;
            case 1 -> random.nextBoolean() ? Math.nextUp(multiple) : Math.nextDown(multiple);
            default -> argument();
          };
      body.accept(x, y);
    }
  }

  private void forLongs(Longs body) {
    for (long x : LONGS) {
      for (long y : LONGS) {
        body.accept(x, y);
      }
    }
    for (int i = 0; i < ARGUMENTS; i++) {
      long x = random.nextLong() >> random.nextInt(64);
      long y = random.nextLong() >> random.nextInt(64);
      body.accept(x, y);
    }
  }

  private double argument() {
    return switch (random.nextInt(4)) {
      case 0 -> Double.longBitsToDouble(random.nextLong());
      case 1 -> Math.scalb(random.nextDouble(-2, 2), random.nextInt(-150, 128));
      case 2 -> random.nextInt(-1000, 1000) * 0.5;
      // Subnormal and a little more.
      default -> Double.longBitsToDouble(random.nextLong() >> 8 & 0x80ffffffffffffffL);
    };
  }

  private static void assertSame(double actual, double expected, String text, Object... of) {
    if (Double.doubleToLongBits(actual) != Double.doubleToLongBits(expected)) {
      assertThat(actual).as("seed " + SEED + ": " + text, of).isEqualTo(expected);
    }
  }

  private static void assertSame(float actual, float expected, String text, Object... of) {
    if (Float.floatToIntBits(actual) != Float.floatToIntBits(expected)) {
      assertThat(actual).as("seed " + SEED + ": " + text, of).isEqualTo(expected);
    }
  }
}
