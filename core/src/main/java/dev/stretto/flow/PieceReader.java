package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Event;
import dev.stretto.Stream;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads the chunks of a slot in pieces, and has each copied to the device, on a stream of its own,
 * while the next one is read.
 */
final class PieceReader implements AutoCloseable {
  /** Reads a piece. */
  @FunctionalInterface
  interface Reading {
    /** Fills a segment with the bytes of a chunk from an offset on. */
    void read(long offset, MemorySegment into);
  }

  private final Stream stream;
  private final @Nullable Copy[] copies = new Copy[Buffering.PIECES];

  PieceReader(Stream stream) {
    this.stream = stream;
  }

  /**
   * Reads a chunk.
   *
   * @return the point of the stream at which all of it is on the device
   */
  Event read(Slot slot, Reading source) {
    MemorySegment buffer = slot.buffer(Math.min(slot.bytes, Buffering.PIECES * Buffering.PIECE));
    int place = 0;
    for (long read = 0; read < slot.bytes; read += Buffering.PIECE) {
      await(place);
      long bytes = Math.min(Buffering.PIECE, slot.bytes - read);
      MemorySegment piece = buffer.asSlice(place * Buffering.PIECE, bytes);
      source.read(read, piece);
      copies[place] = stream.copy(piece, slot.in.slice(read, bytes));
      place = (place + 1) % Buffering.PIECES;
    }
    return stream.record();
  }

  /** Awaits the copies, which are done: this throws if they failed. */
  void await() {
    for (int place = 0; place < copies.length; place++) {
      await(place);
    }
  }

  private void await(int place) {
    Copy copy = copies[place];
    if (copy != null) {
      copy.await();
      copies[place] = null;
    }
  }

  @Override
  public void close() {
    stream.close();
  }
}
