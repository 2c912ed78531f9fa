package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.timeline.Trace;
import java.lang.foreign.MemorySegment;

/** A program that is traced: two streams with names, events between them, ranges, and waits. */
final class TracedStreams {
  static final int BYTES = 1 << 20;
  static final int ROUNDS = 3;

  private TracedStreams() {}

  @Kernel
  static void increment(ThreadBlock block, GlobalBytes array) {
    int i = block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    array.set(i, (byte) (array.get(i) + 1));
  }

  public static void main(String... arguments) {
    try (Device device = Device.open("virtual");
        Stream in = device.stream("uploads");
        Stream out = device.stream("downloads");
        PinnedArena arena = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(BYTES)) {
      MemorySegment host = arena.allocate(BYTES);
      for (int round = 0; round < ROUNDS; round++) {
        try (Trace.Range _ = Trace.range("round " + round)) {
          in.copy(host, array);
          in.launch(Grid.of(4, 256), TracedStreams::increment, array);
          out.waitFor(in.record());
          out.copy(array, host).await();
        }
      }
    }
  }
}
