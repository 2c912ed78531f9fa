package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out of which step threads need no turn: in the lower levels of a tree, most threads only
 * compare their index with a number that all have in common, and go on to the next barrier. What
 * they keep is then the same for all of them.
 *
 * <p>A way through the step is followed as long as it depends on common numbers only, up to a
 * branch that compares the index within a row of the block.
 */
final class IdleThreads {
  /** How a thread's index compares with a bound, where it has something to do. */
  enum Relation {
    BELOW,
    UP_TO,
    ABOVE,
    FROM,
    AT;

    private static @Nullable Relation of(Cond cond) {
      return switch (cond) {
        case LT -> BELOW;
        case LE -> UP_TO;
        case GT -> ABOVE;
        case GE -> FROM;
        case EQ -> AT;
        default -> null;
      };
    }
  }

  /** What to do for all threads together. */
  sealed interface Plan {}

  /** Every thread has its turn. */
  record Turns() implements Plan {}

  /** Sets parameters of a block, and goes on. */
  record Jump(SequencedMap<BlockParam, Value> sets, Plan then) implements Plan {}

  /** Sets what operations give, and goes on. */
  record Values(List<Op> ops, Plan then) implements Plan {}

  /** Takes one of two ways, the same for all threads. */
  record Either(Value condition, Plan yes, Plan no) implements Plan {}

  /**
   * Some threads have a turn.
   *
   * @param relation how the index of those compares
   * @param bound the other number
   * @param others what is done for the others: it ends in an {@link Arrival}
   */
  record Some(Relation relation, Value bound, Plan others) implements Plan {}

  /**
   * The end of the way of threads that need no turn.
   *
   * @param point where they are then
   * @param keeps what they keep
   */
  record Arrival(int point, List<Cell> keeps) implements Plan {}

  /** So many pieces are followed on a way. */
  private static final int LONGEST = 12;

  /**
   * So many operations are looked at on all ways together, since each is written once more: the JVM
   * does not compile a method that is too long.
   */
  private static final int MOST_OPS = 60;

  private final SteppedClass kernel;
  private final Cells cells;
  private final Set<Cell> framed;
  private final SequencedSet<Piece> region;
  private final SequencedSet<Cell> reads = new LinkedHashSet<>();
  private int ops;

  private IdleThreads(SteppedClass kernel, Piece entry, SequencedSet<Piece> region) {
    this.kernel = kernel;
    this.cells = kernel.cells();
    this.framed = new HashSet<>(kernel.keptAt(entry));
    this.region = region;
  }

  /**
   * What to do before a step.
   *
   * @param plan what
   * @param reads what has to be the same in all threads' frames
   */
  record Prologue(Plan plan, List<Cell> reads) {}

  /** {@return what to do before a step; null if all threads have their turns in any case} */
  static @Nullable Prologue before(SteppedClass kernel, Piece entry, SequencedSet<Piece> region) {
    IdleThreads idle = new IdleThreads(kernel, entry, region);
    Plan plan = idle.follow(entry, new Way(), LONGEST);
    return plan instanceof Turns ? null : new Prologue(plan, List.copyOf(idle.reads));
  }

  /** What is known where a way has got to. */
  private static final class Way {
    /** Cells that were set on the way and are the same for all threads. */
    final Set<Cell> common = new HashSet<>();

    /** Cells that were set on the way. */
    final Set<Cell> set = new HashSet<>();

    /** Whether the threads with a turn have left the way. */
    boolean isIdle;

    Way copy() {
      Way copy = new Way();
      copy.common.addAll(common);
      copy.set.addAll(set);
      copy.isIdle = isIdle;
      return copy;
    }

    void sets(Cell cell, boolean isCommon) {
      set.add(cell);
      if (isCommon) {
        common.add(cell);
      } else {
        common.remove(cell);
      }
    }
  }

  private Plan follow(Piece piece, Way way, int left) {
    ops += piece.ops().size();
    if (left == 0 || ops > MOST_OPS) {
      return new Turns();
    }
    List<Op> values = new ArrayList<>();
    for (Op op : piece.ops()) {
      if (op.isEnd() || kernel.inlined().contains(op) || Cells.isPlace(op)) {
        continue;
      }
      boolean silent =
          switch (op.code()) {
            case REQUIRE, KNOWN, IN_RANGE, NOTE -> true;
            default -> false;
          };
      if (!op.isPure() && !silent) {
        return new Turns();
      }
      boolean isCommon = isCommonResult(op, way);
      cells.setBy(op).forEach(cell -> way.sets(cell, isCommon));
      if (isCommon) {
        values.add(op);
      }
    }
    Plan then = end(piece, way, left);
    return then instanceof Turns || values.isEmpty() ? then : new Values(values, then);
  }

  private Plan end(Piece piece, Way way, int left) {
    Piece next = piece.next();
    if (piece.meets() != null && next != null) {
      return arrive(next.point(), kernel.keptFor(piece), way);
    }
    if (next != null) {
      return goOn(next, List.of(), way, left);
    }
    Op end = piece.block().end();
    List<Target> targets = end.targets();
    return switch (end.code()) {
      case JUMP -> goOn(piece.targets().getFirst(), targets.getFirst().arguments(), way, left);
      case BRANCH -> branch(piece, end.operand(0), targets, way, left);
      case RETURN -> arrive(StepMethod.RETURNED, List.of(), way);
      default -> new Turns();
    };
  }

  private Plan branch(Piece piece, Value condition, List<Target> to, Way way, int left) {
    if (isCommon(condition, way)) {
      Plan yes = goOn(piece.targets().get(0), to.get(0).arguments(), way.copy(), left);
      Plan no = goOn(piece.targets().get(1), to.get(1).arguments(), way.copy(), left);
      boolean none = yes instanceof Turns && no instanceof Turns;
      return none || (way.isIdle && (yes instanceof Turns || no instanceof Turns))
          ? new Turns()
          : new Either(condition, yes, no);
    }
    if (way.isIdle || !(condition instanceof Op test) || test.code() != OpCode.CMP) {
      return new Turns();
    }
    Cond cond = test.attribute(Cond.class);
    Value bound = test.operand(1);
    if (!isIndex(test.operand(0))) {
      bound = test.operand(0);
      cond = cond.swapped();
      if (!isIndex(test.operand(1))) {
        return new Turns();
      }
    }
    if (bound.type() != Type.INT || !isCommon(bound, way)) {
      return new Turns();
    }
    Plan plan = some(piece, Relation.of(cond), bound, to, 1, way, left);
    return plan instanceof Turns
        ? some(piece, Relation.of(cond.negated(false)), bound, to, 0, way, left)
        : plan;
  }

  /** Follows the way of the threads that have nothing to do. */
  private Plan some(
      Piece piece,
      @Nullable Relation relation,
      Value bound,
      List<Target> to,
      int idle,
      Way way,
      int left) {
    if (relation == null) {
      return new Turns();
    }
    Way others = way.copy();
    others.isIdle = true;
    Plan plan = goOn(piece.targets().get(idle), to.get(idle).arguments(), others, left);
    return plan instanceof Turns ? plan : new Some(relation, bound, plan);
  }

  private static boolean isIndex(Value value) {
    return value instanceof Op op && Cells.isPlace(op) && "threadIndexX".equals(placeOf(op));
  }

  private static @Nullable String placeOf(Op op) {
    return op.code() == OpCode.CALL ? Cells.place(op) : null;
  }

  private Plan goOn(Piece target, List<Value> arguments, Way way, int left) {
    List<BlockParam> params = target.isFirst() ? target.block().params() : List.of();
    SequencedMap<BlockParam, Value> sets = new LinkedHashMap<>();
    List<Cell> common = new ArrayList<>();
    for (int i = 0; i < params.size(); i++) {
      if (isCommon(arguments.get(i), way)) {
        sets.put(params.get(i), arguments.get(i));
        common.add(cells.get(params.get(i)));
      }
    }
    for (BlockParam param : params) {
      Cell cell = cells.get(param);
      way.sets(cell, common.contains(cell));
    }
    Plan then =
        kernel.goesOn(region, target)
            ? follow(target, way, left - 1)
            : arrive(target.point(), kernel.keptAt(target), way);
    return then instanceof Turns || sets.isEmpty() ? then : new Jump(sets, then);
  }

  private Plan arrive(int point, List<Cell> kept, Way way) {
    if (!way.isIdle) {
      return new Turns();
    }
    List<Cell> keeps = new ArrayList<>();
    for (Cell cell : kept) {
      if (way.set.contains(cell) && cell.slot() >= 0) {
        if (!way.common.contains(cell)) {
          return new Turns();
        }
        keeps.add(cell);
      }
    }
    return new Arrival(point, keeps);
  }

  // --- what all threads have in common
  // ------------------------------------------------------------------------------------------------

  private boolean isCommonResult(Op op, Way way) {
    return op.isPure()
        && op.code() != OpCode.CALL
        && op.code() != OpCode.EXTRACT
        && op.code() != OpCode.NEW_ARRAY
        && op.operands().stream().allMatch(value -> isCommon(value, way));
  }

  private boolean isCommon(Value value, Way way) {
    if (value instanceof Constant || cells.parameter(value) >= 0) {
      return value.type() != Type.REF;
    }
    if (Cells.isPlace(value)) {
      String place = placeOf((Op) value);
      return place == null
          || !(place.startsWith("threadIndex")
              || place.equals(Cells.LANE)
              || place.equals(Cells.WARP));
    }
    if (value instanceof Op op && kernel.inlined().contains(op)) {
      return isCommonResult(op, way);
    }
    Cell cell = cells.find(value);
    if (cell == null) {
      return false;
    }
    if (way.set.contains(cell)) {
      return way.common.contains(cell);
    }
    if (framed.contains(cell) && cell.slot() >= 0 && cell.kind() == Cell.kind(Type.INT)) {
      reads.add(cell);
      return true;
    }
    return false;
  }
}
