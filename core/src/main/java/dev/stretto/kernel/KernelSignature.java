package dev.stretto.kernel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * The parameters that a kernel's method takes after its thread block.
 *
 * @param types the types of all these parameters; boxed numbers count as numbers
 * @param constants whether each parameter is {@code @Const}
 */
record KernelSignature(List<Class<?>> types, List<Boolean> constants) {
  /**
   * The signature of a method.
   *
   * @param captured the number of values that a lambda captures, which come first
   */
  static KernelSignature of(Method method, int captured) {
    String where = method.getDeclaringClass().getName() + "." + method.getName();
    if (!Modifier.isStatic(method.getModifiers()) || method.getReturnType() != void.class) {
      throw new IllegalArgumentException(
          where + " has to be static and return nothing to be a kernel");
    }
    java.lang.reflect.Parameter[] parameters = method.getParameters();
    if (parameters.length <= captured || parameters[captured].getType() != ThreadBlock.class) {
      throw new IllegalArgumentException(where + " has to take a ThreadBlock first to be a kernel");
    }
    List<Class<?>> types = new ArrayList<>();
    List<Boolean> constants = new ArrayList<>();
    for (int i = captured + 1; i < parameters.length; i++) {
      Class<?> type = MethodType.methodType(parameters[i].getType()).unwrap().returnType();
      boolean constant = parameters[i].isAnnotationPresent(Const.class);
      if (!constant && !Parameter.takes(type)) {
        throw new IllegalArgumentException(
            "parameter "
                + types.size()
                + " of "
                + where
                + " is a "
                + type.getTypeName()
                + Parameter.TAKEN);
      }
      if (!constant && type.isRecord()) {
        requireLayout(type, types.size(), where);
      }
      types.add(type);
      constants.add(constant);
    }
    return new KernelSignature(List.copyOf(types), List.copyOf(constants));
  }

  private static void requireLayout(Class<?> type, int number, String where) {
    try {
      var _ = RecordLayout.of(type);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "parameter " + number + " of " + where + ": " + e.getMessage(), e);
    }
  }

  /** The types of the parameters that a launch passes, which are those that are not constants. */
  List<Class<?>> values() {
    List<Class<?>> values = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      if (!constants.get(i)) {
        values.add(types.get(i));
      }
    }
    return values;
  }

  /** A method that takes any object for a record, whose class other loaders may not find. */
  static MethodHandle withObjects(MethodHandle method) {
    MethodType type = method.type();
    for (int i = 0; i < type.parameterCount(); i++) {
      if (type.parameterType(i).isRecord()) {
        type = type.changeParameterType(i, Object.class);
      }
    }
    return method.asType(type);
  }

  /** The place of each parameter: among the values, or the complement of that among constants. */
  int[] places() {
    int[] places = new int[types.size()];
    int value = 0;
    int constant = 0;
    for (int i = 0; i < places.length; i++) {
      places[i] = constants.get(i) ? ~constant++ : value++;
    }
    return places;
  }
}
