package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.Collections;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** Writes operations on numbers. Each leaves its result on the operand stack. */
final class Expressions {
  /** Pushes a value. */
  interface Push {
    void value(Value value);
  }

  private static final ClassDesc I = ConstantDescs.CD_int;
  private static final ClassDesc J = ConstantDescs.CD_long;
  private static final ClassDesc F = ConstantDescs.CD_float;
  private static final ClassDesc D = ConstantDescs.CD_double;
  private static final ClassDesc Z = ConstantDescs.CD_boolean;
  private static final ClassDesc S = ConstantDescs.CD_short;
  private static final ClassDesc MATH = Names.desc(Math.class);
  private static final ClassDesc INTEGER = Names.desc(Integer.class);
  private static final ClassDesc LONG = Names.desc(Long.class);
  private static final ClassDesc FLOAT = Names.desc(Float.class);
  private static final ClassDesc DOUBLE = Names.desc(Double.class);
  private static final DirectMethodHandleDesc CLASS_DATA =
      ConstantDescs.ofConstantBootstrap(
          Names.desc(MethodHandles.class), "classDataAt", ConstantDescs.CD_Object, I);
  private static final ClassDesc BFLOAT = ClassDesc.of("dev.stretto.memory.Bfloat");

  private final CodeBuilder code;
  private final Push push;
  private final Predicate<Op> isInlined;
  private final ToIntFunction<ConstantArray> numbers;

  /**
   * Creates a writer.
   *
   * @param push pushes the operands
   * @param isInlined which operations are written where their result is used
   * @param numbers the places of arrays of constants in the class's data
   */
  Expressions(
      CodeBuilder code, Push push, Predicate<Op> isInlined, ToIntFunction<ConstantArray> numbers) {
    this.numbers = numbers;
    this.code = code;
    this.push = push;
    this.isInlined = isInlined;
  }

  /** Pushes a constant. */
  void constant(Constant value) {
    switch (value.type()) {
      case BOOL -> code.loadConstant(value.asBoolean() ? 1 : 0);
      case INT -> code.loadConstant(value.asInt());
      case LONG -> code.loadConstant(value.asLong());
      case FLOAT -> code.loadConstant((Float) value.value());
      case DOUBLE -> code.loadConstant((Double) value.value());
      default -> throw new IllegalArgumentException("a constant " + value.type());
    }
  }

  /** Pushes what an operation computes from its operands. */
  void value(Op op) {
    switch (op.code()) {
      case ADD, SUB, MUL, DIV, REM, AND, OR, XOR -> {
        operands(op);
        binary(op);
      }
      case SHL, SHR, USHR -> {
        operands(op);
        shift(op);
      }
      case NEG -> {
        operands(op);
        switch (kind(op)) {
          case INT -> code.ineg();
          case LONG -> code.lneg();
          case FLOAT -> code.fneg();
          default -> code.dneg();
        }
      }
      case UDIV -> unsigned(op, "divideUnsigned");
      case UREM -> unsigned(op, "remainderUnsigned");
      case MULHI -> helped(op, "multiplyHigh", 2);
      case UMULHI -> helped(op, "unsignedMultiplyHigh", 2);
      case ROTL -> {
        operands(op);
        boolean wide = op.type() == Type.LONG;
        ClassDesc type = wide ? J : I;
        code.invokestatic(wide ? LONG : INTEGER, "rotateLeft", MethodTypeDesc.of(type, type, I));
      }
      case ABS -> math(op, "abs", 1);
      case MIN -> math(op, "min", 2);
      case MAX -> math(op, "max", 2);
      case FMA -> math(op, "fma", 3);
      case COPYSIGN -> math(op, "copySign", 2);
      case SQRT -> inDouble(op, "sqrt");
      case FLOOR -> inDouble(op, "floor");
      case CEIL -> inDouble(op, "ceil");
      case RINT -> inDouble(op, "rint");
      case POPC -> bits(op, "bitCount", I);
      case CLZ -> bits(op, "numberOfLeadingZeros", I);
      case REVERSE -> bits(op, "reverse", op.type() == Type.LONG ? J : I);
      case OFFSET -> {
        operands(op);
        add(op.type());
      }
      case ELEMENT -> element(op);
      case CMP, IS_NAN, NOT -> {
        Label yes = code.newLabel();
        Label end = code.newLabel();
        test(op, yes);
        code.iconst_0().goto_(end).labelBinding(yes).iconst_1().labelBinding(end);
      }
      case SELECT -> {
        Label yes = code.newLabel();
        Label end = code.newLabel();
        branch(op.operand(0), yes);
        push.value(op.operand(2));
        code.goto_(end).labelBinding(yes);
        push.value(op.operand(1));
        code.labelBinding(end);
      }
      case BOOL_TO_INT -> push.value(op.operand(0));
      case CONVERT -> {
        operands(op);
        code.conversion(Cell.kind(op.operand(0).type()), kind(op));
      }
      case CONSTANT_GET -> {
        ConstantArray array = op.attribute(ConstantArray.class);
        TypeKind kind = ArrayCode.kind(array.element());
        code.loadConstant(
            DynamicConstantDesc.ofNamed(
                CLASS_DATA,
                ConstantDescs.DEFAULT_NAME,
                Names.desc(array.content().getClass()),
                numbers.applyAsInt(array)));
        operands(op);
        code.arrayLoad(kind);
      }
      case NARROW -> {
        operands(op);
        switch (op.attribute(Element.class)) {
          case I8 -> code.i2b();
          case I16 -> code.i2s();
          case U16 -> code.i2c();
          default -> {}
        }
      }
      case ZERO_EXTEND -> {
        operands(op);
        code.i2l().loadConstant(0xFFFF_FFFFL).land();
      }
      case BITS -> {
        operands(op);
        bits(op.operand(0).type(), op.type());
      }
      case TO_HALF -> {
        operands(op);
        toHalf(code, op.attribute(Element.class));
      }
      case FROM_HALF -> {
        operands(op);
        code.i2s();
        fromHalf(code, op.attribute(Element.class));
      }
      default -> throw new IllegalArgumentException("no number comes of " + op.code());
    }
  }

  private static TypeKind kind(Op op) {
    return Cell.kind(op.type());
  }

  private void operands(Op op) {
    op.operands().forEach(push::value);
  }

  private void binary(Op op) {
    TypeKind kind = kind(op);
    code.with(
        OperatorInstruction.of(
            switch (op.code()) {
              case ADD -> pick(kind, Opcode.IADD, Opcode.LADD, Opcode.FADD, Opcode.DADD);
              case SUB -> pick(kind, Opcode.ISUB, Opcode.LSUB, Opcode.FSUB, Opcode.DSUB);
              case MUL -> pick(kind, Opcode.IMUL, Opcode.LMUL, Opcode.FMUL, Opcode.DMUL);
              case DIV -> pick(kind, Opcode.IDIV, Opcode.LDIV, Opcode.FDIV, Opcode.DDIV);
              case REM -> pick(kind, Opcode.IREM, Opcode.LREM, Opcode.FREM, Opcode.DREM);
              case AND -> kind == TypeKind.LONG ? Opcode.LAND : Opcode.IAND;
              case OR -> kind == TypeKind.LONG ? Opcode.LOR : Opcode.IOR;
              default -> kind == TypeKind.LONG ? Opcode.LXOR : Opcode.IXOR;
            }));
  }

  private static Opcode pick(TypeKind kind, Opcode i, Opcode l, Opcode f, Opcode d) {
    return switch (kind) {
      case INT -> i;
      case LONG -> l;
      case FLOAT -> f;
      default -> d;
    };
  }

  private void shift(Op op) {
    boolean wide = op.type() == Type.LONG;
    switch (op.code()) {
      case SHL -> {
        if (wide) {
          code.lshl();
        } else {
          code.ishl();
        }
      }
      case SHR -> {
        if (wide) {
          code.lshr();
        } else {
          code.ishr();
        }
      }
      default -> {
        if (wide) {
          code.lushr();
        } else {
          code.iushr();
        }
      }
    }
  }

  private void unsigned(Op op, String name) {
    operands(op);
    boolean wide = op.type() == Type.LONG;
    ClassDesc type = wide ? J : I;
    code.invokestatic(wide ? LONG : INTEGER, name, MethodTypeDesc.of(type, type, type));
  }

  private void helped(Op op, String name, int count) {
    operands(op);
    ClassDesc type = desc(op.type());
    code.invokestatic(
        op.type() == Type.INT ? Names.ARITHMETIC : MATH, name, signature(type, count));
  }

  private void math(Op op, String name, int count) {
    operands(op);
    code.invokestatic(MATH, name, signature(desc(op.type()), count));
  }

  private static MethodTypeDesc signature(ClassDesc type, int count) {
    return MethodTypeDesc.of(type, Collections.nCopies(count, type));
  }

  private void inDouble(Op op, String name) {
    operands(op);
    boolean single = op.type() == Type.FLOAT;
    if (single) {
      code.f2d();
    }
    code.invokestatic(MATH, name, MethodTypeDesc.of(D, D));
    if (single) {
      code.d2f();
    }
  }

  private void bits(Op op, String name, ClassDesc result) {
    operands(op);
    boolean wide = op.operand(0).type() == Type.LONG;
    code.invokestatic(wide ? LONG : INTEGER, name, MethodTypeDesc.of(result, wide ? J : I));
  }

  private void add(Type type) {
    if (Cell.kind(type) == TypeKind.LONG) {
      code.ladd();
    } else {
      code.iadd();
    }
  }

  private void element(Op op) {
    int bytes = op.attribute(Attribute.Count.class).value();
    push.value(op.operand(0));
    push.value(op.operand(1));
    boolean wideIndex = Cell.kind(op.operand(1).type()) == TypeKind.LONG;
    if (op.type() == Type.GLOBAL) {
      if (!wideIndex) {
        code.i2l();
      }
      code.loadConstant((long) bytes).lmul().ladd();
    } else {
      if (wideIndex) {
        code.l2i();
      }
      code.loadConstant(bytes).imul().iadd();
    }
  }

  private void bits(Type from, Type to) {
    if (Cell.kind(from) == Cell.kind(to)) {
      return;
    }
    switch (from) {
      case FLOAT -> code.invokestatic(FLOAT, "floatToRawIntBits", MethodTypeDesc.of(I, F));
      case DOUBLE -> code.invokestatic(DOUBLE, "doubleToRawLongBits", MethodTypeDesc.of(J, D));
      case INT -> code.invokestatic(FLOAT, "intBitsToFloat", MethodTypeDesc.of(F, I));
      default -> code.invokestatic(DOUBLE, "longBitsToDouble", MethodTypeDesc.of(D, J));
    }
  }

  static void toHalf(CodeBuilder code, Element element) {
    if (element == Element.F16) {
      code.invokestatic(FLOAT, "floatToFloat16", MethodTypeDesc.of(S, F));
    } else {
      code.invokestatic(BFLOAT, "of", MethodTypeDesc.of(S, F));
    }
  }

  static void fromHalf(CodeBuilder code, Element element) {
    if (element == Element.F16) {
      code.invokestatic(FLOAT, "float16ToFloat", MethodTypeDesc.of(F, S));
    } else {
      code.invokestatic(BFLOAT, "toFloat", MethodTypeDesc.of(F, S));
    }
  }

  static ClassDesc desc(Type type) {
    return switch (Cell.kind(type)) {
      case LONG -> J;
      case FLOAT -> F;
      case DOUBLE -> D;
      default -> I;
    };
  }

  /** Jumps if a predicate holds; goes on if not. */
  void branch(Value condition, Label yes) {
    if (condition instanceof Op op && isInlined.test(op) && isTest(op)) {
      test(op, yes);
    } else {
      push.value(condition);
      code.ifne(yes);
    }
  }

  private static boolean isTest(Op op) {
    return switch (op.code()) {
      case CMP, IS_NAN, NOT -> true;
      default -> false;
    };
  }

  private void test(Op op, Label yes) {
    switch (op.code()) {
      case CMP -> compare(op.attribute(Cond.class), op.operand(0), op.operand(1), yes);
      case IS_NAN -> {
        push.value(op.operand(0));
        boolean single = op.operand(0).type() == Type.FLOAT;
        code.invokestatic(single ? FLOAT : DOUBLE, "isNaN", MethodTypeDesc.of(Z, single ? F : D));
        code.ifne(yes);
      }
      default -> {
        push.value(op.operand(0));
        code.ifeq(yes);
      }
    }
  }

  private void compare(Cond cond, Value a, Value b, Label yes) {
    push.value(a);
    push.value(b);
    switch (a.type()) {
      case FLOAT, DOUBLE -> compareFloating(cond, a.type() == Type.FLOAT, yes);
      case LONG, GLOBAL -> {
        if (isUnsigned(cond)) {
          code.invokestatic(LONG, "compareUnsigned", MethodTypeDesc.of(I, J, J));
        } else {
          code.lcmp();
        }
        withZero(signed(cond), yes);
      }
      default -> {
        if (isUnsigned(cond)) {
          code.invokestatic(INTEGER, "compareUnsigned", MethodTypeDesc.of(I, I, I));
          withZero(signed(cond), yes);
          return;
        }
        switch (cond) {
          case EQ -> code.if_icmpeq(yes);
          case NE -> code.if_icmpne(yes);
          case LT -> code.if_icmplt(yes);
          case LE -> code.if_icmple(yes);
          case GT -> code.if_icmpgt(yes);
          default -> code.if_icmpge(yes);
        }
      }
    }
  }

  /** Unordered numbers compare so that the condition comes out as its definition says. */
  private void compareFloating(Cond cond, boolean single, Label yes) {
    boolean unorderedIsMore =
        switch (cond) {
          case LT, LE, UGT, UGE -> true;
          default -> false;
        };
    if (single) {
      if (unorderedIsMore) {
        code.fcmpg();
      } else {
        code.fcmpl();
      }
    } else if (unorderedIsMore) {
      code.dcmpg();
    } else {
      code.dcmpl();
    }
    withZero(signed(cond), yes);
  }

  private static boolean isUnsigned(Cond cond) {
    return signed(cond) != cond;
  }

  private static Cond signed(Cond cond) {
    return switch (cond) {
      case ULT -> Cond.LT;
      case ULE -> Cond.LE;
      case UGT -> Cond.GT;
      case UGE -> Cond.GE;
      default -> cond;
    };
  }

  private void withZero(Cond cond, Label yes) {
    switch (cond) {
      case EQ -> code.ifeq(yes);
      case NE -> code.ifne(yes);
      case LT -> code.iflt(yes);
      case LE -> code.ifle(yes);
      case GT -> code.ifgt(yes);
      default -> code.ifge(yes);
    }
  }
}
