package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Moves the constant part of an index out of it, so that neighbours share an address and differ
 * only in an offset, which loads and stores add for free. An int that may wrap keeps its constant:
 * the wrapped value is the index. But an index that is some more than another one, such as that of
 * the next pixel, shares its address: the access is right only if the index is not negative, and
 * what is less than such an index has not wrapped.
 */
public final class Addressing implements Pass {
  @Override
  public String name() {
    return "addresses";
  }

  @Override
  public boolean run(Function function) {
    Replacements now = new Replacements();
    for (Block block : function.blocks()) {
      new Rewrite(block, now).run();
    }
    now.apply(function);
    return !now.isEmpty();
  }

  /** How much more than another an index may be, so that the lesser one does not wrap. */
  private static final int MOST_MORE = 1 << 16;

  /** A value as the sum of another value and a constant, in the arithmetic of the type. */
  private record Sum(Value value, long constant) {}

  private static final class Rewrite {
    private final Block block;
    private final List<Op> ops = new ArrayList<>();
    private final IdentityHashMap<Value, Sum> sums = new IdentityHashMap<>();

    /** The sums and products of this block, so that equal ones are one value. */
    private final Map<ValueNumbering.Key, Op> known = new HashMap<>();

    /** The first indices of each value, with what is added to it: the least so far. */
    private final IdentityHashMap<Value, Sum> least = new IdentityHashMap<>();

    private final Replacements now;

    Rewrite(Block block, Replacements now) {
      this.block = block;
      this.now = now;
    }

    void run() {
      for (Op op : block.ops()) {
        now.apply(op);
        if (op.code() == OpCode.ELEMENT) {
          Value better = element(op);
          if (better != op) {
            now.put(op, better);
            continue;
          }
        }
        ops.add(op);
        if (isSum(op)) {
          known.putIfAbsent(ValueNumbering.key(op, false), op);
        }
      }
      block.ops().clear();
      block.ops().addAll(ops);
    }

    private Value element(Op op) {
      int bytes = op.count();
      Value index = op.operand(1);
      Sum sum = op.type() == Type.GLOBAL && isWidened(index) ? place((Op) index) : split(index);
      if (sum.constant == 0 && sum.value == index) {
        return op;
      }
      long offset = sum.constant * bytes;
      if (op.type() == Type.SHARED ? offset != (int) offset : Math.abs(offset) >= 1 << 23) {
        return op;
      }
      Op base =
          new Op(
              OpCode.ELEMENT,
              op.type(),
              List.of(op.operand(0), sum.value),
              new Attribute.Count(bytes),
              op.line());
      Value at = base;
      if (sum.value instanceof Constant constant) {
        at = op.operand(0);
        offset += constant.asLong() * bytes;
      } else {
        ops.add(base);
      }
      if (offset == 0) {
        return at;
      }
      Value by = op.type() == Type.SHARED ? Constant.of((int) offset) : Constant.of(offset);
      Op moved = new Op(OpCode.OFFSET, op.type(), List.of(at, by), null, op.line());
      ops.add(moved);
      return moved;
    }

    /** An int converted to a long: the constant can be moved out if the sum never wraps. */
    private Sum widened(Op op) {
      if (op.operand(0).type() == Type.INT) {
        Sum inner = split(op.operand(0));
        if (inner.constant != 0 && staysWhole(inner)) {
          return new Sum(
              add(new Op(OpCode.CONVERT, Type.LONG, List.of(inner.value), null, op.line())),
              inner.constant);
        }
      }
      return new Sum(op, 0);
    }

    /** The low bits of a sum whose constant has none of them. */
    private Sum masked(Op op) {
      Sum sum = split(op.operand(0));
      if (op.operand(1) instanceof Constant mask && sum.constant != 0) {
        long bits = mask.asLong();
        if (bits > 0 && (bits & (bits + 1)) == 0 && (sum.constant & bits) == 0) {
          return new Sum(both(op, sum.value, mask), 0);
        }
      }
      return new Sum(op, 0);
    }

    /**
     * The high bits of a sum whose constant has only high bits: the bits that are shifted out are
     * zeros.
     */
    private Sum shifted(Op op) {
      if (op.type() == Type.INT && op.operand(1) instanceof Constant by) {
        Sum sum = split(op.operand(0));
        int amount = by.asInt() & 31;
        if (sum.constant != 0
            && (sum.constant & ((1L << amount) - 1)) == 0
            && staysWhole(sum)
            && Ranges.of(sum.value).least() >= 0
            && Ranges.of(sum.value).least() + sum.constant >= 0) {
          return new Sum(both(op, sum.value, by), sum.constant >> amount);
        }
      }
      return new Sum(op, 0);
    }

    private static boolean staysWhole(Sum sum) {
      Ranges range = Ranges.of(sum.value);
      return range.least() + sum.constant >= Integer.MIN_VALUE
          && range.most() + sum.constant <= Integer.MAX_VALUE;
    }

    private static boolean isWidened(Value index) {
      return index instanceof Op op
          && op.code() == OpCode.CONVERT
          && op.operand(0).type() == Type.INT;
    }

    /** An index that was an int, as another such index and what it is more. */
    private Sum place(Op index) {
      Sum whole = split(index);
      if (whole.constant != 0) {
        return whole;
      }
      Sum sum = split(index.operand(0));
      Sum before = least.get(sum.value);
      if (before != null
          && sum.constant >= before.constant
          && sum.constant - before.constant < MOST_MORE) {
        return new Sum(before.value, sum.constant - before.constant);
      }
      if (before == null || sum.constant < before.constant) {
        least.put(sum.value, new Sum(index, sum.constant));
      }
      return whole;
    }

    private static boolean isSum(Op op) {
      return switch (op.code()) {
        case ADD, SUB, MUL, SHL -> op.type() == Type.INT;
        default -> false;
      };
    }

    private Op add(Op op) {
      if (isSum(op)) {
        Op before = known.putIfAbsent(ValueNumbering.key(op, false), op);
        if (before != null) {
          return before;
        }
      }
      ops.add(op);
      return op;
    }

    private Sum split(Value value) {
      Sum known = sums.get(value);
      if (known == null) {
        known = compute(value);
        sums.put(value, known);
      }
      return known;
    }

    private Sum compute(Value value) {
      if (value instanceof Constant constant) {
        return new Sum(Constant.zero(value.type()), constant.asLong());
      }
      if (!(value instanceof Op op)) {
        return new Sum(value, 0);
      }
      return switch (op.code()) {
        case ADD, SUB -> {
          Sum a = split(op.operand(0));
          Sum b = split(op.operand(1));
          long constant =
              op.code() == OpCode.ADD ? a.constant + b.constant : a.constant - b.constant;
          // Without a constant of its own, a sum may still have rewritten parts.
          yield a.value == op.operand(0) && b.value == op.operand(1) && constant == 0
              ? new Sum(isSum(op) ? known.getOrDefault(ValueNumbering.key(op, false), op) : op, 0)
              : new Sum(both(op, a.value, b.value), wrap(op, constant));
        }
        case MUL, SHL -> {
          Sum a = split(op.operand(0));
          if (!(op.operand(1) instanceof Constant by) || a.value == op.operand(0)) {
            yield new Sum(value, 0);
          }
          int mask = op.type() == Type.INT ? 31 : 63;
          long constant =
              op.code() == OpCode.MUL
                  ? a.constant * by.asLong()
                  : a.constant << (by.asInt() & mask);
          yield new Sum(both(op, a.value, by), wrap(op, constant));
        }
        case CONVERT -> widened(op);
        case AND -> masked(op);
        case USHR, SHR -> shifted(op);
        default -> new Sum(value, 0);
      };
    }

    private static long wrap(Op op, long constant) {
      return op.type() == Type.INT ? (int) constant : constant;
    }

    /** The operation with other operands. */
    private Value both(Op op, Value a, Value b) {
      if (isZero(b) && (op.code() == OpCode.ADD || op.code() == OpCode.SUB)) {
        return a;
      }
      if (isZero(a) && op.code() == OpCode.ADD) {
        return b;
      }
      if (isZero(a) && op.code() != OpCode.SUB) {
        return a; // a product, a shift or a mask of a value without a constant
      }
      return add(new Op(op.code(), op.type(), List.of(a, b), null, op.line()));
    }

    private static boolean isZero(Value value) {
      return value instanceof Constant constant && constant.asLong() == 0;
    }
  }
}
