package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A program that knows nothing of {@code stretto check}. */
final class CheckedProgram {
  private CheckedProgram() {}

  public static void main(String[] arguments) throws Exception {
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
    if (arguments.length > 1) {
      Files.createFile(Path.of(arguments[1])); // and goes on until it is ended
      Thread.sleep(Duration.ofMinutes(5));
    }
    System.exit(3);
  }
}
