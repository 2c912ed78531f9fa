package dev.stretto.compiler;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Launches a kernel, which is kept where the process's surroundings say. */
final class KeepingProgram {
  private KeepingProgram() {}

  @Kernel
  static void kernel(ThreadBlock block, GlobalInts out) {
    out.set(block.threadIndexX(), 4711);
  }

  public static void main(String[] arguments) {
    int[] result = new int[1];
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts out = device.allocateInts(1)) {
      stream.launch(Grid.of(1, 1), KeepingProgram::kernel, out);
      stream.copy(out, result).await();
    }
    System.out.println(result[0]);
  }
}
