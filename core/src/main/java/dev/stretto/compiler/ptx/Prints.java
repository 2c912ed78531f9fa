package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes lines of text from the device: the driver's own function prints them to standard output.
 */
final class Prints {
  private final StringBuilder out;
  private final Registers registers;
  private final List<String> formats = new ArrayList<>();

  Prints(StringBuilder out, Registers registers) {
    this.out = out;
    this.registers = registers;
  }

  void write(Op op) {
    Type type = op.operand(0).type();
    int number = formats.size();
    String label = op.words().replace("%", "%%");
    formats.add(
        label
            + switch (type) {
              case INT -> ": %d\n";
              case LONG -> ": %lld\n";
              default -> ": %g\n";
            });
    String value = registers.operand(op.operand(0));
    out.append("\t{\n\t.param .b64 format;\n\t.param .b64 arguments;\n\t.param .b32 result;\n");
    out.append("\t.reg .b64 %text, %depot;\n\t.reg .f64 %wide;\n");
    if (type == Type.FLOAT) {
      out.append("\tcvt.f64.f32 %wide, ").append(value).append(";\n");
      value = "%wide";
    }
    out.append("\tst.local.").append(type == Type.INT ? "b32" : type == Type.LONG ? "b64" : "f64");
    out.append(" [printed], ").append(value).append(";\n");
    out.append("\tmov.u64 %text, text").append(number).append(";\n");
    out.append("\tcvta.global.u64 %text, %text;\n\tmov.u64 %depot, printed;\n");
    out.append("\tcvta.local.u64 %depot, %depot;\n");
    out.append("\tst.param.b64 [format], %text;\n\tst.param.b64 [arguments], %depot;\n");
    out.append("\tcall.uni (result), vprintf, (format, arguments);\n\t}\n");
  }

  String globals() {
    if (formats.isEmpty()) {
      return "";
    }
    StringBuilder text =
        new StringBuilder(
            ".extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64"
                + " arguments);\n");
    for (int i = 0; i < formats.size(); i++) {
      byte[] bytes = (formats.get(i) + "\0").getBytes(StandardCharsets.UTF_8);
      List<String> numbers = new ArrayList<>();
      for (byte one : bytes) {
        numbers.add(String.valueOf(one & 0xff));
      }
      text.append(".global .align 1 .b8 text").append(i).append('[').append(bytes.length);
      text.append("] = {").append(String.join(", ", numbers)).append("};\n");
    }
    return text.append('\n').toString();
  }

  String locals() {
    return formats.isEmpty() ? "" : "\t.local .align 8 .b8 printed[8];\n";
  }
}
