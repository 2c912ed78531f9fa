package dev.stretto.agent;

import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * A call of a hooks' class with some arguments of the method that is called.
 *
 * @param owner the hooks' class
 * @param name the hook's name
 * @param when when it is called
 * @param operands what it gets
 */
record Hook(ClassDesc owner, String name, When when, List<Operand> operands) {
  /** The class whose static methods are told of accesses. */
  static final ClassDesc ACCESSES = ClassDesc.of("dev.stretto.order.program.ProgramAccesses");

  /** The class whose static methods are told of what threads hand over. */
  static final ClassDesc THREADS = ClassDesc.of("dev.stretto.order.program.ProgramThreads");

  /** When a hook is called. */
  enum When {
    BEFORE,
    BEHIND,
    /** Behind the method, and the hook gets its result as well, before all else. */
    WITH_RESULT
  }

  /** What a hook gets. */
  sealed interface Operand {
    /**
     * An argument of the method.
     *
     * @param index its place; 0 is the object whose method it is, or a static method's first
     */
    record Argument(int index) implements Operand {}

    /**
     * A number.
     *
     * @param value the number
     */
    record Constant(long value) implements Operand {}

    /** The character set UTF-8. */
    record Utf8() implements Operand {}
  }

  Hook {
    operands = List.copyOf(operands);
  }

  /** {@return a hook for an access} */
  static Hook ofAccess(String name, List<Operand> operands) {
    When when = name.equals("made") ? When.WITH_RESULT : When.BEFORE;
    return new Hook(ACCESSES, name, when, operands);
  }

  /** {@return a hook for what threads hand over, with arguments of the method} */
  static Hook ofThreads(String name, When when, int... arguments) {
    List<Operand> operands = new ArrayList<>();
    for (int argument : arguments) {
      operands.add(new Operand.Argument(argument));
    }
    return new Hook(THREADS, name, when, operands);
  }

  boolean isBehind() {
    return when != When.BEFORE;
  }

  /**
   * {@return the hook's type} References are objects to it, and numbers are long.
   *
   * @param arguments the kinds of the method's arguments, with the object whose method it is
   */
  MethodTypeDesc type(List<TypeKind> arguments) {
    List<ClassDesc> parameters = new ArrayList<>();
    if (when == When.WITH_RESULT) {
      parameters.add(ConstantDescs.CD_Object);
    }
    for (Operand operand : operands) {
      boolean isReference =
          switch (operand) {
            case Operand.Argument(int index) -> arguments.get(index) == TypeKind.REFERENCE;
            case Operand.Constant _ -> false;
            case Operand.Utf8 _ -> true;
          };
      parameters.add(isReference ? ConstantDescs.CD_Object : ConstantDescs.CD_long);
    }
    return MethodTypeDesc.of(ConstantDescs.CD_void, parameters);
  }
}
