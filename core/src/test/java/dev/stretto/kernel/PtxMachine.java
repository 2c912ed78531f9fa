package dev.stretto.kernel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A thread that runs a few instructions of PTX, one at a time: those that the substitutes for
 * compute capability 7.5 consist of. What it does not know, it refuses.
 */
final class PtxMachine {
  /** Bytes that all threads share. */
  static final class Memory {
    private final Map<Long, Integer> bytes = new HashMap<>();

    int getByte(long at) {
      return bytes.getOrDefault(at, 0);
    }

    void setByte(long at, int value) {
      bytes.put(at, value & 0xFF);
    }

    private long get(long at) {
      long value = 0;
      for (int i = 7; i >= 0; i--) {
        value = (value << 8) | getByte(at + i);
      }
      return value;
    }

    private void set(long at, long value) {
      for (int i = 0; i < 8; i++) {
        setByte(at + i, (int) (value >>> (8 * i)));
      }
    }
  }

  private final List<String> lines = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();
  private final Map<String, Long> registers = new HashMap<>();
  private final Memory memory;
  private int next;

  PtxMachine(String text, Memory memory) {
    this.memory = memory;
    for (String line : text.lines().map(String::strip).toList()) {
      if (line.endsWith(":")) {
        labels.put(line.substring(0, line.length() - 1), lines.size());
      } else if (!line.isEmpty() && !line.startsWith(".reg") && line.length() > 1) {
        lines.add(line.replace(";", ""));
      }
    }
  }

  void set(String register, long value) {
    registers.put(register, value);
  }

  long get(String register) {
    return registers.get(register);
  }

  void runToEnd() {
    for (int steps = 0; step(); steps++) {
      if (steps > 10_000) {
        throw new AssertionError("it runs forever");
      }
    }
  }

  /** {@return whether there was an instruction left, which it has done} */
  boolean step() {
    if (next == lines.size()) {
      return false;
    }
    String line = lines.get(next++);
    if (line.startsWith("@")) {
      int space = line.indexOf(' ');
      if (get(line.substring(1, space)) == 0) {
        return true;
      }
      line = line.substring(space + 1);
    }
    int space = line.indexOf(' ');
    run(line.substring(0, space), operands(line.substring(space + 1)));
    return true;
  }

  /** Split at the commas that are not within braces. */
  private static String[] operands(String text) {
    return text.split(", (?![^{]*\\})", -1);
  }

  private long value(String operand) {
    if (operand.startsWith("{")) {
      String[] halves = operand.substring(1, operand.length() - 1).split(", ", -1);
      return (value(halves[0]) & 0xFFFFFFFFL) | (value(halves[1]) << 32);
    }
    if (Character.isDigit(operand.charAt(0))) {
      return Long.decode(operand);
    }
    return get(operand);
  }

  private void put(String operand, long value) {
    if (operand.startsWith("{")) {
      String[] halves = operand.substring(1, operand.length() - 1).split(", ", -1);
      registers.put(halves[0], value & 0xFFFFFFFFL);
      registers.put(halves[1], value >>> 32);
    } else {
      registers.put(operand, value);
    }
  }

  private long address(String operand) {
    String within = operand.substring(1, operand.length() - 1);
    return within.startsWith("$0[1") ? 64 : value(within);
  }

  private void run(String what, String[] of) {
    long mask = what.endsWith("64") ? -1 : 0xFFFFFFFFL;
    switch (what) {
      case "bra" -> next = labels.get(of[0]);
      case "mov.b32" -> put(of[0], value(of[1]) & mask);
      case "mov.b64" -> put(of[0], value(of[1]));
      case "add.s32", "add.s64" -> put(of[0], value(of[1]) + value(of[2]) & mask);
      case "sub.s32" -> put(of[0], value(of[1]) - value(of[2]) & mask);
      case "and.b32" -> put(of[0], value(of[1]) & value(of[2]));
      case "or.b32" -> put(of[0], value(of[1]) | value(of[2]));
      case "xor.b32", "xor.b64" -> put(of[0], value(of[1]) ^ value(of[2]));
      case "shr.u32", "shr.u64" -> put(of[0], value(of[1]) >>> value(of[2]));
      case "bfe.u32" -> put(of[0], (value(of[1]) >>> value(of[2])) & ((1L << value(of[3])) - 1));
      case "cvt.u32.u64" -> put(of[0], value(of[1]) & 0xFFFFFFFFL);
      case "selp.b32" -> put(of[0], value(of[3]) != 0 ? value(of[1]) : value(of[2]));
      case "setp.eq.s32" -> put(of[0], value(of[1]) == value(of[2]) ? 1 : 0);
      case "setp.ne.s32", "setp.ne.s64" -> put(of[0], value(of[1]) != value(of[2]) ? 1 : 0);
      case "setp.lt.s32" -> put(of[0], (int) value(of[1]) < (int) value(of[2]) ? 1 : 0);
      case "setp.lt.s64" -> put(of[0], value(of[1]) < value(of[2]) ? 1 : 0);
      case "setp.num.f32" ->
          put(of[0], Float.isNaN(Float.intBitsToFloat((int) value(of[1]))) ? 0 : 1);
      case "ld.volatile.shared.b64", "ld.acquire.cta.shared.b64" ->
          put(of[0], memory.get(address(of[1])));
      case "st.shared.b64" -> memory.set(address(of[0]), value(of[1]));
      case "ld.global.u8" -> put(of[0], memory.getByte(address(of[1])));
      case "st.shared.u8" -> memory.setByte(address(of[0]), (int) value(of[1]));
      case "atom.acq_rel.cta.shared.cas.b64" -> {
        long at = address(of[1]);
        long old = memory.get(at);
        if (old == value(of[2])) {
          memory.set(at, value(of[3]));
        }
        put(of[0], old);
      }
      default -> throw new AssertionError("what does " + what + " do?");
    }
  }
}
