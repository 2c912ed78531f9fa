package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads the chunks of a slot in pieces, and has each copied to the device while the next one is
 * read.
 */
final class PieceReader {
  /** Reads a piece. */
  @FunctionalInterface
  interface Reading {
    /** Fills a segment with the bytes of a chunk from an offset on. */
    void read(long offset, MemorySegment into);
  }

  private final Stream stream;
  private final @Nullable PieceFeeder feeder;
  private final @Nullable Copy[] copies = new Copy[Buffering.PIECES];
  private final PieceFeeder.@Nullable Piece[] pieces = new PieceFeeder.Piece[Buffering.PIECES];

  /**
   * @param stream on which pieces are copied unless there is a feeder
   * @param feeder enqueues the copies; null if the reader itself does, as seeds and modelled clocks
   *     need
   */
  PieceReader(Stream stream, @Nullable PieceFeeder feeder) {
    this.stream = stream;
    this.feeder = feeder;
  }

  /**
   * Reads a chunk.
   *
   * @return the point of a stream at which all of it is on the device
   */
  Event read(Slot slot, Reading source) {
    MemorySegment buffer = slot.buffer(Math.min(slot.bytes, Buffering.PIECES * Buffering.PIECE));
    int place = 0;
    for (long read = 0; read < slot.bytes; read += Buffering.PIECE) {
      await(place);
      long bytes = Math.min(Buffering.PIECE, slot.bytes - read);
      MemorySegment piece = buffer.asSlice(place * Buffering.PIECE, bytes);
      source.read(read, piece);
      copy(place, piece, slot.in.slice(read, bytes));
      place = (place + 1) % Buffering.PIECES;
    }
    return feeder == null ? stream.record() : feeder.point();
  }

  private void copy(int place, MemorySegment piece, GlobalBytes to) {
    if (feeder == null) {
      copies[place] = stream.copy(piece, to);
    } else {
      pieces[place] = feeder.give(piece, to);
    }
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
    PieceFeeder.Piece piece = pieces[place];
    if (piece != null && feeder != null) {
      feeder.awaitThere(piece);
      pieces[place] = null;
    }
  }
}
