package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Field;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.NewObject;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * If several views of memory, or several immutable objects, may reach a block, passes their parts
 * instead.
 */
public final class SplitReferences implements Pass {
  @Override
  public String name() {
    return "references";
  }

  @Override
  public boolean run(Function function) {
    return new Split(function).run();
  }

  private static final class Split {
    private final Function function;
    private final Table<Block, List<Edge>> predecessors;
    private final IdentityHashMap<Value, Op> origin = new IdentityHashMap<>();
    private final Set<Value> mixed = Collections.newSetFromMap(new IdentityHashMap<>());

    Split(Function function) {
      this.function = function;
      this.predecessors = function.predecessors();
    }

    boolean run() {
      findOrigins();
      boolean changed = false;
      for (Block block : function.blocks()) {
        for (BlockParam param : List.copyOf(block.params())) {
          Op from = origin.get(param);
          if (from != null && !mixed.contains(param)) {
            changed |= split(block, param, from);
          }
        }
      }
      return changed;
    }

    /**
     * Finds one operation that created a parameter's possible values, and whether different ones
     * created others.
     */
    private void findOrigins() {
      boolean changed = true;
      while (changed) {
        changed = false;
        for (Block block : function.blocks()) {
          List<BlockParam> params = block.params();
          for (int i = 0; i < params.size(); i++) {
            if (params.get(i).type() == Type.REF) {
              for (Edge edge : predecessors.get(block)) {
                changed |= learn(params.get(i), edge.target().arguments().get(i));
              }
            }
          }
        }
      }
    }

    private boolean learn(BlockParam param, Value value) {
      boolean made =
          value instanceof Op op && (op.code() == OpCode.VIEW || op.code() == OpCode.NEW);
      Op from = made ? (Op) value : origin.get(value);
      if (from == null) {
        return false;
      }
      Op before = origin.putIfAbsent(param, from);
      boolean differs = mixed.contains(value) || (before != null && !isAlike(before, from));
      boolean isMixed = differs && mixed.add(param);
      return before == null || isMixed;
    }

    /**
     * Whether two views or objects may be merged. In Java, a cast of the wrong one would throw; a
     * kernel does not check it.
     */
    private static boolean isAlike(Op a, Op b) {
      return a.code() == b.code()
          && Objects.equals(a.attribute(), b.attribute())
          && (a.code() == OpCode.NEW || a.operand(0).type() == b.operand(0).type());
    }

    private boolean split(Block block, BlockParam param, Op made) {
      Line line = block.end().line();
      if (made.code() == OpCode.VIEW) {
        Type space = made.operand(0).type();
        Type length = made.operand(1).type();
        BlockParam base = block.param(space);
        BlockParam count = block.param(length);
        Op view =
            new Op(
                OpCode.VIEW, Type.REF, List.of(base, count), made.attribute(Element.class), line);
        bring(block, param, OpCode.VIEW_BASE, space, null);
        bring(block, param, OpCode.VIEW_LENGTH, length, null);
        replace(block, param, List.of(view), view);
        return true;
      }
      NewObject object = made.attribute(NewObject.class);
      if (!object.immutable()) {
        return false;
      }
      Op copy = new Op(OpCode.NEW, Type.REF, List.of(), object, line);
      List<Op> ops = new ArrayList<>(List.of(copy));
      for (Field field : fields(object.name())) {
        BlockParam part = block.param(field.type());
        bring(block, param, OpCode.GET_FIELD, field.type(), field);
        ops.add(new Op(OpCode.PUT_FIELD, Type.VOID, List.of(copy, part), field, line));
      }
      replace(block, param, ops, copy);
      return true;
    }

    /**
     * Makes every jump to the block pass one more argument: a part of one that it already passes.
     */
    private void bring(
        Block block, BlockParam param, OpCode code, Type type, @Nullable Attribute attribute) {
      int index = block.params().indexOf(param);
      for (Edge edge : predecessors.get(block)) {
        Op end = edge.from().end();
        Op part =
            new Op(
                code, type, List.of(edge.target().arguments().get(index)), attribute, end.line());
        edge.from().ops().add(edge.from().ops().size() - 1, part);
        edge.target().arguments().add(part);
      }
    }

    private void replace(Block block, BlockParam param, List<Op> ops, Op by) {
      int index = block.params().indexOf(param);
      block.params().remove(index);
      for (Edge edge : predecessors.get(block)) {
        edge.target().arguments().remove(index);
      }
      block.ops().addAll(0, ops);
      Replacements now = new Replacements();
      now.put(param, by);
      now.apply(function);
    }

    private Set<Field> fields(String owner) {
      Set<Field> fields = new LinkedHashSet<>();
      for (Block block : function.blocks()) {
        for (Op op : block.ops()) {
          if (op.code() == OpCode.PUT_FIELD && op.attribute(Field.class).owner().equals(owner)) {
            fields.add(op.attribute(Field.class));
          }
        }
      }
      return fields;
    }
  }
}
