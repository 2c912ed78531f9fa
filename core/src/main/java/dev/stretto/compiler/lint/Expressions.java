package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Numbers a kernel's values by how they are computed. Equal expressions have one number, wherever
 * they are computed: a kernel asks for its thread's rank again and again, and means the same value.
 *
 * <p>An expression depends on values that it starts from. Those that a loop computes differ in each
 * iteration; {@link #changing} says which of them an expression has.
 */
final class Expressions {
  private record Shape(Object what, List<Integer> of) {}

  private final Map<Shape, Integer> numbers = new HashMap<>();
  private final Table<Value, Integer> known = new Table<>();
  private final List<Value> values = new ArrayList<>();
  private final List<List<Integer>> parts = new ArrayList<>();
  private final Set<Integer> leaves = new HashSet<>();
  private final Map<Integer, Set<Integer>> changing = new HashMap<>();

  Expressions(Function function) {
    for (Block block : function.blocks()) {
      for (BlockParam param : block.params()) {
        int number = fresh(param, List.of());
        known.put(param, number);
        if (block != function.entry()) {
          leaves.add(number);
        }
      }
      for (Op op : block.ops()) {
        add(op);
      }
    }
  }

  private void add(Op op) {
    if (!isRepeatable(op)) {
      int number = fresh(op, List.of());
      known.put(op, number);
      leaves.add(number);
      return;
    }
    List<Integer> of = new ArrayList<>();
    for (Value operand : op.operands()) {
      of.add(number(operand));
    }
    known.put(op, number(new Shape(what(op), of), op));
  }

  private static boolean isRepeatable(Op op) {
    // The same lane is elected every time.
    return op.isPure() || (op.code() == OpCode.ASM && name(op).endsWith(".electSync"));
  }

  static String name(Op op) {
    return op.attribute(Asm.class).name();
  }

  private static Object what(Op op) {
    Object attribute = op.attribute();
    return List.of(
        op.code(),
        op.type(),
        attribute instanceof Asm asm ? asm.name() : attribute == null ? "" : attribute);
  }

  private int number(Shape shape, Value value) {
    Integer number = numbers.get(shape);
    if (number == null) {
      number = fresh(value, shape.of);
      numbers.put(shape, number);
    }
    return number;
  }

  private int fresh(Value value, List<Integer> of) {
    int number = values.size();
    values.add(value);
    parts.add(of);
    return number;
  }

  /** {@return the number of the value's expression} */
  int number(Value value) {
    Integer number = known.find(value);
    if (number != null) {
      return number;
    }
    if (value instanceof Constant constant) {
      return number(new Shape(List.of(constant.type(), constant.value()), List.of()), constant);
    }
    throw new IllegalStateException("a value that no block computes");
  }

  /** {@return the number of a comparison of two expressions, in normal form} */
  int comparison(Cond cond, int a, int b, Value as) {
    return number(new Shape(cond, List.of(a, b)), as);
  }

  /** {@return a value that an expression stands for} */
  Value value(int number) {
    return values.get(number);
  }

  /** {@return the expressions that an expression consists of} */
  List<Integer> parts(int number) {
    return parts.get(number);
  }

  /** {@return the values in an expression that may change when they are computed again} */
  Set<Integer> changing(int number) {
    return changing.computeIfAbsent(number, this::findChanging);
  }

  private Set<Integer> findChanging(int number) {
    Set<Integer> found = new HashSet<>();
    Set<Integer> seen = new HashSet<>();
    ArrayDeque<Integer> open = new ArrayDeque<>(List.of(number));
    while (!open.isEmpty()) {
      int next = open.pop();
      if (seen.add(next)) {
        if (leaves.contains(next)) {
          found.add(next);
        }
        open.addAll(parts.get(next));
      }
    }
    return Set.copyOf(found);
  }

  /** {@return whether a value may change when it is computed again} */
  boolean isChanging(Value value) {
    return leaves.contains(number(value));
  }
}
