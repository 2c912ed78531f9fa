package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Op;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a block that a thread runs without waiting. Its last operation is the block's end, or
 * one in which the thread may have to wait, or the next piece simply follows.
 */
final class Piece {
  private final Block block;
  private final int from;
  private final int to;
  private final @Nullable Op meets;
  private final @Nullable Piece next;
  private final List<Piece> targets = new ArrayList<>();
  private int point = -1;

  /** The cells that have to be set where the piece begins. */
  final BitSet needs = new BitSet();

  /**
   * Creates a piece.
   *
   * @param to one behind the last operation that the piece runs itself
   * @param meets the operation behind that, if threads may have to wait in it
   * @param next the piece that follows in the same block, or null behind the last
   */
  Piece(Block block, int from, int to, @Nullable Op meets, @Nullable Piece next) {
    this.block = block;
    this.from = from;
    this.to = to;
    this.meets = meets;
    this.next = next;
  }

  Block block() {
    return block;
  }

  boolean isFirst() {
    return from == 0;
  }

  List<Op> ops() {
    return block.ops().subList(from, to);
  }

  @Nullable Op meets() {
    return meets;
  }

  /** The piece that follows in the same block; null if the block ends. */
  @Nullable Piece next() {
    return next;
  }

  /** The first pieces of the blocks that the block's end leads to. */
  List<Piece> targets() {
    return targets;
  }

  /** Where threads can leave off and go on here: the number of the point, or -1. */
  int point() {
    return point;
  }

  void point(int number) {
    point = number;
  }
}
