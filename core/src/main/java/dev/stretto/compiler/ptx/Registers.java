package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;

/** Assigns registers to values; the number of registers is unlimited. */
final class Registers {
  private enum Kind {
    PREDICATE(".pred", "%p"),
    HALF(".b16", "%h"),
    INT(".b32", "%r"),
    LONG(".b64", "%rd"),
    FLOAT(".f32", "%f"),
    DOUBLE(".f64", "%fd");

    final String type;
    final String prefix;

    Kind(String type, String prefix) {
      this.type = type;
      this.prefix = prefix;
    }
  }

  private final IdentityHashMap<Value, String> names = new IdentityHashMap<>();
  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

  private String fresh(Kind kind) {
    int number = counts.merge(kind, 1, Integer::sum);
    return kind.prefix + number;
  }

  String fresh(Type type) {
    return fresh(kind(type));
  }

  String freshHalf() {
    return fresh(Kind.HALF);
  }

  private static Kind kind(Type type) {
    return switch (type) {
      case BOOL -> Kind.PREDICATE;
      case INT, SHARED -> Kind.INT;
      case LONG, GLOBAL -> Kind.LONG;
      case FLOAT -> Kind.FLOAT;
      case DOUBLE -> Kind.DOUBLE;
      default -> throw new IllegalStateException("no register holds a " + type);
    };
  }

  /** The register of a value that is not a constant. */
  String of(Value value) {
    return names.computeIfAbsent(value, it -> fresh(it.type()));
  }

  /** Puts a value into the register of another. */
  void name(Value value, String register) {
    names.put(value, register);
  }

  boolean has(Value value) {
    return names.containsKey(value);
  }

  /** The operand for a value: its register, or the constant itself. */
  String operand(Value value) {
    return value instanceof Constant constant ? literal(constant) : of(value);
  }

  static String literal(Constant constant) {
    return switch (constant.value()) {
      case Boolean it -> it ? "1" : "0";
      case Float it -> "0f%08X".formatted(Float.floatToRawIntBits(it));
      case Double it -> "0d%016X".formatted(Double.doubleToRawLongBits(it));
      case Constant.EnumName name -> scope(name.name());
      default -> String.valueOf(constant.value());
    };
  }

  private static String scope(String name) {
    return switch (name) {
      case "BLOCK" -> "cta";
      case "CLUSTER" -> "cluster";
      case "DEVICE" -> "gpu";
      case "SYSTEM" -> "sys";
      default -> name.toLowerCase(Locale.ROOT);
    };
  }

  String declarations() {
    StringBuilder out = new StringBuilder();
    counts.forEach(
        (kind, count) ->
            out.append("\t.reg ")
                .append(kind.type)
                .append(' ')
                .append(kind.prefix)
                .append('<')
                .append(count + 1)
                .append(">;\n"));
    return out.toString();
  }
}
