package dev.stretto.kernel.host;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.StackInstruction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the calls of a method that stand in a loop, and those that only read a value. */
final class LoopedCalls {
  /** The instructions from the target of a backward branch up to the branch. */
  private record Loop(int from, int to) {}

  private final List<Instruction> instructions = new ArrayList<>();
  private final List<Loop> loops = new ArrayList<>();

  LoopedCalls(CodeModel code) {
    Map<Label, Integer> labels = new HashMap<>();
    for (CodeElement element : code) {
      if (element instanceof LabelTarget target) {
        labels.put(target.label(), instructions.size());
      } else if (element instanceof Instruction instruction) {
        instructions.add(instruction);
        if (instruction instanceof BranchInstruction branch) {
          Integer back = labels.get(branch.target());
          if (back != null) {
            loops.add(new Loop(back, instructions.size()));
          }
        }
      }
    }
  }

  /** All instructions of the method. */
  List<Instruction> instructions() {
    return instructions;
  }

  /** Whether the instruction with a number stands in a loop. */
  boolean repeats(int at) {
    return loops.stream().anyMatch(loop -> loop.from <= at && at < loop.to);
  }

  /**
   * Whether an atomic operation can serve only to read a value: its result is used, and it writes a
   * constant. Code that counts or takes a ticket adds something other than 0, and code that folds
   * values writes a computed value. A fence also counts as such.
   */
  boolean asksOnly(InvokeInstruction call, int at) {
    if (call.name().equalsString("fence")) {
      return true;
    }
    if (at < 1 || at + 1 >= instructions.size() || isDropped(instructions.get(at + 1))) {
      return false;
    }
    int before = at - 1;
    if (instructions.get(before) instanceof FieldInstruction scope
        && scope.opcode() == Opcode.GETSTATIC
        && scope.owner().asInternalName().endsWith("/Scope")) {
      before--;
    }
    return before >= 0
        && instructions.get(before) instanceof ConstantInstruction value
        && (!call.name().equalsString("add") || isZero(value));
  }

  private static boolean isDropped(Instruction next) {
    return next instanceof StackInstruction stack
        && (stack.opcode() == Opcode.POP || stack.opcode() == Opcode.POP2);
  }

  private static boolean isZero(ConstantInstruction value) {
    return value.constantValue() instanceof Number number && number.doubleValue() == 0;
  }
}
