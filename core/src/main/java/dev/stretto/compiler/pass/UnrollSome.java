package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs short loops of unknown length four iterations at a time, as long as at least four remain, so
 * that the loads of all four are in flight at once, and counting takes less. The loop itself runs
 * the remaining iterations.
 *
 * <p>The loop must count: a parameter of its header grows (or shrinks) by a fixed amount, and the
 * header leaves the loop when it has passed a fixed bound. Loops in which threads meet stay as they
 * are: the threads of a warp need not leave them together.
 */
public final class UnrollSome implements Pass {
  private static final int ROUNDS = 4;
  private static final int MOST_OPS = 48;

  /** They gain only what counting and branching take. */
  private static final int MOST_OPS_WITHOUT_LOADS = 32;

  @Override
  public String name() {
    return "unroll-some";
  }

  @Override
  public boolean run(Function function) {
    boolean changed = false;
    List<Loop> loops = Loop.of(function);
    List<Loop> left = loops.stream().filter(loop -> isInner(loop, loops) && isFit(loop)).toList();
    while (!left.isEmpty()) {
      ApartLoops apart = new ApartLoops(function);
      List<Loop> later = new ArrayList<>();
      List<Loop> now = new ArrayList<>();
      List<Counter> counters = new ArrayList<>();
      for (Loop loop : left) {
        Counter counter = counter(loop, apart.predecessors());
        if (counter != null && !apart.take(loop)) {
          later.add(loop);
        } else if (counter != null) {
          now.add(loop);
          counters.add(counter);
        }
      }
      List<LoopCopies> copies = apart.copies();
      for (int i = 0; i < now.size(); i++) {
        unroll(copies.get(i), now.get(i), counters.get(i), apart.predecessors());
      }
      apart.repair(copies);
      changed |= !now.isEmpty();
      left = later;
    }
    return changed;
  }

  private static boolean isInner(Loop loop, List<Loop> loops) {
    return loops.stream().noneMatch(other -> !other.equals(loop) && loop.contains(other.header()));
  }

  private static boolean isFit(Loop loop) {
    boolean loads = false;
    for (Block block : loop.body()) {
      for (Op op : block.ops()) {
        loads |= op.code() == OpCode.LOAD || op.code() == OpCode.LOAD_VECTOR;
        if (op.code() == OpCode.ASM && !op.isPure()) {
          return false;
        }
        if (op.code() == OpCode.ASM && op.attribute(Asm.class).convergent()) {
          return false;
        }
        if (block == loop.header() && !op.isEnd() && !op.isPure()) {
          return false;
        }
      }
    }
    return loads
        ? loop.size() <= MOST_OPS
        : loop.size() <= MOST_OPS_WITHOUT_LOADS && endsAtItsHeader(loop);
  }

  private static boolean endsAtItsHeader(Loop loop) {
    return loop.body().stream()
        .filter(block -> block != loop.header())
        .allMatch(block -> block.targets().stream().allMatch(it -> loop.contains(it.block())));
  }

  /** How a loop counts: it continues while the parameter compares so with the bound. */
  private record Counter(
      BlockParam param, Cond stay, Value bound, Value step, Target on, boolean shrinks) {}

  private static @Nullable Counter counter(Loop loop, Table<Block, List<Edge>> predecessors) {
    Op end = loop.header().end();
    if (end.code() != OpCode.BRANCH
        || !(end.operand(0) instanceof Op cmp)
        || cmp.code() != OpCode.CMP) {
      return null;
    }
    boolean yesStays = loop.contains(end.targets().get(0).block());
    boolean noStays = loop.contains(end.targets().get(1).block());
    if (yesStays == noStays) {
      return null;
    }
    Target on = end.targets().get(yesStays ? 0 : 1);
    Cond cond = cmp.attribute(Cond.class);
    Cond stay = yesStays ? cond : cond.negated(false);
    Set<Value> inside = computed(loop);
    Value left = cmp.operand(0);
    Value right = cmp.operand(1);
    if (left.type() != Type.INT && left.type() != Type.LONG) {
      return null;
    }
    if (right instanceof BlockParam param
        && loop.header().params().contains(param)
        && !inside.contains(left)) {
      return counter(loop, predecessors, inside, param, stay.swapped(), left, on);
    }
    if (left instanceof BlockParam param
        && loop.header().params().contains(param)
        && !inside.contains(right)) {
      return counter(loop, predecessors, inside, param, stay, right, on);
    }
    return null;
  }

  private static @Nullable Counter counter(
      Loop loop,
      Table<Block, List<Edge>> predecessors,
      Set<Value> inside,
      BlockParam param,
      Cond stay,
      Value bound,
      Target on) {
    List<Edge> back =
        predecessors.get(loop.header()).stream()
            .filter(edge -> loop.contains(edge.from()))
            .toList();
    int index = loop.header().params().indexOf(param);
    if (back.size() != 1
        || !(back.getFirst().target().arguments().get(index) instanceof Op add)
        || add.code() != OpCode.ADD
        || (add.operand(0) != param && add.operand(1) != param)) {
      return null;
    }
    Value step = add.operand(add.operand(0) == param ? 1 : 0);
    if (inside.contains(step)) {
      return null;
    }
    boolean shrinks = stay == Cond.GT || stay == Cond.GE;
    boolean grows = stay == Cond.LT || stay == Cond.LE;
    if (!grows && !shrinks) {
      return null;
    }
    if (step instanceof Constant constant) {
      long by = constant.asLong();
      boolean right = shrinks ? by < 0 : by > 0;
      return right && Math.abs(by) < 1 << 20
          ? new Counter(param, stay, bound, step, on, shrinks)
          : null;
    }
    return grows ? new Counter(param, stay, bound, step, on, false) : null;
  }

  private static Set<Value> computed(Loop loop) {
    Set<Value> computed = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Block block : loop.body()) {
      computed.addAll(block.params());
      computed.addAll(block.ops());
    }
    return computed;
  }

  private static void unroll(
      LoopCopies copies, Loop loop, Counter counter, Table<Block, List<Edge>> predecessors) {
    Block header = loop.header();
    List<Target> in = Unroll.into(predecessors.get(header), loop);
    for (int i = 0; i < ROUNDS; i++) {
      copies.copy();
    }
    Block before = like(header);
    Block guard = like(header);
    for (int i = 0; i < ROUNDS; i++) {
      copies.linkBack(i, i + 1 < ROUNDS ? copies.place(i + 1, header) : guard);
      stay(copies.place(i, header), header, counter.on());
    }
    in.forEach(target -> target.block(before));
    prepare(before, guard, header, copies.place(0, header), counter);
    for (Block block : loop.body()) {
      countAtOnce(copies.place(ROUNDS - 1, block), before, guard, header, counter);
    }
  }

  /**
   * Counts four steps by one addition, where the last copy goes back: only such a loop is one whose
   * iterations {@code ptxas} can count, and unrolls further.
   */
  private static void countAtOnce(
      Block last, Block before, Block guard, Block header, Counter counter) {
    int index = header.params().indexOf(counter.param());
    for (Target target : last.targets()) {
      if (target.block() == guard) {
        Type type = counter.param().type();
        Op end = last.end();
        Op steps =
            new Op(
                OpCode.MUL,
                type,
                List.of(counter.step(), number(type, ROUNDS)),
                null,
                header.end().line());
        Op counted =
            new Op(OpCode.ADD, type, List.of(guard.params().get(index), steps), null, end.line());
        before.ops().add(before.ops().size() - 1, steps);
        last.ops().add(last.ops().size() - 1, counted);
        target.arguments().set(index, counted);
      }
    }
  }

  private static Block like(Block header) {
    Block block = new Block();
    header.params().forEach(param -> block.param(param.type()));
    return block;
  }

  /** The header of a copy continues unconditionally. */
  private static void stay(Block copy, Block header, Target on) {
    Op end = copy.end();
    Target way = end.targets().get(header.end().targets().indexOf(on));
    copy.ops().removeLast();
    copy.ops().add(Op.jump(way.block(), way.arguments(), end.line()));
  }

  /** Four iterations remain if the bound, moved back by three steps, is not passed yet. */
  private static void prepare(
      Block before, Block guard, Block header, Block first, Counter counter) {
    Builder builder = new Builder(before, header.end().line());
    Type type = counter.param().type();
    boolean wide = type == Type.LONG;
    Value bound = counter.bound();
    Value step = counter.step();
    Value moved =
        builder.op(
            OpCode.SUB, type, bound, builder.op(OpCode.MUL, type, step, number(type, ROUNDS - 1)));
    // Not if one of these sums might wrap: then the loop runs all iterations.
    Value safe =
        counter.shrinks()
            ? builder.cmp(Cond.LE, bound, number(type, wide ? 1L << 62 : 1 << 30))
            : builder.cmp(Cond.GE, bound, number(type, wide ? -(1L << 62) : -(1 << 30)));
    if (!(step instanceof Constant)) {
      Value most = number(type, wide ? 1L << 59 : 1 << 27);
      safe = and(builder, safe, builder.cmp(Cond.GT, step, Constant.zero(type)));
      safe = and(builder, safe, builder.cmp(Cond.LE, step, most));
    }
    builder.branch(
        safe,
        new Target(guard, List.copyOf(before.params())),
        new Target(header, List.copyOf(before.params())));
    Builder check = new Builder(guard, header.end().line());
    int index = header.params().indexOf(counter.param());
    List<Value> params = new ArrayList<>(guard.params());
    check.branch(
        check.cmp(counter.stay(), guard.params().get(index), moved),
        new Target(first, params),
        new Target(header, params));
  }

  private static Value and(Builder builder, Value a, Value b) {
    return builder.op(OpCode.AND, Type.BOOL, a, b);
  }

  private static Constant number(Type type, long number) {
    return type == Type.LONG ? Constant.of(number) : Constant.of((int) number);
  }
}
