package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalShorts;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** What threads store by {@code memcpyAsync} arrives, whatever the copy becomes. */
class StoredTilesTest extends ContractTest {
  /** Many: most blocks of a device without a seed are not watched. */
  private static final int BLOCKS = 12;

  private static final int LENGTH = BLOCKS * StoredTiles.TILES * StoredTiles.TILE;
  private static final int[] ALIGNMENTS = {1, 4, 8, 16, 32};

  /** A kernel that gets the alignment that it promises as a constant. */
  interface Stores extends KernelMethod.Of3<GlobalInts, GlobalInts, Integer> {}

  /** An element of the result, where each tile begins with its first element. */
  static int straight(int i) {
    return StoredTiles.changed(i);
  }

  /** The same, where each tile begins with its last element. */
  static int turned(int i) {
    int tile = i / StoredTiles.TILE * StoredTiles.TILE;
    return StoredTiles.changed(tile + StoredTiles.TILE - 1 - (i - tile));
  }

  static void check(
      Device device, int blocks, Stores kernel, int alignment, IntUnaryOperator expected) {
    int length = blocks * StoredTiles.TILES * StoredTiles.TILE;
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(length);
        GlobalInts out = device.allocateInts(length)) {
      int[] numbers = new int[length];
      int[] wanted = new int[length];
      for (int i = 0; i < length; i++) {
        numbers[i] = i;
        wanted[i] = expected.applyAsInt(i);
      }
      int[] got = new int[length];
      stream.copy(numbers, in);
      stream.fill(out, -1);
      stream.launch(Grid.of(blocks, 64), kernel, in, out, alignment);
      stream.copy(out, got).await();
      assertThat(got).as("alignment %d", alignment).isEqualTo(wanted);
    }
  }

  private void forEachAlignment(Stores kernel, IntUnaryOperator expected) {
    for (int alignment : ALIGNMENTS) {
      check(device, BLOCKS, kernel, alignment, expected);
    }
  }

  @Test
  void aBlockStoresATileAndReadsItAgain() {
    forEachAlignment(StoredTiles::byBlock, StoredTilesTest::turned);
  }

  @Test
  void tilesAreUnderWayWhileOthersAreFilled() {
    forEachAlignment(StoredTiles::ahead, StoredTilesTest::straight);
  }

  @Test
  void copiesInBothDirectionsAreCountedTogether() {
    forEachAlignment(StoredTiles::thereAndBack, StoredTilesTest::straight);
    forEachAlignment(StoredTiles::bothAhead, StoredTilesTest::straight);
  }

  @Test
  void aWarpStoresByItself() {
    forEachAlignment(StoredTiles::byWarp, StoredTilesTest::straight);
  }

  @Test
  void aThreadStoresByItself() {
    forEachAlignment(StoredTiles::byThread, StoredTilesTest::straight);
  }

  @Test
  void aStageIsFullWhenItIsStored() {
    forEachAlignment(StoredTiles::inStages, StoredTilesTest::turned);
  }

  @Test
  void consumersWaitForWhatProducersStore() {
    forEachAlignment(StoredTiles::byRoles, StoredTilesTest::turned);
  }

  @Test
  void bulkCopiesOfTheKernelAreBesideThem() {
    assumeTrue(device.properties().computeMajor() >= 9);
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(LENGTH);
        GlobalInts out = device.allocateInts(LENGTH)) {
      int[] numbers = new int[LENGTH];
      for (int i = 0; i < LENGTH; i++) {
        numbers[i] = i;
      }
      int[] got = new int[LENGTH];
      stream.copy(numbers, in);
      stream.launch(Grid.of(BLOCKS, 64), StoredTiles::bothWays, in, out);
      stream.copy(out, got).await();
      for (int i = 0; i < LENGTH; i++) {
        assertThat(got[i]).isEqualTo(straight(i));
      }
    }
  }

  @Test
  void bytesAndShortsAreBroughtThereAndBack() {
    byte[] bytes = new byte[300];
    short[] shorts = new short[300];
    for (int i = 0; i < 300; i++) {
      bytes[i] = (byte) (i ^ 0x55);
      shorts[i] = (short) (i * 77);
    }
    try (Stream stream = device.stream();
        GlobalBytes in = device.allocateBytes(300);
        GlobalBytes out = device.allocateBytes(300);
        GlobalShorts inShorts = device.allocateShorts(300);
        GlobalShorts outShorts = device.allocateShorts(300)) {
      byte[] got = new byte[300];
      short[] gotShorts = new short[300];
      stream.copy(bytes, in);
      stream.copy(shorts, inShorts);
      stream.launch(Grid.of(1, 64), StoredTiles::bytes, in, out, 5, 250);
      stream.launch(Grid.of(1, 64), StoredTiles::shorts, inShorts, outShorts, 299);
      stream.copy(out, got);
      stream.copy(outShorts, gotShorts).await();
      for (int i = 5; i < 255; i++) {
        assertThat(got[i]).isEqualTo(bytes[i]);
      }
      assertThat(got[0]).isEqualTo(bytes[5]);
      for (int i = 1; i < 300; i++) {
        assertThat(gotShorts[i]).isEqualTo(shorts[i]);
      }
    }
  }
}
