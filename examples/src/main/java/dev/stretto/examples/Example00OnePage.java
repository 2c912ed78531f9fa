package dev.stretto.examples;

// @start region="page"
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.MemorySegment;

final class Example00OnePage {
  @Kernel
  static void saxpy(ThreadBlock block, float a, GlobalFloats x, GlobalFloats y, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      y.set(i, a * x.get(i) + y.get(i));
    }
  }

  public static void main(String... arguments) {
    int n = 1 << 20;
    // The first GPU; without one, a virtual device.
    try (Device device = Device.open();
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalFloats x = device.allocateFloats(n);
        GlobalFloats y = device.allocateFloats(n)) {

      System.out.println(device + ": " + device.reason());

      float[] heap = new float[n]; // an ordinary array: staged, and still asynchronous
      MemorySegment host = pinned.allocate(JAVA_FLOAT, n); // the copy engine accesses it directly

      Copy copy = stream.copy(heap, x); // returns at once
      stream.copy(host, y);
      stream.launch(Grid.covering(n, 256), Example00OnePage::saxpy, 2f, x, y, n);
      stream.copy(y, host);
      Event done = stream.record();

      System.out.println(copy.route()); // STAGED, because the host memory is not pinned
      done.await(); // the only line that waits for the device
    }
  }
}
// @end
