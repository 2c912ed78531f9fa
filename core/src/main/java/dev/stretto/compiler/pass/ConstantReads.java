package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns uses of arrays whose content is known into reads of constant memory, or into numbers. */
public final class ConstantReads implements Pass {
  @Override
  public String name() {
    return "constants";
  }

  @Override
  public boolean run(Function function) {
    Replacements now = new Replacements();
    boolean changed = false;
    for (Block block : function.blocks()) {
      List<Op> kept = new ArrayList<>(block.ops().size());
      for (Op op : block.ops()) {
        now.apply(op);
        Value by = replacement(op, kept);
        if (by == null) {
          kept.add(op);
        } else {
          now.put(op, by);
          changed = true;
        }
      }
      if (changed) {
        block.ops().clear();
        block.ops().addAll(kept);
      }
    }
    now.apply(function);
    return changed;
  }

  /** What an operation becomes, with what has to be done before; null if it stays. */
  private static @Nullable Value replacement(Op op, List<Op> before) {
    return switch (op.code()) {
      case ARRAY_LENGTH -> {
        ConstantArray array = array(op);
        yield array == null ? null : Constant.of(array.length());
      }
      case ARRAY_GET -> {
        ConstantArray array = array(op);
        yield array == null ? null : read(op, array, op.operand(1), before);
      }
      case ARRAY_SET -> {
        ConstantArray array = array(op);
        if (array != null) {
          throw op.line()
              .refuse(
                  "a kernel cannot write into the @Const array " + array,
                  "write into an array parameter, or into a local copy: " + array + ".clone()");
        }
        yield null;
      }
      case CONSTANT_GET -> known(op.attribute(ConstantArray.class), op.operand(0));
      default -> null;
    };
  }

  private static @Nullable ConstantArray array(Op op) {
    return op.operand(0) instanceof Constant known && known.value() instanceof ConstantArray array
        ? array
        : null;
  }

  private static Value read(Op op, ConstantArray array, Value index, List<Op> before) {
    Constant known = known(array, index);
    if (known != null) {
      return known;
    }
    if (index instanceof Constant outside) {
      throw op.line()
          .refuse(
              "index %d of the @Const array %s of length %d"
                  .formatted(outside.asInt(), array, array.length()),
              "keep the index within 0 to " + (array.length() - 1));
    }
    if (array.isChecked()) {
      Constant length = Constant.of(array.length());
      Op inside = new Op(OpCode.CMP, Type.BOOL, List.of(index, length), Cond.ULT, op.line());
      before.add(inside);
      before.add(
          new Op(
              OpCode.CHECK,
              Type.VOID,
              List.of(inside, index, length),
              new Trap(Trap.Kind.INDEX, ""),
              op.line()));
    }
    Op read = new Op(OpCode.CONSTANT_GET, array.element().type(), List.of(index), array, op.line());
    before.add(read);
    return read;
  }

  private static @Nullable Constant known(ConstantArray array, Value index) {
    return index instanceof Constant at && at.asInt() >= 0 && at.asInt() < array.length()
        ? array.get(at.asInt())
        : null;
  }
}
