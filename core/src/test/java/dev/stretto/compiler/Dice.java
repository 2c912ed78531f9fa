package dev.stretto.compiler;

import dev.stretto.compiler.KernelTree.*;
import java.util.List;
import java.util.SplittableRandom;

/** What random choices are made with. */
abstract class Dice {
  final SplittableRandom random;
  int names;

  Dice(long seed) {
    random = new SplittableRandom(seed);
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  int between(int low, int high) {
    return low + random.nextInt(high - low + 1);
  }

  @SafeVarargs
  final <T> T any(T... list) {
    return list[random.nextInt(list.length)];
  }

  <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  String fresh(String prefix) {
    return prefix + names++;
  }

  Object number(Kind kind) {
    return Numbers.any(random, kind);
  }

  /** Numbers at which something happens, and others. */
  static final class Numbers {
    private static final int[] INTS = {
      0,
      1,
      -1,
      2,
      3,
      4,
      5,
      7,
      8,
      10,
      15,
      16,
      31,
      32,
      33,
      63,
      64,
      100,
      127,
      128,
      255,
      256,
      -2,
      -7,
      -128,
      -129,
      32767,
      32768,
      -32768,
      65535,
      65536,
      1 << 24,
      Integer.MAX_VALUE,
      Integer.MIN_VALUE,
      Integer.MIN_VALUE + 1,
      0x55555555,
      0xAAAAAAAA
    };
    private static final double[] DOUBLES = {
      0,
      -0.0,
      1,
      -1,
      0.5,
      -0.5,
      1.5,
      2,
      2.5,
      3,
      10,
      0.1,
      1e-3,
      1e10,
      -1e10,
      65504,
      65520,
      1e-40,
      1e40,
      -1e300,
      2147483647,
      2147483648.0,
      -2147483649.0,
      9.3e18,
      -9.3e18,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      Double.MIN_VALUE,
      Double.MAX_VALUE,
      Float.MIN_VALUE,
      Float.MAX_VALUE
    };

    private Numbers() {}

    static Object any(SplittableRandom random, Kind kind) {
      return switch (kind.computed()) {
        case LONG -> (Object) wide(random);
        case FLOAT -> (Object) (float) floating(random);
        case DOUBLE -> (Object) floating(random);
        default -> (Object) whole(random);
      };
    }

    private static int whole(SplittableRandom random) {
      return switch (random.nextInt(4)) {
        case 0 -> random.nextInt();
        case 1 -> random.nextInt(-20, 21);
        default -> INTS[random.nextInt(INTS.length)];
      };
    }

    private static long wide(SplittableRandom random) {
      return switch (random.nextInt(5)) {
        case 0 -> random.nextLong();
        case 1 -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
        case 2 -> (long) whole(random) << random.nextInt(33);
        default -> whole(random);
      };
    }

    private static double floating(SplittableRandom random) {
      return switch (random.nextInt(5)) {
        case 0 -> random.nextDouble(-10, 10);
        case 1 -> random.nextInt(-100, 100);
        case 2 -> Math.scalb(random.nextDouble(-1, 1), random.nextInt(-160, 160));
        default -> DOUBLES[random.nextInt(DOUBLES.length)];
      };
    }
  }
}
