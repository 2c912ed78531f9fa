package dev.stretto.compiler;

import dev.stretto.compiler.KernelTree.Kind;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What generated kernels compute with: every operator, conversion and method of numbers. */
final class KernelOperations {
  /**
   * An operation.
   *
   * @param java with %0, %1 and so on for the arguments
   * @param code takes the arguments from the stack and leaves the result
   */
  record Operation(String java, Kind result, List<Kind> takes, Consumer<CodeBuilder> code) {
    @Override
    public String toString() {
      return java;
    }
  }

  /**
   * Something that threads do together.
   *
   * @param ofBlock whether all threads of the block do it, not those of a warp
   */
  record Meeting(boolean ofBlock, String method, Kind result, List<Kind> takes) {
    MethodTypeDesc desc() {
      return MethodTypeDesc.of(result.desc(), takes.stream().map(Kind::desc).toList());
    }
  }

  private static final Map<Kind, List<Operation>> BY_RESULT = new EnumMap<>(Kind.class);
  private static final List<Meeting> MEETINGS = new ArrayList<>();
  private static final Map<Kind, List<Operation>> FUNCTIONS = new EnumMap<>(Kind.class);
  private static final Kind BOOL = Kind.BOOL;
  private static final Kind INT = Kind.INT;
  private static final Kind LONG = Kind.LONG;
  private static final List<Operation> INT_DIVISIONS =
      List.of(
          new Operation("(%0 / %1)", INT, List.of(INT, INT), CodeBuilder::idiv),
          new Operation("(%0 % %1)", INT, List.of(INT, INT), CodeBuilder::irem));
  private static final List<Operation> LONG_DIVISIONS =
      List.of(
          new Operation("(%0 / %1)", LONG, List.of(LONG, LONG), CodeBuilder::ldiv),
          new Operation("(%0 % %1)", LONG, List.of(LONG, LONG), CodeBuilder::lrem));
  private static final Kind FLOAT = Kind.FLOAT;
  private static final Kind DOUBLE = Kind.DOUBLE;

  static {
    integers(INT);
    integers(LONG);
    floating(FLOAT);
    floating(DOUBLE);
    conversions();
    bits();
    conditions();
    meetings();
    functions();
  }

  private KernelOperations() {}

  /** {@return what is written in Java for kernels, and long} */
  static List<Operation> functions(Kind kind) {
    return FUNCTIONS.get(kind);
  }

  /** {@return divisions that fail if the divisor is 0} */
  static List<Operation> divisions(Kind kind) {
    return switch (kind) {
      case INT -> INT_DIVISIONS;
      case LONG -> LONG_DIVISIONS;
      default -> List.of();
    };
  }

  /** {@return the operations that give a result of this kind} */
  static List<Operation> of(Kind result) {
    return BY_RESULT.get(result);
  }

  static List<Meeting> all() {
    return MEETINGS;
  }

  private static void add(String java, Kind result, Consumer<CodeBuilder> code, Kind... takes) {
    BY_RESULT
        .computeIfAbsent(result, it -> new ArrayList<>())
        .add(new Operation(java, result, List.of(takes), code));
  }

  private static void binary(
      String operator, Kind kind, Consumer<CodeBuilder> ints, Consumer<CodeBuilder> longs) {
    add("(%0 " + operator + " %1)", kind, kind == INT ? ints : longs, kind, kind);
  }

  private static void integers(Kind kind) {
    boolean isInt = kind == INT;
    // What is frequent in kernels is frequent here.
    for (int i = 0; i < 4; i++) {
      binary("+", kind, CodeBuilder::iadd, CodeBuilder::ladd);
      binary("-", kind, CodeBuilder::isub, CodeBuilder::lsub);
      binary("*", kind, CodeBuilder::imul, CodeBuilder::lmul);
    }
    for (int i = 0; i < 2; i++) {
      binary("&", kind, CodeBuilder::iand, CodeBuilder::land);
      binary("|", kind, CodeBuilder::ior, CodeBuilder::lor);
      binary("^", kind, CodeBuilder::ixor, CodeBuilder::lxor);
      shift("<<", kind, isInt ? CodeBuilder::ishl : CodeBuilder::lshl);
      shift(">>", kind, isInt ? CodeBuilder::ishr : CodeBuilder::lshr);
      shift(">>>", kind, isInt ? CodeBuilder::iushr : CodeBuilder::lushr);
    }
    safeDivisions(kind);
    add("-(%0)", kind, isInt ? CodeBuilder::ineg : CodeBuilder::lneg, kind);
    add(
        "~%0",
        kind,
        isInt ? code -> code.iconst_m1().ixor() : code -> code.loadConstant(-1L).lxor(),
        kind);
    ClassDesc box = isInt ? desc("java.lang.Integer") : desc("java.lang.Long");
    math("abs", kind, kind);
    math("min", kind, kind, kind);
    math("max", kind, kind, kind);
    for (String name : List.of("reverse", "reverseBytes", "highestOneBit", "lowestOneBit")) {
      known(box, name, kind, kind);
    }
    for (String name : List.of("bitCount", "numberOfLeadingZeros", "numberOfTrailingZeros")) {
      known(box, name, INT, kind);
    }
    known(box, "signum", INT, kind);
    known(box, "compare", INT, kind, kind);
    known(box, "compareUnsigned", INT, kind, kind);
    known(box, "rotateLeft", kind, kind, INT);
    known(box, "rotateRight", kind, kind, INT);
    known(box, "sum", kind, kind, kind);
    known(box, "min", kind, kind, kind);
    known(box, "max", kind, kind, kind);
  }

  private static void shift(String operator, Kind kind, Consumer<CodeBuilder> code) {
    add("(%0 " + operator + " %1)", kind, code, kind, INT);
    if (operator.equals("<<")) {
      add("(%0 << (int) %1)", kind, first(CodeBuilder::l2i, code), kind, LONG);
    }
  }

  private static void safeDivisions(Kind kind) {
    boolean isInt = kind == INT;
    Consumer<CodeBuilder> odd =
        isInt ? code -> code.iconst_1().ior() : code -> code.lconst_1().lor();
    String one = isInt ? " | 1)" : " | 1L)";
    ClassDesc box = isInt ? desc("java.lang.Integer") : desc("java.lang.Long");
    MethodTypeDesc two = MethodTypeDesc.of(kind.desc(), kind.desc(), kind.desc());
    add(
        "(%0 / (%1" + one + ")",
        kind,
        odd.andThen(isInt ? CodeBuilder::idiv : CodeBuilder::ldiv),
        kind,
        kind);
    add(
        "(%0 % (%1" + one + ")",
        kind,
        odd.andThen(isInt ? CodeBuilder::irem : CodeBuilder::lrem),
        kind,
        kind);
    for (String name : List.of("divideUnsigned", "remainderUnsigned")) {
      add(
          simple(box) + "." + name + "(%0, %1" + one,
          kind,
          odd.andThen(code -> code.invokestatic(box, name, two)),
          kind,
          kind);
    }
    for (String name : List.of("floorDiv", "floorMod", "ceilDiv")) {
      add(
          "Math." + name + "(%0, %1" + one,
          kind,
          odd.andThen(code -> code.invokestatic(desc("java.lang.Math"), name, two)),
          kind,
          kind);
    }
    // A divisor that is a constant is another matter for a compiler.
    for (long by : new long[] {1, -1, 2, 3, 7, 10, 64, -8, 1000003, Integer.MIN_VALUE}) {
      String text = isInt ? String.valueOf(by) : by + "L";
      Consumer<CodeBuilder> constant =
          isInt ? code -> code.loadConstant((int) by) : code -> code.loadConstant(by);
      add(
          "(%0 / " + text + ")",
          kind,
          constant.andThen(isInt ? CodeBuilder::idiv : CodeBuilder::ldiv),
          kind);
      add(
          "(%0 % " + text + ")",
          kind,
          constant.andThen(isInt ? CodeBuilder::irem : CodeBuilder::lrem),
          kind);
    }
  }

  private static void floating(Kind kind) {
    boolean isFloat = kind == FLOAT;
    for (int i = 0; i < 3; i++) {
      add("(%0 + %1)", kind, isFloat ? CodeBuilder::fadd : CodeBuilder::dadd, kind, kind);
      add("(%0 - %1)", kind, isFloat ? CodeBuilder::fsub : CodeBuilder::dsub, kind, kind);
      add("(%0 * %1)", kind, isFloat ? CodeBuilder::fmul : CodeBuilder::dmul, kind, kind);
    }
    add("(%0 / %1)", kind, isFloat ? CodeBuilder::fdiv : CodeBuilder::ddiv, kind, kind);
    add("(%0 % %1)", kind, isFloat ? CodeBuilder::frem : CodeBuilder::drem, kind, kind);
    add("-(%0)", kind, isFloat ? CodeBuilder::fneg : CodeBuilder::dneg, kind);
    math("abs", kind, kind);
    math("min", kind, kind, kind);
    math("max", kind, kind, kind);
    math("fma", kind, kind, kind, kind);
    math("signum", kind, kind);
    // The sign of a NaN is nobody's business.
    Consumer<CodeBuilder> number = number(kind);
    MethodTypeDesc two = MethodTypeDesc.of(kind.desc(), kind.desc(), kind.desc());
    add(
        "Math.copySign(%0, number(%1))",
        kind,
        number.andThen(code -> code.invokestatic(desc("java.lang.Math"), "copySign", two)),
        kind,
        kind);
    for (String name : List.of("sqrt", "floor", "ceil", "rint")) {
      if (isFloat) {
        add(
            "(float) Math." + name + "(%0)",
            FLOAT,
            code -> call(code.f2d(), "java.lang.Math", name, DOUBLE, DOUBLE).d2f(),
            FLOAT);
      } else {
        math(name, DOUBLE, DOUBLE);
      }
    }
    ClassDesc box = isFloat ? desc("java.lang.Float") : desc("java.lang.Double");
    known(box, "sum", kind, kind, kind);
    known(box, "min", kind, kind, kind);
    known(box, "max", kind, kind, kind);
    known(box, "isNaN", BOOL, kind);
    known(box, "isInfinite", BOOL, kind);
    known(box, "isFinite", BOOL, kind);
  }

  private static void conversions() {
    add("(long) %0", LONG, CodeBuilder::i2l, INT);
    add("(long) %0", LONG, CodeBuilder::i2l, INT);
    add("(int) %0", INT, CodeBuilder::l2i, LONG);
    add("(int) %0", INT, CodeBuilder::l2i, LONG);
    add("(float) %0", FLOAT, CodeBuilder::i2f, INT);
    add("(double) %0", DOUBLE, CodeBuilder::i2d, INT);
    add("(float) %0", FLOAT, CodeBuilder::l2f, LONG);
    add("(double) %0", DOUBLE, CodeBuilder::l2d, LONG);
    add("(int) %0", INT, CodeBuilder::f2i, FLOAT);
    add("(long) %0", LONG, CodeBuilder::f2l, FLOAT);
    add("(double) %0", DOUBLE, CodeBuilder::f2d, FLOAT);
    add("(int) %0", INT, CodeBuilder::d2i, DOUBLE);
    add("(long) %0", LONG, CodeBuilder::d2l, DOUBLE);
    add("(float) %0", FLOAT, CodeBuilder::d2f, DOUBLE);
    add("(byte) %0", INT, CodeBuilder::i2b, INT);
    add("(short) %0", INT, CodeBuilder::i2s, INT);
    add("(char) %0", INT, CodeBuilder::i2c, INT);
    add("(byte) %0", INT, code -> code.l2i().i2b(), LONG);
    add("(char) %0", INT, code -> code.f2i().i2c(), FLOAT);
    known(desc("java.lang.Integer"), "toUnsignedLong", LONG, INT);
    add(
        "Byte.toUnsignedInt((byte) %0)",
        INT, code -> call(code.i2b(), "java.lang.Byte", "toUnsignedInt", INT, Kind.BYTE), INT);
    add(
        "Short.toUnsignedLong((short) %0)",
        LONG, code -> call(code.i2s(), "java.lang.Short", "toUnsignedLong", LONG, Kind.SHORT), INT);
    math("round", INT, FLOAT);
    math("round", LONG, DOUBLE);
    math("multiplyFull", LONG, INT, INT);
    math("multiplyHigh", LONG, LONG, LONG);
    math("unsignedMultiplyHigh", LONG, LONG, LONG);
    add("(%0 ? 1 : 0)", INT, code -> {}, BOOL);
  }

  private static void bits() {
    known(desc("java.lang.Float"), "floatToIntBits", INT, FLOAT);
    known(desc("java.lang.Double"), "doubleToLongBits", LONG, DOUBLE);
    known(desc("java.lang.Float"), "intBitsToFloat", FLOAT, INT);
    known(desc("java.lang.Double"), "longBitsToDouble", DOUBLE, LONG);
    add(
        "Float.floatToRawIntBits(number(%0))",
        INT,
        number(FLOAT)
            .andThen(code -> call(code, "java.lang.Float", "floatToRawIntBits", INT, FLOAT)),
        FLOAT);
    add(
        "Double.doubleToRawLongBits(number(%0))",
        LONG,
        number(DOUBLE)
            .andThen(code -> call(code, "java.lang.Double", "doubleToRawLongBits", LONG, DOUBLE)),
        DOUBLE);
    add(
        "Float.floatToFloat16(number(%0))",
        INT,
        number(FLOAT)
            .andThen(code -> call(code, "java.lang.Float", "floatToFloat16", Kind.SHORT, FLOAT)),
        FLOAT);
    add(
        "Float.float16ToFloat((short) %0)",
        FLOAT,
        code -> call(code.i2s(), "java.lang.Float", "float16ToFloat", FLOAT, Kind.SHORT),
        INT);
  }

  private static void conditions() {
    for (Kind kind : List.of(INT, LONG)) {
      ClassDesc box = kind == INT ? desc("java.lang.Integer") : desc("java.lang.Long");
      MethodTypeDesc type = MethodTypeDesc.of(INT.desc(), kind.desc(), kind.desc());
      add(
          "(" + simple(box) + ".compareUnsigned(%0, %1) < 0)",
          BOOL,
          code -> {
            Label no = code.newLabel();
            Label end = code.newLabel();
            code.invokestatic(box, "compareUnsigned", type).ifge(no);
            code.iconst_1().goto_(end).labelBinding(no).iconst_0().labelBinding(end);
          },
          kind,
          kind);
    }
    add("(%0 & %1)", BOOL, CodeBuilder::iand, BOOL, BOOL);
    add("(%0 | %1)", BOOL, CodeBuilder::ior, BOOL, BOOL);
    add("(%0 ^ %1)", BOOL, CodeBuilder::ixor, BOOL, BOOL);
  }

  private static void functions() {
    ClassDesc owner = desc("dev.stretto.kernel.math.DeviceMath");
    for (Kind kind : List.of(FLOAT, DOUBLE)) {
      List<Operation> functions = new ArrayList<>();
      for (String name :
          List.of("exp", "expm1", "log", "log10", "log1p", "sin", "cos", "atan", "tanh", "cbrt")) {
        MethodTypeDesc type = MethodTypeDesc.of(kind.desc(), kind.desc());
        String java = "DeviceMath." + name + "(%0)";
        functions.add(
            new Operation(java, kind, List.of(kind), code -> code.invokestatic(owner, name, type)));
      }
      for (String name : List.of("pow", "hypot", "atan2")) {
        MethodTypeDesc type = MethodTypeDesc.of(kind.desc(), kind.desc(), kind.desc());
        String java = "DeviceMath." + name + "(%0, %1)";
        functions.add(
            new Operation(
                java, kind, List.of(kind, kind), code -> code.invokestatic(owner, name, type)));
      }
      FUNCTIONS.put(kind, functions);
    }
  }

  private static void meetings() {
    for (Kind kind : List.of(INT, LONG, FLOAT, DOUBLE)) {
      for (String name : List.of("shuffle", "shuffleUp", "shuffleDown", "shuffleXor")) {
        MEETINGS.add(new Meeting(false, name, kind, List.of(kind, INT)));
      }
      for (String name : List.of("reduceAdd", "reduceMin", "reduceMax")) {
        MEETINGS.add(new Meeting(false, name, kind, List.of(kind)));
      }
    }
    for (String name : List.of("reduceAnd", "reduceOr", "reduceXor")) {
      MEETINGS.add(new Meeting(false, name, INT, List.of(INT)));
    }
    MEETINGS.add(new Meeting(false, "matchAny", INT, List.of(INT)));
    MEETINGS.add(new Meeting(false, "matchAny", INT, List.of(LONG)));
    MEETINGS.add(new Meeting(false, "ballot", INT, List.of(BOOL)));
    MEETINGS.add(new Meeting(false, "any", BOOL, List.of(BOOL)));
    MEETINGS.add(new Meeting(false, "all", BOOL, List.of(BOOL)));
    MEETINGS.add(new Meeting(true, "syncCount", INT, List.of(BOOL)));
    MEETINGS.add(new Meeting(true, "syncAnd", BOOL, List.of(BOOL)));
    MEETINGS.add(new Meeting(true, "syncOr", BOOL, List.of(BOOL)));
  }

  private static Consumer<CodeBuilder> first(
      Consumer<CodeBuilder> first, Consumer<CodeBuilder> then) {
    return first.andThen(then);
  }

  private static ClassDesc desc(String name) {
    return ClassDesc.of(name);
  }

  private static String simple(ClassDesc type) {
    return type.displayName();
  }

  private static void math(String name, Kind result, Kind... takes) {
    known(desc("java.lang.Math"), name, result, takes);
  }

  private static void known(ClassDesc owner, String name, Kind result, Kind... takes) {
    StringBuilder java = new StringBuilder(simple(owner) + "." + name + "(");
    for (int i = 0; i < takes.length; i++) {
      java.append(i == 0 ? "%" : ", %").append(i);
    }
    List<ClassDesc> parameters = List.of(takes).stream().map(Kind::desc).toList();
    MethodTypeDesc type = MethodTypeDesc.of(result.desc(), parameters);
    add(java + ")", result, code -> code.invokestatic(owner, name, type), takes);
  }

  private static CodeBuilder call(
      CodeBuilder code, String owner, String name, Kind result, Kind takes) {
    return code.invokestatic(desc(owner), name, MethodTypeDesc.of(result.desc(), takes.desc()));
  }

  /** The number on the stack, or another one if it is NaN: its bits are nobody's business. */
  private static Consumer<CodeBuilder> number(Kind kind) {
    return code -> {
      Label end = code.newLabel();
      if (kind == FLOAT) {
        code.dup().dup().fcmpl().ifeq(end).pop().loadConstant(1.5f);
      } else {
        code.dup2().dup2().dcmpl().ifeq(end).pop2().loadConstant(1.5);
      }
      code.labelBinding(end);
    };
  }
}
