package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.ir.Vector;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** Computes which bytes the operations of a kernel touch. */
final class Regions {
  private static final int UNIT = 16;

  private final LintedKernel kernel;
  private final Table<Block, Facts> facts = new Table<>();
  private final Map<Object, TreeSet<Long>> begins = new HashMap<>();

  Regions(LintedKernel kernel) {
    this.kernel = kernel;
    for (Block block : kernel.blocks()) {
      for (Op op : block.ops()) {
        Access access = kernel.access(op);
        if (access.is(Access.Kind.BULK_LOAD, Access.Kind.BULK_LOAD_ALL, Access.Kind.COPY)) {
          Region region = of(op, access.addresses().getFirst(), 1);
          begins
              .computeIfAbsent(region.base(), _ -> new TreeSet<>())
              .add(region.terms().isEmpty() ? region.least() : 0);
        }
      }
    }
  }

  /** The region that an operation touches at one of its places. */
  Region of(Op op, Access access, int place) {
    Value address = access.addresses().get(place);
    long bytes = bytes(op, access);
    if (bytes >= 0) {
      return of(op, address, bytes);
    }
    // The size is not known: assume that it ends where the next copy begins.
    Region least = of(op, address, UNIT);
    if (!least.terms().isEmpty() || !(least.base() instanceof SharedVariable array)) {
      return least;
    }
    TreeSet<Long> all = begins.getOrDefault(least.base(), new TreeSet<>());
    Long next = all.higher(least.least());
    return new Region(
        least.base(), least.terms(), least.least(), next == null ? array.bytes() : next);
  }

  private static long bytes(Op op, Access access) {
    return switch (op.code()) {
      case LOAD, STORE -> op.attribute(Element.class).bytes();
      case LOAD_VECTOR, STORE_VECTOR -> op.attribute(Vector.class).bytes();
      default -> access.is(Access.Kind.COPY) ? chunk(Expressions.name(op)) : access.number();
    };
  }

  /** The name of a {@code cp.async} contains its number of bytes. */
  private static long chunk(String name) {
    return name.contains("16") ? 16 : name.contains("8") ? 8 : 4;
  }

  private Region of(Op op, Value address, long bytes) {
    Facts known = holding(kernel.divergence().home(op));
    Sum sum = new Sum(known);
    Value at = address;
    while (at instanceof Op step
        && (step.code() == OpCode.ELEMENT || step.code() == OpCode.OFFSET)) {
      sum.add(step.operand(1), step.code() == OpCode.ELEMENT ? step.count() : 1);
      at = step.operand(0);
    }
    return Region.of(Access.place(address).base(), sum.terms(), sum.rest, bytes);
  }

  /** The facts that follow from the branches on every path to a block. */
  private Facts holding(Block block) {
    Facts known = facts.find(block);
    if (known == null) {
      Block parent = kernel.divergence().parent(block);
      known = parent == null ? Facts.NONE : behind(holding(parent), parent, block);
      facts.put(block, known);
    }
    return known;
  }

  private Facts behind(Facts before, Block parent, Block block) {
    Edge entry = kernel.divergence().entry(block);
    Op end = parent.end();
    if (entry == null || entry.from() != parent || end.code() != OpCode.BRANCH) {
      return before;
    }
    Facts more =
        kernel
            .conditions()
            .assume(end.operand(0), end.targets().getFirst() == entry.target(), before);
    return more == null ? before : more;
  }

  /** An index as a sum. */
  private final class Sum {
    private static final int DEPTH = 12;

    private final Facts known;
    private final Map<Integer, Long> factors = new HashMap<>();
    private Interval rest = Interval.exactly(0);

    Sum(Facts known) {
      this.known = known;
    }

    void add(Value value, long factor) {
      add(value, factor, DEPTH);
    }

    private void add(Value value, long factor, int depth) {
      if (value instanceof Constant constant) {
        rest = rest.plus(Interval.exactly(constant.asLong()).times(factor));
        return;
      }
      if (value instanceof Op op && depth > 0) {
        switch (op.code()) {
          case ADD -> {
            add(op.operand(0), factor, depth - 1);
            add(op.operand(1), factor, depth - 1);
            return;
          }
          case SUB -> {
            add(op.operand(0), factor, depth - 1);
            add(op.operand(1), -factor, depth - 1);
            return;
          }
          case MUL -> {
            if (op.operand(1) instanceof Constant by) {
              add(op.operand(0), factor * by.asLong(), depth - 1);
              return;
            }
          }
          case SHL -> {
            if (op.operand(1) instanceof Constant by && by.asInt() >= 0 && by.asInt() < 31) {
              add(op.operand(0), factor << by.asInt(), depth - 1);
              return;
            }
          }
          case CONVERT -> {
            if (op.operand(0).type().isNumber() && !op.operand(0).type().isFloating()) {
              add(op.operand(0), factor, depth - 1);
              return;
            }
          }
          default -> {}
        }
      }
      if (kernel.divergence().dependsOnRank(value)) {
        rest = rest.plus(kernel.conditions().of(value, known).times(factor));
      } else {
        factors.merge(kernel.expressions().number(value), factor, Long::sum);
      }
    }

    Map<Integer, Region.Term> terms() {
      Map<Integer, Region.Term> terms = new HashMap<>();
      factors.forEach(
          (expression, factor) -> {
            if (factor != 0) {
              terms.put(
                  expression, new Region.Term(factor, kernel.conditions().of(expression, known)));
            }
          });
      return terms;
    }
  }
}
