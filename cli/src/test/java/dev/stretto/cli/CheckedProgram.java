package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A program that knows nothing of {@code stretto check}. */
final class CheckedProgram {
  private CheckedProgram() {}

  public static void main(String[] arguments) {
    if (arguments[0].equals("none")) {
      return;
    }
    Device device = Device.open("virtual:h200,seed=1");
    Stream stream = device.stream();
    PinnedArena pinned = device.pinnedArena();
    GlobalInts array = device.allocateInts(100_000);
    MemorySegment host = pinned.allocate(ValueLayout.JAVA_INT, 100_000);
    for (int i = 0; i < 5; i++) {
      stream.copy(host, array);
      if (arguments[0].equals("bad")) {
        stream.await();
      }
    }
    stream.await();
    System.exit(3);
  }
}
