package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The range of an INT, as far as its operations alone show.
 *
 * @param least the smallest possible value
 * @param most the largest possible value
 */
record Ranges(long least, long most) {
  private static final int DEPTH = 8;
  private static final Ranges ANY = new Ranges(Integer.MIN_VALUE, Integer.MAX_VALUE);

  static Ranges of(Value value) {
    return of(value, Ranges::nothingMore, DEPTH);
  }

  /**
   * {@return the range of a value}
   *
   * @param known what is known besides: the range of a value, or null
   */
  static Ranges of(Value value, Function<Value, @Nullable Ranges> known) {
    return of(value, known, DEPTH);
  }

  /** {@return what a comparison of two INTs yields, or null if their ranges do not tell} */
  static @Nullable Boolean outcome(Op cmp, Function<Value, @Nullable Ranges> known) {
    if (cmp.operand(0).type() != Type.INT) {
      return null;
    }
    Ranges a = of(cmp.operand(0), known);
    Ranges b = of(cmp.operand(1), known);
    return switch (cmp.attribute(Cond.class)) {
      case LT -> a.isBelow(b);
      case GE -> negated(a.isBelow(b));
      case GT -> b.isBelow(a);
      case LE -> negated(b.isBelow(a));
      case EQ -> a.isApart(b) ? Boolean.FALSE : null;
      case NE -> a.isApart(b) ? Boolean.TRUE : null;
      // An unsigned comparison of numbers without a sign is the same.
      case ULT -> unsigned(a, b) ? a.isBelow(b) : null;
      case UGE -> unsigned(a, b) ? negated(a.isBelow(b)) : null;
      case UGT -> unsigned(a, b) ? b.isBelow(a) : null;
      case ULE -> unsigned(a, b) ? negated(b.isBelow(a)) : null;
    };
  }

  /** The same without more knowledge. */
  static @Nullable Boolean outcome(Op cmp) {
    return outcome(cmp, Ranges::nothingMore);
  }

  private static boolean unsigned(Ranges a, Ranges b) {
    return a.least >= 0 && b.least >= 0;
  }

  private static @Nullable Ranges nothingMore(Value value) {
    return null;
  }

  /** Whether each value is less than each of the other range; null if some are and some are not. */
  private @Nullable Boolean isBelow(Ranges other) {
    if (most < other.least) {
      return true;
    }
    return least >= other.most ? Boolean.FALSE : null;
  }

  private boolean isApart(Ranges other) {
    return most < other.least || other.most < least;
  }

  private static @Nullable Boolean negated(@Nullable Boolean outcome) {
    return outcome == null ? null : (Boolean) !outcome;
  }

  /** The range of whatever lies in one of two ranges. */
  Ranges or(Ranges other) {
    return new Ranges(Math.min(least, other.least), Math.max(most, other.most));
  }

  private static Ranges of(Value value, Function<Value, @Nullable Ranges> known, int depth) {
    if (value instanceof Constant constant) {
      return constant.type() == Type.INT ? new Ranges(constant.asInt(), constant.asInt()) : ANY;
    }
    Ranges more = known.apply(value);
    if (more != null) {
      return more;
    }
    if (!(value instanceof Op op) || depth == 0) {
      return ANY;
    }
    if (op.code() == OpCode.ADD && op.operand(1) instanceof Constant by && op.type() == Type.INT) {
      Ranges a = of(op.operand(0), known, depth); // sums of a counter do not use up the depth
      return whole(a.least + by.asInt(), a.most + by.asInt());
    }
    return switch (op.code()) {
      case ASM -> special(op.attribute(Asm.class).name());
      case ADD -> {
        Ranges a = of(op.operand(0), known, depth - 1);
        Ranges b = of(op.operand(1), known, depth - 1);
        yield whole(a.least + b.least, a.most + b.most);
      }
      case SUB -> {
        Ranges a = of(op.operand(0), known, depth - 1);
        Ranges b = of(op.operand(1), known, depth - 1);
        yield whole(a.least - b.most, a.most - b.least);
      }
      case MUL -> {
        Ranges a = of(op.operand(0), known, depth - 1);
        Ranges b = of(op.operand(1), known, depth - 1);
        yield a.least >= 0 && b.least >= 0 ? whole(a.least * b.least, a.most * b.most) : ANY;
      }
      case SHL -> {
        Ranges a = of(op.operand(0), known, depth - 1);
        yield a.least >= 0
                && op.operand(1) instanceof Constant by
                && by.asInt() >= 0
                && by.asInt() < 31
            ? whole(a.least << by.asInt(), a.most << by.asInt())
            : ANY;
      }
      case SHR -> {
        Ranges a = of(op.operand(0), known, depth - 1);
        yield op.operand(1) instanceof Constant by
            ? new Ranges(a.least >> (by.asInt() & 31), a.most >> (by.asInt() & 31))
            : ANY;
      }
      case USHR -> {
        Ranges a = of(op.operand(0), known, depth - 1);
        int places = op.operand(1) instanceof Constant by ? by.asInt() & 31 : 0;
        yield places == 0 ? ANY : new Ranges(0, (a.least >= 0 ? a.most : 0xffffffffL) >>> places);
      }
      case AND -> {
        Ranges a = of(op.operand(0), known, depth - 1);
        Ranges b = of(op.operand(1), known, depth - 1);
        long most =
            Math.min(
                a.least >= 0 ? a.most : Integer.MAX_VALUE,
                b.least >= 0 ? b.most : Integer.MAX_VALUE);
        yield a.least >= 0 || b.least >= 0 ? new Ranges(0, most) : ANY;
      }
      case REM -> {
        Ranges a = of(op.operand(0), known, depth - 1);
        Ranges b = of(op.operand(1), known, depth - 1);
        yield a.least >= 0 && b.least > 0 ? new Ranges(0, Math.min(a.most, b.most - 1)) : ANY;
      }
      case DIV -> {
        Ranges a = of(op.operand(0), known, depth - 1);
        Ranges b = of(op.operand(1), known, depth - 1);
        yield a.least >= 0 && b.least > 0 ? new Ranges(0, a.most) : ANY;
      }
      case LOAD, NARROW -> narrow(op);
      case BOOL_TO_INT -> new Ranges(0, 1);
      case POPC, CLZ -> new Ranges(0, 64);
      case SELECT -> {
        Ranges a = of(op.operand(1), known, depth - 1);
        Ranges b = of(op.operand(2), known, depth - 1);
        yield a.or(b);
      }
      default -> ANY;
    };
  }

  private static Ranges narrow(Op op) {
    return switch (op.attribute(Element.class)) {
      case I8 -> new Ranges(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case U8 -> new Ranges(0, 0xff);
      case I16 -> new Ranges(Short.MIN_VALUE, Short.MAX_VALUE);
      case U16 -> new Ranges(0, 0xffff);
      default -> ANY;
    };
  }

  /** The range, or the full range if the value may wrap. */
  private static Ranges whole(long least, long most) {
    return least < Integer.MIN_VALUE || most > Integer.MAX_VALUE ? ANY : new Ranges(least, most);
  }

  /** CUDA bounds the shape of a launch. */
  private static Ranges special(String name) {
    String method = name.substring(name.lastIndexOf('.') + 1);
    if (!name.startsWith("dev/stretto/kernel/")) {
      return ANY;
    }
    return switch (method) {
      case "lane" -> new Ranges(0, 31);
      case "threadIndexX", "threadIndexY" -> new Ranges(0, 1023);
      case "threadIndexZ" -> new Ranges(0, 63);
      case "blockSizeX", "blockSizeY" -> new Ranges(1, 1024);
      case "blockSizeZ" -> new Ranges(1, 64);
      case "blockIndexX" -> new Ranges(0, Integer.MAX_VALUE - 1);
      case "gridSizeX" -> new Ranges(1, Integer.MAX_VALUE);
      case "blockIndexY", "blockIndexZ" -> new Ranges(0, 65534);
      case "gridSizeY", "gridSizeZ" -> new Ranges(1, 65535);
      default -> ANY;
    };
  }
}
