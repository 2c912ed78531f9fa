package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;

/**
 * Bulk copies, which one thread begins for its whole block: a tile comes in on a barrier that
 * counts its bytes, and goes out as the last act of the kernel. Also the report of a virtual device
 * if a fence or a wait is missing.
 */
final class Example15BulkCopies {
  private static final int TILE = 2048;
  private static final int N = 8 * TILE;

  private Example15BulkCopies() {}

  // @start region="bulk"
  @Kernel
  static void doubled(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    SharedFloats tile = block.sharedFloats(TILE);
    Barrier arrived = block.barrier();
    long from = (long) block.blockIndexX() * TILE;
    block.memcpyAsync(tile, 0, in, from, TILE, 16, arrived);
    arrived.arriveAndWait();
    for (int i = block.threadRank(); i < TILE; i += block.size()) {
      tile.set(i, 2 * tile.get(i));
    }
    // Orders each thread's stores before the bulk copy; after the barrier, all have stored.
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, from * Float.BYTES, tile, 0, TILE * Float.BYTES);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      // Shared memory is gone when the block has ended.
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  // @end

  // @start region="wrong"
  @Kernel
  static void readsTooEarly(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    SharedFloats tile = block.sharedFloats(TILE);
    long from = (long) block.blockIndexX() * TILE;
    block.memcpyAsync(tile, 0, in, from, TILE, 16);
    for (int i = block.threadRank(); i < TILE; i += block.size()) {
      out.set(from + i, 2 * tile.get(i));
    }
    block.waitAll();
  }

  // @end

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Stream stream = device.stream();
        GlobalFloats in = device.allocateFloats(N);
        GlobalFloats out = device.allocateFloats(N)) {
      System.out.println(device + ", because " + device.reason() + "\n");
      stream.fill(in, 21);
      try {
        stream.launch(Grid.of(N / TILE, 128), Example15BulkCopies::doubled, in, out);
        float[] result = new float[N];
        stream.copy(out, result).await();
        System.out.println("2 * 21 = " + result[N - 1]);
      } catch (KernelRefusedException e) {
        System.out.println(e.getMessage()); // a device older than compute capability 9.0
      }
    }
    tooEarly();
  }

  private static void tooEarly() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats in = device.allocateFloats(N);
        GlobalFloats out = device.allocateFloats(N)) {
      stream.fill(in, 21);
      stream.launch(Grid.of(N / TILE, 128), Example15BulkCopies::readsTooEarly, in, out);
      stream.await();
    } catch (DeviceLostException e) {
      String message = String.valueOf(e.getMessage());
      System.out.println(message.substring(0, message.indexOf(", in kernel")));
    }
  }
}
