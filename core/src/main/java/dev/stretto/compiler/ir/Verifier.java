package dev.stretto.compiler.ir;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the invariants that every pass must preserve: that a kernel is well formed. */
public final class Verifier {
  private final Function function;
  private final Dominators dominators;
  private final Table<Value, Block> home;

  private Verifier(Function function) {
    this.function = function;
    this.dominators = new Dominators(function);
    int values = 0;
    for (Block block : dominators.order()) {
      values += block.params().size() + block.ops().size();
    }
    this.home = new Table<>(values);
  }

  /**
   * Checks a kernel.
   *
   * @throws IllegalStateException if something is wrong, which is a bug in the compiler
   */
  public static void verify(Function function) {
    new Verifier(function).run();
  }

  private void run() {
    List<Block> blocks = dominators.order();
    for (Block block : blocks) {
      require(block.isEnded(), "a block has no end", null);
      block.params().forEach(param -> define(param, block));
      for (int i = 0; i < block.ops().size(); i++) {
        Op op = block.ops().get(i);
        define(op, block);
        require(
            op.isEnd() == (i == block.ops().size() - 1), "an end is in the middle of a block", op);
      }
    }
    MarkSet passed = new MarkSet(function);
    for (Block block : blocks) {
      block.params().forEach(passed::add);
      for (Op op : block.ops()) {
        for (int i = 0; i < op.size(); i++) {
          visible(op.operand(i), op, block, passed);
        }
        for (Target target : op.targets()) {
          target.arguments().forEach(value -> visible(value, op, block, passed));
          target(target, op);
        }
        types(op);
        passed.add(op);
      }
    }
  }

  private void define(Value value, Block block) {
    require(home.put(value, block), "a value is defined twice", value);
  }

  private void visible(Value value, Op user, Block block, MarkSet passed) {
    if (value instanceof Constant) {
      return;
    }
    Block defined = home.find(value);
    if (defined == null) {
      throw broken("a value is used that no block defines", user);
    }
    boolean before = defined == block ? passed.has(value) : dominators.dominates(defined, block);
    require(before, "a value is used before it is defined", user);
  }

  private void target(Target target, Op op) {
    List<BlockParam> params = target.block().params();
    require(target.block() != function.entry(), "a jump leads to the entry", op);
    require(
        params.size() == target.arguments().size(),
        "a jump passes too many or too few arguments",
        op);
    for (int i = 0; i < params.size(); i++) {
      require(
          params.get(i).type() == target.arguments().get(i).type(),
          "a jump passes an argument of the wrong type",
          op);
    }
  }

  private void types(Op op) {
    require(op.code().takes(op.attribute()), "an operation has the wrong attribute", op);
    switch (op.code()) {
      case ADD, SUB, MUL, DIV, REM, UDIV, UREM, MULHI, UMULHI, AND, OR, XOR, MIN, MAX, COPYSIGN ->
          same(op, 2, op.type());
      case NEG, ABS, SQRT, FLOOR, CEIL, RINT, REVERSE -> same(op, 1, op.type());
      case FMA -> same(op, 3, op.type());
      case SHL, SHR, USHR, ROTL -> {
        require(
            op.size() == 2 && op.operand(0).type() == op.type(), "a shift has the wrong type", op);
        require(op.operand(1).type() == Type.INT, "a shift amount is not an INT", op);
      }
      case CMP -> {
        require(op.type() == Type.BOOL, "a comparison does not give a predicate", op);
        same(op, 2, op.operand(0).type());
      }
      case SELECT -> {
        require(
            op.operand(0).type() == Type.BOOL, "the condition of a select is not a predicate", op);
        require(
            op.operand(1).type() == op.type() && op.operand(2).type() == op.type(),
            "a select is between values of the wrong type",
            op);
      }
      case NOT, BOOL_TO_INT, BRANCH, CHECK ->
          require(op.operand(0).type() == Type.BOOL, "the condition is not a predicate", op);
      case LOAD -> {
        require(op.operand(0).type().isAddress(), "a load is not from an address", op);
        require(op.type() == op.attribute(Element.class).type(), "a load has the wrong type", op);
      }
      case CONSTANT_GET ->
          require(
              op.type() == op.attribute(ConstantArray.class).element().type()
                  && op.operand(0).type() == Type.INT,
              "a read of a constant array has the wrong type",
              op);
      case STORE -> {
        require(op.operand(0).type().isAddress(), "a store is not to an address", op);
        require(
            op.operand(1).type() == op.attribute(Element.class).type(),
            "a store has the wrong type",
            op);
      }
      case ELEMENT, OFFSET ->
          require(
              op.operand(0).type() == op.type() && op.type().isAddress(),
              "an offset is not added to an address",
              op);
      default -> {}
    }
  }

  private static void same(Op op, int count, Type type) {
    require(op.size() == count, "an operation has the wrong number of operands", op);
    for (Value operand : op.operands()) {
      require(operand.type() == type, "an operand has the wrong type", op);
    }
  }

  private static void require(boolean holds, String mistake, @Nullable Value where) {
    if (!holds) {
      throw broken(mistake, where);
    }
  }

  private static IllegalStateException broken(String mistake, @Nullable Value where) {
    String what = "";
    if (where instanceof Op op) {
      what = ": " + op.code() + " " + op.attribute() + " " + operandTypes(op) + " at " + op.line();
    }
    return new IllegalStateException("the compiler made a mistake: " + mistake + what);
  }

  private static Set<Type> operandTypes(Op op) {
    Set<Type> types = new HashSet<>();
    op.operands().forEach(operand -> types.add(operand.type()));
    return types;
  }
}
