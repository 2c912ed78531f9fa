package dev.stretto.flow;

import dev.stretto.Device;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The first flow of a process, on a device that the program does not see: what loads and links the
 * classes of flows. {@code dev.stretto.Rehearsal} finds it by its name, because flows are made of
 * what is there and not the other way round.
 */
final class FlowRehearsal {
  private static final int BYTES = 1 << 20;

  private FlowRehearsal() {}

  /** Runs a flow out of a file of the JDK, and one from memory to memory. */
  static void play(Device device) throws IOException {
    Path file = Path.of(System.getProperty("java.home"), "lib", "modules");
    if (Files.isReadable(file)) {
      FlowReport _ =
          Flow.on(device)
              .from(Source.file(file, Math.max(0, Files.size(file) - BYTES)))
              .through((stream, chunk) -> stream.fill(chunk.out(), (byte) 0))
              .reduce(MemorySegment.ofArray(new long[1]), (_, _) -> {})
              .start()
              .await();
    }
    MemorySegment memory = MemorySegment.ofArray(new byte[BYTES]);
    FlowReport _ =
        Flow.on(device)
            .from(Source.of(memory))
            .through((stream, chunk) -> stream.fill(chunk.out(), (byte) 0))
            .to(Sink.of(memory))
            .start()
            .await();
  }
}
