package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.MemorySegment;

/** The page of code in the README: an array, pinned memory, a kernel, and one wait. */
final class Example00OnePage {
  private Example00OnePage() {}

  public static void main(String... arguments) {
    int n = 1 << 20;
    // @start region="page"
    // The first GPU; without one, a virtual device.
    try (Device device = Device.open();
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalFloats x = device.allocateFloats(n);
        GlobalFloats y = device.allocateFloats(n)) {

      System.out.println(device + ": " + device.reason());

      float[] heap = new float[n]; // an ordinary array: staged, and still asynchronous
      MemorySegment host = pinned.allocate(JAVA_FLOAT, n); // the copy engine reads it by itself

      Copy copy = stream.copy(heap, x); // returns at once
      stream.copy(host, y);
      stream.launch(Grid.covering(n, 256), Kernels::saxpy, 2f, x, y, n);
      stream.copy(y, host);
      Event done = stream.record();

      System.out.println(copy.route()); // STAGED, because the host memory is not pinned
      done.await(); // the only line that waits
    }
    // @end
  }
}
