package dev.stretto.bench.nccl;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Ranks that meet by numbers in a file that all of them map, which takes about a microsecond. */
public final class RankMeeting implements AutoCloseable {
  private static final VarHandle NUMBER = ValueLayout.JAVA_LONG.varHandle();

  private final int rank;
  private final int count;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment numbers;
  private long meetings;

  /** Maps the file, which is made if it is not there. */
  public RankMeeting(int rank, int count, Path file) throws IOException {
    this.rank = rank;
    this.count = count;
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      this.numbers = channel.map(MapMode.READ_WRITE, 0, (long) count * Long.BYTES, arena);
    }
  }

  /** Returns when all ranks have called it as often as this one. */
  public void awaitAll() {
    meetings++;
    NUMBER.setVolatile(numbers, (long) rank * Long.BYTES, meetings);
    for (int i = 0; i < count; i++) {
      while ((long) NUMBER.getVolatile(numbers, (long) i * Long.BYTES) < meetings) {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
