package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.ir.Vector;
import java.util.ArrayList;
import java.util.List;

/** Writes loads, stores and the addresses that they use. */
final class MemoryOperations {
  private final StringBuilder out;
  private final Registers registers;
  private final ClusterAddresses cluster;
  private final SmallFloats smallFloats;
  private final Table<Op, List<String>> results = new Table<>();

  MemoryOperations(
      StringBuilder out, Registers registers, ClusterAddresses cluster, SmallFloats smallFloats) {
    this.smallFloats = smallFloats;
    this.out = out;
    this.registers = registers;
    this.cluster = cluster;
  }

  /** Notes the registers of an operation with several results. */
  void results(Op op, List<String> names) {
    results.put(op, names);
  }

  String result(Op op, int index) {
    return results.get(op).get(index);
  }

  void write(Op op) {
    switch (op.code()) {
      case LOAD -> load(op);
      case STORE -> store(op);
      case LOAD_VECTOR -> loadVector(op);
      case STORE_VECTOR -> storeVector(op);
      case ELEMENT -> element(op);
      case CLUSTER_ADDRESS ->
          line(
              "mapa.shared::cluster.u32",
              registers.of(op),
              registers.operand(op.operand(0)),
              registers.operand(op.operand(1)));
      default ->
          line(
              op.type() == Type.SHARED ? "add.s32" : "add.s64",
              registers.of(op),
              registers.operand(op.operand(0)),
              registers.operand(op.operand(1)));
    }
  }

  private void line(String instruction, String... operands) {
    out.append('\t').append(instruction).append(' ').append(String.join(", ", operands));
    out.append(";\n");
  }

  /** An address as written between the brackets. */
  String address(Value value) {
    if (PtxWriter.isAddressSum(value)) {
      Op sum = (Op) value;
      long offset = ((Constant) sum.operand(1)).asLong();
      if (offset == (int) offset) {
        String base = address(sum.operand(0));
        return base.contains("+") ? registers.of(value) : base + "+" + offset;
      }
    }
    return registers.of(value);
  }

  private String space(Value address) {
    return address.type() == Type.GLOBAL ? "global" : cluster.space(address);
  }

  private void element(Op op) {
    int bytes = op.count();
    Value index = op.operand(1);
    String base = registers.operand(op.operand(0));
    int shift = Integer.numberOfTrailingZeros(bytes);
    if (op.type() == Type.SHARED) {
      String scaled = registers.operand(index);
      if (shift > 0) {
        scaled = registers.fresh(Type.INT);
        line("shl.b32", scaled, registers.operand(index), String.valueOf(shift));
      }
      line("add.s32", registers.of(op), base, scaled);
      return;
    }
    String scaled = registers.fresh(Type.LONG);
    if (index instanceof Op convert
        && convert.code() == OpCode.CONVERT
        && convert.operand(0).type() == Type.INT) {
      line("mul.wide.s32", scaled, registers.operand(convert.operand(0)), String.valueOf(bytes));
    } else if (shift > 0) {
      line("shl.b64", scaled, registers.operand(index), String.valueOf(shift));
    } else {
      scaled = registers.operand(index);
    }
    line("add.s64", registers.of(op), base, scaled);
  }

  private void load(Op op) {
    Element element = op.attribute(Element.class);
    String from = "[" + address(op.operand(0)) + "]";
    String what = "ld." + space(op.operand(0)) + ".";
    switch (element) {
      case F16 -> {
        String half = registers.freshHalf();
        line(what + "b16", half, from);
        line("cvt.f32.f16", registers.of(op), half);
      }
      case BF16 -> {
        String bits = registers.fresh(Type.INT);
        line(what + "u16", bits, from);
        line("shl.b32", bits, bits, "16");
        line("mov.b32", registers.of(op), bits);
      }
      default -> line(what + element.ptx(), registers.of(op), from);
    }
  }

  private void store(Op op) {
    Element element = op.attribute(Element.class);
    String to = "[" + address(op.operand(0)) + "]";
    String what = "st." + space(op.operand(0)) + ".";
    String value = registers.operand(op.operand(1));
    switch (element) {
      case F16, BF16 -> line(what + "b16", to, smallFloats.of(element, value));
      case I8, U8 -> line(what + "u8", to, inRegister(op.operand(1)));
      case I16, U16 -> line(what + "u16", to, inRegister(op.operand(1)));
      default -> line(what + element.ptx(), to, value);
    }
  }

  private String inRegister(Value value) {
    if (!(value instanceof Constant constant)) {
      return registers.of(value);
    }
    String register = registers.fresh(Type.INT);
    line("mov.b32", register, Registers.literal(constant));
    return register;
  }

  private void loadVector(Op op) {
    Vector vector = op.attribute(Vector.class);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < vector.count(); i++) {
      names.add(registers.fresh(vector.element().type()));
    }
    results(op, names);
    line(
        "ld." + space(op.operand(0)) + ".v" + vector.count() + "." + vector.element().ptx(),
        "{" + String.join(", ", names) + "}",
        "[" + address(op.operand(0)) + "]");
  }

  private void storeVector(Op op) {
    Vector vector = op.attribute(Vector.class);
    List<String> names = new ArrayList<>();
    for (Value value : op.operands().subList(1, op.size())) {
      names.add(registers.operand(value));
    }
    line(
        "st." + space(op.operand(0)) + ".v" + vector.count() + "." + vector.element().ptx(),
        "[" + address(op.operand(0)) + "]",
        "{" + String.join(", ", names) + "}");
  }
}
