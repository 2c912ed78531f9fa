package dev.stretto.bench.file;

import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A mapped file to the device by one copy: the first one of the process, and later ones. */
final class MappedRate {
  private static final int ROUNDS = 5;
  private static final String LINK = "the link";

  private final FileFlows flows;
  private final Path file;
  private final long bytes;
  private final PrintStream out;

  MappedRate(FileFlows flows, Path file, long bytes, PrintStream out) {
    this.flows = flows;
    this.file = file;
    this.bytes = bytes;
    this.out = out;
  }

  void run() throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Stream stream = flows.device().stream();
        GlobalBytes target = flows.device().allocateBytes(bytes)) {
      double first = copy(channel, stream, target);
      Table table = new Table(ROUNDS);
      try (Arena arena = Arena.ofShared()) {
        MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes, arena);
        for (int i = 0; i < ROUNDS; i++) {
          table.note(i, LINK, HotRate.link(flows.device()));
          table.note(i, "the first copy of the process", first);
          table.note(i, "mapped each time", copy(channel, stream, target));
          long begin = System.nanoTime();
          stream.copy(mapped, target).await();
          table.note(i, "mapped once", bytes / (double) (System.nanoTime() - begin));
          begin = System.nanoTime();
          stream.copy(channel, 0, target).await();
          table.note(i, "the file itself", bytes / (double) (System.nanoTime() - begin));
        }
      }
      out.printf("%s, %d MiB%n%n", flows.device(), bytes >> 20);
      table.print(out, LINK);
    }
  }

  private double copy(FileChannel channel, Stream stream, GlobalBytes target) throws IOException {
    long begin = System.nanoTime();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes, arena);
      stream.copy(mapped, target).await();
    }
    return bytes / (double) (System.nanoTime() - begin);
  }
}
