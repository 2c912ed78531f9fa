package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.flow.Flow;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
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
    if (arguments[0].startsWith("unawaited")) {
      leaveUnawaited(arguments[0].endsWith("closed"));
      System.exit(3);
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

  /** A copy to the host, and a flow, of which nobody knows whether they have succeeded. */
  private static void leaveUnawaited(boolean close) {
    Device device = Device.open("virtual:h200,seed=1");
    Stream stream = device.stream();
    stream.copy(device.allocateInts(1000), new int[1000]);
    Flow flow =
        Flow.on(device)
            .from(Source.of(MemorySegment.ofArray(new byte[10_000])))
            .to(Sink.of(MemorySegment.ofArray(new byte[10_000])))
            .start();
    if (close) {
      device.close();
    }
    System.out.println(flow.progress().bytesTotal());
  }
}
