package dev.stretto.compiler.ir;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operation, at one place in one block. */
public final class Op extends Value {
  private final OpCode code;
  private final Value[] operands;
  private final @Nullable Attribute attribute;
  private final Line line;
  private final List<Target> targets;

  /** Creates an operation that is in no block yet. */
  public Op(
      OpCode code,
      Type type,
      List<? extends Value> operands,
      @Nullable Attribute attribute,
      Line line) {
    this(code, type, operands, attribute, line, List.of());
  }

  private Op(
      OpCode code,
      Type type,
      List<? extends Value> operands,
      @Nullable Attribute attribute,
      Line line,
      List<Target> targets) {
    super(type);
    this.code = code;
    this.operands = operands.toArray(new Value[0]);
    this.attribute = attribute;
    this.line = line;
    this.targets = targets;
  }

  /** {@return an end of a block that always continues at one place} */
  public static Op jump(Block to, List<? extends Value> arguments, Line line) {
    return new Op(
        OpCode.JUMP, Type.VOID, List.of(), null, line, List.of(new Target(to, arguments)));
  }

  /**
   * {@return an end of a block that continues at the first target if the condition holds, else at
   * the second}
   */
  public static Op branch(Value condition, Target yes, Target no, Line line) {
    return new Op(OpCode.BRANCH, Type.VOID, List.of(condition), null, line, List.of(yes, no));
  }

  /** {@return the same operation with other operands and targets} */
  public Op with(List<? extends Value> newOperands, List<Target> newTargets) {
    return new Op(code, type(), newOperands, attribute, line, newTargets);
  }

  /** {@return its code} */
  public OpCode code() {
    return code;
  }

  /** {@return how many operands it has} */
  public int size() {
    return operands.length;
  }

  /** {@return an operand} */
  public Value operand(int index) {
    return operands[index];
  }

  /** Replaces an operand by one of the same type. */
  public void operand(int index, Value value) {
    operands[index] = value;
  }

  /** {@return the operands} */
  public List<Value> operands() {
    return Arrays.asList(operands);
  }

  /** {@return its attribute, of the kind that its code defines} */
  public @Nullable Attribute attribute() {
    return attribute;
  }

  /** {@return its attribute, if the code has one of this class} */
  public <T extends Attribute> T attribute(Class<T> kind) {
    return kind.cast(java.util.Objects.requireNonNull(attribute, code::name));
  }

  /** {@return its number, if the code has one} */
  public int count() {
    return attribute(Attribute.Count.class).value();
  }

  /** {@return its words, if the code has some} */
  public String words() {
    return attribute(Attribute.Text.class).words();
  }

  /** {@return its place in the source} */
  public Line line() {
    return line;
  }

  /** {@return the targets where the block may continue, if it ends one} */
  public List<Target> targets() {
    return targets;
  }

  /** {@return whether it ends a block} */
  public boolean isEnd() {
    return code.effect() == OpCode.Effect.END;
  }

  /** {@return whether it may be removed if nothing uses its result} */
  public boolean isRemovable() {
    return switch (code.effect()) {
      case PURE, READS -> true;
      case LOCAL -> code != OpCode.PUT_FIELD && code != OpCode.ARRAY_SET;
      case WRITES -> isPure();
      case END -> false;
    };
  }

  /** {@return whether the same operands always give the same result} */
  public boolean isPure() {
    return code.effect() == OpCode.Effect.PURE
        || code == OpCode.CONSTANT_GET
        || (code == OpCode.ASM && attribute(Asm.class).pure())
        || (code == OpCode.CALL && attribute(JavaCall.class).pure());
  }

  /** {@return every value that it uses, including the arguments of its targets} */
  public List<Value> uses() {
    if (targets.isEmpty()) {
      return operands();
    }
    List<Value> uses = new ArrayList<>(operands());
    for (Target target : targets) {
      uses.addAll(target.arguments());
    }
    return uses;
  }
}
