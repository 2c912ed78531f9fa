package dev.stretto.bindings;

import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.List;

/** Stretto's plain calls: copies of segments, launches, and streams that are awaited. */
final class StrettoPlain implements Plain, AutoCloseable {
  private static final long FILE_CHUNK = 8 << 20;

  private final StrettoLibrary library;
  private final List<Stream> streams;

  StrettoPlain(StrettoLibrary library) {
    this.library = library;
    this.streams = java.util.stream.Stream.generate(library::stream).limit(STREAMS).toList();
  }

  @Override
  public void in(long[] source) {
    streams.getFirst().copy(MemorySegment.ofArray(source), library.in).await();
  }

  @Override
  public void out(long[] target) {
    streams.getFirst().copy(library.in, MemorySegment.ofArray(target)).await();
  }

  @Override
  public void through(long[] source, long[] target, int chunkWords) {
    MemorySegment from = MemorySegment.ofArray(source);
    MemorySegment to = MemorySegment.ofArray(target);
    long chunk = (long) chunkWords * Long.BYTES;
    int next = 0;
    for (long at = 0; at < from.byteSize(); at += chunk) {
      Stream stream = streams.get(next++ % STREAMS);
      long size = Math.min(chunk, from.byteSize() - at);
      GlobalBytes in = library.in.slice(at, size);
      GlobalBytes out = library.out.slice(at, size);
      stream.copy(from.asSlice(at, size), in);
      StrettoKernels.encipher(stream, in, out, at);
      stream.copy(out, to.asSlice(at, size));
    }
    streams.forEach(Stream::await);
  }

  @Override
  public long of(Path file) throws IOException {
    Stream stream = streams.getFirst();
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofShared()) {
      MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      GlobalBytes words = library.in.slice(0, mapped.byteSize());
      stream.fill(library.total, 0L);
      stream.copy(mapped, words);
      StrettoKernels.add(stream, words.asLongs(), library.total);
      return total(stream);
    }
  }

  /** The same in chunks, so that the kernel adds one while the next is on its way. */
  long ofChunks(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofShared()) {
      MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      streams.getFirst().fill(library.total, 0L).await();
      int next = 0;
      for (long at = 0; at < mapped.byteSize(); at += FILE_CHUNK) {
        Stream stream = streams.get(next++ % STREAMS);
        long size = Math.min(FILE_CHUNK, mapped.byteSize() - at);
        GlobalBytes words = library.in.slice(at, size);
        stream.copy(mapped.asSlice(at, size), words);
        StrettoKernels.add(stream, words.asLongs(), library.total);
      }
      streams.forEach(Stream::await);
      return total(streams.getFirst());
    }
  }

  private long total(Stream stream) {
    long[] total = new long[1];
    stream.copy(library.total, total).await();
    return total[0];
  }

  @Override
  public void close() {
    streams.forEach(Stream::close);
  }
}
