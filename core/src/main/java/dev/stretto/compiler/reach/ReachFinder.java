package dev.stretto.compiler.reach;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Dominators;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Function.Edge;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.ir.Vector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds what a kernel does with the arrays that it is given. */
public final class ReachFinder {
  /** What an argument is. */
  public enum Kind {
    /** One number, or those of a record. */
    NUMBERS,
    /** An array. */
    ARRAY,
    /** A tensor map. */
    TENSOR_MAP
  }

  /**
   * The places that a kernel takes for an argument.
   *
   * @param kind what they are
   * @param count how many they are
   */
  public record Argument(Kind kind, int count) {
    /** A number. */
    public static final Argument NUMBER = numbers(1);

    /** An address and a length. */
    public static final Argument ARRAY = new Argument(Kind.ARRAY, 2);

    /** An address. */
    public static final Argument TENSOR_MAP = new Argument(Kind.TENSOR_MAP, 1);

    /** {@return the numbers of a record} */
    public static Argument numbers(int count) {
      return new Argument(Kind.NUMBERS, count);
    }
  }

  /**
   * Memory at a place in an argument.
   *
   * @param offset the node of the offset; -1 for any
   */
  private record Root(int argument, int offset) {}

  private final Dominators dominators;
  private final Table<Block, List<Edge>> predecessors;
  private final Formulas formulas;
  private final IdentityHashMap<Value, Integer> arguments = new IdentityHashMap<>();
  private final IdentityHashMap<Block, List<Guard>> guards = new IdentityHashMap<>();
  private final Set<Touch> touches = new LinkedHashSet<>();

  private ReachFinder(Function function) {
    this.dominators = new Dominators(function);
    this.predecessors = function.predecessors();
    this.formulas = new Formulas(dominators, predecessors);
  }

  /**
   * {@return what it does}
   *
   * @param function the kernel, whose objects are all in registers
   * @param arguments its arguments
   */
  public static Reach of(Function function, List<Argument> arguments) {
    ReachFinder finder = new ReachFinder(function);
    finder.name(function.entry(), arguments);
    finder.guard(function.entry());
    for (Block block : finder.dominators.order()) {
      for (Op op : block.ops()) {
        finder.look(block, op);
      }
    }
    return finder.reach();
  }

  private void name(Block entry, List<Argument> all) {
    int next = 0;
    for (int i = 0; i < all.size(); i++) {
      Argument argument = all.get(i);
      if (argument.kind == Kind.NUMBERS) {
        for (int component = 0; component < argument.count; component++) {
          BlockParam param = entry.params().get(next + component);
          if (Formulas.isInteger(param)) {
            formulas.parameter(param, Node.Code.ARGUMENT, Numbers.place(i, component));
          }
        }
      } else {
        arguments.put(entry.params().get(next), i);
        if (argument.kind == Kind.ARRAY) {
          formulas.parameter(entry.params().get(next + 1), Node.Code.LENGTH, i);
        }
      }
      next += argument.count;
    }
  }

  /** Collects what holds in the blocks that one dominates, without recursion: trees are deep. */
  private void guard(Block entry) {
    guards.put(entry, List.of());
    for (Block block : dominators.order()) {
      for (Block child : dominators.children(block)) {
        List<Guard> all = new ArrayList<>(guards.getOrDefault(block, List.of()));
        List<Edge> edges = predecessors.get(child);
        if (edges.size() == 1) {
          Op end = edges.getFirst().from().end();
          if (end.targets().size() == 2
              && end.targets().getFirst().block() != end.targets().getLast().block()) {
            holds(end.operand(0), end.targets().getFirst().block() == child, all);
          }
        }
        guards.put(child, all);
      }
    }
  }

  private void holds(Value condition, boolean isTrue, List<Guard> all) {
    if (!(condition instanceof Op op)) {
      return;
    }
    switch (op.code()) {
      case NOT -> holds(op.operand(0), !isTrue, all);
      case AND -> {
        if (isTrue) {
          holds(op.operand(0), true, all);
          holds(op.operand(1), true, all);
        }
      }
      case OR -> {
        if (!isTrue) {
          holds(op.operand(0), false, all);
          holds(op.operand(1), false, all);
        }
      }
      case CMP -> {
        if (Formulas.isInteger(op.operand(0))) {
          Cond cond = op.attribute(Cond.class);
          all.add(
              new Guard(
                  isTrue ? cond : cond.negated(false),
                  formulas.of(op.operand(0)),
                  formulas.of(op.operand(1))));
        }
      }
      default -> {}
    }
  }

  private void look(Block block, Op op) {
    switch (op.code()) {
      case LOAD -> touch(block, op.operand(0), AccessKind.READ, element(op));
      case STORE -> touch(block, op.operand(0), AccessKind.WRITE, element(op));
      case LOAD_VECTOR -> touch(block, op.operand(0), AccessKind.READ, vector(op));
      case STORE_VECTOR -> touch(block, op.operand(0), AccessKind.WRITE, vector(op));
      case ASM -> {
        for (Instructions.Named named : Instructions.of(op)) {
          int bytes = bytes(named);
          named.kinds().forEach(kind -> touch(block, named.address(), kind, bytes));
        }
      }
      default -> {}
    }
  }

  private int element(Op op) {
    return formulas.constant(op.attribute(Element.class).bytes());
  }

  private int vector(Op op) {
    return formulas.constant(op.attribute(Vector.class).bytes());
  }

  private int bytes(Instructions.Named named) {
    if (named.count() != null && Formulas.isInteger(named.count())) {
      return formulas.of(named.count());
    }
    return named.bytes() < 0 ? -1 : formulas.constant(named.bytes());
  }

  private void touch(Block block, Value address, AccessKind kind, int bytes) {
    if (address.type() != Type.GLOBAL) {
      return;
    }
    for (Root root : roots(address)) {
      touches.add(
          root.offset < 0 || bytes < 0
              ? Touch.anywhere(root.argument, kind)
              : new Touch(
                  root.argument,
                  kind,
                  root.offset,
                  bytes,
                  List.copyOf(guards.getOrDefault(block, List.of()))));
    }
  }

  /** Where an address may point to. */
  private Set<Root> roots(Value address) {
    int offset = formulas.constant(0);
    Value at = address;
    while (at instanceof Op op) {
      switch (op.code()) {
        case ELEMENT ->
            offset = formulas.plus(formulas.times(formulas.of(op.operand(1)), op.count()), offset);
        case OFFSET -> offset = formulas.plus(formulas.of(op.operand(1)), offset);
        default -> {
          return anywhere(at);
        }
      }
      at = op.operand(0);
    }
    Integer argument = arguments.get(at);
    return argument == null ? anywhere(at) : Set.of(new Root(argument, offset));
  }

  /** Where an address may point to that is one of several. */
  private Set<Root> anywhere(Value address) {
    Set<Integer> found = new TreeSet<>();
    Set<Value> seen = java.util.Collections.newSetFromMap(new IdentityHashMap<>());
    List<Value> open = new ArrayList<>(List.of(address));
    while (!open.isEmpty()) {
      Value value = open.removeLast();
      if (!seen.add(value) || value instanceof Constant) {
        continue;
      }
      Integer argument = arguments.get(value);
      if (argument != null) {
        found.add(argument);
      } else if (value instanceof BlockParam param) {
        open.addAll(incoming(param));
      } else if (value instanceof Op op) {
        op.operands().stream().filter(it -> it.type() == Type.GLOBAL).forEach(open::add);
      }
    }
    Set<Root> roots = new LinkedHashSet<>();
    found.forEach(argument -> roots.add(new Root(argument, -1)));
    return roots;
  }

  private List<Value> incoming(BlockParam param) {
    List<Value> values = new ArrayList<>();
    for (Block block : dominators.order()) {
      int index = block.params().indexOf(param);
      if (index >= 0) {
        predecessors.get(block).forEach(edge -> values.add(edge.target().arguments().get(index)));
      }
    }
    return values;
  }

  /** Keeps only the formulas that are used. */
  private Reach reach() {
    List<Node> all = formulas.nodes();
    Set<Integer> used = new TreeSet<>();
    for (Touch touch : touches) {
      use(touch.offset(), all, used);
      use(touch.bytes(), all, used);
      for (Guard guard : touch.guards()) {
        use(guard.left(), all, used);
        use(guard.right(), all, used);
      }
    }
    Map<Integer, Integer> numbers = new HashMap<>();
    numbers.put(-1, -1);
    used.forEach(node -> numbers.put(node, numbers.size() - 1));
    List<Node> nodes =
        used.stream()
            .map(all::get)
            .map(
                it ->
                    new Node(
                        it.code(),
                        numbers.getOrDefault(it.a(), -1),
                        numbers.getOrDefault(it.b(), -1),
                        it.number()))
            .toList();
    return new Reach(nodes, touches.stream().map(touch -> renumbered(touch, numbers)).toList());
  }

  private static void use(int node, List<Node> all, Set<Integer> used) {
    List<Integer> open = new ArrayList<>(List.of(node));
    while (!open.isEmpty()) {
      int next = open.removeLast();
      if (next >= 0 && used.add(next)) {
        open.add(all.get(next).a());
        open.add(all.get(next).b());
      }
    }
  }

  private static Touch renumbered(Touch touch, Map<Integer, Integer> numbers) {
    List<Guard> guards =
        touch.guards().stream()
            .map(
                it -> new Guard(it.cond(), number(numbers, it.left()), number(numbers, it.right())))
            .toList();
    return new Touch(
        touch.argument(),
        touch.kind(),
        number(numbers, touch.offset()),
        number(numbers, touch.bytes()),
        guards);
  }

  private static int number(Map<Integer, Integer> numbers, int node) {
    return numbers.getOrDefault(node, -1);
  }
}
