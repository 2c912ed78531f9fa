package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Dominators;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes an address in global memory from one before it, where that saves a product of longs: from
 * {@code array.get(y * width + x)} to {@code array.get((y + 1) * width + x)} it is one row, which
 * is added. Both are polynomials of the same values with the same result whatever wraps, since
 * longs and addresses wrap alike.
 */
public final class Strides implements Pass {
  /** How many addresses back it looks. */
  private static final int NEAR = 8;

  /** What a load adds to its address for free. */
  private static final long MOST_OFFSET = 1 << 23;

  @Override
  public String name() {
    return "strides";
  }

  @Override
  public boolean run(Function function) {
    return new Walk(function).run();
  }

  /** Whether an address that lies so far behind another is cheaply made from it. */
  static boolean isSimple(Polynomial distance) {
    return Math.abs(distance.constant()) < MOST_OFFSET && distance.terms() <= 1;
  }

  /** An address that is known, how far behind its base it is, and the products in that. */
  private record Known(Value address, Polynomial bytes, Set<Op> products) {}

  private static final class Walk {
    private final Function function;
    private final Dominators dominators;
    private final Replacements now = new Replacements();
    private final IdentityHashMap<Value, ArrayList<Known>> known = new IdentityHashMap<>();

    Walk(Function function) {
      this.function = function;
      this.dominators = new Dominators(function);
    }

    /** Walks down the dominator tree, and on the way up forgets what it learned below. */
    boolean run() {
      ArrayDeque<Runnable> open = new ArrayDeque<>();
      open.push(() -> enter(function.entry(), open));
      while (!open.isEmpty()) {
        open.pop().run();
      }
      now.apply(function);
      return !now.isEmpty();
    }

    private void enter(Block block, ArrayDeque<Runnable> open) {
      List<ArrayList<Known>> learnt = new ArrayList<>();
      List<Op> ops = new ArrayList<>(block.ops().size());
      for (Op op : block.ops()) {
        now.apply(op);
        if (op.code() == OpCode.ELEMENT
            && op.type() == Type.GLOBAL
            && op.operand(1).type() == Type.LONG) {
          ArrayList<Known> near = known.computeIfAbsent(op.operand(0), _ -> new ArrayList<>());
          near.add(element(op, near, ops));
          learnt.add(near);
        } else {
          ops.add(op);
        }
      }
      block.ops().clear();
      block.ops().addAll(ops);
      open.push(() -> learnt.reversed().forEach(ArrayList::removeLast));
      for (Block child : dominators.children(block)) {
        open.push(() -> enter(child, open));
      }
    }

    /** Adds what gives an address, and returns it. */
    private Known element(Op op, List<Known> near, List<Op> ops) {
      Set<Op> products = Polynomial.products(op.operand(1));
      Polynomial bytes = Polynomial.of(op.operand(1)).times(op.count());
      if (!products.isEmpty() && near.stream().noneMatch(it -> it.products.containsAll(products))) {
        for (Known before : near.subList(Math.max(0, near.size() - NEAR), near.size()).reversed()) {
          Value address = from(before.address, bytes.minus(before.bytes), op, ops);
          if (address != null) {
            now.put(op, address);
            return new Known(address, bytes, products);
          }
        }
      }
      ops.add(op);
      return new Known(op, bytes, products);
    }

    /** An address that lies a distance behind another, if the distance is simple. */
    private static @Nullable Value from(Value address, Polynomial distance, Op op, List<Op> ops) {
      if (!isSimple(distance)) {
        return null;
      }
      Value at = address;
      if (distance.terms() == 1) {
        Value step = distance.term(op.line(), ops);
        if (step == null) {
          return null;
        }
        at = add(new Op(OpCode.OFFSET, Type.GLOBAL, List.of(at, step), null, op.line()), ops);
      }
      if (distance.constant() != 0) {
        Constant by = Constant.of(distance.constant());
        at = add(new Op(OpCode.OFFSET, Type.GLOBAL, List.of(at, by), null, op.line()), ops);
      }
      return at;
    }

    private static Op add(Op op, List<Op> ops) {
      ops.add(op);
      return op;
    }
  }
}
