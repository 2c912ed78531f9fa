package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The arrays of a module that lie in constant memory, and reads of them. */
final class ConstantMemory {
  /** Its bytes are a part of an instruction. */
  private static final int MOST_MORE = 1 << 16;

  private final StringBuilder out;
  private final Registers registers;
  private final String prefix;
  private final Map<ConstantArray, String> names = new LinkedHashMap<>();

  /**
   * Creates the constant memory of a module.
   *
   * @param kernel the name of the kernel, which is unique in a module
   */
  ConstantMemory(StringBuilder out, Registers registers, String kernel) {
    this.out = out;
    this.registers = registers;
    this.prefix = kernel;
  }

  /**
   * An index, and a constant that is added to it: neighbours then share an address. An index within
   * the array is such a sum without wrapping, since the array and the constant are small.
   */
  private record Place(Value index, int more) {
    static Place of(Value index) {
      return index instanceof Op op
              && op.code() == OpCode.ADD
              && op.operand(1) instanceof Constant more
              && Math.abs(more.asLong()) < MOST_MORE
          ? new Place(op.operand(0), more.asInt())
          : new Place(index, 0);
    }
  }

  void read(Op op) {
    ConstantArray array = op.attribute(ConstantArray.class);
    String next = prefix + "_" + array.name().replaceAll("[^A-Za-z0-9_]", "_") + names.size();
    String name = names.computeIfAbsent(array, _ -> next);
    int bytes = array.element().bytes();
    String address;
    if (op.operand(0) instanceof Constant index) {
      address = name + "+" + (long) index.asInt() * bytes;
    } else {
      Place at = Place.of(op.operand(0));
      String base = registers.fresh(Type.LONG);
      String place = registers.fresh(Type.LONG);
      line("mov.u64 " + base + ", " + name);
      line("mul.wide.s32 " + place + ", " + registers.operand(at.index) + ", " + bytes);
      line("add.s64 " + place + ", " + base + ", " + place);
      address = at.more == 0 ? place : place + "+" + at.more * bytes;
    }
    line("ld.const." + array.element().ptx() + " " + registers.of(op) + ", [" + address + "]");
  }

  private void line(String text) {
    out.append('\t').append(text).append(";\n");
  }

  String declarations() {
    StringBuilder all = new StringBuilder();
    names.forEach(
        (array, name) -> {
          List<String> numbers = new ArrayList<>();
          for (int i = 0; i < array.length(); i++) {
            numbers.add(number(array.element(), array.get(i)));
          }
          all.append(".const .align ").append(array.element().bytes());
          all.append(" .").append(type(array.element())).append(' ').append(name);
          all.append('[').append(array.length()).append("] = {");
          all.append(String.join(", ", numbers)).append("};\n");
        });
    return all.toString();
  }

  private static String type(Element element) {
    return switch (element.type()) {
      case FLOAT -> "f32";
      case DOUBLE -> "f64";
      default -> "b" + 8 * element.bytes();
    };
  }

  /** Without a sign: an assembler may not take one for bits. */
  private static String number(Element element, Constant value) {
    return switch (element) {
      case I8, U8 -> String.valueOf(value.asInt() & 0xff);
      case I16, U16 -> String.valueOf(value.asInt() & 0xffff);
      case I32 -> Integer.toUnsignedString(value.asInt());
      case I64 -> Long.toUnsignedString(value.asLong()) + "U";
      default -> Registers.literal(value);
    };
  }
}
