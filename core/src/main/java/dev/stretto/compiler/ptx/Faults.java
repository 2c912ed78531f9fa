package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes how a check ends a kernel: the first thread to fail writes the place and the numbers into
 * memory that the host sees, and every thread that fails stops the kernel.
 *
 * <p>The record: an int that says whether it is taken, an int for the place, three ints for the
 * block, three for the thread, and four longs.
 */
final class Faults {
  private static final int MOST_NUMBERS = 4;

  private final StringBuilder out;
  private final Registers registers;
  private final List<FaultSite> sites = new ArrayList<>();
  private final List<List<Value>> numbers = new ArrayList<>();

  Faults(StringBuilder out, Registers registers) {
    this.out = out;
    this.registers = registers;
  }

  boolean isUsed() {
    return !sites.isEmpty();
  }

  List<FaultSite> sites() {
    return List.copyOf(sites);
  }

  private int site(Trap trap, Line line, List<Value> values) {
    sites.add(new FaultSite(trap, line.file(), line.number(), line.method()));
    numbers.add(values);
    return sites.size() - 1;
  }

  void unless(String condition, Trap trap, Line line, List<Value> values) {
    int site = site(trap, line, values);
    out.append("\t@!").append(condition).append(" bra $F").append(site).append(";\n");
  }

  void always(Trap trap, Line line) {
    out.append("\tbra $F").append(site(trap, line, List.of())).append(";\n");
  }

  void end(String parameter) {
    if (!isUsed()) {
      return;
    }
    String which = registers.fresh(Type.INT);
    List<String> slots = new ArrayList<>();
    for (int i = 0; i < MOST_NUMBERS; i++) {
      slots.add(registers.fresh(Type.LONG));
    }
    for (int i = 0; i < sites.size(); i++) {
      out.append("$F").append(i).append(":\n\tmov.u32 ").append(which).append(", ").append(i);
      out.append(";\n");
      List<Value> values = numbers.get(i);
      for (int k = 0; k < MOST_NUMBERS; k++) {
        number(slots.get(k), k < values.size() ? values.get(k) : null);
      }
      out.append("\tbra $FAIL;\n");
    }
    report(parameter, which, slots);
  }

  private void number(String slot, @org.jspecify.annotations.Nullable Value value) {
    if (value == null) {
      out.append("\tmov.b64 ").append(slot).append(", 0;\n");
    } else if (value.type() == Type.INT && !PtxWriter.isConstant(value)) {
      out.append("\tcvt.s64.s32 ").append(slot).append(", ");
      out.append(registers.operand(value)).append(";\n");
    } else {
      out.append("\tmov.b64 ").append(slot).append(", ");
      out.append(registers.operand(value)).append(";\n");
    }
  }

  private void report(String parameter, String which, List<String> slots) {
    String record = registers.fresh(Type.LONG);
    String taken = registers.fresh(Type.INT);
    String free = registers.fresh(Type.BOOL);
    String number = registers.fresh(Type.INT);
    out.append("$FAIL:\n");
    line("ld.param.u64 " + record + ", [" + parameter + "]");
    line("cvta.to.global.u64 " + record + ", " + record);
    line("atom.global.sys.cas.b32 " + taken + ", [" + record + "], 0, 1");
    line("setp.ne.s32 " + free + ", " + taken + ", 0");
    out.append("\t@").append(free).append(" bra $TRAP;\n");
    line("st.volatile.global.u32 [" + record + "+4], " + which);
    int at = 8;
    for (String special : List.of("%ctaid", "%tid")) {
      for (String axis : List.of(".x", ".y", ".z")) {
        line("mov.u32 " + number + ", " + special + axis);
        line("st.volatile.global.u32 [" + record + "+" + at + "], " + number);
        at += 4;
      }
    }
    for (String slot : slots) {
      line("st.volatile.global.u64 [" + record + "+" + at + "], " + slot);
      at += 8;
    }
    line("membar.sys");
    out.append("$TRAP:\n");
    line("trap");
    line("exit");
  }

  private void line(String text) {
    out.append('\t').append(text).append(";\n");
  }
}
