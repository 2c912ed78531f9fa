package dev.stretto.agent;

import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * A call of the hooks' class with some arguments of the method that is called.
 *
 * @param name the hook's name
 * @param operands what it gets
 */
record Hook(String name, List<Operand> operands) {
  /** The class whose static methods are the hooks. */
  static final ClassDesc OWNER = ClassDesc.of("dev.stretto.order.program.ProgramAccesses");

  /** The hook that is told the method's result, and so comes behind it. */
  private static final String MADE = "made";

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

  boolean isBehind() {
    return name.equals(MADE);
  }

  /**
   * {@return the hook's type} References are objects to it, and numbers are long.
   *
   * @param arguments the kinds of the method's arguments, with the object whose method it is
   */
  MethodTypeDesc type(List<TypeKind> arguments) {
    List<ClassDesc> parameters = new ArrayList<>();
    if (isBehind()) {
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
