package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Value;

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
    return of(value, DEPTH);
  }

  private static Ranges of(Value value, int depth) {
    if (value instanceof Constant constant) {
      return new Ranges(constant.asInt(), constant.asInt());
    }
    if (!(value instanceof Op op) || depth == 0) {
      return ANY;
    }
    return switch (op.code()) {
      case ASM -> special(op.attribute(Asm.class).name());
      case ADD -> {
        Ranges a = of(op.operand(0), depth - 1);
        Ranges b = of(op.operand(1), depth - 1);
        yield whole(a.least + b.least, a.most + b.most);
      }
      case SUB -> {
        Ranges a = of(op.operand(0), depth - 1);
        Ranges b = of(op.operand(1), depth - 1);
        yield whole(a.least - b.most, a.most - b.least);
      }
      case MUL -> {
        Ranges a = of(op.operand(0), depth - 1);
        Ranges b = of(op.operand(1), depth - 1);
        yield a.least >= 0 && b.least >= 0 ? whole(a.least * b.least, a.most * b.most) : ANY;
      }
      case SHL -> {
        Ranges a = of(op.operand(0), depth - 1);
        yield a.least >= 0
                && op.operand(1) instanceof Constant by
                && by.asInt() >= 0
                && by.asInt() < 31
            ? whole(a.least << by.asInt(), a.most << by.asInt())
            : ANY;
      }
      case SHR -> {
        Ranges a = of(op.operand(0), depth - 1);
        yield op.operand(1) instanceof Constant by
            ? new Ranges(a.least >> (by.asInt() & 31), a.most >> (by.asInt() & 31))
            : ANY;
      }
      case USHR -> {
        Ranges a = of(op.operand(0), depth - 1);
        int places = op.operand(1) instanceof Constant by ? by.asInt() & 31 : 0;
        yield places == 0 ? ANY : new Ranges(0, (a.least >= 0 ? a.most : 0xffffffffL) >>> places);
      }
      case AND -> {
        Ranges a = of(op.operand(0), depth - 1);
        Ranges b = of(op.operand(1), depth - 1);
        long most =
            Math.min(
                a.least >= 0 ? a.most : Integer.MAX_VALUE,
                b.least >= 0 ? b.most : Integer.MAX_VALUE);
        yield a.least >= 0 || b.least >= 0 ? new Ranges(0, most) : ANY;
      }
      case REM -> {
        Ranges a = of(op.operand(0), depth - 1);
        Ranges b = of(op.operand(1), depth - 1);
        yield a.least >= 0 && b.least > 0 ? new Ranges(0, Math.min(a.most, b.most - 1)) : ANY;
      }
      case DIV -> {
        Ranges a = of(op.operand(0), depth - 1);
        Ranges b = of(op.operand(1), depth - 1);
        yield a.least >= 0 && b.least > 0 ? new Ranges(0, a.most) : ANY;
      }
      case LOAD, NARROW ->
          op.attribute(Element.class) == Element.U16 ? new Ranges(0, 0xffff) : narrow(op);
      case BOOL_TO_INT -> new Ranges(0, 1);
      case POPC, CLZ -> new Ranges(0, 64);
      case SELECT -> {
        Ranges a = of(op.operand(1), depth - 1);
        Ranges b = of(op.operand(2), depth - 1);
        yield new Ranges(Math.min(a.least, b.least), Math.max(a.most, b.most));
      }
      default -> ANY;
    };
  }

  private static Ranges narrow(Op op) {
    return switch (op.attribute(Element.class)) {
      case I8 -> new Ranges(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case I16 -> new Ranges(Short.MIN_VALUE, Short.MAX_VALUE);
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
      case "threadIndexX", "threadIndexY", "lane" -> new Ranges(0, 1023);
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
