package dev.stretto.misuse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Host memory of every kind, legal and odd, and files. */
final class HostMemories implements AutoCloseable {
  private static final int[] SIZES = {0, 1, 3, 4, 64, 100, 1024, 4096, 16_384, 65_540, 200_000};
  private static final int MOST = 40;
  private final Arena shared = Arena.ofShared();
  private final Arena ofAnother;
  private final Arena closed = Arena.ofShared();
  private final Path folder;
  private final List<MemorySegment> segments = new ArrayList<>();
  private final List<Arena> arenas = new ArrayList<>();

  HostMemories() {
    try {
      folder = Files.createTempDirectory("stretto-misuse");
      Files.write(folder.resolve("bytes"), new byte[50_000]);
      for (int size : SIZES) {
        segments.add(shared.allocate(size, 64));
        segments.add(MemorySegment.ofArray(new byte[size]));
        segments.add(MemorySegment.ofArray(new int[size / 4]));
      }
      segments.add(shared.allocate(8192, 4096));
      segments.add(shared.allocate(4096).asReadOnly());
      segments.add(MemorySegment.NULL);
      segments.add(closed.allocate(4096));
      closed.close();
      segments.add(mapped("mapped", 32_768, false));
      segments.add(mapped("truncated", 32_768, true));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ofAnother = arenaOfAnother();
    arenas.addAll(List.of(shared, closed, ofAnother, Arena.global(), Arena.ofAuto()));
  }

  /** {@return an arena confined to a thread that has ended; it lends one piece, and stays} */
  private Arena arenaOfAnother() {
    List<Arena> made = new ArrayList<>();
    Thread thread =
        new Thread(
            () -> {
              Arena arena = Arena.ofConfined();
              segments.add(arena.allocate(64));
              made.add(arena);
            });
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return made.getFirst();
  }

  private MemorySegment mapped(String name, int size, boolean truncated) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            folder.resolve(name),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, shared);
      if (truncated) {
        channel.truncate(0);
      }
      return mapped;
    }
  }

  /** Takes memory that a call returned. */
  synchronized void add(MemorySegment segment, Random random) {
    if (segments.size() < MOST + 10) {
      segments.add(segment);
    } else {
      segments.set(MOST + random.nextInt(10), segment);
    }
  }

  /** {@return some} */
  synchronized MemorySegment any(Random random) {
    MemorySegment segment = segments.get(random.nextInt(segments.size()));
    if (random.nextInt(4) == 0 && segment.byteSize() > 8) {
      long from = random.nextInt((int) Math.min(segment.byteSize(), 1 << 20) / 4) * 4L;
      return segment.asSlice(from, Math.min(segment.byteSize() - from, 4L * random.nextInt(300)));
    }
    return segment;
  }

  /** {@return an arena} */
  Arena anyArena(Random random) {
    return arenas.get(random.nextInt(arenas.size()));
  }

  /** {@return a file that is there or not, or a folder} */
  Path anyPath(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> folder;
      case 1 -> folder.resolve("not").resolve("there");
      case 2 -> folder.resolve("out" + random.nextInt(4));
      default -> folder.resolve("bytes");
    };
  }

  @Override
  public void close() {
    shared.close();
    try (java.util.stream.Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
