package dev.stretto.cli;

import java.lang.classfile.Attributes;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.LocalVariableInfo;
import java.lang.classfile.attribute.MethodParameterInfo;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A parameter of a kernel.
 *
 * @param number of the parameter in the method, 0 for the first
 * @param name as in the source, or its number if the class file has no name for it
 * @param type its type
 * @param constant whether the compiler needs its value: it is {@code @Const}, or a lambda has
 *     captured it
 */
record NamedParameter(int number, String name, ClassDesc type, boolean constant) {
  private static final String BLOCK = "Ldev/stretto/kernel/ThreadBlock;";
  private static final String CONST = "Ldev/stretto/kernel/Const;";

  /** The parameters of a method, in order. */
  static List<NamedParameter> of(MethodModel method) {
    List<ClassDesc> types = method.methodTypeSymbol().parameterList();
    int block = types.stream().map(ClassDesc::descriptorString).toList().indexOf(BLOCK);
    List<NamedParameter> parameters = new ArrayList<>();
    int slot = method.flags().has(AccessFlag.STATIC) ? 0 : 1;
    for (int i = 0; i < types.size(); i++) {
      ClassDesc type = types.get(i);
      boolean constant = i < block || isMarked(method, i);
      parameters.add(new NamedParameter(i, name(method, i, slot), type, constant));
      slot += type.equals(ConstantDescs.CD_long) || type.equals(ConstantDescs.CD_double) ? 2 : 1;
    }
    return List.copyOf(parameters);
  }

  private static boolean isMarked(MethodModel method, int number) {
    return method
        .findAttribute(Attributes.runtimeVisibleParameterAnnotations())
        .filter(all -> number < all.parameterAnnotations().size())
        .map(all -> all.parameterAnnotations().get(number))
        .orElse(List.of())
        .stream()
        .anyMatch(annotation -> annotation.className().equalsString(CONST));
  }

  private static String name(MethodModel method, int number, int slot) {
    return method
        .findAttribute(Attributes.methodParameters())
        .filter(all -> number < all.parameters().size())
        .map(all -> all.parameters().get(number))
        .flatMap(MethodParameterInfo::name)
        .map(name -> name.stringValue())
        .or(() -> variable(method, slot))
        .orElse(Integer.toString(number));
  }

  private static Optional<String> variable(MethodModel method, int slot) {
    return method
        .code()
        .flatMap(code -> code.findAttribute(Attributes.localVariableTable()))
        .stream()
        .flatMap(table -> table.localVariables().stream())
        .filter(variable -> variable.slot() == slot && variable.startPc() == 0)
        .map(LocalVariableInfo::name)
        .map(name -> name.stringValue())
        .findFirst();
  }

  /** Whether it is the thread's block, which no launch gives. */
  boolean isBlock() {
    return type.descriptorString().equals(BLOCK);
  }

  boolean isNamed(String text) {
    return name.equals(text) || Integer.toString(number).equals(text);
  }

  /** The name after its type, as in the source. */
  @Override
  public String toString() {
    return type.displayName() + " " + name;
  }
}
