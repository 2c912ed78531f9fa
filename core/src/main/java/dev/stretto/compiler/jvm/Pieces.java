package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.Set;

/** Takes a kernel apart where its threads may wait, and where a method would become too long. */
final class Pieces {
  /**
   * The JVM does not compile methods of more than 8,000 bytes, and an operation has about a dozen.
   */
  private static final int MOST_OPS = 400;

  private static final int LONGEST = 150;

  private final Cells cells;
  private final Set<Op> asking;
  private final List<Piece> all = new ArrayList<>();
  private final List<Piece> points = new ArrayList<>();

  /**
   * Takes a kernel apart.
   *
   * @param asking operations before which threads leave off, since they may come again and again
   */
  Pieces(Function function, Cells cells, Set<Op> asking) {
    this.cells = cells;
    this.asking = asking;
    List<Block> blocks = function.blocks();
    Table<Block, Piece> first = new Table<>(blocks.size());
    Table<Block, Piece> last = new Table<>(blocks.size());
    for (Block block : blocks) {
      takeApart(block, first, last);
    }
    for (Block block : blocks) {
      for (Target target : block.targets()) {
        last.get(block).targets().add(first.get(target.block()));
      }
    }
    findNeeds();
    begin(first.get(function.entry()));
    for (Piece piece : all) {
      if (piece.meets() != null) {
        begin(Objects.requireNonNull(piece.next(), "a call ends no block"));
      }
      if (asks(piece)) {
        begin(piece);
      }
    }
    int known;
    do { // a region may add points, which makes other regions smaller
      known = points.size();
      for (int i = 0; i < points.size(); i++) {
        region(points.get(i));
      }
    } while (points.size() > known);
  }

  private void takeApart(Block block, Table<Block, Piece> first, Table<Block, Piece> last) {
    List<Integer> cuts = new ArrayList<>(); // one behind the last operation of each piece
    int begin = 0;
    for (int i = 0; i < block.ops().size(); i++) {
      if (waits(block.ops().get(i))) {
        cuts.add(i);
        begin = i + 1;
      } else if (i > begin && (i - begin >= LONGEST || asking.contains(block.ops().get(i)))) {
        cuts.add(i);
        begin = i;
      }
    }
    cuts.add(block.ops().size());
    Piece next = null;
    for (int i = cuts.size() - 1; i >= 0; i--) {
      int to = cuts.get(i);
      int before = i == 0 ? 0 : cuts.get(i - 1);
      int from = i == 0 ? 0 : before + (waits(block.ops().get(before)) ? 1 : 0);
      Op meets = to < block.ops().size() && waits(block.ops().get(to)) ? block.ops().get(to) : null;
      Piece piece = new Piece(block, from, to, meets, next);
      if (next == null) {
        last.put(block, piece);
      }
      all.add(piece);
      next = piece;
    }
    first.put(block, Objects.requireNonNull(next, "a block has a piece"));
  }

  /** Whether threads may have to wait in an operation. */
  static boolean waits(Op op) {
    return op.code() == OpCode.CALL && op.attribute(JavaCall.class).convergent();
  }

  /** Whether a piece begins with a question for what others do. */
  boolean asks(Piece piece) {
    return !piece.ops().isEmpty() && asking.contains(piece.ops().getFirst());
  }

  private void begin(Piece piece) {
    if (piece.point() < 0) {
      piece.point(points.size());
      points.add(piece);
    }
  }

  /** The pieces that are compiled together, from a point on; what follows begins at a point. */
  SequencedSet<Piece> region(Piece entry) {
    SequencedSet<Piece> region = new LinkedHashSet<>();
    List<Piece> open = new ArrayList<>(List.of(entry));
    int size = 0;
    for (int i = 0; i < open.size(); i++) {
      Piece piece = open.get(i);
      if (region.contains(piece)) {
        continue;
      }
      boolean isCut = piece.point() >= 0 && piece != entry;
      if (isCut || (size > 0 && size + piece.ops().size() > MOST_OPS)) {
        begin(piece);
        continue;
      }
      region.add(piece);
      size += piece.ops().size();
      open.addAll(after(piece));
    }
    return region;
  }

  /** Where a thread goes on without waiting. */
  static List<Piece> after(Piece piece) {
    if (piece.meets() != null) {
      return List.of();
    }
    return piece.next() != null ? List.of(piece.next()) : piece.targets();
  }

  private void findNeeds() {
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Piece piece : all.reversed()) {
        BitSet needs = behind(piece);
        for (Op op : piece.ops().reversed()) {
          cells.setBy(op).forEach(cell -> needs.clear(cell.number()));
          cells.of(op.operands()).forEach(cell -> needs.set(cell.number()));
        }
        if (piece.isFirst()) {
          cells.of(piece.block().params()).forEach(cell -> needs.clear(cell.number()));
        }
        if (!needs.equals(piece.needs)) {
          piece.needs.or(needs);
          changed = true;
        }
      }
    }
  }

  /** The cells that are needed behind a piece's own operations, but for its block's parameters. */
  private BitSet behind(Piece piece) {
    BitSet needs = new BitSet();
    Op meets = piece.meets();
    if (piece.next() != null) {
      needs.or(piece.next().needs);
      if (meets != null) {
        cells.setBy(meets).forEach(cell -> needs.clear(cell.number()));
        cells.of(meets.operands()).forEach(cell -> needs.set(cell.number()));
      }
      return needs;
    }
    for (int i = 0; i < piece.targets().size(); i++) {
      needs.or(piece.targets().get(i).needs);
      Target target = piece.block().targets().get(i);
      cells.of(target.arguments()).forEach(cell -> needs.set(cell.number()));
    }
    return needs;
  }

  List<Piece> points() {
    return points;
  }

  List<Piece> all() {
    return all;
  }
}
