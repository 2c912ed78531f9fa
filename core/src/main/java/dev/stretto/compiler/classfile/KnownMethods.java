package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Requirement;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Methods of the JDK that become one or a few operations. */
final class KnownMethods {
  private static final Set<String> MATH = Set.of("java/lang/Math", "java/lang/StrictMath");
  private static final Set<String> BOXES =
      Set.of(
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Float",
          "java/lang/Double",
          "java/lang/Short",
          "java/lang/Byte",
          "java/lang/Character",
          "java/lang/Boolean");

  private final Builder builder;
  private final Site site;

  KnownMethods(Site site) {
    this.site = site;
    this.builder = site.builder();
  }

  /** Whether it is a class of boxed numbers. */
  static boolean isBox(String owner) {
    return BOXES.contains(owner);
  }

  static boolean isMath(String owner) {
    return MATH.contains(owner);
  }

  Optional<Value> call(String owner, String name, List<Value> arguments) {
    if (MATH.contains(owner)) {
      return name.equals("copySign") && owner.equals("java/lang/StrictMath")
          ? Optional.of(strictCopySign(arguments.get(0), arguments.get(1)))
          : math(name, arguments);
    }
    if (BOXES.contains(owner)) {
      Optional<Value> result = box(owner, name, arguments);
      if (result.isEmpty() && name.equals("valueOf")) {
        throw site.refuse(
            "a kernel cannot box numbers",
            "use primitive types, and no methods that take Object, such as String.format");
      }
      return result;
    }
    if (owner.equals("java/util/Objects")
        && name.equals("requireNonNull")
        && arguments.size() == 1) {
      // The Java compiler inserts calls of it too; nothing is ever null.
      return Optional.of(arguments.getFirst());
    }
    if (owner.equals("dev/stretto/kernel/ThreadBlock") && name.equals("warp")) {
      return Optional.of(Constant.ofObject("warp"));
    }
    if (owner.equals("dev/stretto/kernel/ThreadBlock") && name.equals("computeCapability")) {
      return Optional.of(Constant.of(site.target()));
    }
    if (owner.equals("dev/stretto/kernel/CopyNotes")) {
      return Optional.of(copyNote(name, arguments));
    }
    if (owner.equals("dev/stretto/kernel/Debug") && name.equals("print")) {
      if (!Calls.isText(arguments.getFirst())) {
        throw site.refuse("the label of Debug.print is not a constant", "write a string literal");
      }
      String label = (String) ((Constant) arguments.getFirst()).value();
      return Optional.of(
          builder.op(OpCode.PRINT, Type.VOID, new Attribute.Text(label), arguments.get(1)));
    }
    return Optional.empty();
  }

  /** Notes that the library's copies make about themselves, and that are read only on request. */
  private Value copyNote(String name, List<Value> arguments) {
    return switch (name) {
      case "note" ->
          site.isForCalls()
              ? nothing()
              : builder.op(OpCode.NOTE, Type.VOID, arguments.toArray(new Value[0]));
      case "require" -> require(arguments);
      case "areStoresInFlight" -> Constant.of(site.isForCalls() ? 1 : 0);
      case "doesOneArriveForAll" -> Constant.of(site.isForCalls() ? 0 : 1);
      case "capability" -> Constant.of(site.target());
      case "areChecked" -> Constant.of(site.isChecked() ? 1 : 0);
      case "begins",
          "beginsInWarp",
          "beginsInTile",
          "beginsInWarps",
          "isPortable",
          "isStage",
          "commitsStores",
          "awaitsStores",
          "arrivesWhenCopied",
          "readsPart" ->
          nothing();
      case "requireSlice" -> requireSlice(arguments.get(0), arguments.get(1), arguments.get(2));
      case "requireAligned" -> requireAligned(arguments.get(0), arguments.get(1));
      default -> throw new IllegalStateException("CopyNotes." + name);
    };
  }

  private Value requireSlice(Value from, Value count, Value length) {
    Value inside =
        builder.op(
            OpCode.AND,
            Type.BOOL,
            builder.cmp(Cond.ULE, from, length),
            builder.cmp(Cond.ULE, count, builder.op(OpCode.SUB, Type.LONG, length, from)));
    site.check(inside, Trap.Kind.SLICE, "", from, count, length);
    return nothing();
  }

  private Value requireAligned(Value place, Value alignment) {
    Value mask = builder.op(OpCode.SUB, Type.INT, alignment, Constant.of(1));
    Value beside = builder.op(OpCode.AND, Type.INT, place, mask);
    site.check(
        builder.cmp(Cond.EQ, beside, Constant.of(0)),
        Trap.Kind.RANGE,
        "the end of a copy must be a multiple of the promised alignment, so that the "
            + "remainder is 0 bytes",
        beside);
    return nothing();
  }

  /** The value of a method without a result: a requirement that is met. */
  private Value nothing() {
    return builder.op(OpCode.REQUIRE, Type.VOID, new Requirement("", ""), Constant.TRUE);
  }

  private static String text(Value value) {
    return (String) ((Constant) value).value();
  }

  private Value require(List<Value> arguments) {
    Requirement requirement = new Requirement(text(arguments.get(1)), text(arguments.get(2)));
    Value holds = builder.cmp(Cond.NE, arguments.getFirst(), Constant.of(0));
    if (holds instanceof Constant known && !known.asBoolean()) {
      throw builder.line().refuse(requirement.reason(), requirement.advice());
    }
    return builder.op(OpCode.REQUIRE, Type.VOID, requirement, holds);
  }

  private Optional<Value> op(OpCode code, List<Value> operands) {
    return Optional.of(
        builder.op(code, operands.getFirst().type(), operands.toArray(new Value[0])));
  }

  private Optional<Value> math(String name, List<Value> arguments) {
    Type type = arguments.isEmpty() ? Type.VOID : arguments.getFirst().type();
    return switch (name) {
      case "abs" -> op(OpCode.ABS, arguments);
      case "min" -> op(OpCode.MIN, arguments);
      case "max" -> op(OpCode.MAX, arguments);
      case "fma" -> op(OpCode.FMA, arguments);
      case "sqrt" -> op(OpCode.SQRT, arguments);
      case "floor" -> op(OpCode.FLOOR, arguments);
      case "ceil" -> op(OpCode.CEIL, arguments);
      case "rint" -> op(OpCode.RINT, arguments);
      case "copySign" -> op(OpCode.COPYSIGN, arguments);
      case "multiplyHigh" -> op(OpCode.MULHI, arguments);
      case "unsignedMultiplyHigh" -> op(OpCode.UMULHI, arguments);
      case "multiplyFull" ->
          Optional.of(
              builder.op(
                  OpCode.MUL,
                  Type.LONG,
                  builder.toLong(arguments.get(0)),
                  builder.toLong(arguments.get(1))));
      case "signum" -> Optional.of(signum(type, arguments.getFirst()));
      case "random" ->
          throw site.refuse(
              "a kernel has no Math.random", "compute numbers from the thread's index and a seed");
      default -> {
        if (name.endsWith("Exact")) {
          throw site.refuse(
              "a kernel cannot throw exceptions, as Math." + name + " does",
              "compute in long and check, or let it wrap");
        }
        yield Optional.empty();
      }
    };
  }

  /** The sign of a NaN counts as positive. */
  private Value strictCopySign(Value magnitude, Value sign) {
    Type type = sign.type();
    Value one = type == Type.FLOAT ? Constant.of(1f) : Constant.of(1d);
    Value isNan = builder.op(OpCode.IS_NAN, Type.BOOL, sign);
    Value known = builder.op(OpCode.SELECT, type, isNan, one, sign);
    return builder.op(OpCode.COPYSIGN, type, magnitude, known);
  }

  /** Zero and NaN are their own sign. */
  private Value signum(Type type, Value value) {
    Value zero = Constant.zero(type);
    Value one = type == Type.FLOAT ? Constant.of(1f) : Constant.of(1d);
    Value keep =
        builder.op(
            OpCode.OR,
            Type.BOOL,
            builder.cmp(Cond.EQ, value, zero),
            builder.op(OpCode.IS_NAN, Type.BOOL, value));
    return builder.op(
        OpCode.SELECT, type, keep, value, builder.op(OpCode.COPYSIGN, type, one, value));
  }

  private Optional<Value> box(String owner, String name, List<Value> arguments) {
    if (arguments.isEmpty() || arguments.getFirst().type() == Type.REF) {
      return Optional.empty();
    }
    Value a = arguments.getFirst();
    boolean longs = owner.equals("java/lang/Long");
    boolean integers = longs || owner.equals("java/lang/Integer");
    Type type = a.type();
    return switch (name) {
      case "min" -> op(OpCode.MIN, arguments);
      case "max" -> op(OpCode.MAX, arguments);
      case "sum" -> op(OpCode.ADD, arguments);
      case "bitCount" -> Optional.of(builder.op(OpCode.POPC, Type.INT, a));
      case "numberOfLeadingZeros" -> Optional.of(builder.op(OpCode.CLZ, Type.INT, a));
      case "numberOfTrailingZeros" ->
          Optional.of(builder.op(OpCode.CLZ, Type.INT, builder.op(OpCode.REVERSE, type, a)));
      case "reverse" -> integers ? op(OpCode.REVERSE, arguments) : Optional.empty();
      case "rotateLeft" -> op(OpCode.ROTL, arguments);
      case "rotateRight" ->
          Optional.of(
              builder.op(OpCode.ROTL, type, a, builder.op(OpCode.NEG, Type.INT, arguments.get(1))));
      case "divideUnsigned" -> Optional.of(unsigned(OpCode.UDIV, type, arguments));
      case "remainderUnsigned" -> Optional.of(unsigned(OpCode.UREM, type, arguments));
      case "logicalAnd" -> op(OpCode.AND, arguments);
      case "logicalOr" -> op(OpCode.OR, arguments);
      case "logicalXor" -> op(OpCode.XOR, arguments);
      case "hashCode" -> Optional.of(hash(owner, a));
      case "toUnsignedLong" ->
          owner.equals("java/lang/Integer")
              ? Optional.of(builder.op(OpCode.ZERO_EXTEND, Type.LONG, a))
              : Optional.of(
                  builder.op(
                      OpCode.AND,
                      Type.LONG,
                      builder.toLong(a),
                      Constant.of(owner.equals("java/lang/Byte") ? 0xffL : 0xffffL)));
      case "toUnsignedInt" -> Optional.of(unsigned(owner, a));
      case "compareUnsigned" ->
          Optional.of(
              integers
                  ? three(Cond.ULT, Cond.UGT, arguments)
                  : builder.op(
                      OpCode.SUB,
                      Type.INT,
                      unsigned(owner, arguments.get(0)),
                      unsigned(owner, arguments.get(1))));
      case "compare" -> Optional.of(compare(owner, type, arguments));
      case "signum" -> Optional.of(three(Cond.LT, Cond.GT, List.of(a, Constant.zero(type))));
      case "reverseBytes" -> Optional.of(integers ? reverseBytes(type, a) : swapBytes(owner, a));
      case "lowestOneBit" ->
          Optional.of(builder.op(OpCode.AND, type, a, builder.op(OpCode.NEG, type, a)));
      case "floatToRawIntBits", "intBitsToFloat", "doubleToRawLongBits", "longBitsToDouble" ->
          Optional.of(builder.op(OpCode.BITS, other(type), a));
      case "floatToIntBits" -> Optional.of(canonical(a, Constant.of(0x7fc00000)));
      case "doubleToLongBits" -> Optional.of(canonical(a, Constant.of(0x7ff8000000000000L)));
      case "isNaN" -> Optional.of(number(builder.op(OpCode.IS_NAN, Type.BOOL, a)));
      case "isInfinite" -> Optional.of(number(builder.cmp(Cond.EQ, magnitude(a), infinity(type))));
      case "isFinite" -> Optional.of(number(builder.cmp(Cond.LT, magnitude(a), infinity(type))));
      case "float16ToFloat" ->
          Optional.of(builder.op(OpCode.FROM_HALF, Type.FLOAT, Element.F16, a));
      case "floatToFloat16" -> Optional.of(builder.op(OpCode.TO_HALF, Type.INT, Element.F16, a));
      // Boxed numbers that a lambda takes are plain numbers.
      case "intValue" -> Optional.of(builder.op(OpCode.CONVERT, Type.INT, a));
      case "longValue" -> Optional.of(builder.op(OpCode.CONVERT, Type.LONG, a));
      case "floatValue" -> Optional.of(builder.op(OpCode.CONVERT, Type.FLOAT, a));
      case "doubleValue" -> Optional.of(builder.op(OpCode.CONVERT, Type.DOUBLE, a));
      case "byteValue" -> Optional.of(builder.op(OpCode.NARROW, Type.INT, Element.I8, a));
      case "shortValue" -> Optional.of(builder.op(OpCode.NARROW, Type.INT, Element.I16, a));
      case "booleanValue", "charValue" -> Optional.of(a);
      case "highestOneBit" -> integers ? Optional.of(highestOneBit(type, a)) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** A byte or a short as the number that it is without a sign. */
  private Value unsigned(String owner, Value small) {
    int mask = owner.equals("java/lang/Byte") ? 0xff : 0xffff;
    return builder.op(OpCode.AND, Type.INT, small, Constant.of(mask));
  }

  private Value unsigned(OpCode code, Type type, List<Value> arguments) {
    Value by = arguments.get(1);
    site.check(
        builder.cmp(Cond.NE, by, Constant.zero(type)), Trap.Kind.DIVISION, "division by zero");
    return builder.op(code, type, arguments.get(0), by);
  }

  private Value hash(String owner, Value a) {
    return switch (owner) {
      case "java/lang/Long" -> hash(a);
      case "java/lang/Double" -> hash(canonical(a, Constant.of(0x7ff8000000000000L)));
      case "java/lang/Float" -> canonical(a, Constant.of(0x7fc00000));
      case "java/lang/Boolean" ->
          builder.op(
              OpCode.SELECT,
              Type.INT,
              builder.cmp(Cond.NE, a, Constant.of(0)),
              Constant.of(1231),
              Constant.of(1237));
      default -> a;
    };
  }

  private Value hash(Value wide) {
    Value high = builder.op(OpCode.USHR, Type.LONG, wide, Constant.of(32));
    return builder.op(OpCode.CONVERT, Type.INT, builder.op(OpCode.XOR, Type.LONG, wide, high));
  }

  /** The bytes of a short or a char in the other order. */
  private Value swapBytes(String owner, Value a) {
    Value low = builder.op(OpCode.SHL, Type.INT, a, Constant.of(8));
    Value high = builder.op(OpCode.USHR, Type.INT, unsigned(owner, a), Constant.of(8));
    Element element = owner.equals("java/lang/Short") ? Element.I16 : Element.U16;
    return builder.op(OpCode.NARROW, Type.INT, element, builder.op(OpCode.OR, Type.INT, low, high));
  }

  private Value highestOneBit(Type type, Value a) {
    Value top = type == Type.INT ? Constant.of(Integer.MIN_VALUE) : Constant.of(Long.MIN_VALUE);
    Value shifted = builder.op(OpCode.USHR, type, top, builder.op(OpCode.CLZ, Type.INT, a));
    return builder.op(OpCode.AND, type, a, shifted);
  }

  private Value reverseBytes(Type type, Value a) {
    // Reverses all bits, and then the bits within each byte.
    Value bits = builder.op(OpCode.REVERSE, type, a);
    int[] shifts = {1, 2, 4};
    long[] masks = {0x5555555555555555L, 0x3333333333333333L, 0x0f0f0f0f0f0f0f0fL};
    for (int i = 0; i < shifts.length; i++) {
      Value mask = type == Type.INT ? Constant.of((int) masks[i]) : Constant.of(masks[i]);
      Value by = Constant.of(shifts[i]);
      Value high = builder.op(OpCode.AND, type, builder.op(OpCode.USHR, type, bits, by), mask);
      Value low = builder.op(OpCode.SHL, type, builder.op(OpCode.AND, type, bits, mask), by);
      bits = builder.op(OpCode.OR, type, high, low);
    }
    return bits;
  }

  private Value canonical(Value value, Constant nan) {
    return builder.op(
        OpCode.SELECT,
        nan.type(),
        builder.op(OpCode.IS_NAN, Type.BOOL, value),
        nan,
        builder.op(OpCode.BITS, nan.type(), value));
  }

  private Value compare(String owner, Type type, List<Value> arguments) {
    if (owner.equals("java/lang/Byte")
        || owner.equals("java/lang/Short")
        || owner.equals("java/lang/Character")) {
      return builder.op(OpCode.SUB, type, arguments.get(0), arguments.get(1));
    }
    if (type.isFloating()) {
      return three(Cond.LT, Cond.GT, List.of(ordered(arguments.get(0)), ordered(arguments.get(1))));
    }
    return three(Cond.LT, Cond.GT, arguments);
  }

  /**
   * An integer that orders like Java's ordering of floating-point numbers: -0.0 before 0.0, and NaN
   * last.
   */
  private Value ordered(Value value) {
    boolean single = value.type() == Type.FLOAT;
    Value bits =
        canonical(value, single ? Constant.of(0x7fc00000) : Constant.of(0x7ff8000000000000L));
    Value sign = builder.op(OpCode.SHR, bits.type(), bits, Constant.of(single ? 31 : 63));
    Value flipped = builder.op(OpCode.USHR, bits.type(), sign, Constant.of(1));
    return builder.op(OpCode.XOR, bits.type(), bits, flipped);
  }

  private static Type other(Type type) {
    return switch (type) {
      case INT -> Type.FLOAT;
      case FLOAT -> Type.INT;
      case LONG -> Type.DOUBLE;
      default -> Type.LONG;
    };
  }

  private Value magnitude(Value value) {
    return builder.op(OpCode.ABS, value.type(), value);
  }

  private static Constant infinity(Type type) {
    return type == Type.FLOAT
        ? Constant.of(Float.POSITIVE_INFINITY)
        : Constant.of(Double.POSITIVE_INFINITY);
  }

  private Value number(Value predicate) {
    return builder.op(OpCode.BOOL_TO_INT, Type.INT, predicate);
  }

  private Value three(Cond less, Cond more, List<Value> arguments) {
    return builder.op(
        OpCode.SELECT,
        Type.INT,
        builder.cmp(less, arguments.get(0), arguments.get(1)),
        Constant.of(-1),
        number(builder.cmp(more, arguments.get(0), arguments.get(1))));
  }
}
