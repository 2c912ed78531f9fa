package dev.stretto;

import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.Parameter;
import dev.stretto.memory.GlobalArray;
import java.util.Map;
import java.util.StringJoiner;

/** What a launch says of an argument that its kernel does not take, and of what to give instead. */
final class ArgumentMisfits {
  private static final Map<Class<?>, String> NUMBERS =
      Map.of(
          byte.class, "write (byte) before it",
          short.class, "write (short) before it",
          int.class, "write (int) before it",
          long.class, "write 2L instead of 2, or (long) before it",
          float.class, "write 2f instead of 2, or (float) before it",
          double.class, "write 2.0 instead of 2, or (double) before it");

  private ArgumentMisfits() {}

  /** {@return the refusal of an argument of another type} */
  static IllegalArgumentException ofType(DeviceKernel kernel, int index, Class<?> given) {
    Parameter parameter = kernel.parameters().get(index);
    return new IllegalArgumentException(
        "argument "
            + index
            + " of "
            + kernel
            + ", "
            + kernel.declaration(index)
            + ", is "
            + article(parameter.type())
            + ", not "
            + article(given)
            + advice(parameter, given));
  }

  private static String advice(Parameter parameter, Class<?> given) {
    boolean number =
        given.isPrimitive() || Number.class.isAssignableFrom(given) || given == Character.class;
    if (number && NUMBERS.containsKey(parameter.type())) {
      return ": " + NUMBERS.get(parameter.type());
    }
    if (given.isArray() && parameter.isArray()) {
      return ": copy it to a "
          + parameter.type().getSimpleName()
          + " with stream.copy, and pass"
          + " that";
    }
    if (GlobalArray.class.isAssignableFrom(given) && parameter.isArray()) {
      return ": the kernel would take its bytes for other numbers";
    }
    return "";
  }

  private static String article(Class<?> type) {
    String name = type.getSimpleName();
    return ("AEIOaeio".indexOf(name.charAt(0)) >= 0 ? "an " : "a ") + name;
  }

  /** {@return the refusal of a number of arguments} */
  static IllegalArgumentException ofCount(DeviceKernel kernel, int given) {
    return new IllegalArgumentException(
        kernel
            + " takes "
            + kernel.parameters().size()
            + " arguments"
            + declarations(kernel)
            + ", not "
            + given);
  }

  /** {@return the refusal of the index of an argument} */
  static IndexOutOfBoundsException ofIndex(DeviceKernel kernel, int index) {
    int count = kernel.parameters().size();
    return new IndexOutOfBoundsException(
        "argument "
            + index
            + " of "
            + kernel
            + ", which takes "
            + count
            + declarations(kernel)
            + ": the first one after the block is 0");
  }

  /** {@return the refusal of null} */
  static NullPointerException ofNull(DeviceKernel kernel, int index) {
    return new NullPointerException(
        "argument " + index + " of " + kernel + ", " + kernel.declaration(index) + ", is null");
  }

  private static String declarations(DeviceKernel kernel) {
    StringJoiner text = new StringJoiner(", ", " (", ")");
    for (int i = 0; i < kernel.parameters().size(); i++) {
      text.add(kernel.declaration(i));
    }
    return kernel.parameters().isEmpty() ? "" : text.toString();
  }
}
