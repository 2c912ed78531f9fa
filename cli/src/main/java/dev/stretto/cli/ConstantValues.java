package dev.stretto.cli;

import java.lang.constant.ClassDesc;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The values of a kernel's constants, as {@code --const} gives them. */
final class ConstantValues {
  private ConstantValues() {}

  /**
   * The values by the parameters' numbers.
   *
   * @param typed by the parameters' names or numbers
   * @param loader finds enums
   * @throws CommandFailure if one is missing, or superfluous, or not a value of its parameter's
   *     type
   */
  static Map<Integer, Object> of(
      NamedKernel kernel, Map<String, String> typed, ClassLoader loader) {
    Map<Integer, Object> values = new HashMap<>();
    typed.forEach(
        (name, text) -> {
          NamedParameter parameter = find(kernel, name);
          if (values.put(parameter.number(), value(parameter, text, loader)) != null) {
            throw CommandFailure.wrongCommandLine(
                "--const gives " + parameter.name() + " two values");
          }
        });
    List<NamedParameter> missing =
        kernel.parameters().stream()
            .filter(parameter -> parameter.constant() && !values.containsKey(parameter.number()))
            .toList();
    if (!missing.isEmpty()) {
      throw CommandFailure.wrongCommandLine(
          kernel.method()
              + " is compiled for a value of "
              + list(missing)
              + ": add --const "
              + missing.getFirst().name()
              + "=VALUE");
    }
    return Map.copyOf(values);
  }

  private static NamedParameter find(NamedKernel kernel, String name) {
    NamedParameter found =
        kernel.parameters().stream()
            .filter(parameter -> parameter.isNamed(name))
            .findFirst()
            .orElseThrow(
                () ->
                    CommandFailure.wrongCommandLine(
                        "--const "
                            + name
                            + ": "
                            + kernel.method()
                            + " has no such parameter; it has "
                            + list(kernel.parameters())));
    if (!found.constant()) {
      throw CommandFailure.wrongCommandLine(
          "--const " + name + ": that parameter is not @Const, a launch passes it");
    }
    return found;
  }

  private static String list(List<NamedParameter> parameters) {
    return parameters.stream().map(NamedParameter::toString).collect(Collectors.joining(", "));
  }

  private static Object value(NamedParameter parameter, String text, ClassLoader loader) {
    try {
      return switch (parameter.type().descriptorString()) {
        case "Z", "Ljava/lang/Boolean;" -> truth(text);
        case "B", "Ljava/lang/Byte;" -> Byte.decode(text);
        case "S", "Ljava/lang/Short;" -> Short.decode(text);
        case "C", "Ljava/lang/Character;" -> letter(text);
        case "I", "Ljava/lang/Integer;" -> Integer.decode(text);
        case "J", "Ljava/lang/Long;" -> Long.decode(text);
        case "F", "Ljava/lang/Float;" -> Float.valueOf(text);
        case "D", "Ljava/lang/Double;" -> Double.valueOf(text);
        default -> constant(parameter.type(), text, loader);
      };
    } catch (IllegalArgumentException e) {
      throw CommandFailure.wrongCommandLine(
          "--const "
              + parameter.name()
              + "="
              + text
              + ": "
              + parameter
              + " cannot have this value");
    }
  }

  private static Boolean truth(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static Character letter(String text) {
    if (text.length() != 1) {
      throw new IllegalArgumentException(text);
    }
    return text.charAt(0);
  }

  private static Object constant(ClassDesc type, String text, ClassLoader loader) {
    String descriptor = type.descriptorString();
    String name = descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
    try {
      Object[] constants = Class.forName(name, false, loader).getEnumConstants();
      return Arrays.stream(constants == null ? new Object[0] : constants)
          .filter(constant -> ((Enum<?>) constant).name().equals(text))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException(text));
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(name, e);
    }
  }
}
