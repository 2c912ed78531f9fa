package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The barriers of a kernel whose bytes can be counted along one thread's path: the same thread, or
 * the same threads, perform every operation that counts.
 */
final class CountedBarriers {
  private final LintedKernel kernel;
  private final List<Op> ops;
  private final Table<Block, List<Edge>> predecessors;

  CountedBarriers(LintedKernel kernel, List<Op> ops) {
    this.kernel = kernel;
    this.ops = ops;
    this.predecessors = kernel.function().predecessors();
  }

  /** {@return each of these barriers, with the headers of the loops that bring or expect bytes} */
  Map<Access.Place, Set<Block>> barriers() {
    Map<Access.Place, List<Op>> counted = new LinkedHashMap<>();
    Set<Object> uncounted = new HashSet<>();
    boolean known = true;
    for (Op op : ops) {
      Access access = kernel.access(op);
      switch (access.kind()) {
        case BULK_LOAD,
            BULK_LOAD_ALL,
            BARRIER_EXPECT,
            BARRIER_ARRIVE_EXPECT,
            BARRIER_EXPECT_AT,
            BARRIER_COMPLETE -> {
          Access.Place barrier =
              access.is(Access.Kind.BULK_LOAD, Access.Kind.BULK_LOAD_ALL)
                  ? access.places().getLast()
                  : access.first();
          known &=
              barrier.base() instanceof SharedVariable || barrier.base() == OpCode.DYNAMIC_BASE;
          // Other blocks may bring the bytes, or it is not known which barrier counts them.
          if (access.is(Access.Kind.BULK_LOAD_ALL, Access.Kind.BARRIER_EXPECT_AT)
              || barrier.offset() == null) {
            uncounted.add(barrier.base());
          }
          counted.computeIfAbsent(barrier, _ -> new ArrayList<>()).add(op);
        }
        default -> {}
      }
    }
    Map<Access.Place, Set<Block>> found = new LinkedHashMap<>();
    counted.forEach(
        (barrier, all) -> {
          if (!uncounted.contains(barrier.base())
              && all.stream().map(this::branches).distinct().count() == 1) {
            found.put(barrier, loops(all));
          }
        });
    return known ? found : Map.of();
  }

  /** Which threads reach an operation, described by the branches on their rank that lead to it. */
  private Set<List<Object>> branches(Op op) {
    Set<List<Object>> sides = new HashSet<>();
    Block at = kernel.divergence().home(op);
    for (Block parent = kernel.divergence().parent(at);
        parent != null;
        parent = kernel.divergence().parent(at)) {
      Edge entry = kernel.divergence().entry(at);
      Op end = parent.end();
      if (entry != null
          && entry.from() == parent
          && end.code() == OpCode.BRANCH
          && kernel.divergence().dependsOnRank(end.operand(0))) {
        sides.add(
            kernel.conditions().side(end.operand(0), end.targets().getFirst() == entry.target()));
      }
      at = parent;
    }
    return sides;
  }

  /** The headers of the loops that contain one of some operations. */
  private Set<Block> loops(List<Op> all) {
    Set<Block> headers = new HashSet<>();
    for (Block header : kernel.blocks()) {
      Set<Block> body = body(header);
      if (all.stream().anyMatch(op -> body.contains(kernel.divergence().home(op)))) {
        headers.add(header);
      }
    }
    return headers;
  }

  private Set<Block> body(Block header) {
    Set<Block> body = new HashSet<>();
    ArrayDeque<Block> open = new ArrayDeque<>();
    for (Edge edge : predecessors.get(header)) {
      if (kernel.dominators().dominates(header, edge.from())) {
        open.add(edge.from());
      }
    }
    if (!open.isEmpty()) {
      body.add(header);
    }
    while (!open.isEmpty()) {
      Block next = open.remove();
      if (body.add(next)) {
        predecessors.get(next).forEach(edge -> open.add(edge.from()));
      }
    }
    return body;
  }
}
