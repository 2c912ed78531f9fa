package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.fault.KernelRefusedException;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Translates the instructions that do not end a block. */
final class Instructions {
  /** Stands for an AssertionError that an {@code assert} statement is about to throw. */
  record AssertionMark(String message) {}

  private static final int MOST_ARRAYS = 10_000;

  private final Calls calls;
  private final Site site;
  private final Builder builder;
  private final Comparisons comparisons;
  private final Casts casts;

  Instructions(Calls calls, Comparisons comparisons) {
    this.calls = calls;
    this.site = calls.site();
    this.builder = site.builder();
    this.comparisons = comparisons;
    this.casts = new Casts(site, calls.classes());
  }

  void translate(Instruction instruction, Frame frame) {
    switch (instruction) {
      case LoadInstruction it -> frame.push(frame.local(it.slot()));
      case StoreInstruction it -> frame.local(it.slot(), frame.pop());
      case IncrementInstruction it ->
          frame.local(
              it.slot(),
              builder.op(OpCode.ADD, Type.INT, frame.local(it.slot()), Constant.of(it.constant())));
      case ConstantInstruction it -> frame.push(constant(it));
      case StackInstruction it -> shuffle(it.opcode(), frame);
      case OperatorInstruction it -> operator(it, frame);
      case ConvertInstruction it -> convert(it, frame);
      case FieldInstruction it -> calls.fields().translate(it, frame);
      case InvokeInstruction it -> call(it, frame);
      case NewObjectInstruction it -> create(it, frame);
      case NewPrimitiveArrayInstruction it ->
          frame.push(newArray("[" + it.typeKind().upperBound().descriptorString(), frame.pop()));
      case NewReferenceArrayInstruction it ->
          frame.push(newArray("[" + it.componentType().asSymbol().descriptorString(), frame.pop()));
      case NewMultiArrayInstruction it -> frame.push(nested(it, frame));
      case ArrayLoadInstruction it -> load(it, frame);
      case ArrayStoreInstruction it -> store(it, frame);
      case TypeCheckInstruction it -> check(it, frame);
      case NopInstruction _ -> {}
      case InvokeDynamicInstruction it -> dynamic(it, frame);
      case MonitorInstruction _ -> throw locks(site);
      default ->
          throw site.refuse(
              "a kernel cannot use the instruction " + instruction.opcode(),
              "write it another way");
    }
  }

  static KernelRefusedException locks(Site site) {
    return site.refuse("a kernel cannot lock objects", Instead.OF_LOCKS);
  }

  static boolean isAssertion(Value value) {
    return value instanceof Constant constant && constant.value() instanceof AssertionMark;
  }

  private void dynamic(InvokeDynamicInstruction it, Frame frame) {
    switch (it.bootstrapMethod().owner().displayName()) {
      case "StringConcatFactory" -> concatenate(it, frame);
      case "SwitchBootstraps" ->
          throw site.refuse("a kernel cannot switch over types or enums", Instead.OF_SWITCHES);
      case "ObjectMethods" -> {
        // The record's line is of no use: the Java compiler has generated the method.
        Line line = builder.line();
        throw (line.caller() == null ? line : line.caller())
            .refuse(
                "a kernel cannot call " + it.name() + " of a record",
                Instead.ofRecord(it.name().stringValue()));
      }
      case "LambdaMetafactory" ->
          throw site.refuse(
              "a kernel cannot create lambdas or method references",
              "call a static method by name");
      default ->
          throw site.refuse(
              "a kernel cannot make a call that is linked at run time",
              "call a static method by name");
    }
  }

  /** The message of an assertion is a constant: numbers in it are left out. */
  private void concatenate(InvokeDynamicInstruction it, Frame frame) {
    for (int i = 0; i < it.typeSymbol().parameterCount(); i++) {
      frame.pop();
    }
    if (!frame.has(Instructions::isAssertion)) {
      throw site.refuse(
          "a kernel cannot concatenate strings", "use Debug.print with a constant label");
    }
    String recipe = it.bootstrapArgs().isEmpty() ? "" : it.bootstrapArgs().getFirst().toString();
    frame.push(Constant.ofObject(recipe.replace("\1", "…")));
  }

  private void check(TypeCheckInstruction it, Frame frame) {
    if (it.opcode() == Opcode.INSTANCEOF) {
      throw site.refuse(
          "a kernel cannot test the class of an object", "pass a flag, or write two kernels");
    }
    Value value = frame.pop();
    String descriptor = it.type().asSymbol().descriptorString();
    casts.require(value, descriptor);
    site.type(value, descriptor);
    frame.push(value);
  }

  private Value constant(ConstantInstruction it) {
    if (it.opcode() == Opcode.ACONST_NULL) {
      throw site.refuse("a kernel has no null", "use a flag, or an array of length 0");
    }
    Object value = it.constantValue();
    if (value instanceof String || value instanceof Number) {
      return switch (it.typeKind()) {
        case INT, BYTE, SHORT, CHAR, BOOLEAN -> Constant.of(((Number) value).intValue());
        case LONG -> Constant.of(((Number) value).longValue());
        case FLOAT -> Constant.of(((Number) value).floatValue());
        case DOUBLE -> Constant.of(((Number) value).doubleValue());
        default -> Constant.ofObject(value);
      };
    }
    String name =
        value instanceof ClassDesc type ? "class " + type.displayName() : value.toString();
    throw site.refuse(
        "a kernel cannot use the constant " + name.replace('$', '.'),
        "only numbers and labels can be constants here");
  }

  private void shuffle(Opcode opcode, Frame frame) {
    switch (opcode) {
      case POP -> frame.pop();
      case POP2 -> {
        if (!Frame.isWide(frame.pop())) {
          frame.pop();
        }
      }
      case SWAP -> frame.insert(1, frame.pop());
      case DUP -> duplicate(frame, 1, 0);
      case DUP_X1 -> duplicate(frame, 1, 1);
      case DUP_X2 -> duplicate(frame, 1, 2);
      case DUP2 -> duplicate(frame, 2, 0);
      case DUP2_X1 -> duplicate(frame, 2, 1);
      case DUP2_X2 -> duplicate(frame, 2, 2);
      default -> throw new IllegalStateException(opcode.name());
    }
  }

  /** Copies the upper slots below the next ones; a wide value takes two slots. */
  private static void duplicate(Frame frame, int slots, int below) {
    List<Value> upper = new ArrayList<>();
    for (int left = slots; left > 0; ) {
      Value value = frame.pop();
      upper.addFirst(value);
      left -= Frame.isWide(value) ? 2 : 1;
    }
    List<Value> lower = new ArrayList<>();
    for (int left = below; left > 0; ) {
      Value value = frame.pop();
      lower.addFirst(value);
      left -= Frame.isWide(value) ? 2 : 1;
    }
    upper.forEach(frame::push);
    lower.forEach(frame::push);
    upper.forEach(frame::push);
  }

  private void operator(OperatorInstruction it, Frame frame) {
    Opcode opcode = it.opcode();
    Type type = type(it.typeKind());
    switch (opcode) {
      case ARRAYLENGTH -> frame.push(builder.op(OpCode.ARRAY_LENGTH, Type.INT, frame.pop()));
      case INEG, LNEG, FNEG, DNEG -> frame.push(builder.op(OpCode.NEG, type, frame.pop()));
      case LCMP, FCMPL, FCMPG, DCMPL, DCMPG -> {
        Value b = frame.pop();
        Value a = frame.pop();
        frame.push(comparisons.three(opcode, a, b));
      }
      case FREM, DREM -> {
        Value b = frame.pop();
        Value a = frame.pop();
        frame.push(calls.remainder(type, a, b));
      }
      default -> {
        Value b = frame.pop();
        Value a = frame.pop();
        OpCode code = code(opcode);
        if ((code == OpCode.DIV || code == OpCode.REM) && !type.isFloating()) {
          site.check(
              builder.cmp(Cond.NE, b, Constant.zero(type)), Trap.Kind.DIVISION, "division by zero");
        }
        frame.push(builder.op(code, type, a, b));
      }
    }
  }

  private static OpCode code(Opcode opcode) {
    return switch (opcode) {
      case IADD, LADD, FADD, DADD -> OpCode.ADD;
      case ISUB, LSUB, FSUB, DSUB -> OpCode.SUB;
      case IMUL, LMUL, FMUL, DMUL -> OpCode.MUL;
      case IDIV, LDIV, FDIV, DDIV -> OpCode.DIV;
      case IREM, LREM -> OpCode.REM;
      case IAND, LAND -> OpCode.AND;
      case IOR, LOR -> OpCode.OR;
      case IXOR, LXOR -> OpCode.XOR;
      case ISHL, LSHL -> OpCode.SHL;
      case ISHR, LSHR -> OpCode.SHR;
      case IUSHR, LUSHR -> OpCode.USHR;
      default -> throw new IllegalStateException(opcode.name());
    };
  }

  private static Type type(TypeKind kind) {
    return switch (kind.asLoadable()) {
      case LONG -> Type.LONG;
      case FLOAT -> Type.FLOAT;
      case DOUBLE -> Type.DOUBLE;
      case REFERENCE -> Type.REF;
      default -> Type.INT;
    };
  }

  private void convert(ConvertInstruction it, Frame frame) {
    Value value = frame.pop();
    frame.push(
        switch (it.opcode()) {
          case I2B -> builder.op(OpCode.NARROW, Type.INT, Element.I8, value);
          case I2S -> builder.op(OpCode.NARROW, Type.INT, Element.I16, value);
          case I2C -> builder.op(OpCode.NARROW, Type.INT, Element.U16, value);
          default -> builder.op(OpCode.CONVERT, type(it.toType()), value);
        });
  }

  private void call(InvokeInstruction it, Frame frame) {
    int count = it.typeSymbol().parameterCount() + (it.opcode() == Opcode.INVOKESTATIC ? 0 : 1);
    List<Value> arguments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      arguments.addFirst(frame.pop());
    }
    if (!arguments.isEmpty() && isAssertion(arguments.getFirst())) {
      // The constructor of the error: its message is known if it is a constant.
      String message =
          arguments.size() > 1 && arguments.get(1) instanceof Constant said
              ? String.valueOf(said.value())
              : "";
      frame.replace(arguments.getFirst(), Constant.ofObject(new AssertionMark(message)));
      return;
    }
    if (!arguments.isEmpty()
        && arguments.getFirst() instanceof Constant constant
        && constant.value() instanceof Constant.EnumName name
        && it.name().equalsString("ordinal")) {
      frame.push(calls.fields().ordinal(name));
      return;
    }
    Value result = calls.call(it, arguments);
    if (result != null && result.type() != Type.VOID) {
      frame.push(result);
    }
  }

  private void create(NewObjectInstruction it, Frame frame) {
    String name = it.className().asInternalName();
    if (name.equals("java/lang/AssertionError")) {
      frame.push(Constant.ofObject(new AssertionMark("")));
      return;
    }
    if (calls.isThrowable(name)) {
      throw site.refuse(
          "a kernel cannot throw exceptions",
          "use `assert`, or write what went wrong into an array and return");
    }
    frame.push(builder.op(OpCode.NEW, Type.REF, calls.newObject(name)));
  }

  private Value newArray(String descriptor, Value length) {
    if (length instanceof Constant constant && constant.asInt() < 0) {
      throw site.refuse(
          "a local array of length " + constant.asInt(), "give it a length of 0 or more");
    }
    char inner = descriptor.charAt(1);
    Element element = inner == '[' || inner == 'L' ? null : Site.element(inner);
    Value array = builder.op(OpCode.NEW_ARRAY, Type.REF, element, length);
    site.type(array, descriptor);
    return array;
  }

  private Value nested(NewMultiArrayInstruction it, Frame frame) {
    List<Value> lengths = new ArrayList<>();
    for (int i = 0; i < it.dimensions(); i++) {
      lengths.addFirst(frame.pop());
    }
    long arrays = 1;
    for (Value length : lengths.subList(0, lengths.size() - 1)) {
      arrays *= length instanceof Constant count ? Math.max(0, count.asInt()) : 1;
      if (arrays > MOST_ARRAYS) {
        throw site.refuse(
            "a local array of more than " + MOST_ARRAYS + " arrays",
            "a thread has about 250 registers for them: use shared or global memory");
      }
    }
    String descriptor = it.arrayType().asSymbol().descriptorString();
    return nested(descriptor, lengths);
  }

  private Value nested(String descriptor, List<Value> lengths) {
    if (lengths.size() == 1) {
      return newArray(descriptor, lengths.getFirst());
    }
    if (!(lengths.getFirst() instanceof Constant count)) {
      throw site.refuse(
          "the length of a local array is not constant",
          "write a number, a static final or a @Const parameter, or use shared memory");
    }
    Value outer = newArray(descriptor, count);
    for (int i = 0; i < count.asInt(); i++) {
      builder.op(
          OpCode.ARRAY_SET,
          Type.VOID,
          outer,
          Constant.of(i),
          nested(descriptor.substring(1), lengths.subList(1, lengths.size())));
    }
    return outer;
  }

  private void load(ArrayLoadInstruction it, Frame frame) {
    Value index = frame.pop();
    Value array = frame.pop();
    if (array instanceof Constant constant
        && constant.value() instanceof Fields.SwitchMap map
        && index instanceof Constant ordinal) {
      frame.push(Constant.of(map.cases()[ordinal.asInt()]));
      return;
    }
    Element element = arrayElement(it.opcode());
    Value value =
        builder.op(
            OpCode.ARRAY_GET, element == null ? Type.REF : element.type(), element, array, index);
    String descriptor = site.typeOf(array);
    if (descriptor != null) {
      site.type(value, descriptor.substring(1));
    }
    frame.push(value);
  }

  private void store(ArrayStoreInstruction it, Frame frame) {
    Value value = frame.pop();
    Value index = frame.pop();
    Value array = frame.pop();
    Element element = arrayElement(it.opcode());
    builder.op(
        OpCode.ARRAY_SET, Type.VOID, element, array, index, calls.fields().narrow(element, value));
  }

  private static @Nullable Element arrayElement(Opcode opcode) {
    return switch (opcode) {
      case BALOAD, BASTORE -> Element.I8;
      case CALOAD, CASTORE -> Element.U16;
      case SALOAD, SASTORE -> Element.I16;
      case IALOAD, IASTORE -> Element.I32;
      case LALOAD, LASTORE -> Element.I64;
      case FALOAD, FASTORE -> Element.F32;
      case DALOAD, DASTORE -> Element.F64;
      case AALOAD, AASTORE -> null;
      default -> throw new IllegalStateException(Objects.toString(opcode));
    };
  }
}
