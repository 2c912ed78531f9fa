package dev.stretto.compiler.classfile;

import java.lang.classfile.Attributes;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A method's instructions by number, with what the class file says about them. */
final class MethodBody {
  private final List<Instruction> instructions = new ArrayList<>();
  private final List<Integer> lines = new ArrayList<>();
  private final Map<Label, Integer> places = new HashMap<>();
  private final Map<Integer, StackMapFrameInfo> frames = new HashMap<>();
  private final Map<Integer, Integer> stores = new HashMap<>();
  private final int maxLocals;
  private final List<ExceptionCatch> catches = new ArrayList<>();
  private final int returns;

  private MethodBody(CodeModel code) {
    int line = 0;
    int ends = 0;
    for (CodeElement element : code) {
      switch (element) {
        case LabelTarget target -> places.put(target.label(), instructions.size());
        case LineNumber number -> line = number.line();
        case ExceptionCatch handler -> catches.add(handler);
        case Instruction instruction -> {
          instructions.add(instruction);
          lines.add(line);
          switch (instruction) {
            case StoreInstruction store -> stores.merge(store.slot(), 1, Integer::sum);
            case IncrementInstruction increment -> stores.merge(increment.slot(), 1, Integer::sum);
            case ReturnInstruction _ -> ends++;
            default -> {}
          }
        }
        default -> {}
      }
    }
    this.returns = ends;
    this.maxLocals = code instanceof CodeAttribute attribute ? attribute.maxLocals() : 0;
    if (code instanceof CodeAttribute attribute) {
      attribute
          .findAttribute(Attributes.stackMapTable())
          .ifPresent(
              table -> table.entries().forEach(entry -> frames.put(place(entry.target()), entry)));
    }
  }

  /** {@return the body of a method, or null for an abstract or a native one} */
  static @Nullable MethodBody of(MethodModel method) {
    return method.code().map(MethodBody::new).orElse(null);
  }

  Instruction instruction(int number) {
    return instructions.get(number);
  }

  int size() {
    return instructions.size();
  }

  int line(int number) {
    return lines.get(number);
  }

  /** The number of the instruction that a label stands before. */
  int place(Label label) {
    Integer place = places.get(label);
    if (place == null) {
      throw new IllegalStateException("a label that stands nowhere");
    }
    return place;
  }

  @Nullable StackMapFrameInfo frame(int number) {
    return frames.get(number);
  }

  /** How many instructions assign a local variable. */
  int stores(int slot) {
    return stores.getOrDefault(slot, 0);
  }

  int maxLocals() {
    return maxLocals;
  }

  /** The first instruction whose exceptions the source code catches; -1 if there is none. */
  int caught() {
    for (ExceptionCatch handler : catches) {
      if (!isOfPattern(place(handler.handler()))) {
        return place(handler.tryStart());
      }
    }
    return -1;
  }

  /**
   * Whether the handler belongs to a record pattern: the Java compiler wraps exceptions of the
   * accessors that the pattern calls.
   */
  private boolean isOfPattern(int handler) {
    return instructions.stream()
        .skip(handler)
        .limit(2)
        .anyMatch(
            it ->
                it instanceof NewObjectInstruction made
                    && made.className().asInternalName().equals("java/lang/MatchException"));
  }

  /** The number of return instructions. */
  int returns() {
    return returns;
  }
}
