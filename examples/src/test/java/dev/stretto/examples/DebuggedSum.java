package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** The program that the guide's page on debuggers stops in. */
final class DebuggedSum {
  private DebuggedSum() {}

  // @start region="debugged"
  @Kernel(maxThreads = 64)
  static void sums(ThreadBlock block, GlobalInts x, GlobalInts sums) {
    SharedInts part = block.sharedInts(64);
    int rank = block.threadRank();
    part.set(rank, x.get(block.globalIndexX()));
    for (int half = 32; half > 0; half /= 2) {
      block.sync();
      if (rank < half) {
        int sum = part.get(rank) + part.get(rank + half);
        part.set(rank, sum);
      }
    }
    if (rank == 0) {
      sums.set(block.blockIndexX(), part.get(0));
    }
  }

  // @end

  public static void main(String... arguments) {
    int[] result = new int[1];
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts x = device.allocateInts(64);
        GlobalInts sums = device.allocateInts(1)) {
      stream.fill(x, 1);
      stream.launch(Grid.of(1, 64), DebuggedSum::sums, x, sums);
      stream.copy(sums, result).await();
    }
    System.out.println("the sums are " + java.util.Arrays.toString(result));
  }
}
