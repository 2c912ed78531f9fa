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
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Moves the constant part of an index out of it, so that neighbours share an address and differ
 * only in an offset, which loads and stores add for free. An int that may wrap keeps its constant:
 * the wrapped value is the index.
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

  /** A value as the sum of another value and a constant, in the arithmetic of the type. */
  private record Sum(Value value, long constant) {}

  private static final class Rewrite {
    private final Block block;
    private final List<Op> ops = new ArrayList<>();
    private final IdentityHashMap<Value, Sum> sums = new IdentityHashMap<>();
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
      }
      block.ops().clear();
      block.ops().addAll(ops);
    }

    private Value element(Op op) {
      int bytes = op.count();
      Value index = op.operand(1);
      Sum sum = split(index);
      if (sum.constant == 0) {
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

    private Op add(Op op) {
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
              ? new Sum(value, 0)
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
