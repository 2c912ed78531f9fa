package dev.stretto.agent;

import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of {@link java.lang.invoke.VarHandle}, whose parameters are those of the variable: an
 * array, a buffer or a segment, one or two numbers, and values.
 */
final class Handles {
  private static final int MOST_NUMBERS = 2;

  private Handles() {}

  static boolean isHandle(ClassDesc owner) {
    return owner.equals(ConstantDescs.CD_VarHandle);
  }

  /** {@return what to tell of a call; null if it accesses nothing that can be told} */
  static @Nullable Hook hook(String name, MethodTypeDesc type) {
    int values = values(name);
    int coordinates = type.parameterCount() - values;
    if (values < 0 || coordinates < 2 || coordinates > 1 + MOST_NUMBERS) {
      return null;
    }
    List<Hook.Operand> operands = new ArrayList<>();
    for (int i = 0; i <= coordinates; i++) {
      operands.add(new Hook.Operand.Argument(i)); // 0 is the handle
    }
    for (int i = 0; i < coordinates; i++) {
      TypeKind kind = TypeKind.from(type.parameterType(i)).asLoadable();
      boolean fits =
          i == 0 ? kind == TypeKind.REFERENCE : kind == TypeKind.INT || kind == TypeKind.LONG;
      if (!fits) {
        return null;
      }
    }
    return Hook.ofAccess(values == 0 ? "reads" : "writes", operands);
  }

  /** {@return how many values a method takes; -1 if it accesses no variable} */
  private static int values(String name) {
    if (name.startsWith("getAnd")
        || name.equals("set")
        || name.matches("set(Volatile|Opaque|Release)")) {
      return 1;
    }
    if (name.startsWith("compareAnd") || name.startsWith("weakCompareAnd")) {
      return 2;
    }
    return name.equals("get") || name.matches("get(Volatile|Opaque|Acquire)") ? 0 : -1;
  }
}
