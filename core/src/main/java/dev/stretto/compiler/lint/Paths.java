package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows the paths through a kernel: for each operation, it computes every state in which a path
 * may arrive there. A path remembers the outcomes of its branches, and takes no later branch that
 * contradicts them. If there are too many states, nothing is reported.
 *
 * @param <S> a state; equal states count as one
 */
final class Paths<S> {
  private static final int MOST_STATES = 400;
  private static final int MOST_STEPS = 40_000;

  /**
   * How operations change a state.
   *
   * @param <S> a state
   */
  interface Rule<S> {
    /** {@return the state after an operation} */
    S after(Op op, Access access, S before);

    /** Checks whether the rule is broken, once all states before an operation are known. */
    void look(Op op, Access access, Set<S> before);

    /** {@return the state after some values are computed again and may have changed} */
    default S renewed(S state, Set<Integer> values) {
      return state;
    }

    /** {@return the state at the beginning of a block} */
    default S enter(Block block, S state) {
      return state;
    }

    /**
     * {@return whether a state describes one thread alone} If it does not, effects of one path may
     * be visible to threads on another, so branches on the thread's rank exclude nothing.
     */
    default boolean isOfOneThread() {
      return false;
    }
  }

  /** A state, and what the path to it has found out. */
  private record Arrival<S>(S state, Facts facts) {}

  private record Step<S>(Block block, Arrival<S> arrival) {}

  private final LintedKernel kernel;
  private final Rule<S> rule;
  private final boolean everyBranch;
  private final Table<Block, Set<Arrival<S>>> arrivals = new Table<>();
  private final ArrayDeque<Step<S>> open = new ArrayDeque<>();

  Paths(LintedKernel kernel, Rule<S> rule) {
    this.kernel = kernel;
    this.rule = rule;
    this.everyBranch = rule.isOfOneThread();
  }

  /** Follows all paths from a state, and checks each operation in each state. */
  void follow(S begin) {
    kernel.blocks().forEach(block -> arrivals.put(block, new LinkedHashSet<>()));
    arrive(kernel.function().entry(), new Arrival<>(begin, Facts.NONE));
    int steps = 0;
    while (!open.isEmpty()) {
      Step<S> step = open.remove();
      if (++steps > MOST_STEPS || arrivals.get(step.block).size() > MOST_STATES) {
        return;
      }
      go(step.block, step.arrival);
    }
    kernel.blocks().forEach(this::look);
  }

  private void arrive(Block block, Arrival<S> arrival) {
    Arrival<S> here = new Arrival<>(rule.enter(block, arrival.state), arrival.facts);
    if (arrivals.get(block).add(here)) {
      open.add(new Step<>(block, here));
    }
  }

  private void go(Block block, Arrival<S> arrival) {
    S state = arrival.state;
    for (LintedKernel.Touch touch : kernel.touches(block)) {
      state = rule.after(touch.op(), touch.access(), state);
    }
    Set<Integer> renewed = kernel.renewedIn(block);
    Facts facts = arrival.facts;
    if (!renewed.isEmpty()) {
      state = rule.renewed(state, renewed);
      facts = kernel.without(facts, renewed);
    }
    Op end = block.end();
    for (int way = 0; way < end.targets().size(); way++) {
      Facts taken = taken(end, way, facts);
      if (taken != null) {
        pass(block, end.targets().get(way), state, taken);
      }
    }
  }

  private @Nullable Facts taken(Op end, int way, Facts facts) {
    return end.code() == OpCode.BRANCH && kernel.isFollowed(end.operand(0), everyBranch)
        ? kernel.conditions().assume(end.operand(0), way == 0, facts)
        : facts;
  }

  private void pass(Block from, Target target, S state, Facts facts) {
    Block to = target.block();
    Facts there = facts;
    S arriving = state;
    Set<Integer> renewed = kernel.parameters(to);
    if (!renewed.isEmpty()) {
      there = kernel.without(facts, renewed);
      boolean back = kernel.isBack(from, to);
      for (int i = 0; i < to.params().size(); i++) {
        BlockParam param = to.params().get(i);
        Interval known = kernel.passed(target.arguments().get(i), param, facts, back);
        if (known != null) {
          there = there.with(kernel.expressions().number(param), known);
        }
      }
      arriving = rule.renewed(state, renewed);
    }
    arrive(to, new Arrival<>(arriving, there.about(fact -> kernel.isOfUse(fact, to, everyBranch))));
  }

  private void look(Block block) {
    Set<S> now = new LinkedHashSet<>();
    arrivals.get(block).forEach(arrival -> now.add(arrival.state));
    Set<S> states = now;
    if (states.isEmpty()) {
      return;
    }
    for (LintedKernel.Touch touch : kernel.touches(block)) {
      rule.look(touch.op(), touch.access(), states);
      Set<S> next = new HashSet<>();
      for (S state : states) {
        next.add(rule.after(touch.op(), touch.access(), state));
      }
      states = next;
    }
  }
}
