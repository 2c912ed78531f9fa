package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A program that knows nothing of diagnoses; its first argument says whether it is a good one. */
final class CheckedProgram {
  private CheckedProgram() {}

  public static void main(String[] arguments) {
    if (arguments[0].equals("openings")) {
      for (int i = 0; i < 20; i++) {
        awaitOnce();
      }
      System.out.println("done");
      return;
    }
    boolean good = arguments[0].equals("good");
    Device device = Device.open("virtual:h200,seed=1");
    Stream stream = device.stream();
    PinnedArena pinned = device.pinnedArena();
    GlobalInts array = device.allocateInts(100_000);
    MemorySegment host = pinned.allocate(ValueLayout.JAVA_INT, 100_000);
    for (int i = 0; i < 5; i++) {
      stream.copy(host, array);
      if (!good) {
        awaitHere(stream);
      }
    }
    stream.await();
    System.out.println("done");
    if (arguments.length > 1) {
      System.exit(Integer.parseInt(arguments[1]));
    }
  }

  /** What a test does that is one of many. */
  private static void awaitOnce() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts array = device.allocateInts(1000)) {
      stream.copy(new int[1000], array).await();
    }
  }

  private static void awaitHere(Stream stream) {
    stream.await();
  }
}
