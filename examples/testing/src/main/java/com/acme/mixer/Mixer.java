package com.acme.mixer;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.MemorySegment;

/** Mixes two tracks of sound on a device. */
public final class Mixer {
  private Mixer() {}

  @Kernel
  static void add(ThreadBlock block, GlobalFloats left, GlobalFloats right, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      left.set(i, left.get(i) + right.get(i));
    }
  }

  /** Adds two tracks chunk by chunk: while one chunk is computed, the next is copied. */
  public static void mix(
      Device device, MemorySegment left, MemorySegment right, MemorySegment mixed, int chunk) {
    long bytes = Float.BYTES * (long) chunk;
    try (Stream copies = device.stream("copies");
        Stream kernels = device.stream("kernels");
        GlobalFloats lefts = device.allocateFloats(2L * chunk);
        GlobalFloats rights = device.allocateFloats(2L * chunk)) {
      Event[] free = new Event[2];
      for (int number = 0; number * bytes < left.byteSize(); number++) {
        int slot = number % 2;
        GlobalFloats x = lefts.slice((long) slot * chunk, chunk);
        GlobalFloats y = rights.slice((long) slot * chunk, chunk);
        if (free[slot] != null) {
          copies.waitFor(free[slot]);
        }
        copies.copy(left.asSlice(number * bytes, bytes), x);
        copies.copy(right.asSlice(number * bytes, bytes), y);
        kernels.waitFor(copies.record());
        kernels.launch(Grid.covering(chunk, 256), Mixer::add, x, y, chunk);
        kernels.copy(x, mixed.asSlice(number * bytes, bytes));
        free[slot] = kernels.record();
      }
      kernels.await();
    }
  }
}
