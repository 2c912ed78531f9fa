package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Target;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Follows all paths through a kernel: at each operation it knows every state in which one may
 * arrive there. States are few, or nothing is said.
 *
 * @param <S> a state; equal ones are one
 */
final class Paths<S> {
  private static final int MOST_STATES = 200;

  /**
   * What an operation makes of a state.
   *
   * @param <S> a state
   */
  interface Rule<S> {
    /** {@return the state behind an operation} */
    S after(Op op, Access access, S before);

    /** Looks whether a rule is broken, when all states before an operation are known. */
    void look(Op op, Access access, Set<S> before);
  }

  private final Function function;
  private final Table<Op, Access> accesses;
  private final Rule<S> rule;
  private final Table<Block, Set<S>> states = new Table<>();

  Paths(Function function, Table<Op, Access> accesses, Rule<S> rule) {
    this.function = function;
    this.accesses = accesses;
    this.rule = rule;
  }

  /** Follows all paths from a state, and looks at each operation in each state. */
  void follow(S begin) {
    List<Block> blocks = function.blocks();
    blocks.forEach(block -> states.put(block, new LinkedHashSet<>()));
    ArrayDeque<Block> open = new ArrayDeque<>();
    states.get(function.entry()).add(begin);
    open.add(function.entry());
    while (!open.isEmpty()) {
      Block block = open.remove();
      Set<S> behind = new HashSet<>();
      for (S state : states.get(block)) {
        behind.add(through(block, state));
      }
      for (Target target : block.targets()) {
        Set<S> next = states.get(target.block());
        if (next.addAll(behind)) {
          if (next.size() > MOST_STATES) {
            return;
          }
          open.add(target.block());
        }
      }
    }
    blocks.forEach(this::look);
  }

  private void look(Block block) {
    Set<S> now = states.get(block);
    for (Op op : block.ops()) {
      Access access = accesses.get(op);
      if (concerns(op, access) && !now.isEmpty()) {
        rule.look(op, access, now);
        Set<S> next = new LinkedHashSet<>();
        for (S state : now) {
          next.add(rule.after(op, access, state));
        }
        now = next;
      }
    }
  }

  private S through(Block block, S state) {
    S now = state;
    for (Op op : block.ops()) {
      Access access = accesses.get(op);
      if (concerns(op, access)) {
        now = rule.after(op, access, now);
      }
    }
    return now;
  }

  private static boolean concerns(Op op, Access access) {
    return !access.is(Access.Kind.NOTHING) || op.code() == OpCode.RETURN;
  }
}
