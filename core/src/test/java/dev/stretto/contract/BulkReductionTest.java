package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.MemorySegment;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bulk copies that combine elements with what global memory holds. */
class BulkReductionTest extends ContractTest {
  private static final int BLOCKS = 5;
  private static final int THREADS = 64;

  @BeforeEach
  void thereAreBulkCopies() {
    assumeTrue(device.properties().computeMajor() >= 9);
  }

  private void ints(int begin, KernelMethod.Of1<GlobalInts> kernel, IntBinaryOperator join) {
    try (Stream stream = device.stream();
        GlobalInts out = device.allocateInts(2 * THREADS)) {
      int[] got = new int[THREADS];
      stream.fill(out, begin);
      stream.launch(Grid.of(BLOCKS, THREADS), kernel, out);
      stream.copy(out.slice(THREADS, THREADS), got).await();
      for (int i = 0; i < THREADS; i++) {
        int expected = begin;
        for (int block = 0; block < BLOCKS; block++) {
          expected = join.applyAsInt(expected, BulkReductions.operand(block, i));
        }
        assertThat(got[i]).isEqualTo(expected);
      }
    }
  }

  private void longs(long begin, KernelMethod.Of1<GlobalLongs> kernel, LongBinaryOperator join) {
    try (Stream stream = device.stream();
        GlobalLongs out = device.allocateLongs(2 * THREADS)) {
      long[] got = new long[THREADS];
      stream.fill(out, begin);
      stream.launch(Grid.of(BLOCKS, THREADS), kernel, out);
      stream.copy(out.slice(THREADS, THREADS), got).await();
      for (int i = 0; i < THREADS; i++) {
        long expected = begin;
        for (int block = 0; block < BLOCKS; block++) {
          expected = join.applyAsLong(expected, BulkReductions.operand(block, i) * 0x100000001L);
        }
        assertThat(got[i]).isEqualTo(expected);
      }
    }
  }

  @Test
  void integersAreCombined() {
    ints(7, BulkReductions::addInts, Integer::sum);
    ints(7, BulkReductions::minInts, Math::min);
    ints(7, BulkReductions::maxInts, Math::max);
    ints(7, BulkReductions::minUnsignedInts, (a, b) -> Integer.compareUnsigned(a, b) < 0 ? a : b);
    ints(7, BulkReductions::maxUnsignedInts, (a, b) -> Integer.compareUnsigned(a, b) > 0 ? a : b);
    ints(-1, BulkReductions::andInts, (a, b) -> a & b);
    ints(5, BulkReductions::orInts, (a, b) -> a | b);
    ints(5, BulkReductions::xorInts, (a, b) -> a ^ b);
  }

  @Test
  void longsAreCombined() {
    longs(7, BulkReductions::addLongs, Long::sum);
    longs(7, BulkReductions::minLongs, Math::min);
    longs(7, BulkReductions::maxLongs, Math::max);
    longs(7, BulkReductions::minUnsignedLongs, (a, b) -> Long.compareUnsigned(a, b) < 0 ? a : b);
    longs(7, BulkReductions::maxUnsignedLongs, (a, b) -> Long.compareUnsigned(a, b) > 0 ? a : b);
    longs(-1, BulkReductions::andLongs, (a, b) -> a & b);
    longs(5, BulkReductions::orLongs, (a, b) -> a | b);
    longs(5, BulkReductions::xorLongs, (a, b) -> a ^ b);
  }

  /** Each block counts: up to the greatest operand, which no order changes, and down from 0. */
  @Test
  void countersTurnAround() {
    try (Stream stream = device.stream();
        GlobalInts out = device.allocateInts(2 * THREADS)) {
      int[] got = new int[THREADS];
      stream.fill(out, -1);
      stream.launch(Grid.of(1, THREADS), BulkReductions::incInts, out);
      stream.copy(out.slice(THREADS, THREADS), got).await();
      assertThat(got).containsOnly(0);
      stream.launch(Grid.of(1, THREADS), BulkReductions::decInts, out);
      stream.copy(out.slice(THREADS, THREADS), got).await();
      for (int i = 0; i < THREADS; i++) {
        assertThat(got[i]).isEqualTo(BulkReductions.operand(0, i));
      }
    }
  }

  @Test
  void numbersWithAPointAreCombined() {
    float[] sums = new float[THREADS];
    for (int i = 0; i < THREADS; i++) {
      sums[i] = BLOCKS * i + 10;
    }
    try (Stream stream = device.stream();
        GlobalFloats floats = device.allocateFloats(2 * THREADS);
        GlobalDoubles doubles = device.allocateDoubles(2 * THREADS)) {
      float[] got = new float[THREADS];
      double[] wide = new double[THREADS];
      stream.fill(floats, 0f);
      stream.fill(doubles, 0.0);
      stream.launch(Grid.of(BLOCKS, THREADS), BulkReductions::addFloats, floats);
      stream.launch(Grid.of(BLOCKS, THREADS), BulkReductions::addDoubles, doubles);
      stream.copy(floats.slice(THREADS, THREADS), got);
      stream.copy(doubles.slice(THREADS, THREADS), wide).await();
      assertThat(got).isEqualTo(sums);
      for (int i = 0; i < THREADS; i++) {
        assertThat(wide[i]).isEqualTo(sums[i]);
      }
    }
  }

  @Test
  void numbersOfTwoBytesAreCombined() {
    try (Stream stream = device.stream();
        GlobalHalfs halfs = device.allocateHalfs(2 * THREADS);
        GlobalBfloats bfloats = device.allocateBfloats(2 * THREADS)) {
      Grid grid = Grid.of(BLOCKS, THREADS);
      short[] got = new short[THREADS];
      short[] brief = new short[THREADS];
      stream.fill(halfs, (short) 0);
      stream.launch(grid, BulkReductions::addHalfs, halfs);
      stream.launch(grid, BulkReductions::maxHalfs, halfs);
      stream.launch(grid, BulkReductions::minHalfs, halfs);
      stream.copy(halfs.slice(THREADS, THREADS), MemorySegment.ofArray(got));
      stream.fill(bfloats, (short) 0);
      stream.launch(grid, BulkReductions::addBfloats, bfloats);
      stream.launch(grid, BulkReductions::maxBfloats, bfloats);
      stream.launch(grid, BulkReductions::minBfloats, bfloats);
      stream.copy(bfloats.slice(THREADS, THREADS), MemorySegment.ofArray(brief)).await();
      for (int i = 0; i < THREADS; i++) {
        assertThat(Float.float16ToFloat(got[i])).isEqualTo(i);
        assertThat(Float.intBitsToFloat(brief[i] << 16)).isEqualTo(i);
      }
    }
  }
}
