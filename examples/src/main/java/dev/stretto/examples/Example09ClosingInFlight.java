package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/**
 * Closing in flight: close anything at any time. It can no longer be used, nothing blocks, and
 * memory lives until the last operation that uses it is done.
 */
final class Example09ClosingInFlight {
  private static final int N = 1 << 20;

  private Example09ClosingInFlight() {}

  public static void main(String... arguments) {
    Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
    System.out.println(device + ", because " + device.reason() + "\n");
    int[] heap = new int[N];

    // @start region="close"
    Stream stream = device.stream();
    PinnedArena pinned = device.pinnedArena();
    GlobalInts x = device.allocateInts(N);
    MemorySegment host = pinned.allocate(JAVA_INT, N);
    host.fill((byte) 1);

    stream.copy(host, x);
    Copy copy = stream.copy(x, heap);
    x.close();
    pinned.close();
    stream.close();
    // @end
    try {
      stream.fill(x, 7);
    } catch (ClosedException e) {
      System.out.println(e.getMessage());
    }
    try {
      host.setAtIndex(JAVA_INT, 0, 7);
    } catch (IllegalStateException e) {
      System.out.println("The arena is the JDK's kind: " + e.getMessage());
    }
    copy.await();
    System.out.println("heap[" + (N - 1) + "] = 0x" + Integer.toHexString(heap[N - 1]));

    closeUnderStagedCopy(device);

    // @start region="closeDevice"
    int[] late = new int[N];
    Stream last = device.stream();
    last.fill(device.allocateInts(N), 3);
    Copy unfinished = last.copy(ones(device), late);
    device.close();
    unfinished.await();
    // @end
    System.out.println("late[" + (N - 1) + "] = " + late[N - 1]);
  }

  private static GlobalInts ones(Device device) {
    GlobalInts ones = device.allocateInts(N);
    try (Stream stream = device.stream()) {
      stream.fill(ones, 1).await();
    }
    return ones;
  }

  /** The one thing that Stretto cannot keep alive: memory of an arena that it did not make. */
  private static void closeUnderStagedCopy(Device device) {
    try (Stream stream = device.stream();
        GlobalInts x = device.allocateInts(N)) {
      CompletableFuture<Void> closed = new CompletableFuture<>();
      // @start region="closeOrdinary"
      Arena ordinary = Arena.ofShared();
      MemorySegment memory = ordinary.allocate(JAVA_INT, N);
      stream.then(closed::join); // holds the stream back until the arena is closed
      Copy copy = stream.copy(memory, x);
      ordinary.close();
      closed.complete(null);
      try {
        copy.await();
      } catch (CopyFailedException e) {
        System.out.println(e.getMessage());
      }
      // @end
      stream.fill(x, 0).await(); // the stream continues
    }
  }
}
