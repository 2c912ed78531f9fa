package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the rounds of a loop one after the other where their number is known: all loops that index
 * local arrays, and short ones. The loop itself stays behind the last round; it is gone with the
 * next simplification, since what leads to it is known not to happen.
 */
public final class Unroll implements Pass {
  /** Counting the one in which the loop is left. */
  static final int MOST_ROUNDS = 1025;

  private static final int MOST_OPS = 100_000;

  /** Many loops, each of which is worth it, would make a kernel that is never compiled. */
  private static final int MOST_IN_ALL = 120_000;

  private static final int SHORT = 2048;

  @Override
  public String name() {
    return "unroll";
  }

  /** Loops around one that was unrolled wait for the next run: they are others by then. */
  @Override
  public boolean run(Function function) {
    List<Loop> done = new ArrayList<>();
    long all = function.blocks().stream().mapToLong(block -> block.ops().size()).sum();
    Table<Block, List<Edge>> predecessors = function.predecessors();
    for (Loop loop : Loop.of(function)) {
      if (done.stream().anyMatch(inner -> loop.contains(inner.header()))) {
        continue;
      }
      TripCount count = new TripCount(loop);
      int rounds = count.of(predecessors, MOST_ROUNDS);
      if (rounds <= 0) {
        continue;
      }
      Loop whole = LastSteps.with(function, loop, count.exits(), predecessors);
      Loop part = isWorth(whole, rounds) ? whole : loop;
      long more = (long) rounds * part.size();
      if (isWorth(part, rounds) && all + more <= MOST_IN_ALL) {
        all += more;
        peel(function, part, predecessors.get(loop.header()), rounds);
        predecessors = function.predecessors();
        done.add(loop);
      }
    }
    return !done.isEmpty();
  }

  /** Puts copies of the body before the loop, one for each of its rounds. */
  private static void peel(Function function, Loop loop, List<Edge> edges, int rounds) {
    LoopCopies copies = new LoopCopies(function, loop);
    for (int i = 0; i < rounds; i++) {
      copies.copy();
    }
    for (int i = 0; i < rounds; i++) {
      copies.linkBack(i, i + 1 < rounds ? copies.place(i + 1, loop.header()) : loop.header());
    }
    for (Target target : into(edges, loop)) {
      target.block(copies.place(0, loop.header()));
    }
    copies.repair();
  }

  private static boolean isWorth(Loop loop, int rounds) {
    long ops = (long) rounds * loop.size();
    return ops <= SHORT || (ops <= MOST_OPS && indexesLocals(loop));
  }

  private static boolean indexesLocals(Loop loop) {
    return loop.body().stream()
        .flatMap(block -> block.ops().stream())
        .anyMatch(Unroll::wantsConstant);
  }

  /** An operand that has to be constant may be one only when the rounds are apart. */
  static boolean wantsConstant(Op op) {
    return switch (op.code()) {
      case ARRAY_GET, ARRAY_SET -> !(op.operand(1) instanceof Constant);
      case NEW_ARRAY, KNOWN -> !(op.operand(0) instanceof Constant);
      case ASM ->
          op.attribute(Asm.class).pieces().stream().anyMatch(piece -> wantsConstant(op, piece));
      default -> false;
    };
  }

  private static boolean wantsConstant(Op op, Asm.Piece piece) {
    int operand =
        switch (piece) {
          case Asm.Literal it -> it.index();
          // Where it is known that they begin anew, nothing has to be moved into them.
          case Asm.InPlace it -> it.unless();
          default -> -1;
        };
    return operand >= 0 && !(op.operand(operand) instanceof Constant);
  }

  static List<Target> into(List<Edge> edges, Loop loop) {
    return edges.stream().filter(edge -> !loop.contains(edge.from())).map(Edge::target).toList();
  }
}
