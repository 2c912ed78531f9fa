package dev.stretto.bindings;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The large jobs as an expert would do them with a binding: threads that fill pinned buffers by
 * hand, rings of events, several streams.
 */
final class Expert implements WholeArrays, Pipeline, FileSum {
  /** Where the job leaves the choice: large enough for the link, small enough to start early. */
  private static final int CHUNK_WORDS = (4 << 20) / Long.BYTES;

  private final Binding binding;
  private final Crew crew;
  private final int threads;

  Expert(Binding binding, Crew crew, int threads) {
    this.binding = binding;
    this.crew = crew;
    this.threads = threads;
  }

  @Override
  public void in(long[] source) {
    crew.each(
        threads,
        Math.ceilDiv(source.length, CHUNK_WORDS),
        (slot, chunk) -> {
          int at = chunk * CHUNK_WORDS;
          int words = Math.min(CHUNK_WORDS, source.length - at);
          slot.wordsIn().put(0, source, at, words);
          slot.lane().in(words * Long.BYTES, position(at));
        });
  }

  @Override
  public void out(long[] target) {
    crew.each(
        threads,
        Math.ceilDiv(target.length, CHUNK_WORDS),
        new Crew.Work() {
          @Override
          public void start(Crew.Slot slot, int chunk) {
            int at = chunk * CHUNK_WORDS;
            int words = Math.min(CHUNK_WORDS, target.length - at);
            slot.lane().out(words * Long.BYTES, position(at));
          }

          @Override
          public void finish(Crew.Slot slot, int chunk) {
            take(slot, target, chunk * CHUNK_WORDS, CHUNK_WORDS);
          }
        });
  }

  @Override
  public void through(long[] source, long[] target, int chunkWords) {
    crew.each(
        threads,
        Math.ceilDiv(source.length, chunkWords),
        new Crew.Work() {
          @Override
          public void start(Crew.Slot slot, int chunk) {
            int at = chunk * chunkWords;
            int words = Math.min(chunkWords, source.length - at);
            slot.wordsIn().put(0, source, at, words);
            slot.lane().through(words * Long.BYTES, position(at));
          }

          @Override
          public void finish(Crew.Slot slot, int chunk) {
            take(slot, target, chunk * chunkWords, chunkWords);
          }
        });
  }

  private static void take(Crew.Slot slot, long[] target, int at, int most) {
    slot.wordsOut().get(0, target, at, Math.min(most, target.length - at));
  }

  private static long position(int word) {
    return (long) word * Long.BYTES;
  }

  @Override
  public long of(Path file) throws IOException {
    binding.clearTotal();
    try (FileChannel channel = FileChannel.open(file)) {
      long size = channel.size();
      long chunkBytes = position(CHUNK_WORDS);
      crew.each(
          threads,
          Math.toIntExact(Math.ceilDiv(size, chunkBytes)),
          (slot, chunk) -> {
            long position = chunk * chunkBytes;
            int bytes = (int) Math.min(chunkBytes, size - position);
            read(channel, position, slot.toDevice().clear().limit(bytes));
            slot.lane().sum(bytes);
          });
    }
    return binding.total();
  }

  private static void read(FileChannel channel, long position, ByteBuffer buffer)
      throws IOException {
    long at = position;
    while (buffer.hasRemaining()) {
      int count = channel.read(buffer, at);
      if (count < 0) {
        throw new EOFException("the file ends at byte " + at);
      }
      at += count;
    }
  }
}
