package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes how a check ends a kernel: the first thread to fail writes the place and the numbers into
 * memory that the host sees, and then fails as CUDA would: an assertion fails, an index out of
 * bounds is an illegal address, a wrong alignment a misaligned one, anything else a trap. Threads
 * that fail later wait for that, since the first failure decides the code that the driver returns.
 *
 * <p>The record: an int that says whether it is taken, an int for the place, three ints for the
 * block, three for the thread, and four longs.
 */
final class Faults {
  private static final int MOST_NUMBERS = 4;

  /** How the first thread to fail stops the kernel. */
  private enum End {
    TRAP,
    ASSERTION,
    ILLEGAL_ADDRESS,
    MISALIGNED_ADDRESS;

    static End of(Trap trap) {
      return switch (trap.kind()) {
        case ASSERTION -> ASSERTION;
        case INDEX, SLICE -> ILLEGAL_ADDRESS;
        case ALIGNMENT -> MISALIGNED_ADDRESS;
        case DIVISION, RANGE -> TRAP;
      };
    }
  }

  private final StringBuilder out;
  private final Registers registers;
  private final List<FaultSite> sites = new ArrayList<>();
  private final List<List<Value>> numbers = new ArrayList<>();
  private final Set<End> ends = EnumSet.noneOf(End.class);
  private final Texts texts;

  Faults(StringBuilder out, Registers registers, Texts texts) {
    this.out = out;
    this.registers = registers;
    this.texts = texts;
  }

  /** {@return the declaration of the function that an assertion that fails calls} */
  String externals() {
    return ends.contains(End.ASSERTION)
        ? ".extern .func __assertfail (.param .b64 message, .param .b64 file, .param .b32 line,"
            + " .param .b64 function, .param .b64 width);\n"
        : "";
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
    ends.add(End.of(trap));
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
    String how = registers.fresh(Type.INT);
    Assertion assertion = ends.contains(End.ASSERTION) ? new Assertion() : null;
    List<String> slots = new ArrayList<>();
    for (int i = 0; i < MOST_NUMBERS; i++) {
      slots.add(registers.fresh(Type.LONG));
    }
    for (int i = 0; i < sites.size(); i++) {
      out.append("$F").append(i).append(":\n\tmov.u32 ").append(which).append(", ").append(i);
      out.append(";\n");
      FaultSite site = sites.get(i);
      line("mov.u32 " + how + ", " + End.of(site.trap()).ordinal());
      if (assertion != null && End.of(site.trap()) == End.ASSERTION) {
        assertion.at(site);
      }
      List<Value> values = numbers.get(i);
      for (int k = 0; k < MOST_NUMBERS; k++) {
        number(slots.get(k), k < values.size() ? values.get(k) : null);
      }
      out.append("\tbra $FAIL;\n");
    }
    String record = report(parameter, which, slots);
    fail(how, record, assertion);
  }

  /** Fails in the way that the site has chosen; the record is written. */
  private void fail(String how, String record, @Nullable Assertion assertion) {
    String chosen = registers.fresh(Type.BOOL);
    String nowhere = registers.fresh(Type.LONG);
    line("mov.u64 " + nowhere + ", 0");
    for (End end : ends) {
      if (end != End.TRAP) {
        line("setp.eq.s32 " + chosen + ", " + how + ", " + end.ordinal());
        line("@" + chosen + " bra $" + end);
      }
    }
    line("trap");
    line("exit");
    wrong(End.ILLEGAL_ADDRESS, "st.volatile.global.u32 [" + nowhere + "], 0");
    // The record's memory is there, so that nothing but the alignment is wrong; a store could tear
    // what the record says.
    wrong(End.MISALIGNED_ADDRESS, "ld.volatile.global.u32 " + how + ", [" + record + "+1]");
    if (assertion != null) {
      assertion.fail();
    }
    out.append("$WAIT:\n");
    line("nanosleep.u32 1000");
    line("bra $WAIT");
  }

  /** Fails by an access of four bytes to an address where that is wrong. */
  private void wrong(End end, String access) {
    if (ends.contains(end)) {
      out.append("$").append(end).append(":\n");
      line(access);
      line("trap");
      line("exit");
    }
  }

  /** The call of CUDA's own function, which prints the place and stops the kernel. */
  private final class Assertion {
    private final String message = registers.fresh(Type.LONG);
    private final String file = registers.fresh(Type.LONG);
    private final String line = registers.fresh(Type.INT);
    private final String function = registers.fresh(Type.LONG);

    /** Sets the arguments for a site. */
    void at(FaultSite site) {
      text(message, site.trap().message());
      text(file, site.file());
      line("mov.u32 " + line + ", " + site.line());
      text(function, site.method());
    }

    private void text(String register, String text) {
      line("mov.u64 " + register + ", " + texts.name(text));
      line("cvta.global.u64 " + register + ", " + register);
    }

    void fail() {
      out.append("$").append(End.ASSERTION).append(":\n\t{\n");
      line(".param .b64 message");
      line(".param .b64 file");
      line(".param .b32 line");
      line(".param .b64 function");
      line(".param .b64 width");
      line("st.param.b64 [message], " + message);
      line("st.param.b64 [file], " + file);
      line("st.param.b32 [line], " + line);
      line("st.param.b64 [function], " + function);
      line("st.param.b64 [width], 1");
      line("call.uni __assertfail, (message, file, line, function, width)");
      out.append("\t}\n");
      line("trap");
      line("exit");
    }
  }

  private void number(String slot, @Nullable Value value) {
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

  /** {@return the register with the record's address} */
  private String report(String parameter, String which, List<String> slots) {
    String record = registers.fresh(Type.LONG);
    String taken = registers.fresh(Type.INT);
    String free = registers.fresh(Type.BOOL);
    String number = registers.fresh(Type.INT);
    out.append("$FAIL:\n");
    line("ld.param.u64 " + record + ", [" + parameter + "]");
    line("cvta.to.global.u64 " + record + ", " + record);
    line("atom.global.sys.cas.b32 " + taken + ", [" + record + "], 0, 1");
    line("setp.ne.s32 " + free + ", " + taken + ", 0");
    out.append("\t@").append(free).append(" bra $WAIT;\n");
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
    return record;
  }

  private void line(String text) {
    out.append('\t').append(text).append(";\n");
  }
}
