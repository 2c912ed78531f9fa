package dev.stretto;

import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a capture allocates for its graph. A graph's memory is there from the capture
 * until the graph is closed, at the same addresses in every launch. What one node frees, nodes that
 * come after it may have again, so a graph needs as much as its nodes use at the same time. Used by
 * the capturing thread.
 */
final class GraphMemory {
  /** One allocation. */
  private static final class Piece {
    final DeviceBlock block;

    /** The block that has the bytes; another one if they are used again. */
    final DeviceBlock bytes;

    /** The stream in whose order it is freed. */
    StreamCapture stream;

    /** The node that frees it; null before it is freed. */
    @Nullable GraphNode freed;

    /** Whether a later allocation has its bytes. */
    boolean usedAgain;

    Piece(DeviceBlock block, DeviceBlock bytes, StreamCapture stream) {
      this.block = block;
      this.bytes = bytes;
      this.stream = stream;
    }
  }

  private final List<Piece> pieces = new ArrayList<>();

  /**
   * {@return memory for an allocation}
   *
   * @param stream the stream in whose order it is freed
   * @param isBefore whether the allocation comes after a node
   */
  DeviceBlock allocate(
      DeviceRuntime engine, StreamCapture stream, long bytes, Predicate<GraphNode> isBefore) {
    Piece again = smallestFree(engine, bytes, isBefore);
    DeviceBlock block;
    if (again == null) {
      block = DeviceBlock.allocate(engine, bytes);
      pieces.add(new Piece(block, block, stream));
    } else {
      again.usedAgain = true;
      block = DeviceBlock.again(again.bytes, bytes);
      pieces.add(new Piece(block, again.bytes, stream));
    }
    boolean open = block.hold();
    assert open : "nobody else knows it yet";
    return block;
  }

  private @Nullable Piece smallestFree(
      DeviceRuntime engine, long bytes, Predicate<GraphNode> isBefore) {
    Piece found = null;
    for (Piece piece : pieces) {
      GraphNode freed = piece.freed;
      if (freed != null
          && !piece.usedAgain
          && piece.bytes.engine() == engine
          && piece.bytes.byteSize() >= bytes
          && (found == null || piece.bytes.byteSize() < found.bytes.byteSize())
          && isBefore.test(freed)) {
        found = piece;
      }
    }
    return found;
  }

  private @Nullable Piece unfreed(DeviceBlock block) {
    for (Piece piece : pieces) {
      if (piece.block.equals(block) && piece.freed == null) {
        return piece;
      }
    }
    return null;
  }

  /** {@return the stream in whose order memory of this capture is freed; null for other memory} */
  @Nullable StreamCapture freeing(DeviceBlock block) {
    Piece piece = unfreed(block);
    return piece == null ? null : piece.stream;
  }

  /** Makes another stream free memory of this capture; returns false for other memory. */
  boolean freeOn(DeviceBlock block, StreamCapture stream) {
    Piece piece = unfreed(block);
    if (piece != null) {
      piece.stream = stream;
    }
    return piece != null;
  }

  /** Notes that a node frees memory of this capture. */
  void freed(DeviceBlock block, GraphNode node) {
    Piece piece = unfreed(block);
    if (piece != null) {
      piece.freed = node;
    }
  }

  /** {@return how many bytes of device memory there are} */
  long bytes() {
    return pieces.stream()
        .filter(piece -> piece.block.equals(piece.bytes))
        .mapToLong(piece -> piece.block.byteSize())
        .sum();
  }

  /** Leaves the memory to the graph, whose nodes hold it. */
  void handOver() {
    pieces.forEach(piece -> piece.block.letGo());
  }

  /** Frees the memory after the last launch that uses it. */
  void close() {
    for (Piece piece : pieces) {
      boolean _ = piece.block.closeAfterLastUse();
    }
  }

  /** Frees the memory of a capture that has failed. */
  void abandon() {
    close();
    handOver();
  }
}
