package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.LimitedPool;
import dev.stretto.MemoryPool;
import dev.stretto.PoolReuse;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.RaceException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pools of the program's own: their largest size, and what becomes of their memory. */
class LimitedPoolTest extends ContractTest {
  private static final long PIECE = 64L << 20; // a multiple of what GPUs take at once
  private static final int SMALL = 1 << 20;

  @Test
  void aPoolIsNeverLargerThanItMayBe() {
    try (LimitedPool pool = device.memoryPool(2 * PIECE);
        Stream stream = device.stream()) {
      GlobalFloats first = stream.allocateFloats(pool, PIECE / 4);
      GlobalBytes second = stream.allocateBytes(pool, PIECE);
      long usedElsewhere = device.memoryPool().use().usedBytes();

      assertThatThrownBy(() -> stream.allocateInts(pool, SMALL))
          .isInstanceOf(OutOfDeviceMemoryException.class)
          .hasMessageContaining(device.name())
          .hasMessageContaining(4 * SMALL + " bytes")
          .hasMessageContaining("the pool may have at most " + 2 * PIECE + " bytes")
          .hasMessageContaining(2 * PIECE + " of these are allocated")
          .hasMessageContaining("make a larger pool");

      assertThat(pool.use().usedBytes()).isEqualTo(2 * PIECE);
      assertThat(device.memoryPool().use().usedBytes()).isEqualTo(usedElsewhere);
      first.close();
      GlobalInts third = stream.allocateInts(pool, PIECE / 4); // behind the free, on its stream
      stream.fill(third.slice(0, 100), 7);
      assertThat(third.isOpen()).isTrue();
      stream.await();
      third.close();
      second.close();
      eventually("all is free", () -> isUnused(stream, pool));
    }
  }

  private static boolean isUnused(Stream stream, MemoryPool pool) {
    stream.await();
    return pool.use().usedBytes() == 0;
  }

  @Test
  void itsMemoryIsLikeAllOther() {
    byte[] data = bytes(SMALL, 1);
    try (LimitedPool pool = device.memoryPool(PIECE);
        Stream stream = device.stream();
        Stream other = device.stream()) {
      for (int i = 0; i < 30; i++) {
        GlobalBytes array = stream.allocateBytes(pool, SMALL);
        GlobalBytes copy = stream.allocateBytes(device.memoryPool(), SMALL);
        stream.copy(data, array);
        other.waitFor(stream.record());
        other.copy(array, copy);
        byte[] out = new byte[SMALL];
        other.copy(copy, out).await();
        assertSame(out, data);
        array.close();
        copy.close();
      }
    }
  }

  @Test
  void arraysOutliveTheirPool() {
    byte[] data = bytes(SMALL, 2);
    try (Stream stream = device.stream()) {
      LimitedPool pool = device.memoryPool(PIECE);
      GlobalBytes array = stream.allocateBytes(pool, SMALL);
      stream.copy(data, array);
      pool.close();
      pool.close();

      assertThat(pool.isOpen()).isFalse();
      assertThatThrownBy(() -> stream.allocateBytes(pool, 1))
          .isInstanceOf(ClosedException.class)
          .hasMessageContaining(PIECE + " bytes");
      assertThatThrownBy(pool::use).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> pool.trimTo(0)).isInstanceOf(ClosedException.class);
      byte[] out = new byte[SMALL];
      stream.copy(array, out).await();
      assertSame(out, data);
      array.close();
    }
  }

  @Test
  void aPoolAndItsArraysMayBeClosedInFlightInAnyOrder() {
    byte[] data = bytes(SMALL, 3);
    for (int order = 0; order < 4; order++) {
      try (Stream stream = device.stream();
          Stream other = device.stream();
          GlobalBytes out = device.allocateBytes(SMALL)) {
        LimitedPool pool = device.memoryPool(PIECE);
        GlobalBytes array = stream.allocateBytes(pool, SMALL);
        try (Gate gate = gate(stream)) {
          stream.copy(data, array);
          other.waitFor(stream.record());
          other.copy(array, out);
          if (order % 2 == 0) {
            pool.close();
            array.close();
          } else {
            array.close();
            pool.close();
          }
          if (order > 1) {
            stream.close();
          }
          gate.open();
        }
        assertSame(read(other, out), data);
      }
    }
  }

  @Test
  void aDeviceTakesItsPoolsAlong() {
    LimitedPool pool = device.memoryPool(PIECE);
    Stream stream = device.stream();
    GlobalBytes array = stream.allocateBytes(pool, SMALL);
    stream.fill(array, (byte) 1);
    device.close();
    assertThat(pool.isOpen()).isFalse();
    assertThatThrownBy(pool::use).isInstanceOf(ClosedException.class);
    opened.settle();
    pool.close();
    array.close();
  }

  @Test
  void poolsHaveSettingsOfTheirOwn() {
    try (LimitedPool pool = device.memoryPool(PIECE)) {
      assertThat(pool.maxBytes()).isEqualTo(PIECE);
      assertThat(pool.releaseThreshold()).isEqualTo(256L << 20);
      pool.releaseThreshold(0);
      pool.allow(PoolReuse.OPPORTUNISTIC, false);
      assertThat(pool.allows(PoolReuse.INTERNAL_DEPENDENCIES)).isFalse();
      assertThat(device.memoryPool().releaseThreshold()).isEqualTo(256L << 20);
      assertThat(device.memoryPool().allows(PoolReuse.OPPORTUNISTIC)).isTrue();
      assertThat(pool.releaseThreshold()).isZero();
      assertThat(pool.allows(PoolReuse.OPPORTUNISTIC)).isFalse();
      pool.trimTo(0);
      pool.resetPeaks();
      assertThat(pool.use().usedBytes()).isZero();
    }
  }

  @Test
  void whatAPoolCannotDoIsRefused() {
    long all = device.properties().totalBytes();
    assertThatThrownBy(() -> device.memoryPool(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to " + all);
    assertThatThrownBy(() -> device.memoryPool(all + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining((all + 1) + " bytes");
    try (LimitedPool pool = device.memoryPool(PIECE);
        Stream stream = device.stream();
        Device again = Device.open("virtual");
        Stream elsewhere = again.stream()) {
      assertThatThrownBy(() -> elsewhere.allocateBytes(pool, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("its own opening");
      assertThatThrownBy(() -> stream.allocateBytes(pool, 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> stream.allocateBytes(pool, 2 * PIECE))
          .isInstanceOf(OutOfDeviceMemoryException.class)
          .hasMessageContaining(2 * PIECE + " bytes");
      assertThatThrownBy(() -> Graph.capture(stream, () -> stream.allocateBytes(pool, 1)))
          .isInstanceOf(GraphException.class);
    }
  }

  @Test
  void whatIsLeftOpenIsReported() {
    device.watchLeaks();
    LimitedPool pool = device.memoryPool(PIECE);
    assertThat(device.leaks())
        .anyMatch(leak -> leak.toString().contains("memory pool of at most " + PIECE));
    pool.close();
    assertThat(device.leaks()).isEmpty();
  }

  /** A ring of batches in a pool that holds two of them: each waits for the one before. */
  @Test
  void aBoundedPoolRunsARingUnderManySeeds() {
    if (!machine.isSeeded()) {
      return;
    }
    for (int seed = 1; seed <= 200; seed++) {
      try (Device seeded = Device.open("virtual:h200,seed=" + seed);
          LimitedPool pool = seeded.memoryPool(2048);
          Stream stream = seeded.stream();
          Stream other = seeded.stream()) {
        List<byte[]> results = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          GlobalBytes array = stream.allocateBytes(pool, 1024);
          stream.fill(array, (byte) i);
          other.waitFor(stream.record());
          byte[] out = new byte[1024];
          other.copy(array, out);
          results.add(out);
          array.close();
        }
        other.await();
        for (int i = 0; i < 6; i++) {
          byte[] expected = new byte[1024];
          Arrays.fill(expected, (byte) i);
          assertThat(results.get(i)).as("seed %d", seed).isEqualTo(expected);
        }
      }
    }
  }

  /** Memory that an independent stream will free does not count before that has happened. */
  @Test
  void independentStreamsDoNotCountOnEachOther() {
    if (!machine.isSeeded()) {
      return; // where work advances by itself, it may have been freed
    }
    try (LimitedPool pool = device.memoryPool(1024);
        Stream stream = device.stream();
        Stream other = device.stream()) {
      stream.allocateBytes(pool, 1024).close();
      assertThatThrownBy(() -> other.allocateBytes(pool, 1024))
          .isInstanceOf(OutOfDeviceMemoryException.class)
          .hasMessageContaining("await their frees");
      other.waitFor(stream.record());
      other.allocateBytes(pool, 1024).close();
    }
  }

  @Test
  void anAllocationOutOfAPoolIsOrderedToo() {
    if (!machine.isVirtual()) {
      return;
    }
    try (Device checked = Device.open("virtual:order=checked");
        LimitedPool pool = checked.memoryPool(PIECE);
        Stream stream = checked.stream();
        Stream other = checked.stream();
        GlobalInts array = stream.allocateInts(pool, 100)) {
      assertThatThrownBy(() -> other.fill(array, 1)).isInstanceOf(RaceException.class);
      other.waitFor(stream.record());
      other.fill(array, 1);
    }
  }
}
