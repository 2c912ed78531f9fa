package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What kernels promise that are methods: they compute the same on every device. The judge is the
 * Java virtual machine, which runs the same method on a virtual device.
 */
class MethodKernelTest extends KernelContractTest {
  private static final double[] SPECIAL = {
    0.0,
    -0.0,
    1,
    -1,
    0.5,
    -0.5,
    1.5,
    2.5,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    Double.MAX_VALUE,
    2147483647.5,
    -2147483649.0,
    9.3e18,
    -9.3e18,
    1e-300,
    3.14159,
    1e10
  };

  /** The same to a relative error, where the accuracy is part of what is promised. */
  private void nearlySame(Program program, boolean doubles, double error) {
    List<byte[]> here = results(device, program);
    try (Device other = Device.open("virtual")) {
      List<byte[]> there = results(other, program);
      for (int i = 0; i < here.size(); i++) {
        ByteBuffer a = ByteBuffer.wrap(here.get(i)).order(ByteOrder.nativeOrder());
        ByteBuffer b = ByteBuffer.wrap(there.get(i)).order(ByteOrder.nativeOrder());
        while (a.hasRemaining()) {
          double x = doubles ? a.getDouble() : a.getFloat();
          double y = doubles ? b.getDouble() : b.getFloat();
          assertThat(Math.abs(x - y))
              .as("%s instead of %s at byte %d", x, y, a.position())
              .isLessThanOrEqualTo(error * Math.max(1, Math.abs(y)));
        }
      }
    }
  }

  private static GlobalInts ints(Device device, Stream stream, int count, long seed) {
    GlobalInts array = device.allocateInts(count);
    stream.copy(new SplittableRandom(seed).ints(count).toArray(), array);
    return array;
  }

  private static GlobalInts zeros(Device device, Stream stream, int count) {
    GlobalInts array = device.allocateInts(count);
    stream.copy(new int[count], array);
    return array;
  }

  private static GlobalFloats floats(Device device, Stream stream, int count, long seed) {
    float[] values = new float[count];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextDouble(-4, 4);
    }
    GlobalFloats array = device.allocateFloats(count);
    stream.copy(values, array);
    return array;
  }

  private static GlobalFloats zeroFloats(Device device, Stream stream, int count) {
    GlobalFloats array = device.allocateFloats(count);
    stream.copy(new float[count], array);
    return array;
  }

  private static GlobalDoubles doubles(Device device, Stream stream, double[] values) {
    GlobalDoubles array = device.allocateDoubles(values.length);
    stream.copy(values, array);
    return array;
  }

  @Test
  void aMethodIsAKernel() {
    sameEverywhere(
        (on, stream) -> {
          GlobalFloats x = floats(on, stream, 10_001, 1);
          GlobalFloats y = floats(on, stream, 10_001, 2);
          stream.launch(Grid.covering(10_001, 256), MethodKernels::saxpy, 3f, x, y, 10_001);
          return List.of(y, x);
        });
  }

  @Test
  void everyTypeOfParameterArrivesInAMethod() {
    sameEverywhere(
        (on, stream) -> {
          GlobalBytes bytes = on.allocateBytes(32);
          GlobalShorts shorts = on.allocateShorts(32);
          GlobalInts ints = ints(on, stream, 32, 3);
          GlobalLongs longs = on.allocateLongs(32);
          GlobalFloats floats = floats(on, stream, 32, 4);
          GlobalDoubles doubles = doubles(on, stream, new double[32]);
          stream.copy(bytes(32, 5), bytes);
          stream.copy(MemorySegment.ofArray(bytes(64, 6)), shorts);
          stream.copy(MemorySegment.ofArray(bytes(256, 7)), longs);
          stream.launch(
              Grid.of(1, 32),
              MethodKernels::everyType,
              (byte) -3,
              (short) 300,
              1 << 30,
              -1L << 40,
              0.3f,
              1e100,
              bytes,
              shorts,
              ints,
              longs,
              floats,
              doubles);
          return List.of(bytes, shorts, ints, longs, floats, doubles);
        });
  }

  @Test
  void halvesAreConvertedAsJavaDoes() {
    sameEverywhere(
        (on, stream) -> {
          GlobalHalfs halfs = on.allocateHalfs(64);
          GlobalBfloats bfloats = on.allocateBfloats(64);
          short[] h = new short[64];
          short[] b = new short[64];
          for (int i = 0; i < 64; i++) {
            h[i] = Float.floatToFloat16(i * 0.37f - 9);
            b[i] = Bfloat.of(i * -1.7f + 20);
          }
          stream.copy(MemorySegment.ofArray(h), halfs);
          stream.copy(MemorySegment.ofArray(b), bfloats);
          GlobalFloats out = zeroFloats(on, stream, 192);
          stream.launch(Grid.of(1, 64), MethodKernels::halves, halfs, bfloats, out);
          return List.of(halfs, bfloats, out);
        });
  }

  @Test
  void aThreadKnowsWhereItStandsInThreeDimensions() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts out = zeros(on, stream, 2 * 3 * 2 * 4 * 3 * 5);
          stream.launch(new Grid(2, 3, 2, 4, 3, 5, 0), MethodKernels::shape, out);
          return List.of(out);
        });
  }

  @Test
  void threadsOfABlockMeetAndShare() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts in = ints(on, stream, 5_000, 8);
          GlobalInts out = zeros(on, stream, 1);
          stream.launch(Grid.of(4, 256), MethodKernels::sum, in, out, 5_000);
          return List.of(out);
        });
  }

  @Test
  void lanesOfAWarpExchangeVoteAndReduce() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts in = on.allocateInts(96);
          int[] values = new SplittableRandom(9).ints(96, -2000, 2000).toArray();
          stream.copy(values, in);
          GlobalInts out = zeros(on, stream, 13 * 96);
          stream.launch(Grid.of(1, 96), MethodKernels::warps, in, out);
          return List.of(out);
        });
  }

  @Test
  void atomicsLoseNothing() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts ints = zeros(on, stream, 9);
          GlobalLongs longs = on.allocateLongs(3);
          stream.copy(new long[3], longs);
          GlobalFloats floats = zeroFloats(on, stream, 1);
          stream.launch(Grid.of(6, 64), MethodKernels::atomics, ints, longs, floats);
          return List.of(ints, longs, floats);
        });
  }

  @Test
  void staticSharedMemoryMayBeLargerThanAFileMayAskFor() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts out = zeros(on, stream, 20_000);
          stream.launch(Grid.of(1, 128), MethodKernels::largeStatic, out);
          return List.of(out);
        });
  }

  @Test
  void dynamicSharedMemoryIsAsLargeAsTheLaunchSays() {
    sameEverywhere(
        (on, stream) -> {
          GlobalFloats out = zeroFloats(on, stream, 64);
          stream.launch(Grid.of(1, 64).withSharedBytes(60_000), MethodKernels::dynamic, out);
          return List.of(out);
        });
  }

  @Test
  void vectorsAreSeveralElementsAtOnce() {
    sameEverywhere(
        (on, stream) -> {
          GlobalFloats in = floats(on, stream, 256, 10);
          GlobalInts ints = ints(on, stream, 256, 11);
          GlobalFloats out = zeroFloats(on, stream, 256);
          stream.launch(Grid.of(1, 64), MethodKernels::vectors, in, ints, out);
          return List.of(out);
        });
  }

  @Test
  void localArraysAreRegistersAndConstantsAreCompiledIn() {
    sameEverywhere(
        (on, stream) -> {
          GlobalFloats a = floats(on, stream, 32 * 32, 12);
          GlobalFloats b = floats(on, stream, 32 * 32, 13);
          GlobalFloats c = zeroFloats(on, stream, 32 * 32);
          stream.launch(new Grid(1, 1, 1, 8, 8, 1, 0), MethodKernels::tile, a, b, c, 32);
          return List.of(c);
        });
  }

  @Test
  void matrixUnitsMultiplyFragments() {
    nearlySame(
        (on, stream) -> {
          short[] a = new short[256];
          short[] b = new short[128];
          SplittableRandom random = new SplittableRandom(14);
          for (int i = 0; i < a.length; i++) {
            a[i] = Bfloat.of((float) random.nextDouble(-1, 1));
          }
          for (int i = 0; i < b.length; i++) {
            b[i] = Bfloat.of((float) random.nextDouble(-1, 1));
          }
          GlobalBfloats da = on.allocateBfloats(256);
          GlobalBfloats db = on.allocateBfloats(128);
          stream.copy(MemorySegment.ofArray(a), da);
          stream.copy(MemorySegment.ofArray(b), db);
          GlobalFloats d = zeroFloats(on, stream, 128);
          stream.launch(Grid.of(1, 32), MethodKernels::mma, da, db, d);
          da.close();
          db.close();
          return List.of(d);
        },
        false,
        1e-5);
  }

  @Test
  void mathematicsIsAccurateToAFewUnitsInTheLastPlace() {
    nearlySame(
        (on, stream) -> {
          double[] values = new double[128];
          SplittableRandom random = new SplittableRandom(15);
          for (int i = 0; i < values.length; i++) {
            values[i] = random.nextDouble(-6, 6);
          }
          GlobalDoubles in = doubles(on, stream, values);
          GlobalDoubles out = doubles(on, stream, new double[5 * 128]);
          stream.launch(Grid.of(1, 128), MethodKernels::mathematics, in, out);
          return List.of(out);
        },
        true,
        1e-13);
  }

  @Test
  void fastMathematicsIsAsAccurateAsItSays() {
    nearlySame(
        (on, stream) -> {
          GlobalFloats in = floats(on, stream, 128, 16);
          GlobalFloats out = zeroFloats(on, stream, 4 * 128);
          stream.launch(Grid.of(1, 128), MethodKernels::fast, in, out);
          return List.of(out);
        },
        false,
        2e-3);
  }

  @Test
  void numbersAreJavasNumbers() {
    sameEverywhere(
        (on, stream) -> {
          int n = 20 * 20;
          double[] values = new double[n];
          int[] numbers = new SplittableRandom(17).ints(n).toArray();
          for (int i = 0; i < n; i++) {
            // Every special value before every other one.
            values[i] = SPECIAL[i % 2 == 0 ? i / 2 % 20 : (i / 2 + i / 40) % 20];
          }
          numbers[0] = Integer.MIN_VALUE;
          numbers[1] = -1;
          numbers[7] = 0;
          GlobalInts ints = on.allocateInts(n);
          stream.copy(numbers, ints);
          GlobalDoubles doubles = doubles(on, stream, values);
          GlobalLongs out = on.allocateLongs(16L * n);
          stream.copy(new long[16 * n], out);
          stream.launch(Grid.of(1, n), MethodKernels::numbers, ints, doubles, out);
          return List.of(out);
        });
  }

  @Test
  void aLambdaIsAKernelAndWhatItCapturesIsCompiledIn() {
    int factor = 7;
    long offset = 1L << 40;
    sameEverywhere(
        (on, stream) -> {
          GlobalLongs out = on.allocateLongs(100);
          stream.launch(
              Grid.of(1, 100),
              (ThreadBlock block, GlobalLongs array, Integer n) -> {
                int i = block.threadIndexX();
                if (i < n) {
                  array.set(i, (long) i * factor + offset);
                }
              },
              out,
              100);
          return List.of(out);
        });
  }

  @Test
  void aConstantHasAKernelForEachValue() {
    try (Stream stream = device.stream();
        GlobalFloats a = floats(device, stream, 64, 18);
        GlobalFloats c = zeroFloats(device, stream, 64)) {
      stream.launch(new Grid(1, 1, 1, 2, 2, 1, 0), MethodKernels::tile, a, a, c, 8);
      byte[] eight = read(stream, c);
      stream.launch(new Grid(1, 1, 1, 1, 1, 1, 0), MethodKernels::tile, a, a, c, 4);
      byte[] four = read(stream, c);
      assertThat(four).isNotEqualTo(eight);
      stream.launch(new Grid(1, 1, 1, 2, 2, 1, 0), MethodKernels::tile, a, a, c, 8);
      assertSame(read(stream, c), eight);
    }
  }

  @Test
  void aConstantOfAnEnumHasAKernelForEachValue() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts a = ints(on, stream, 128, 5);
          GlobalInts b = ints(on, stream, 128, 6);
          List<GlobalArray> results = new ArrayList<>(List.of(a, b));
          for (MethodKernels.Combination how : MethodKernels.Combination.values()) {
            GlobalInts c = zeros(on, stream, 128);
            stream.launch(Grid.of(1, 128), MethodKernels::combined, a, b, c, how);
            results.add(c);
          }
          return results;
        });
  }

  @Test
  void minimaOfNegativeNumbersAreJavas() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts x = ints(on, stream, 64, 7);
          GlobalInts out = zeros(on, stream, 12 * 64);
          stream.launch(Grid.of(1, 64), MethodKernels::minimaOfNegatives, x, out);
          return List.of(out);
        });
  }

  @Test
  void whatAnAssemblerGotWrongIsWrittenOtherwise() {
    sameEverywhere(
        (on, stream) -> {
          GlobalInts ints = ints(on, stream, 64, 8);
          GlobalFloats floats = floats(on, stream, 64, 9);
          stream.fill(floats.slice(3, 1), Float.NEGATIVE_INFINITY);
          GlobalLongs out = on.allocateLongs(13 * 64);
          stream.launch(Grid.of(1, 64), MethodKernels::whatAssemblersGotWrong, ints, floats, out);
          return List.of(out);
        });
  }
}
