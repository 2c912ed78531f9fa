package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Dominators;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A kernel as the lints see it: its blocks, what their operations access, and what decides their
 * branches.
 */
final class LintedKernel {
  /** How many iterations of a loop are distinguished. */
  private static final int ROUNDS = 4;

  /** Which expressions depend on some values, as far as that was asked. */
  private static final class Dependence {
    final BitSet asked = new BitSet();
    final BitSet dependent = new BitSet();
  }

  /** An operation that accesses memory, synchronizes, or ends the kernel. */
  record Touch(Op op, Access access) {}

  private final Function function;
  private final int maxThreads;
  private final List<Block> blocks;
  private final Dominators dominators;
  private final Divergence divergence;
  private final Expressions expressions;
  private final BranchConditions conditions;
  private final Table<Op, Access> accesses = new Table<>();
  private final Table<Block, List<Touch>> touches = new Table<>();

  /** Which expressions depend on some set of values, as far as that has been asked. */
  private final IdentityHashMap<Set<Integer>, Dependence> dependence = new IdentityHashMap<>();

  private final Table<Block, Integer> order = new Table<>();
  private final Table<Block, Set<Integer>> parameters = new Table<>();
  private final Table<Block, Set<Integer>> renewed = new Table<>();
  private final Map<Boolean, Table<Block, Set<Integer>>> useful;

  LintedKernel(Function function, int maxThreads) {
    this.function = function;
    this.maxThreads = maxThreads;
    this.blocks = function.blocks();
    this.dominators = new Dominators(function);
    this.divergence = new Divergence(function, dominators);
    this.expressions = new Expressions(function);
    this.conditions = new BranchConditions(function, expressions);
    for (Block block : blocks) {
      order.put(block, order.size());
      Set<Integer> params = new HashSet<>();
      block.params().forEach(param -> params.add(expressions.number(param)));
      parameters.put(block, block == function.entry() ? Set.of() : params);
      Set<Integer> again = new HashSet<>();
      List<Touch> touching = new ArrayList<>();
      for (Op op : block.ops()) {
        Access access = Access.of(op);
        accesses.put(op, access);
        if (!access.is(Access.Kind.NOTHING) || op.code() == OpCode.RETURN) {
          touching.add(new Touch(op, access));
        }
        if (op.type() != Type.VOID && expressions.isChanging(op)) {
          again.add(expressions.number(op));
        }
      }
      renewed.put(block, again);
      touches.put(block, touching);
    }
    this.useful = Map.of(true, useful(true), false, useful(false));
  }

  Function function() {
    return function;
  }

  List<Block> blocks() {
    return blocks;
  }

  Dominators dominators() {
    return dominators;
  }

  Divergence divergence() {
    return divergence;
  }

  Expressions expressions() {
    return expressions;
  }

  BranchConditions conditions() {
    return conditions;
  }

  Access access(Op op) {
    return accesses.get(op);
  }

  /** Whether a thread gets past an operation only once the phase of its barrier has ended. */
  boolean endsPhase(Op op) {
    return RepeatedWaits.endsPhase(op, divergence.home(op), this);
  }

  /** {@return what a block does to memory and to other threads, in order} */
  List<Touch> touches(Block block) {
    return touches.get(block);
  }

  /** Whether a block has only one thread, so that no thread waits for others. */
  boolean hasOneThread() {
    return maxThreads == 1;
  }

  /** The values that are computed again when a block is entered. */
  Set<Integer> parameters(Block block) {
    return parameters.get(block);
  }

  /** The values that a block computes and that may differ each time. */
  Set<Integer> renewedIn(Block block) {
    return renewed.get(block);
  }

  boolean isBack(Block from, Block to) {
    return order.get(to) <= order.get(from);
  }

  /** Whether the condition of a branch is worth remembering. */
  boolean isFollowed(Value condition, boolean everyBranch) {
    return everyBranch || !divergence.dependsOnRank(condition);
  }

  /** The facts that remain without some values. */
  Facts without(Facts facts, Set<Integer> values) {
    return facts.about(fact -> !dependsOn(fact, values));
  }

  /**
   * Whether an expression depends on any of some values.
   *
   * @param values a set of {@link #parameters} or {@link #renewedIn}
   */
  boolean dependsOn(int expression, Set<Integer> values) {
    Dependence known = dependence.computeIfAbsent(values, _ -> new Dependence());
    if (!known.asked.get(expression)) {
      known.asked.set(expression);
      known.dependent.set(expression, contains(values, expression));
    }
    return known.dependent.get(expression);
  }

  private boolean contains(Set<Integer> values, int expression) {
    for (int leaf : expressions.changing(expression)) {
      if (values.contains(leaf)) {
        return true;
      }
    }
    return false;
  }

  /** What the arguments say about a parameter; null if they say nothing. */
  @Nullable Interval passed(Value argument, BlockParam param, Facts facts, boolean back) {
    Type type = param.type();
    if (type != Type.INT && type != Type.LONG && type != Type.BOOL) {
      return null;
    }
    Interval given = conditions.of(argument, facts);
    Interval told = back ? given.widened(ROUNDS, type) : given;
    return told.equals(Interval.of(type)) ? null : told;
  }

  /** Whether a fact may decide a later branch. */
  boolean isOfUse(int fact, Block at, boolean everyBranch) {
    return table(everyBranch).get(at).contains(fact);
  }

  private Table<Block, Set<Integer>> table(boolean everyBranch) {
    Table<Block, Set<Integer>> table = useful.get(everyBranch);
    if (table == null) {
      throw new IllegalStateException("no such table");
    }
    return table;
  }

  /** The facts that are useful at the beginning of each block: those that decide later branches. */
  private Table<Block, Set<Integer>> useful(boolean everyBranch) {
    Table<Block, Set<Integer>> table = new Table<>(blocks.size());
    blocks.forEach(block -> table.put(block, new LinkedHashSet<>()));
    ArrayDeque<Block> open = new ArrayDeque<>(blocks.reversed());
    Set<Block> waiting = new HashSet<>(open);
    Table<Block, List<Function.Edge>> predecessors = function.predecessors();
    while (!open.isEmpty()) {
      Block block = open.remove();
      waiting.remove(block);
      if (table.get(block).addAll(usefulAt(block, everyBranch, table))) {
        for (Function.Edge edge : predecessors.get(block)) {
          if (waiting.add(edge.from())) {
            open.add(edge.from());
          }
        }
      }
    }
    return table;
  }

  private Set<Integer> usefulAt(
      Block block, boolean everyBranch, Table<Block, Set<Integer>> table) {
    Set<Integer> found = new HashSet<>();
    Op end = block.end();
    if (end.code() == OpCode.BRANCH && isFollowed(end.operand(0), everyBranch)) {
      found.addAll(conditions.deciding(end.operand(0)));
    }
    for (Target target : block.targets()) {
      Block to = target.block();
      for (int fact : table.get(to)) {
        if (!dependsOn(fact, parameters(to))) {
          found.add(fact);
        }
      }
      for (int i = 0; i < to.params().size(); i++) {
        if (table.get(to).contains(expressions.number(to.params().get(i)))) {
          Value argument = target.arguments().get(i);
          found.addAll(
              argument.type() == Type.BOOL
                  ? conditions.deciding(argument)
                  : conditions.deciding(expressions.number(argument)));
        }
      }
    }
    Set<Integer> again = renewedIn(block);
    if (!again.isEmpty()) {
      found.removeIf(fact -> dependsOn(fact, again));
    }
    return found;
  }
}
