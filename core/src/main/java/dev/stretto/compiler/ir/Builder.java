package dev.stretto.compiler.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds operations at the end of a block, and computes immediately those with known results. */
public final class Builder {
  private Block block;
  private Line line;

  /** Creates a builder that adds to a block. */
  public Builder(Block block, Line line) {
    this.block = block;
    this.line = line;
  }

  /** {@return the block that operations are added to} */
  public Block block() {
    return block;
  }

  /** Continues at the end of another block. */
  public void at(Block other) {
    block = other;
  }

  /** Sets the source line of the operations that follow. */
  public void line(Line now) {
    line = now;
  }

  /** {@return the source line} */
  public Line line() {
    return line;
  }

  /** {@return the value of a new operation} */
  public Value op(OpCode code, Type type, @Nullable Attribute attribute, Value... operands) {
    Op op = new Op(code, type, List.of(operands), attribute, line);
    if (op.code().effect() == OpCode.Effect.PURE) {
      Constant known = Fold.evaluate(op);
      if (known != null && known.type() == type) {
        return known;
      }
      Value simpler = Algebra.simplify(op);
      if (simpler != null) {
        return simpler;
      }
    }
    block.ops().add(op);
    return op;
  }

  /** {@return the value of a new operation without an attribute} */
  public Value op(OpCode code, Type type, Value... operands) {
    return op(code, type, null, operands);
  }

  /** {@return whether a condition holds between two values} */
  public Value cmp(Cond cond, Value a, Value b) {
    return op(OpCode.CMP, Type.BOOL, cond, a, b);
  }

  /** {@return an INT as a LONG} */
  public Value toLong(Value value) {
    return value.type() == Type.LONG ? value : op(OpCode.CONVERT, Type.LONG, value);
  }

  /** Ends the block with a jump. */
  public void jump(Block to, List<? extends Value> arguments) {
    block.ops().add(Op.jump(to, arguments, line));
  }

  /** Ends the block with a branch. */
  public void branch(Value condition, Target yes, Target no) {
    if (condition instanceof Constant known) {
      Target way = known.asBoolean() ? yes : no;
      jump(way.block(), way.arguments());
      return;
    }
    block.ops().add(Op.branch(condition, yes, no, line));
  }

  /** Ends the block with an operation other than a jump or a branch. */
  public void end(OpCode code, @Nullable Attribute attribute, Value... operands) {
    block.ops().add(new Op(code, Type.VOID, List.of(operands), attribute, line));
  }
}
