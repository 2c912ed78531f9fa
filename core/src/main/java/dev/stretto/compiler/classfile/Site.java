package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.fault.KernelRefusedException;
import java.lang.constant.ClassDesc;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** Adds operations to a kernel: the state that all parts of the front end share. */
final class Site {
  private final Builder builder;
  private final boolean checked;
  private final int target;
  private final Purpose purpose;
  private final IdentityHashMap<Value, String> types = new IdentityHashMap<>();
  private int sharedArrays;
  private String writtenAs = "";

  /** What a kernel is read for. */
  enum Purpose {
    /** To run on a GPU. */
    INSTRUCTIONS,
    /** To run on the JVM, with assertions or without. */
    CALLS,
    CALLS_AND_ASSERTIONS
  }

  Site(Builder builder, boolean checked, int target, Purpose purpose) {
    this.builder = builder;
    this.purpose = purpose;
    this.checked = checked;
    this.target = target;
  }

  Builder builder() {
    return builder;
  }

  boolean isChecked() {
    return checked;
  }

  /** Whether instructions become calls of the methods that stand for them. */
  boolean isForCalls() {
    return purpose != Purpose.INSTRUCTIONS;
  }

  /** Whether assertions are compiled. */
  boolean asserts() {
    return isForCalls() ? purpose == Purpose.CALLS_AND_ASSERTIONS : checked;
  }

  /** The compute capability for which the kernel is compiled. */
  int target() {
    return target;
  }

  int nextSharedArray() {
    return sharedArrays++;
  }

  /** The library method that the kernel calls and that is being inlined; empty outside of one. */
  String writtenAs() {
    return writtenAs;
  }

  void writtenAs(String method) {
    writtenAs = method;
  }

  /** Records the type of a value if it is an array. */
  void type(Value value, String descriptor) {
    if (descriptor.startsWith("[")) {
      types.put(value, descriptor);
    }
  }

  /** The descriptor of an array; null if it is not known. */
  @Nullable String typeOf(Value array) {
    return types.get(array);
  }

  /** In checked mode, ends the kernel here unless a condition holds. */
  void check(Value condition, Trap.Kind kind, String message, Value... numbers) {
    if (!checked || condition == Constant.TRUE) {
      return;
    }
    Value[] operands = new Value[numbers.length + 1];
    operands[0] = condition;
    System.arraycopy(numbers, 0, operands, 1, numbers.length);
    builder.op(OpCode.CHECK, Type.VOID, new Trap(kind, message), operands);
  }

  KernelRefusedException refuse(String reason, String advice) {
    return builder.line().refuse(reason, advice);
  }

  KernelRefusedException isMissing(String owner) {
    return refuse(
        "the class file of " + Calls.shortName(owner) + " cannot be found",
        "put it on the class path of the kernel");
  }

  /** The type of values of a Java type. */
  static Type type(ClassDesc type) {
    if (!type.isPrimitive()) {
      return Type.REF;
    }
    return switch (type.descriptorString().charAt(0)) {
      case 'V' -> Type.VOID;
      case 'J' -> Type.LONG;
      case 'F' -> Type.FLOAT;
      case 'D' -> Type.DOUBLE;
      default -> Type.INT;
    };
  }

  /** The element of an array or field of a primitive Java type. */
  static Element element(char descriptor) {
    return switch (descriptor) {
      case 'Z', 'B' -> Element.I8;
      case 'S' -> Element.I16;
      case 'C' -> Element.U16;
      case 'I' -> Element.I32;
      case 'J' -> Element.I64;
      case 'F' -> Element.F32;
      case 'D' -> Element.F64;
      default -> throw new IllegalArgumentException(String.valueOf(descriptor));
    };
  }
}
