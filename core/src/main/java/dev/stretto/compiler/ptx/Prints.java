package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Type;

/**
 * Writes lines of text from the device: the driver's own function prints them to standard output.
 */
final class Prints {
  private final StringBuilder out;
  private final Registers registers;
  private final Texts texts;
  private boolean used;

  Prints(StringBuilder out, Registers registers, Texts texts) {
    this.out = out;
    this.registers = registers;
    this.texts = texts;
  }

  void write(Op op) {
    Type type = op.operand(0).type();
    used = true;
    String label = op.words().replace("%", "%%");
    String format =
        label
            + switch (type) {
              case INT -> ": %d\n";
              case LONG -> ": %lld\n";
              default -> ": %g\n";
            };
    String value = registers.operand(op.operand(0));
    out.append("\t{\n\t.param .b64 format;\n\t.param .b64 arguments;\n\t.param .b32 result;\n");
    out.append("\t.reg .b64 %text, %depot;\n\t.reg .f64 %wide;\n");
    if (type == Type.FLOAT) {
      out.append("\tcvt.f64.f32 %wide, ").append(value).append(";\n");
      value = "%wide";
    }
    out.append("\tst.local.").append(type == Type.INT ? "b32" : type == Type.LONG ? "b64" : "f64");
    out.append(" [printed], ").append(value).append(";\n");
    out.append("\tmov.u64 %text, ").append(texts.name(format)).append(";\n");
    out.append("\tcvta.global.u64 %text, %text;\n\tmov.u64 %depot, printed;\n");
    out.append("\tcvta.local.u64 %depot, %depot;\n");
    out.append("\tst.param.b64 [format], %text;\n\tst.param.b64 [arguments], %depot;\n");
    out.append("\tcall.uni (result), vprintf, (format, arguments);\n\t}\n");
  }

  /** {@return the declaration of the function that prints} */
  String externals() {
    return used
        ? ".extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64"
            + " arguments);\n"
        : "";
  }

  String locals() {
    return used ? "\t.local .align 8 .b8 printed[8];\n" : "";
  }
}
