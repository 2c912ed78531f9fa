package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.fault.KernelRefusedException;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates one method from instructions to operations. The blocks are those of the class file; a
 * block that jumps lead to takes as parameters the locals and the stack of its stack map frame.
 */
final class Translator {
  /** A block of instructions, and what is known at its beginning. */
  private record Start(Block block, Frame frame) {}

  private final Site site;
  private final Builder builder;
  private final ClassFiles.Method method;
  private final MethodBody body;
  private final @Nullable Line caller;
  private final String file;
  private final Instructions instructions;
  private final Comparisons comparisons;
  private final Map<Integer, Start> starts = new HashMap<>();
  private final PriorityQueue<Integer> reached = new PriorityQueue<>();
  private final Set<Integer> begun = new HashSet<>();
  private final Frame entry;

  /** The block that returns lead to, with the result; null if there is at most one return. */
  private final @Nullable Block after;

  private @Nullable Block returned;
  private @Nullable Value result;

  /** Prepares a translation. */
  Translator(
      Calls calls,
      ClassFiles.Method method,
      MethodBody body,
      List<Value> arguments,
      @Nullable Line caller) {
    this.site = calls.site();
    this.builder = site.builder();
    this.method = method;
    this.body = body;
    this.caller = caller;
    this.file = sourceFile(method);
    this.comparisons = new Comparisons(builder);
    this.instructions = new Instructions(calls, comparisons);
    this.entry = Frame.ofArguments(body.maxLocals(), arguments);
    Type type = Site.type(method.model().methodTypeSymbol().returnType());
    if (body.returns() > 1) {
      after = new Block();
      if (type != Type.VOID) {
        result = after.param(type);
      }
    } else {
      after = null;
    }
  }

  static String sourceFile(ClassFiles.Method method) {
    return method
        .owner()
        .findAttribute(java.lang.classfile.Attributes.sourceFile())
        .map(attribute -> attribute.sourceFile().stringValue())
        .orElse(method.owner().thisClass().asInternalName());
  }

  /**
   * Adds the method's operations and leaves the builder after them. The result is null for void.
   */
  @Nullable Value run() {
    builder.line(line(0));
    int caught = body.caught();
    if (caught > 0 && body.instruction(caught - 1) instanceof MonitorInstruction) {
      builder.line(line(caught - 1));
      throw Instructions.locks(site);
    }
    if (caught >= 0) {
      builder.line(line(caught));
      throw site.refuse(
          "a kernel cannot catch exceptions (try, catch, finally)",
          "check with `if` first, and write what went wrong into an array");
    }
    if (body.frame(0) != null) {
      Block first = new Block();
      builder.jump(first, enter(0, entry, first));
      starts.put(0, new Start(first, frameAt(0, first, entry)));
      reached.add(0);
    } else {
      starts.put(0, new Start(builder.block(), entry));
      reached.add(0);
    }
    while (!reached.isEmpty()) {
      int start = reached.remove();
      if (begun.add(start)) {
        block(start);
      }
    }
    Block end = after != null ? after : returned;
    if (end == null) {
      // The method never returns: the code after it is unreachable, but must be somewhere.
      end = new Block();
      Type type = Site.type(method.model().methodTypeSymbol().returnType());
      result =
          type == Type.VOID
              ? null
              : type == Type.REF ? Constant.ofObject("nothing") : Constant.zero(type);
    }
    builder.at(end);
    return result;
  }

  /**
   * The line of the caller for an inlined library method: users would rather read their own line.
   */
  private Line line(int at) {
    if (caller != null && method.isVocabulary()) {
      return caller;
    }
    return new Line(file, method.type(), method.name(), body.line(at), caller);
  }

  private void block(int start) {
    Start begun = Objects.requireNonNull(starts.get(start));
    Frame frame = begun.frame().copy();
    builder.at(begun.block());
    int at = start;
    while (true) {
      if (at >= body.size()) {
        throw site.refuse("the method has no end", "compile it again");
      }
      if (at != start && (body.frame(at) != null || starts.containsKey(at))) {
        goOn(at, frame);
        return;
      }
      builder.line(line(at));
      Instruction instruction = body.instruction(at);
      if (isEnd(instruction)) {
        end(at, instruction, frame);
        return;
      }
      instructions.translate(instruction, frame);
      at++;
    }
  }

  private static boolean isEnd(Instruction instruction) {
    return instruction instanceof BranchInstruction
        || instruction instanceof ReturnInstruction
        || instruction instanceof ThrowInstruction
        || instruction instanceof TableSwitchInstruction
        || instruction instanceof LookupSwitchInstruction;
  }

  private void end(int at, Instruction instruction, Frame frame) {
    switch (instruction) {
      case BranchInstruction branch -> branch(at, branch, frame);
      case ReturnInstruction it -> giveBack(it, frame);
      case TableSwitchInstruction it -> choose(it.cases(), it.defaultTarget(), frame);
      case LookupSwitchInstruction it -> choose(it.cases(), it.defaultTarget(), frame);
      default -> fail(frame);
    }
  }

  private void giveBack(ReturnInstruction instruction, Frame frame) {
    Value value = instruction.opcode() == Opcode.RETURN ? null : frame.pop();
    if (after != null) {
      builder.jump(after, value == null ? List.of() : List.of(value));
    } else {
      returned = builder.block();
      result = value;
    }
  }

  private void fail(Frame frame) {
    Value thrown = frame.pop();
    if (Instructions.isAssertion(thrown)) {
      String message = ((Instructions.AssertionMark) ((Constant) thrown).value()).message();
      builder.end(OpCode.FAIL, new Trap(Trap.Kind.ASSERTION, message));
      return;
    }
    throw site.refuse(
        "a kernel cannot throw exceptions",
        "use `assert`, or write what went wrong into an array and return");
  }

  private void branch(int at, BranchInstruction instruction, Frame frame) {
    int target = body.place(instruction.target());
    Opcode opcode = instruction.opcode();
    if (opcode == Opcode.GOTO || opcode == Opcode.GOTO_W) {
      goOn(target, frame);
      return;
    }
    Value condition =
        switch (opcode) {
          case IFEQ -> comparisons.withZero(Cond.EQ, frame.pop());
          case IFNE -> comparisons.withZero(Cond.NE, frame.pop());
          case IFLT -> comparisons.withZero(Cond.LT, frame.pop());
          case IFLE -> comparisons.withZero(Cond.LE, frame.pop());
          case IFGT -> comparisons.withZero(Cond.GT, frame.pop());
          case IFGE -> comparisons.withZero(Cond.GE, frame.pop());
          case IF_ICMPEQ -> two(Cond.EQ, frame);
          case IF_ICMPNE -> two(Cond.NE, frame);
          case IF_ICMPLT -> two(Cond.LT, frame);
          case IF_ICMPLE -> two(Cond.LE, frame);
          case IF_ICMPGT -> two(Cond.GT, frame);
          case IF_ICMPGE -> two(Cond.GE, frame);
          case IF_ACMPEQ -> references(true, frame);
          case IF_ACMPNE -> references(false, frame);
          default -> throw referencesCompared();
        };
    // If the condition is known, the other path does not exist.
    if (condition instanceof Constant constant) {
      goOn(constant.asBoolean() ? target : at + 1, frame);
      return;
    }
    Target yes = target(target, frame);
    Target no = target(at + 1, frame);
    builder.branch(condition, yes, no);
  }

  /** Compares known enum constants at compile time. */
  private Value references(boolean equal, Frame frame) {
    if (frame.pop() instanceof Constant b
        && b.value() instanceof Constant.EnumName
        && frame.pop() instanceof Constant a
        && a.value() instanceof Constant.EnumName) {
      return Constant.of(a.isSame(b) == equal);
    }
    throw referencesCompared();
  }

  private KernelRefusedException referencesCompared() {
    return site.refuse(
        "a kernel cannot compare references or test for null",
        "compare indices, flags or @Const enums; arrays and objects in a kernel are "
            + "never null");
  }

  private Value two(Cond cond, Frame frame) {
    Value b = frame.pop();
    Value a = frame.pop();
    return builder.cmp(cond, a, b);
  }

  private void choose(List<SwitchCase> cases, Label otherwise, Frame frame) {
    Value number = frame.pop();
    if (number instanceof Constant constant) {
      Label way = otherwise;
      for (SwitchCase one : cases) {
        if (one.caseValue() == constant.asInt()) {
          way = one.target();
        }
      }
      goOn(body.place(way), frame);
      return;
    }
    for (SwitchCase one : cases) {
      if (one.target().equals(otherwise)) {
        continue;
      }
      Block next = new Block();
      builder.branch(
          builder.cmp(Cond.EQ, number, Constant.of(one.caseValue())),
          target(body.place(one.target()), frame),
          new Target(next, List.of()));
      builder.at(next);
    }
    goOn(body.place(otherwise), frame);
  }

  private void goOn(int at, Frame frame) {
    Target target = target(at, frame);
    builder.jump(target.block(), target.arguments());
  }

  private Target target(int at, Frame frame) {
    Start start = starts.get(at);
    Block block = start == null ? null : start.block();
    if (body.frame(at) == null) {
      if (block != null) {
        throw site.refuse("the class file has no stack map", "compile it for Java 7 or later");
      }
      Block fresh = new Block();
      starts.put(at, new Start(fresh, frame.copy()));
      reached.add(at);
      return new Target(fresh, List.of());
    }
    if (block == null) {
      block = new Block();
      List<Value> arguments = enter(at, frame, block);
      starts.put(at, new Start(block, frameAt(at, block, frame)));
      reached.add(at);
      return new Target(block, arguments);
    }
    List<Value> arguments = enter(at, frame, null);
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).type() != block.params().get(i).type()) {
        throw site.refuse(
            "a variable holds a number on one path to this place, and an object on another",
            "use two variables, and primitive types");
      }
    }
    return new Target(block, arguments);
  }

  /**
   * The values that a jump passes to a block with a frame; creates the block's parameters if the
   * block is new.
   */
  private List<Value> enter(int at, Frame frame, @Nullable Block fresh) {
    List<Value> arguments = new ArrayList<>();
    StackMapFrameInfo info = Objects.requireNonNull(body.frame(at));
    int slot = 0;
    for (StackMapFrameInfo.VerificationTypeInfo type : info.locals()) {
      if (Frame.type(type) != Type.VOID && !isFixed(slot)) {
        arguments.add(frame.local(slot));
        param(fresh, frame.local(slot), type);
      }
      slot += Frame.slots(type);
    }
    for (int i = 0; i < info.stack().size(); i++) {
      if (!Instructions.isAssertion(frame.stack(i))) {
        arguments.add(frame.stack(i));
        param(fresh, frame.stack(i), info.stack().get(i));
      }
    }
    return arguments;
  }

  /** The type is the value's own: a number that Java boxes is a plain number here. */
  private void param(
      @Nullable Block fresh, Value value, StackMapFrameInfo.VerificationTypeInfo type) {
    if (fresh != null) {
      BlockParam param = fresh.param(value.type());
      if (type instanceof StackMapFrameInfo.ObjectVerificationTypeInfo object) {
        site.type(param, object.classSymbol().descriptorString());
      }
    }
  }

  /**
   * Whether a local variable has the same value everywhere: it is assigned in one place only, as a
   * parameter is by the call.
   */
  private boolean isFixed(int slot) {
    return body.stores(slot) + (entry.hasLocal(slot) ? 1 : 0) == 1;
  }

  private Frame frameAt(int at, Block block, Frame before) {
    Frame frame = new Frame(body.maxLocals());
    StackMapFrameInfo info = Objects.requireNonNull(body.frame(at));
    int slot = 0;
    int param = 0;
    for (StackMapFrameInfo.VerificationTypeInfo type : info.locals()) {
      if (Frame.type(type) != Type.VOID) {
        frame.local(slot, isFixed(slot) ? before.local(slot) : block.params().get(param++));
      }
      slot += Frame.slots(type);
    }
    for (int i = 0; i < info.stack().size(); i++) {
      Value value = before.stack(i);
      frame.push(Instructions.isAssertion(value) ? value : block.params().get(param++));
    }
    return frame;
  }
}
