package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.classfile.Opcode;
import java.util.IdentityHashMap;

/**
 * Joins comparisons and branches. Java compares longs and floating-point numbers in two steps: it
 * computes -1, 0 or 1, and then branches on that number. A kernel does both in one step.
 */
final class Comparisons {
  private record Three(Value a, Value b, boolean nanIsLess, boolean floating) {}

  private final Builder builder;
  private final IdentityHashMap<Value, Three> known = new IdentityHashMap<>();

  Comparisons(Builder builder) {
    this.builder = builder;
  }

  /** The number -1, 0 or 1. */
  Value three(Opcode opcode, Value a, Value b) {
    boolean floating = a.type().isFloating();
    boolean nanIsLess = opcode == Opcode.FCMPL || opcode == Opcode.DCMPL;
    Value less = builder.cmp(floating && nanIsLess ? Cond.ULT : Cond.LT, a, b);
    Value more = builder.cmp(floating && !nanIsLess ? Cond.UGT : Cond.GT, a, b);
    Value number =
        builder.op(
            OpCode.SELECT,
            Type.INT,
            less,
            Constant.of(-1),
            builder.op(OpCode.BOOL_TO_INT, Type.INT, more));
    if (!(number instanceof Constant)) {
      known.put(number, new Three(a, b, nanIsLess, floating));
    }
    return number;
  }

  /** Compares a number with zero. */
  Value withZero(Cond cond, Value number) {
    Three three = known.get(number);
    if (three == null) {
      return builder.cmp(cond, number, Constant.of(0));
    }
    return builder.cmp(three.floating ? unordered(cond, three.nanIsLess) : cond, three.a, three.b);
  }

  private static Cond unordered(Cond cond, boolean nanIsLess) {
    return switch (cond) {
      case LT -> nanIsLess ? Cond.ULT : Cond.LT;
      case LE -> nanIsLess ? Cond.ULE : Cond.LE;
      case GT -> nanIsLess ? Cond.GT : Cond.UGT;
      case GE -> nanIsLess ? Cond.GE : Cond.UGE;
      default -> cond;
    };
  }
}
