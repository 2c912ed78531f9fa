package dev.stretto.compiler.ir;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Collectors;

/** Writes a kernel as text. */
public final class Printer {
  private final IdentityHashMap<Value, Integer> values = new IdentityHashMap<>();
  private final IdentityHashMap<Block, Integer> blocks = new IdentityHashMap<>();
  private final StringBuilder out = new StringBuilder();

  private Printer() {}

  /** {@return the kernel's text: one line for each operation, followed by its source line} */
  public static String print(Function function) {
    Printer printer = new Printer();
    List<Block> order = function.blocks();
    order.forEach(block -> printer.blocks.put(block, printer.blocks.size()));
    printer.out.append("kernel ").append(function.name()).append('\n');
    order.forEach(printer::block);
    return printer.out.toString();
  }

  private void block(Block block) {
    out.append('b').append(blocks.get(block));
    out.append(
        block.params().stream()
            .map(param -> name(param) + ":" + type(param.type()))
            .collect(Collectors.joining(", ", "(", "):\n")));
    for (Op op : block.ops()) {
      int from = out.length();
      out.append("  ");
      if (op.type() != Type.VOID) {
        out.append(name(op)).append(':').append(type(op.type())).append(" = ");
      }
      out.append(op.code().name().toLowerCase(java.util.Locale.ROOT));
      if (op.attribute() != null) {
        out.append('[').append(attribute(op.attribute())).append(']');
      }
      if (op.size() > 0) {
        out.append(' ').append(names(op.operands()));
      }
      String separator = " -> ";
      for (Target target : op.targets()) {
        out.append(separator).append('b').append(blocks.get(target.block()));
        out.append('(').append(names(target.arguments())).append(')');
        separator = " | ";
      }
      if (op.line().number() > 0) {
        out.append(" ".repeat(Math.max(1, 60 - (out.length() - from))))
            .append("; ")
            .append(op.line());
      }
      out.append('\n');
    }
  }

  private static String attribute(Attribute attribute) {
    return switch (attribute) {
      case Asm asm -> asm.name() + (asm.convergent() ? ", convergent" : "");
      case Field field -> field.owner() + "." + field.name();
      case Trap trap -> trap.kind().name().toLowerCase(java.util.Locale.ROOT);
      case Vector vector -> vector.element() + " x " + vector.count();
      case SharedVariable array -> array.number() + ": " + array.element() + " x " + array.length();
      default -> attribute.toString();
    };
  }

  private String names(List<? extends Value> list) {
    return list.stream().map(this::name).collect(Collectors.joining(", "));
  }

  private String name(Value value) {
    if (value instanceof Constant constant) {
      return constant.toString();
    }
    return "%" + values.computeIfAbsent(value, it -> values.size());
  }

  private static String type(Type type) {
    return type.name().toLowerCase(java.util.Locale.ROOT);
  }
}
