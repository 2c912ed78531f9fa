package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Cluster;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.util.stream.IntStream;

/**
 * A table that all blocks of a cluster look values up in: each block loads a part of it for all.
 * And a histogram of the keys, whose bins lie in all blocks.
 */
final class Example19Clusters {
  private static final int TABLE = 4096;
  private static final int BLOCKS = 4;
  private static final int BINS = TABLE / BLOCKS;
  private static final int THREADS = 256;

  private Example19Clusters() {}

  // @start region="cluster"
  @Kernel
  static void lookUp(
      ThreadBlock block, GlobalFloats table, GlobalInts keys, GlobalFloats out, @Const int blocks) {
    SharedFloats all = block.sharedFloats(TABLE);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    Cluster cluster = block.cluster();
    if (block.threadRank() == 0) {
      full.arriveExpecting(TABLE * Float.BYTES);
    }
    // No copy may come before the barrier that counts it, in any block.
    cluster.sync();
    if (block.threadRank() == 0) {
      int part = TABLE * Float.BYTES / blocks;
      int from = cluster.blockRank() * part;
      PtxBulkCopies.cpAsyncBulkToSharedMulticast(
          all, from, table, from, part, full.words(), full.index(), (1 << blocks) - 1);
    }
    full.waitForParity(0);
    long step = (long) block.gridSizeX() * block.size();
    for (long i = block.globalIndexX(); i < keys.length(); i += step) {
      out.set(i, all.get(keys.get(i)));
    }
    // No block returns while others may still write to its shared memory.
    cluster.sync();
  }

  // @end

  // @start region="histogram"
  @Kernel
  static void count(ThreadBlock block, GlobalInts keys, GlobalInts counts) {
    SharedInts bins = block.sharedInts(BINS);
    Cluster cluster = block.cluster();
    for (int i = block.threadRank(); i < BINS; i += block.size()) {
      bins.set(i, 0);
    }
    // All blocks have begun, and all bins are 0.
    cluster.sync();
    int step = block.gridSizeX() * block.size();
    for (int i = (int) block.globalIndexX(); i < keys.length(); i += step) {
      int key = keys.get(i);
      Atomics.add(cluster.shared(bins, key / BINS), key % BINS, 1);
    }
    // No block adds any more, and none has returned.
    cluster.sync();
    for (int i = block.threadRank(); i < BINS; i += block.size()) {
      Atomics.add(counts, cluster.blockRank() * BINS + i, bins.get(i));
    }
  }

  // @end

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0])) {
      System.out.println(device + ", because " + device.reason() + "\n");
      int n = device.properties().driver().equals("cuda") ? 1 << 24 : 10_000;
      try (Stream stream = device.stream();
          GlobalFloats table = device.allocateFloats(TABLE);
          GlobalInts keys = device.allocateInts(n);
          GlobalFloats out = device.allocateFloats(n);
          GlobalInts counts = device.allocateInts(TABLE)) {
        run(stream, table, keys, out);
        count(stream, keys, counts);
      } catch (KernelRefusedException e) {
        System.out.println(e.getMessage()); // a device older than compute capability 9.0
      }
    }
  }

  private static void run(Stream stream, GlobalFloats table, GlobalInts keys, GlobalFloats out) {
    int n = Math.toIntExact(keys.length());
    float[] values = new float[TABLE];
    for (int i = 0; i < TABLE; i++) {
      values[i] = 0.5f * i;
    }
    int[] asked = new int[n];
    for (int i = 0; i < n; i++) {
      asked[i] = i * 31 % TABLE;
    }
    stream.copy(values, table);
    stream.copy(asked, keys);
    // @start region="launch"
    Grid grid = Grid.of(4 * BLOCKS, THREADS).withCluster(BLOCKS, 1, 1);
    stream.launch(grid, Example19Clusters::lookUp, table, keys, out, BLOCKS);
    // @end
    float[] found = new float[n];
    stream.copy(out, found).await();
    int wrong = 0;
    for (int i = 0; i < n; i++) {
      wrong += found[i] == values[asked[i]] ? 0 : 1;
    }
    System.out.println(wrong + " of " + n + " are wrong");
  }

  private static void count(Stream stream, GlobalInts keys, GlobalInts counts) {
    int[] found = new int[TABLE];
    stream.fill(counts, 0);
    Grid grid = Grid.of(4 * BLOCKS, THREADS).withCluster(BLOCKS, 1, 1);
    stream.launch(grid, Example19Clusters::count, keys, counts);
    stream.copy(counts, found).await();
    System.out.println(IntStream.of(found).sum() + " keys are counted");
  }
}
