package dev.stretto.compiler;

import dev.stretto.compiler.KernelTree.*;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Says whether a kernel is one that javac would take and that the compiler has to. */
final class KernelScopes {
  /** How many rounds a loop may have whose number of rounds is known. */
  private static final int MOST_ROUNDS = 40;

  private final Kernel kernel;
  private final Set<Object> visible = new HashSet<>();
  private final Map<Variable, List<Long>> counts = new HashMap<>();
  private final Map<Variable, Integer> guarded = new HashMap<>();
  private final Set<Variable> loops = new HashSet<>();
  private final Map<Variable, Limits> limits = new HashMap<>();
  private boolean right = true;

  /** What a whole number is not less and not more than. */
  private record Limits(long least, long most) {}

  /** That a variable is 0 or more and less than something. */
  private record Guard(Variable variable, int end) {}

  /** What a condition says of an index; null if nothing. */
  private static Guard guard(Expression condition) {
    return condition instanceof Logic it
            && it.both()
            && it.a() instanceof Compare low
            && low.how() == Comparison.NOT_LESS
            && low.a() instanceof Read first
            && low.b().equals(new Literal(Kind.INT, 0))
            && it.b() instanceof Compare high
            && high.how() == Comparison.LESS
            && high.a().equals(first)
            && high.b() instanceof Literal end
        ? new Guard(first.variable(), ((Number) end.value()).intValue())
        : null;
  }

  private KernelScopes(Kernel kernel) {
    this.kernel = kernel;
  }

  /** {@return whether everything that is used is known there, and every index is right} */
  static boolean areRight(Kernel kernel) {
    KernelScopes scopes = new KernelScopes(kernel);
    for (Helper helper : kernel.helpers()) {
      scopes.visible.clear();
      scopes.visible.addAll(helper.parameters());
      scopes.visible.addAll(helper.arrays());
      scopes.visible.addAll(helper.objects());
      scopes.statements(helper.body(), () -> scopes.look(helper.result()));
    }
    scopes.visible.clear();
    scopes.visible.addAll(KernelTree.PARAMETERS);
    scopes.visible.add(KernelTree.RANK);
    scopes.visible.add(KernelTree.PLACE);
    scopes.statements(kernel.body(), () -> {});
    return scopes.right && !KernelClassFile.leaves(kernel.body());
  }

  private void require(boolean holds) {
    right &= holds;
  }

  /** The statements of a body, and something that is still within it. */
  private void statements(Body body, Runnable then) {
    Set<Object> before = new HashSet<>(visible);
    for (int i = 0; i < body.statements().size(); i++) {
      Statement statement = body.statements().get(i);
      boolean last = i == body.statements().size() - 1;
      require(last || !KernelClassFile.leaves(new Body(List.of(statement))));
      statement(statement);
    }
    then.run();
    visible.retainAll(before);
  }

  private void statement(Statement statement) {
    switch (statement) {
      case If it -> {
        look(it.condition());
        require(!KernelClassFile.leaves(it.yes()) || !KernelClassFile.leaves(it.no()));
        Guard guard = guard(it.condition());
        boolean guards = guard != null && !assigns(kernel, guard.variable);
        if (guards) {
          guarded.put(guard.variable, guard.end);
        }
        statements(it.yes(), () -> {});
        if (guards) {
          guarded.remove(guard.variable);
        }
        statements(it.no(), () -> {});
      }
      case Switch it -> {
        look(it.on());
        for (Body body : it.cases()) {
          require(!KernelClassFile.leaves(body));
          statements(body, () -> {});
        }
        require(!KernelClassFile.leaves(it.otherwise()));
        statements(it.otherwise(), () -> {});
      }
      case Loop it -> loop(it);
      case Leave it -> require(loops.contains(it.loop()));
      case SetElement it -> {
        index(it.array(), it.index());
        look(it.value());
      }
      case Assign it -> {
        require(visible.contains(it.variable()));
        look(it.value());
      }
      case AssignObject it -> {
        require(visible.contains(it.object()));
        look(it.value());
      }
      case SetField it -> {
        require(visible.contains(it.object()));
        look(it.value());
      }
      case SetInner it -> {
        require(visible.contains(it.object()));
        look(it.value());
      }
      default -> {
        statement.children().forEach(this::look);
        declare(statement);
      }
    }
  }

  private void declare(Statement statement) {
    switch (statement) {
      case Declare it -> {
        visible.add(it.variable());
        Limits known = limits(it.value());
        if (known != null && !assigns(kernel, it.variable())) {
          limits.put(it.variable(), known);
        }
      }
      case DeclareArray it -> visible.add(it.array());
      case DeclareObject it -> visible.add(it.object());
      case LoadVector it -> visible.addAll(it.variables());
      case Update it -> visible.add(it.variable());
      case Meet it -> visible.add(it.variable());
      case Share it -> visible.add(it.variable());
      default -> {}
    }
  }

  private void loop(Loop it) {
    look(it.start());
    Set<Object> before = new HashSet<>(visible);
    visible.add(it.counter());
    look(it.bound());
    look(it.amount());
    loops.add(it.counter());
    List<Long> rounds = rounds(it);
    if (rounds != null) {
      counts.put(it.counter(), rounds);
    }
    require(rounds != null || it.fuel() > 0 || comesToItsBound(it));
    require(!KernelClassFile.leaves(it.body()));
    statements(it.body(), () -> {});
    loops.remove(it.counter());
    counts.remove(it.counter());
    visible.clear();
    visible.addAll(before);
  }

  private void look(Node node) {
    switch (node) {
      case Read it -> require(visible.contains(it.variable()));
      case Element it -> index(it.array(), it.index());
      case Component it -> require(visible.contains(it.object()));
      case Alias it -> require(visible.contains(it.of()));
      case Inner it -> require(visible.contains(it.of()));
      case Make it -> references(it.helper(), it.references());
      case Slot it when it.index() != null -> {
        Integer end = guarded.get(it.index().counter());
        if (end == null) {
          within(it.index(), KernelTree.ELEMENTS);
        } else {
          require(it.index().factor() == 1 && it.index().plus() == 0 && end <= KernelTree.OWN);
        }
      }
      case Call it -> references(it.helper(), it.references());
      case New it -> require(kernel.types().contains(it.type()));
      default -> {}
    }
    node.children().forEach(this::look);
  }

  private void references(String name, References references) {
    require(visible.containsAll(references.arrays()));
    require(visible.containsAll(references.objects()));
    require(kernel.helpers().stream().anyMatch(helper -> helper.name().equals(name)));
  }

  private void index(LocalArray array, Index index) {
    require(visible.contains(array));
    within(index, array.length());
  }

  private void within(Index index, int length) {
    if (index.counter() == null) {
      require(index.plus() >= 0 && index.plus() < length);
      return;
    }
    List<Long> values = counts.get(index.counter());
    require(values != null);
    if (values != null) {
      values.forEach(count -> require(index.at(count) >= 0 && index.at(count) < length));
    }
  }

  /**
   * {@return what a loop's counter is in each round; null where only a run can tell, or too many}
   */
  static List<Long> rounds(Loop it) {
    boolean whole = it.counter().kind().computed() == Kind.INT || it.counter().kind() == Kind.LONG;
    if (!whole
        || !(it.start() instanceof Literal start)
        || !(it.bound() instanceof Literal bound)
        || !(it.amount() instanceof Literal)
        || assigns(it.body(), it.counter())) {
      return null;
    }
    List<Long> values = new ArrayList<>();
    long count = narrow(it.counter().kind(), ((Number) start.value()).longValue());
    long end = ((Number) bound.value()).longValue();
    while (values.size() <= MOST_ROUNDS) {
      boolean first = values.isEmpty() && it.layout() == Layout.DO;
      boolean goesOn = first || holds(it.comparison(), count, end);
      boolean fuelled = it.fuel() == 0 || values.size() < it.fuel();
      if (!goesOn || !fuelled) {
        return values;
      }
      values.add(count);
      count = next(it, count);
    }
    return null;
  }

  /** Whether a loop counts towards a bound that is not far, and does not wrap behind it. */
  private boolean comesToItsBound(Loop it) {
    Limits start = limits(it.start());
    Limits bound = limits(it.bound());
    Limits by = limits(it.amount());
    if (start == null
        || bound == null
        || by == null
        || it.step() != Step.ADD
        || assigns(it.body(), it.counter())) {
      return false;
    }
    boolean isLong = it.counter().kind() == Kind.LONG;
    long end = isLong ? Long.MAX_VALUE : Integer.MAX_VALUE;
    return switch (it.comparison()) {
      case LESS, NOT_MORE ->
          by.least > 0
              && bound.most <= end - by.most
              && isNear(start.least, bound.most)
              && start.most <= end - by.most;
      case MORE, NOT_LESS ->
          by.most < 0
              && bound.least >= -end - by.least
              && isNear(bound.least, start.most)
              && start.least >= -end - by.least;
      default -> false;
    };
  }

  private static boolean isNear(long from, long to) {
    return from >= to || (to - from >= 0 && to - from < 100);
  }

  /** What is known of a number of a loop's head; null if nothing is. */
  private Limits limits(Expression expression) {
    return switch (expression) {
      case Literal it when it.value() instanceof Integer || it.value() instanceof Long -> {
        long value = ((Number) it.value()).longValue();
        yield new Limits(value, value);
      }
      case Read it -> limits.get(it.variable());
      case Apply it when it.arguments().size() == 2 -> {
        Limits a = limits(it.arguments().get(0));
        Limits b = limits(it.arguments().get(1));
        if (it.operation().java().equals("(%0 & %1)") && b != null && b.least >= 0) {
          yield new Limits(0, b.most);
        }
        boolean sum = it.operation().java().equals("(%0 + %1)") && a != null && b != null;
        yield sum ? sum(a, b, it.kind()) : null;
      }
      default -> null;
    };
  }

  private static Limits sum(Limits a, Limits b, Kind kind) {
    long end = kind == Kind.LONG ? Long.MAX_VALUE : Integer.MAX_VALUE;
    boolean fits = a.most <= end - Math.max(b.most, 0) && a.least >= -end - Math.min(b.least, 0);
    return fits ? new Limits(a.least + b.least, a.most + b.most) : null;
  }

  private static boolean assigns(Node node, Variable variable) {
    return (node instanceof Assign assign && assign.variable().equals(variable))
        || node.children().stream().anyMatch(child -> assigns(child, variable));
  }

  private static boolean holds(Comparison how, long a, long b) {
    return switch (how) {
      case LESS -> a < b;
      case NOT_MORE -> a <= b;
      case MORE -> a > b;
      case NOT_LESS -> a >= b;
      case SAME -> a == b;
      case DIFFERENT -> a != b;
    };
  }

  private static long next(Loop it, long count) {
    Kind kind = it.counter().kind();
    long by = ((Number) ((Literal) it.amount()).value()).longValue();
    boolean isLong = kind == Kind.LONG;
    long next =
        switch (it.step()) {
          case ADD -> count + by;
          case MULTIPLY -> count * by;
          case SHIFT_LEFT -> isLong ? count << by : (int) count << by;
          case SHIFT_RIGHT -> isLong ? count >> by : (int) count >> by;
          case SHIFT_RIGHT_UNSIGNED -> isLong ? count >>> by : (int) count >>> by;
        };
    return narrow(kind, next);
  }

  private static long narrow(Kind kind, long value) {
    return switch (kind) {
      case BYTE -> (byte) value;
      case SHORT -> (short) value;
      case CHAR -> (char) value;
      case LONG -> value;
      default -> (int) value;
    };
  }
}
