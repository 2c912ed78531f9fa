package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/**
 * A box at some coordinates of a tensor. It knows which bytes of shared memory correspond to which
 * bytes of the tensor. The box is moved in pieces of 16 bytes.
 */
final class TensorBox {
  private static final int PIECE = 16;

  /** The NaN that a GPU writes for an element outside the tensor, if the map fills with NaN. */
  private static final short NAN = 0x7FF7;

  private final TensorMap map;
  private final int[] at;
  private final BoxRows rows;
  private final MemorySegment tensor;

  private TensorBox(String what, TensorMap map, int[] at, BoxRows rows) {
    this.map = map;
    this.at = at;
    this.rows = rows;
    if (at.length != map.dimensions()) {
      throw new IllegalArgumentException(
          what + " with " + at.length + " coordinates: " + map + " has " + map.dimensions());
    }
    if ((long) at[0] * map.placeBytes() % PIECE != 0) {
      throw new IllegalArgumentException(
          CopyRule.MISALIGNED.title()
              + ": "
              + what
              + " at element "
              + at[0]
              + " of the innermost dimension, which is byte "
              + (long) at[0] * map.placeBytes()
              + ": has to be a multiple of "
              + PIECE);
    }
    if (!(map.array().allocation() instanceof Resident resident)) {
      throw new IllegalStateException(map + " is for kernels");
    }
    this.tensor = resident.memory();
  }

  /** {@return a box of a tensor at some coordinates} */
  static TensorBox of(String what, TensorMap map, int... at) {
    if (map.isIm2col()) {
      throw new IllegalArgumentException(
          what
              + ": "
              + map
              + " is for im2col: call the method of PtxIm2colCopies, or build the map with box");
    }
    return new TensorBox(what, map, at, new TileRows(map, at));
  }

  /**
   * {@return a column of pixels of a tensor}
   *
   * @param at its first pixel
   * @param offsets what is added to the places of each pixel
   */
  static TensorBox column(String what, TensorMap map, int[] at, int[] offsets) {
    if (!map.isIm2col()) {
      throw new IllegalArgumentException(
          what
              + ": "
              + map
              + " is not for im2col: call the method of PtxTensorCopies, or build the map with"
              + " im2col");
    }
    PixelRows rows = new PixelRows(map, at, offsets);
    TensorBox column = new TensorBox(what, map, at, rows);
    rows.requireDefined(what);
    return column;
  }

  TensorMap map() {
    return map;
  }

  /**
   * Requires that no coordinate is negative: a box may begin outside the tensor when it is read,
   * but not when it is written. Neither may a later pixel of a column.
   */
  void requireInside() {
    for (int place : at) {
      if (place < 0) {
        throw new IllegalArgumentException(
            CopyRule.OUT_OF_RANGE.title()
                + ": a box to be written begins at "
                + Arrays.toString(at)
                + ": no place may be negative");
      }
    }
    if (Arrays.stream(map.lowerCorner()).anyMatch(corner -> corner < 0)
        || Arrays.stream(map.upperCorner()).anyMatch(corner -> corner > 0)) {
      throw new IllegalArgumentException(
          CopyRule.OUT_OF_RANGE.title()
              + ": a column to be written has a bounding box with the corners "
              + Arrays.toString(map.lowerCorner())
              + " and "
              + Arrays.toString(map.upperCorner())
              + ": it must lie within the image, so the lower corner may not be negative and the"
              + " upper one not positive");
    }
  }

  /** Receives the pieces of a box. */
  private interface Piece {
    /**
     * Called for each piece.
     *
     * @param shared where the piece lies in shared memory, counted from the beginning of the box
     * @param inTensor the byte of the tensor's memory at which it begins
     * @param inside how many of its bytes belong to the tensor; if none does, {@code inTensor} has
     *     no meaning
     */
    void at(int shared, long inTensor, int inside);
  }

  /**
   * Goes through all pieces.
   *
   * @param begin where the box begins in the block's memory, on which a swizzle depends
   */
  private void pieces(int begin, Piece piece) {
    int bytes = map.placeBytes();
    rows.forEach(
        new LongConsumer() {
          private int next = begin;

          @Override
          public void accept(long start) {
            for (int offset = 0; offset < map.rowBytes(); offset += PIECE) {
              int shared = map.swizzle().place(next + offset) - begin;
              long place = at[0] + (long) (offset / bytes) * map.step(0);
              long first = place * bytes + offset % bytes;
              long left = map.extent(0) * bytes - first;
              int inside = start < 0 || first < 0 ? 0 : Math.clamp(left, 0, PIECE);
              if (inside > 0 && start + first + inside > tensor.byteSize()) {
                throw behind(start + first);
              }
              piece.at(shared, start + first, inside);
            }
            next += map.rowPitch();
          }
        });
  }

  private IllegalArgumentException behind(long inTensor) {
    return new IllegalArgumentException(
        "%s: a box at %s of %s touches byte %d, and the allocation ends %d bytes after the tensor's beginning"
            .formatted(
                CopyRule.OUT_OF_RANGE.title(),
                Arrays.toString(at),
                map,
                inTensor,
                tensor.byteSize()));
  }

  /** Receives the bytes of the tensor that a box covers. */
  interface Bytes {
    /** Called for each run of them. */
    void at(long address, int bytes);
  }

  /** Goes through the bytes of the tensor that belong to the box. */
  void bytes(Bytes bytes) {
    long address = map.array().allocation().address();
    pieces(
        0,
        (_, inTensor, inside) -> {
          if (inside > 0) {
            bytes.at(address + inTensor, inside);
          }
        });
  }

  /** Copies the box to shared memory. */
  void load(MemorySegment to, int begin) {
    short fill = map.fill() == TensorMap.Fill.NAN ? NAN : 0;
    pieces(
        begin,
        (shared, inTensor, inside) -> {
          if (inside == PIECE) {
            for (int i = 0; i < PIECE; i += Long.BYTES) {
              long both = tensor.get(ValueLayout.JAVA_LONG_UNALIGNED, inTensor + i);
              to.set(ValueLayout.JAVA_LONG_UNALIGNED, shared + (long) i, both);
            }
            return;
          }
          for (int i = 0; i < PIECE; i += Short.BYTES) {
            to.set(ValueLayout.JAVA_SHORT_UNALIGNED, shared + i, fill);
          }
          if (inside > 0) {
            MemorySegment.copy(tensor, inTensor, to, shared, inside);
          }
        });
  }

  /** The target of a copy that writes the box. */
  PendingStore.Target target() {
    return new PendingStore.Target() {
      @Override
      public void poison() {
        pieces(0, (_, inTensor, inside) -> poisonPiece(inTensor, 0, inside));
      }

      @Override
      public void take(MemorySegment from, int begin) {
        pieces(
            begin,
            (shared, inTensor, inside) -> {
              if (inside > 0) {
                MemorySegment.copy(from, shared, tensor, inTensor, inside);
                poisonPiece(inTensor, inside, inside);
              }
            });
      }
    };
  }

  /** The target of a reduction that joins the box with the tensor's content, element by element. */
  PendingStore.Target target(BiConsumer<MemorySegment, MemorySegment> join) {
    int bytes = map.element().bytes();
    return (from, begin) -> {
      AtomicJoin each = new AtomicJoin(join, bytes);
      pieces(
          begin,
          (shared, inTensor, inside) -> {
            for (int i = 0; i < inside; i += bytes) {
              each.accept(tensor, inTensor + i, from, shared + i);
            }
            poisonPiece(inTensor, inside, inside);
          });
    };
  }

  /**
   * Poisons a piece from byte {@code from} on, if any of it belongs to the tensor. Where such a
   * piece is written, its bytes after the end of the tensor are undefined.
   */
  private void poisonPiece(long inTensor, int from, int inside) {
    if (inside > 0) {
      UndefinedValues.fill(tensor.asSlice(inTensor + from, PIECE - from));
    }
  }
}
