package dev.stretto.kernel;

import dev.stretto.compiler.ParameterNames;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.TensorMap;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Map;

/**
 * What a lambda may capture to be a kernel: its values become constants of the compiled code.
 * Arrays cannot, since each launch would have to read them anew.
 */
final class CapturedValues {
  private static final Map<Class<?>, String> ARRAYS =
      Map.of(
          byte[].class, "GlobalBytes",
          short[].class, "GlobalShorts",
          int[].class, "GlobalInts",
          long[].class, "GlobalLongs",
          float[].class, "GlobalFloats",
          double[].class, "GlobalDoubles");

  private CapturedValues() {}

  /**
   * Requires that a captured value can be a constant.
   *
   * @param method the body of the lambda, which takes the captured values first
   * @param index of the value among those
   * @param value what it is
   * @throws KernelRefusedException if it is an array, of the host or of a device
   */
  static void require(Method method, int index, Object value) {
    Class<?> type = value.getClass();
    if (type.isArray()) {
      String array = ARRAYS.get(type);
      throw refused(
          method,
          index,
          type,
          "copy it to the device and pass "
              + (array == null ? "an array of the device" : "a " + array)
              + " as an argument of the launch");
    }
    if (value instanceof GlobalArray || value instanceof TensorMap) {
      throw refused(
          method,
          index,
          type,
          "make it a parameter of the lambda after the block, and pass it as an argument of the"
              + " launch");
    }
  }

  private static KernelRefusedException refused(
      Method method, int index, Class<?> type, String advice) {
    Class<?> owner = method.getDeclaringClass();
    String internal = owner.getName().replace('.', '/');
    String descriptor =
        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
            .descriptorString();
    ClassLoader loader = owner.getClassLoader();
    String name = ParameterNames.of(loader, internal, method.getName(), descriptor).get(index);
    String called = Character.isDigit(name.charAt(0)) ? "" : " " + name;
    return new KernelRefusedException(
        owner.getName().replaceFirst(".*\\.", "").replaceFirst("\\$.*", "") + ".java",
        ParameterNames.line(loader, internal, method.getName(), descriptor),
        "a kernel cannot use the " + type.getSimpleName() + called + " that the lambda captures",
        advice);
  }
}
