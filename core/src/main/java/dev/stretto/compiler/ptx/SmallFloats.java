package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Type;

/** Writes the rounding of floats to 16 bits. */
final class SmallFloats {
  private static final int FIRST_WITH_BFLOAT16 = 80;

  private final StringBuilder out;
  private final Registers registers;
  private final int sm;

  SmallFloats(StringBuilder out, Registers registers, int sm) {
    this.out = out;
    this.registers = registers;
    this.sm = sm;
  }

  private void line(String instruction, String... operands) {
    out.append('\t').append(instruction).append(' ').append(String.join(", ", operands));
    out.append(";\n");
  }

  /**
   * {@return the register of 16 bits that holds a float, rounded}
   *
   * @param element the form of the 16 bits
   * @param value the register or literal of the float
   */
  String of(Element element, String value) {
    String half = registers.freshHalf();
    if (element == Element.F16) {
      line("cvt.rn.f16.f32", half, value);
    } else if (sm >= FIRST_WITH_BFLOAT16) {
      line("cvt.rn.bf16.f32", half, value);
    } else {
      bfloat16(half, value);
    }
    return half;
  }

  /** To the nearest, ties to even; NaN becomes the one that the instruction gives. */
  private void bfloat16(String half, String value) {
    String number = registers.fresh(Type.FLOAT);
    String bits = registers.fresh(Type.INT);
    String up = registers.fresh(Type.INT);
    String isNumber = registers.fresh(Type.BOOL);
    line("mov.f32", number, value);
    line("mov.b32", bits, number);
    line("bfe.u32", up, bits, "16", "1");
    line("add.s32", up, up, "0x7FFF");
    line("add.s32", bits, bits, up);
    line("shr.u32", bits, bits, "16");
    line("setp.num.f32", isNumber, number, number);
    line("selp.b32", bits, bits, "0x7FFF", isNumber);
    line("cvt.u16.u32", half, bits);
  }
}
