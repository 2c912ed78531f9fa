package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes before a short loop what is the same in all of its iterations, so that the end of a
 * count is known before it begins ({@link UnrollSome}) and an address in the loop is a base and the
 * part of the index that changes: in {@code array.get(row * width + i)}, the row's address is
 * computed once.
 *
 * <p>Only operations without effects move: a loop may run no iteration. In long loops everything
 * stays where it is, since each moved value takes registers for as long as the loop runs.
 */
public final class Invariants implements Pass {
  static final int MOST_OPS = 64;

  @Override
  public String name() {
    return "invariants";
  }

  @Override
  public boolean run(Function function) {
    List<Loop> loops = Loop.of(function);
    boolean changed = false;
    for (Loop loop : loops) {
      if (isFit(loop)
          && loops.stream().noneMatch(it -> !it.equals(loop) && loop.contains(it.header()))) {
        changed |= new Hoist(loop).run(function);
      }
    }
    return changed;
  }

  /** A short loop that reads memory, and in which no threads meet or wait. */
  private static boolean isFit(Loop loop) {
    boolean loads = false;
    for (Block block : loop.body()) {
      for (Op op : block.ops()) {
        loads |= op.code() == OpCode.LOAD || op.code() == OpCode.LOAD_VECTOR;
        if (op.code() == OpCode.ASM && !op.isPure()) {
          return false;
        }
      }
    }
    return loads && loop.size() <= MOST_OPS;
  }

  private static final class Hoist {
    private final Loop loop;

    /** What the loop computes, and what it is passed. */
    private final Set<Value> inside = Collections.newSetFromMap(new IdentityHashMap<>());

    private final List<Op> moved = new ArrayList<>();
    private final Replacements now = new Replacements();

    Hoist(Loop loop) {
      this.loop = loop;
      for (Block block : loop.body()) {
        inside.addAll(block.params());
        inside.addAll(block.ops());
      }
    }

    boolean run(Function function) {
      boolean found = true;
      while (found) {
        found = false;
        for (Block block : loop.body()) {
          found |= move(block);
        }
      }
      if (moved.isEmpty()) {
        return false;
      }
      List<Op> before = entry(function).ops();
      before.addAll(before.size() - 1, moved);
      now.apply(function);
      return true;
    }

    private boolean move(Block block) {
      List<Op> kept = new ArrayList<>(block.ops().size());
      boolean found = false;
      for (Op op : block.ops()) {
        now.apply(op);
        if (isMovable(op) && op.operands().stream().noneMatch(inside::contains)) {
          out(op);
          found = true;
          continue;
        }
        Op better = op.code() == OpCode.ELEMENT ? apart(op, kept) : null;
        kept.add(better == null ? op : better);
        found |= better != null;
      }
      if (found) {
        block.ops().clear();
        block.ops().addAll(kept);
      }
      return found;
    }

    private void out(Op op) {
      inside.remove(op);
      moved.add(op);
    }

    private static boolean isMovable(Op op) {
      return op.code().effect() == OpCode.Effect.PURE
          && op.type() != Type.REF
          && op.type() != Type.TUPLE;
    }

    /**
     * An element of an array in global memory whose index is a sum: the parts that stay the same
     * become part of the base. A sum of longs may wrap, and so does an address.
     */
    private @Nullable Op apart(Op op, List<Op> before) {
      if (op.type() != Type.GLOBAL
          || op.operand(1).type() != Type.LONG
          || inside.contains(op.operand(0))) {
        return null;
      }
      List<Value> fixed = new ArrayList<>();
      Value left = left(op.operand(1), fixed, before);
      if (fixed.isEmpty()) {
        return null;
      }
      Value base = op.operand(0);
      Attribute bytes = new Attribute.Count(op.count());
      for (Value part : fixed) {
        Op next = new Op(OpCode.ELEMENT, Type.GLOBAL, List.of(base, part), bytes, op.line());
        moved.add(next);
        base = next;
      }
      Op element = new Op(OpCode.ELEMENT, Type.GLOBAL, List.of(base, left), bytes, op.line());
      inside.add(element);
      now.put(op, element);
      return element;
    }

    /** A sum without the parts that stay the same, which are added to a list. */
    private Value left(Value value, List<Value> fixed, List<Op> before) {
      if (!(value instanceof Op sum)
          || !inside.contains(sum)
          || (sum.code() != OpCode.ADD && sum.code() != OpCode.SUB)) {
        return value;
      }
      Value a = sum.operand(0);
      Value b = sum.operand(1);
      if (isFixed(a)) {
        fixed.add(a);
        return sum.code() == OpCode.ADD
            ? left(b, fixed, before)
            : add(new Op(OpCode.NEG, Type.LONG, List.of(b), null, sum.line()), before);
      }
      if (isFixed(b)) {
        Value part = b;
        if (sum.code() == OpCode.SUB) {
          Op negative = new Op(OpCode.NEG, Type.LONG, List.of(b), null, sum.line());
          moved.add(negative);
          part = negative;
        }
        fixed.add(part);
        return left(a, fixed, before);
      }
      int known = fixed.size();
      Value first = left(a, fixed, before);
      Value second = sum.code() == OpCode.ADD ? left(b, fixed, before) : b;
      return fixed.size() == known
          ? value
          : add(new Op(sum.code(), Type.LONG, List.of(first, second), null, sum.line()), before);
    }

    private boolean isFixed(Value value) {
      return !(value instanceof Constant) && !inside.contains(value);
    }

    private Op add(Op op, List<Op> before) {
      inside.add(op);
      before.add(op);
      return op;
    }

    /** The block that leads to the loop and to nothing else: the one before it, or a new one. */
    private Block entry(Function function) {
      List<Edge> in =
          function.predecessors().get(loop.header()).stream()
              .filter(edge -> !loop.contains(edge.from()))
              .toList();
      if (in.size() == 1 && in.getFirst().from().end().code() == OpCode.JUMP) {
        return in.getFirst().from();
      }
      Block entry = new Block();
      loop.header().params().forEach(param -> entry.param(param.type()));
      entry
          .ops()
          .add(Op.jump(loop.header(), entry.params(), loop.header().ops().getFirst().line()));
      for (Edge edge : in) {
        edge.target().block(entry);
      }
      return entry;
    }
  }
}
