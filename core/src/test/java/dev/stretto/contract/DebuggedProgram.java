package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** What a debugger stops in: a kernel whose threads wait, what it calls, and a callback. */
final class DebuggedProgram {
  private DebuggedProgram() {}

  static void kernel(ThreadBlock block, GlobalInts out) {
    SharedInts tile = block.sharedInts(32);
    int rank = block.threadRank();
    tile.set(rank, rank);
    block.sync();
    out.set(rank, twice(tile.get(31 - rank)));
  }

  static int twice(int number) {
    int doubled = 2 * number;
    return doubled;
  }

  static void callback(int number) {
    int said = number + 1;
    System.out.println("called back with " + said);
  }

  public static void main(String[] arguments) {
    try (Device device = Device.open("virtual:h200");
        Stream stream = device.stream();
        GlobalInts out = device.allocateInts(32)) {
      stream.launch(Grid.of(1, 32), DebuggedProgram::kernel, out);
      stream.then(() -> callback(41));
      int[] result = new int[32];
      stream.copy(out, result).await();
      stream.await();
      System.out.println("the first is " + result[0]);
    }
  }
}
