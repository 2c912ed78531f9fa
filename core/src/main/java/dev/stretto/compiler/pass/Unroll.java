package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Unrolls loops whose number of iterations is known: all loops that index local arrays, and short
 * ones. The loop itself remains after the last iteration; the next simplification removes it, since
 * the jump to it is known not to be taken.
 */
public final class Unroll implements Pass {
  /** Including the one in which the loop is left. */
  static final int MOST_ROUNDS = 1025;

  private static final int MOST_OPS = 100_000;

  /** Many loops that are each worth unrolling would make a kernel that never finishes compiling. */
  private static final int MOST_IN_ALL = 120_000;

  private static final int SHORT = 2048;

  /** Of loops whose counters remain in registers, so that less becomes constant. */
  private static final int SHORT_BY_RANGES = 512;

  private final Predicate<Loop> mayBeShort;

  /**
   * Creates a pass.
   *
   * @param mayBeShort which loops are unrolled because they are short
   */
  Unroll(Predicate<Loop> mayBeShort) {
    this.mayBeShort = mayBeShort;
  }

  @Override
  public String name() {
    return "unroll";
  }

  /** Loops around an unrolled one wait for the next run, since they have changed. */
  @Override
  public boolean run(Function function) {
    List<Loop> done = new ArrayList<>();
    long all = function.blocks().stream().mapToLong(block -> block.ops().size()).sum();
    List<Loop> left = Loop.of(function);
    while (!left.isEmpty()) {
      ApartLoops apart = new ApartLoops(function);
      List<Loop> later = new ArrayList<>();
      List<Peel> peels = new ArrayList<>();
      for (Loop loop : left) {
        if (containsAny(loop, done)) {
          continue;
        }
        if (containsAny(loop, later)) {
          later.add(loop);
          continue;
        }
        TripCount count = new TripCount(loop);
        int rounds = count.of(apart.predecessors(), MOST_ROUNDS);
        if (rounds <= 0) {
          continue;
        }
        Loop whole = LastSteps.with(function, loop, count.exits(), apart.predecessors());
        int most = count.isByRanges() ? SHORT_BY_RANGES : SHORT;
        Loop part = isWorth(whole, rounds, most) ? whole : loop;
        long more = (long) rounds * part.size();
        if (isWorth(part, rounds, most) && all + more <= MOST_IN_ALL) {
          if (apart.take(part)) {
            all += more;
            peels.add(new Peel(part, into(apart.predecessors().get(loop.header()), loop), rounds));
            done.add(loop);
          } else {
            later.add(loop);
          }
        }
      }
      List<LoopCopies> copies = apart.copies();
      for (int i = 0; i < peels.size(); i++) {
        peels.get(i).with(copies.get(i));
      }
      apart.repair(copies);
      left = later;
    }
    return !done.isEmpty();
  }

  private static boolean containsAny(Loop loop, List<Loop> others) {
    return others.stream().anyMatch(other -> loop.contains(other.header()));
  }

  /** A loop whose iterations are put before it. */
  private record Peel(Loop loop, List<Target> into, int rounds) {
    void with(LoopCopies copies) {
      for (int i = 0; i < rounds; i++) {
        copies.copy();
      }
      for (int i = 0; i < rounds; i++) {
        copies.linkBack(i, i + 1 < rounds ? copies.place(i + 1, loop.header()) : loop.header());
      }
      for (Target target : into) {
        target.block(copies.place(0, loop.header()));
      }
    }
  }

  private boolean isWorth(Loop loop, int rounds, int most) {
    long ops = (long) rounds * loop.size();
    return (ops <= most && mayBeShort.test(loop)) || (ops <= MOST_OPS && indexesLocals(loop));
  }

  private static boolean indexesLocals(Loop loop) {
    return loop.body().stream()
        .flatMap(block -> block.ops().stream())
        .anyMatch(Unroll::wantsConstant);
  }

  /**
   * Whether an operand must be constant; it may become so only when the iterations are separate.
   */
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
          // If a predicate says that they start afresh, nothing has to be moved into them.
          case Asm.InPlace it -> it.unless();
          default -> -1;
        };
    return operand >= 0 && !(op.operand(operand) instanceof Constant);
  }

  static List<Target> into(List<Edge> edges, Loop loop) {
    return edges.stream().filter(edge -> !loop.contains(edge.from())).map(Edge::target).toList();
  }
}
