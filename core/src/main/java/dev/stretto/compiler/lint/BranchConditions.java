package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Derives facts about conditions and numbers from the branches that a path has taken. */
final class BranchConditions {
  private static final int DEPTH = 10;
  private static final int MOST_THREADS = 1024;

  /** A comparison in normal form, and whether it is negated. */
  private record Form(int number, boolean negated) {}

  /** Where a parameter comes from. */
  private record Source(List<Edge> edges, int index) {}

  private final Expressions expressions;
  private final Table<Value, Source> sources = new Table<>();
  private final Table<Value, Interval> steady = new Table<>();

  BranchConditions(Function function, Expressions expressions) {
    this.expressions = expressions;
    Table<Block, List<Edge>> predecessors = function.predecessors();
    for (Block block : function.blocks()) {
      for (int i = 0; i < block.params().size(); i++) {
        sources.put(block.params().get(i), new Source(predecessors.get(block), i));
      }
    }
  }

  // --- numbers
  // ---------------------------------------------------------------------------------------------------------

  /** The interval in which a value lies. */
  Interval of(Value value, Facts facts) {
    return of(expressions.number(value), facts, DEPTH);
  }

  Interval of(int expression, Facts facts) {
    return of(expression, facts, DEPTH);
  }

  private Interval of(int expression, Facts facts, int depth) {
    Value value = expressions.value(expression);
    Interval all = Interval.of(value.type());
    Interval known = facts.of(expression);
    Interval made = depth == 0 ? all : made(value, facts, depth - 1);
    Interval within = made.and(all);
    Interval result = within == null ? all : within;
    if (known == null) {
      return result;
    }
    Interval both = result.and(known);
    return both == null ? known : both;
  }

  private Interval made(Value value, Facts facts, int depth) {
    Interval all = Interval.of(value.type());
    if (value instanceof Constant constant) {
      return switch (value.type()) {
        case BOOL -> Interval.exactly(constant.asBoolean() ? 1 : 0);
        case INT, LONG -> Interval.exactly(constant.asLong());
        default -> all;
      };
    }
    if (value instanceof BlockParam param) {
      return counted(param, depth);
    }
    Op op = (Op) value;
    if (op.type() == Type.BOOL) {
      Boolean holds = decide(op, facts, depth);
      return holds == null ? all : Interval.exactly(holds ? 1 : 0);
    }
    if (op.type() != Type.INT && op.type() != Type.LONG) {
      return all;
    }
    return switch (op.code()) {
      case ASM -> special(Expressions.name(op), all);
      case ADD -> operand(op, 0, facts, depth).plus(operand(op, 1, facts, depth));
      case SUB -> operand(op, 0, facts, depth).minus(operand(op, 1, facts, depth));
      case MUL -> product(operand(op, 0, facts, depth), operand(op, 1, facts, depth), all);
      case SHL ->
          op.operand(1) instanceof Constant by && by.asInt() >= 0 && by.asInt() < 31
              ? operand(op, 0, facts, depth).times(1L << by.asInt())
              : all;
      case SHR, USHR -> shifted(op, operand(op, 0, facts, depth), all);
      case AND -> masked(operand(op, 0, facts, depth), operand(op, 1, facts, depth), all);
      case XOR, OR -> {
        Interval a = operand(op, 0, facts, depth);
        Interval b = operand(op, 1, facts, depth);
        if (a.isOne() && b.isOne()) {
          yield Interval.exactly(
              op.code() == OpCode.XOR ? a.least() ^ b.least() : a.least() | b.least());
        }
        long most = Long.highestOneBit(Math.max(a.most(), b.most()));
        yield a.least() >= 0 && b.least() >= 0 ? new Interval(0, 2 * most - 1) : all;
      }
      case REM, UREM -> remainder(operand(op, 0, facts, depth), operand(op, 1, facts, depth), all);
      case DIV, UDIV -> {
        Interval a = operand(op, 0, facts, depth);
        Interval b = operand(op, 1, facts, depth);
        yield a.least() >= 0 && b.isOne() && b.least() > 0
            ? new Interval(a.least() / b.least(), a.most() / b.least())
            : all;
      }
      case MIN -> {
        Interval a = operand(op, 0, facts, depth);
        Interval b = operand(op, 1, facts, depth);
        yield new Interval(Math.min(a.least(), b.least()), Math.min(a.most(), b.most()));
      }
      case MAX -> {
        Interval a = operand(op, 0, facts, depth);
        Interval b = operand(op, 1, facts, depth);
        yield new Interval(Math.max(a.least(), b.least()), Math.max(a.most(), b.most()));
      }
      case CONVERT ->
          op.operand(0).type() == Type.INT && op.type() == Type.LONG
              ? operand(op, 0, facts, depth)
              : all;
      case BOOL_TO_INT -> operand(op, 0, facts, depth);
      case ZERO_EXTEND -> {
        Interval a = operand(op, 0, facts, depth);
        yield a.least() >= 0 ? a : new Interval(0, 0xffff_ffffL);
      }
      case SELECT -> operand(op, 1, facts, depth).or(operand(op, 2, facts, depth));
      default -> all;
    };
  }

  private Interval operand(Op op, int index, Facts facts, int depth) {
    return of(expressions.number(op.operand(index)), facts, depth);
  }

  private static Interval product(Interval a, Interval b, Interval all) {
    if (b.isOne()) {
      return a.times(b.least());
    }
    if (a.isOne()) {
      return b.times(a.least());
    }
    return a.least() >= 0 && b.least() >= 0
        ? new Interval(a.times(b.least()).least(), a.times(b.most()).most())
        : all;
  }

  private static Interval shifted(Op op, Interval a, Interval all) {
    if (!(op.operand(1) instanceof Constant by) || a.least() < 0) {
      return all;
    }
    int places = by.asInt() & (op.type() == Type.INT ? 31 : 63);
    return new Interval(a.least() >> places, a.most() >> places);
  }

  private static Interval masked(Interval a, Interval b, Interval all) {
    if (a.isOne() && b.isOne()) {
      return Interval.exactly(a.least() & b.least());
    }
    if (a.least() >= 0 && b.isOne() && b.least() >= a.most() && isMask(b.least())) {
      return a;
    }
    if (a.least() < 0 && b.least() < 0) {
      return all;
    }
    long most =
        Math.min(a.least() >= 0 ? a.most() : b.most(), b.least() >= 0 ? b.most() : a.most());
    return new Interval(0, most);
  }

  private static boolean isMask(long number) {
    return (number & (number + 1)) == 0;
  }

  private static Interval remainder(Interval a, Interval b, Interval all) {
    if (a.least() < 0 || !b.isOne() || b.least() <= 0) {
      return all;
    }
    return a.most() < b.least() ? a : new Interval(0, b.least() - 1);
  }

  private static Interval special(String name, Interval all) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "threadIndexX", "threadIndexY", "threadIndexZ" -> new Interval(0, MOST_THREADS - 1);
      case "blockSizeX", "blockSizeY", "blockSizeZ" -> new Interval(1, MOST_THREADS);
      case "lane" -> new Interval(0, 31);
      case "blockIndexX",
          "blockIndexY",
          "blockIndexZ",
          "clusterBlockRank",
          "mbarrierPendingCount" ->
          new Interval(0, Integer.MAX_VALUE);
      case "gridSizeX", "gridSizeY", "gridSizeZ", "clusterBlocks" ->
          new Interval(1, Integer.MAX_VALUE);
      default -> all;
    };
  }

  /** A number that a loop counts up is never less than its initial value. */
  private Interval counted(BlockParam param, int depth) {
    Interval all = Interval.of(param.type());
    Source source = sources.find(param);
    if (source == null || !param.type().isNumber() || param.type().isFloating()) {
      return all;
    }
    Interval known = steady.find(param);
    if (known != null) {
      return known;
    }
    steady.put(param, all); // for requests made while this is being computed
    long least = Long.MAX_VALUE;
    for (Edge edge : source.edges) {
      Value argument = edge.target().arguments().get(source.index);
      if (!isMore(argument, param, depth)) {
        least = Math.min(least, of(expressions.number(argument), Facts.NONE, depth).least());
      }
    }
    Interval found = least == Long.MAX_VALUE ? all : new Interval(least, all.most());
    steady.put(param, found);
    return found;
  }

  private boolean isMore(Value argument, BlockParam param, int depth) {
    if (argument == param) {
      return true;
    }
    if (!(argument instanceof Op op) || op.code() != OpCode.ADD) {
      return false;
    }
    for (int i = 0; i < 2; i++) {
      if (op.operand(i) == param
          && of(expressions.number(op.operand(1 - i)), Facts.NONE, depth).least() >= 0) {
        return true;
      }
    }
    return false;
  }

  // --- conditions
  // ------------------------------------------------------------------------------------------------------

  /** Whether a condition holds; null if it is not known. */
  @Nullable Boolean decide(Value condition, Facts facts) {
    return decide(condition, facts, DEPTH);
  }

  private @Nullable Boolean decide(Value condition, Facts facts, int depth) {
    if (condition instanceof Constant constant) {
      return constant.asBoolean();
    }
    Interval known = facts.of(expressions.number(condition));
    if (known != null && known.isOne()) {
      return known.least() == 1;
    }
    if (!(condition instanceof Op op) || depth == 0) {
      return null;
    }
    return switch (op.code()) {
      case NOT -> {
        Boolean inner = decide(op.operand(0), facts, depth - 1);
        yield inner == null ? null : (Boolean) !inner;
      }
      case AND, OR -> {
        Boolean stops = op.code() == OpCode.OR;
        Boolean a = decide(op.operand(0), facts, depth - 1);
        Boolean b = decide(op.operand(1), facts, depth - 1);
        if (stops.equals(a) || stops.equals(b)) {
          yield stops;
        }
        boolean both = a != null && b != null;
        yield both ? (Boolean) !stops : null;
      }
      case CMP -> compare(op, facts, depth - 1);
      default -> null;
    };
  }

  private @Nullable Boolean compare(Op op, Facts facts, int depth) {
    Form form = form(op);
    Interval known = facts.of(form.number);
    if (known != null && known.isOne()) {
      return known.least() == 1 != form.negated;
    }
    if (op.operand(0).type().isFloating()) {
      return null;
    }
    Interval a = operand(op, 0, facts, depth);
    Interval b = operand(op, 1, facts, depth);
    return a.is(op.attribute(Cond.class), b);
  }

  private Form form(Op op) {
    boolean floating = op.operand(0).type().isFloating();
    Cond cond = op.attribute(Cond.class);
    int a = expressions.number(op.operand(0));
    int b = expressions.number(op.operand(1));
    boolean negated =
        switch (cond) {
          case NE -> true;
          case GE, UGE -> !floating || cond == Cond.UGE;
          case LE, ULE -> !floating || cond == Cond.ULE;
          case ULT, UGT -> floating;
          default -> false;
        };
    Cond plain = negated ? cond.negated(floating) : cond;
    boolean swaps =
        switch (plain) {
          case EQ -> a > b;
          case GT, GE, UGT, UGE -> true;
          default -> false;
        };
    return new Form(
        swaps
            ? expressions.comparison(plain.swapped(), b, a, op)
            : expressions.comparison(plain, a, b, op),
        negated);
  }

  /** The facts that follow if a condition holds, or does not; null if that is impossible. */
  @Nullable Facts assume(Value condition, boolean holds, Facts facts) {
    Boolean decided = decide(condition, facts);
    if (decided != null) {
      return decided == holds ? facts : null;
    }
    Facts more = facts.with(expressions.number(condition), Interval.exactly(holds ? 1 : 0));
    if (!(condition instanceof Op op)) {
      return more;
    }
    return switch (op.code()) {
      case NOT -> assume(op.operand(0), !holds, more);
      case AND, OR -> {
        if (holds == (op.code() == OpCode.OR)) {
          yield more;
        }
        Facts first = assume(op.operand(0), holds, more);
        yield first == null ? null : assume(op.operand(1), holds, first);
      }
      case CMP -> assumeComparison(op, holds, more);
      default -> more;
    };
  }

  private @Nullable Facts assumeComparison(Op op, boolean holds, Facts facts) {
    Form form = form(op);
    Facts more = facts.with(form.number, Interval.exactly(holds == form.negated ? 0 : 1));
    Type type = op.operand(0).type();
    if (type != Type.INT && type != Type.LONG && type != Type.BOOL) {
      return more;
    }
    Cond cond = op.attribute(Cond.class);
    Cond true1 = holds ? cond : cond.negated(false);
    Interval a = of(op.operand(0), more);
    Interval b = of(op.operand(1), more);
    Facts first = narrow(op.operand(0), a, a.where(true1, b), more);
    return first == null ? null : narrow(op.operand(1), b, b.where(true1.swapped(), a), first);
  }

  private @Nullable Facts narrow(
      Value value, Interval before, @Nullable Interval now, Facts facts) {
    if (now == null) {
      return null;
    }
    if (now.equals(before) || value instanceof Constant) {
      return facts;
    }
    Facts more = facts.with(expressions.number(value), now);
    return value instanceof Op op && op.code() == OpCode.BOOL_TO_INT && now.isOne()
        ? assume(op.operand(0), now.least() == 1, more)
        : more;
  }

  /** A condition in normal form, and whether it holds. */
  List<Object> side(Value condition, boolean holds) {
    if (condition instanceof Op op && op.code() == OpCode.CMP) {
      Form form = form(op);
      return List.of(form.number, holds != form.negated);
    }
    return List.of(expressions.number(condition), holds);
  }

  /** The expressions about which facts may decide a condition. */
  Set<Integer> deciding(Value condition) {
    Set<Integer> found = new HashSet<>();
    collect(condition, found, DEPTH);
    return found;
  }

  private void collect(Value condition, Set<Integer> found, int depth) {
    if (condition instanceof Constant || depth == 0) {
      return;
    }
    found.add(expressions.number(condition));
    if (!(condition instanceof Op op)) {
      return;
    }
    switch (op.code()) {
      case CMP -> {
        found.add(form(op).number);
        if (!op.operand(0).type().isFloating()) {
          parts(expressions.number(op.operand(0)), found, depth - 1);
          parts(expressions.number(op.operand(1)), found, depth - 1);
        }
      }
      case NOT, AND, OR -> op.operands().forEach(it -> collect(it, found, depth - 1));
      default -> {}
    }
  }

  private void parts(int expression, Set<Integer> found, int depth) {
    Value value = expressions.value(expression);
    if (value instanceof Constant || depth == 0) {
      return;
    }
    if (value instanceof Op op && op.type() == Type.BOOL) {
      collect(op, found, depth);
      return;
    }
    found.add(expression);
    expressions.parts(expression).forEach(part -> parts(part, found, depth - 1));
  }

  /** The expressions that a value's interval depends on. */
  Set<Integer> deciding(int expression) {
    Set<Integer> found = new HashSet<>();
    parts(expression, found, DEPTH);
    return found;
  }
}
