package dev.stretto.compiler.reach;

import dev.stretto.compiler.ir.Cond;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a kernel's numbers at a place, in one launch: each number as a sum of variables,
 * such as the thread's index, the limits of those, and the limits of other sums.
 */
final class Circumstances {
  /** The numbers of loops are below this. */
  static final int MOST_LOOPS = 1 << 20;

  /**
   * A sum that has limits.
   *
   * @param sum the sum, without a constant
   */
  record Limited(Form sum, Limits limits) {}

  /**
   * An int that a loop changes.
   *
   * @param number the int
   * @param step how much a round adds
   */
  private record Counter(Form number, Form step) {}

  private final List<Node> nodes;
  private final Numbers numbers;
  private final @Nullable Form[] known;

  /** The limits of the variables. Each is a node, or behind all nodes the round of a loop. */
  private final Map<Integer, Limits> limits = new HashMap<>();

  private final List<Limited> limited = new ArrayList<>();
  private final List<Counter> intCounters = new ArrayList<>();
  private boolean isImpossible;
  private boolean endsEarly;
  private int extra;

  Circumstances(List<Node> nodes, Numbers numbers) {
    this.nodes = nodes;
    this.numbers = numbers;
    this.known = new Form[nodes.size()];
  }

  /** {@return whether no thread ever comes to this place} */
  boolean isImpossible() {
    return isImpossible;
  }

  List<Limited> limited() {
    return limited;
  }

  Limits limitsOf(int variable) {
    return limits.getOrDefault(variable, Limits.ANY);
  }

  /** {@return a new variable} */
  int variable(Limits its) {
    int variable = nodes.size() + MOST_LOOPS + extra++;
    limits.put(variable, its);
    return variable;
  }

  /** Adds what holds. */
  void add(Guard guard) {
    Form left = of(guard.left());
    Form right = of(guard.right());
    Form difference = left.plus(right, -1);
    switch (guard.cond()) {
      case LT -> limit(difference, new Limits(-Limits.INFINITE, -1));
      case LE -> limit(difference, new Limits(-Limits.INFINITE, 0));
      case GT -> limit(difference, new Limits(1, Limits.INFINITE));
      case GE -> limit(difference, new Limits(0, Limits.INFINITE));
      case EQ -> limit(difference, Limits.exactly(0));
      case NE -> {
        Limits now = limits(difference);
        if (now.least() == 0) {
          limit(difference, new Limits(1, Limits.INFINITE));
        } else if (now.most() == 0) {
          limit(difference, new Limits(-Limits.INFINITE, -1));
        }
      }
      case ULT, ULE -> {
        if (limits(right).least() >= 0) { // so the left one is not negative either
          limit(left, new Limits(0, Limits.INFINITE));
          limit(difference, new Limits(-Limits.INFINITE, guard.cond() == Cond.ULT ? -1 : 0));
        }
      }
      case UGT, UGE -> {}
    }
  }

  /** Limits a sum, and with it each of its variables. */
  private void limit(Form form, Limits to) {
    Limits of = to.plus(Limits.exactly(Math.negateExact(form.constant())));
    Form sum = form.linear();
    if (sum.isConstant()) {
      isImpossible |= of.least() > 0 || of.most() < 0;
      return;
    }
    if (sum.factors()[0] < 0) {
      sum = sum.times(-1);
      of = of.times(-1);
    }
    if (sum.size() > 1) {
      remember(sum, of);
    }
    for (int i = 0; i < sum.size(); i++) {
      Limits others = Limits.exactly(0);
      for (int j = 0; j < sum.size(); j++) {
        if (j != i) {
          others = others.plus(limitsOf(sum.variables()[j]).times(sum.factors()[j]));
        }
      }
      tighten(sum.variables()[i], sum.factors()[i], of.plus(others.times(-1)));
    }
  }

  private void remember(Form sum, Limits of) {
    for (int i = 0; i < limited.size(); i++) {
      if (limited.get(i).sum().equals(sum)) {
        limited.set(i, new Limited(sum, limited.get(i).limits().and(of)));
        return;
      }
    }
    limited.add(new Limited(sum, of));
  }

  private void tighten(int variable, long factor, Limits of) {
    long least = of.least();
    long most = of.most();
    if (factor < 0) {
      least = -of.most();
      most = -of.least();
    }
    long by = Math.abs(factor);
    Limits its =
        new Limits(
            least <= -Limits.INFINITE ? -Limits.INFINITE : Math.ceilDiv(least, by),
            most >= Limits.INFINITE ? Limits.INFINITE : Math.floorDiv(most, by));
    Limits both = limitsOf(variable).and(its);
    limits.put(variable, both);
    if (both.isEmpty() && variable >= nodes.size()) {
      endsEarly = true; // a loop that should never end has: its counter has wrapped around
    } else {
      isImpossible |= both.isEmpty();
    }
  }

  /** {@return the limits of a sum} */
  Limits limits(Form form) {
    Limits sum = Limits.exactly(form.constant());
    for (int i = 0; i < form.size(); i++) {
      sum = sum.plus(limitsOf(form.variables()[i]).times(form.factors()[i]));
    }
    for (Limited other : limited) {
      if (other.sum().equals(form.linear())) {
        sum = sum.and(other.limits().plus(Limits.exactly(form.constant())));
      }
    }
    return sum;
  }

  /** {@return a node as a sum} */
  Form of(int node) {
    Form form = known[node];
    if (form == null) {
      try {
        form = compute(node, nodes.get(node));
      } catch (ArithmeticException _) {
        form = opaque(node, Limits.ANY);
      }
      known[node] = form;
    }
    return form;
  }

  private Form opaque(int node, Limits its) {
    limits.merge(node, its, Limits::and);
    return its.isFinite() && its.least() == its.most() ? Form.of(its.least()) : Form.variable(node);
  }

  private Form compute(int number, Node node) {
    int dimension = (int) node.number();
    return switch (node.code()) {
      case CONSTANT -> Form.of(node.number());
      case ARGUMENT -> Form.of(numbers.at(dimension));
      case LENGTH -> Form.of(numbers.length(dimension));
      case THREAD_INDEX -> opaque(number, new Limits(0, numbers.blockSize(dimension) - 1));
      case BLOCK_INDEX -> opaque(number, new Limits(0, numbers.gridSize(dimension) - 1));
      case BLOCK_SIZE -> Form.of(numbers.blockSize(dimension));
      case GRID_SIZE -> Form.of(numbers.gridSize(dimension));
      case ADD -> fitting(number, of(node.a()).plus(of(node.b()), 1));
      case SUB -> fitting(number, of(node.a()).plus(of(node.b()), -1));
      case MUL -> fitting(number, product(number, of(node.a()), of(node.b())));
      case SHL -> fitting(number, shifted(number, node));
      case DIV, SHR, USHR -> quotient(number, node);
      case REM, AND -> rest(number, node);
      case OR, XOR -> bits(number, node);
      case MIN, MAX -> smaller(number, node);
      case INT -> {
        Form of = of(node.a());
        if (nodes.get(node.a()).code() == Node.Code.LOOP) {
          intCounters.add(new Counter(of, of(nodes.get(node.a()).b())));
        }
        yield fits(of, Limits.INT) ? of : opaque(number, Limits.INT);
      }
      case EITHER -> {
        Form a = of(node.a());
        Form b = of(node.b());
        yield a.equals(b) ? a : opaque(number, limits(a).or(limits(b)));
      }
      case LOOP -> rounds(number, node);
      case UNKNOWN_INT -> opaque(number, Limits.INT);
      case UNKNOWN -> opaque(number, Limits.ANY);
    };
  }

  /** A round of a loop without limit has one as soon as the loop's condition is known. */
  private boolean fits(Form form, Limits type) {
    Form limited = Form.of(form.constant());
    for (int i = 0; i < form.size(); i++) {
      int variable = form.variables()[i];
      if (variable < nodes.size() || limitsOf(variable).isFinite()) {
        limited = limited.plus(Form.variable(variable), form.factors()[i]);
      }
    }
    Limits its = limits(limited);
    return its.isFinite() && its.isWithin(type);
  }

  /** A sum that may be so large that it wraps around is any number. */
  private Form fitting(int number, Form form) {
    return form.isConstant() || fits(form, Limits.ANY) ? form : opaque(number, Limits.ANY);
  }

  /** {@return whether some number may have wrapped around in a loop, so that nothing is known} */
  boolean mayWrap() {
    for (Counter counter : intCounters) {
      Limits its = limits(counter.number);
      Limits next = its.plus(limits(counter.step));
      if (its.isFinite() && !next.isWithin(Limits.INT)) {
        return true;
      }
    }
    return endsEarly;
  }

  private Form product(int number, Form a, Form b) {
    if (a.isConstant()) {
      return b.times(a.constant());
    }
    return b.isConstant() ? a.times(b.constant()) : opaque(number, limits(a).times(limits(b)));
  }

  private Form shifted(int number, Node node) {
    Form by = of(node.b());
    return by.isConstant() && by.constant() >= 0 && by.constant() < 62
        ? of(node.a()).times(1L << by.constant())
        : opaque(number, Limits.ANY);
  }

  /** The divisor of a division or of a shift to the right, if it is a known positive number. */
  private long divisor(Node node) {
    Form by = of(node.b());
    if (!by.isConstant() || by.constant() < 0) {
      return 0;
    }
    return switch (node.code()) {
      case DIV, REM -> by.constant();
      case SHR, USHR -> by.constant() < 62 ? 1L << by.constant() : 0;
      default -> Long.bitCount(by.constant() + 1) == 1 ? by.constant() + 1 : 0;
    };
  }

  private Form quotient(int number, Node node) {
    Form of = of(node.a());
    long by = divisor(node);
    Limits its = limits(of);
    if (by == 0 || (its.least() < 0 && node.code() != Node.Code.SHR)) {
      return of.isConstant() && by > 0 && node.code() == Node.Code.DIV
          ? Form.of(of.constant() / by)
          : opaque(number, Limits.ANY);
    }
    Form whole = divisible(of, by);
    Form rest = of.plus(whole, -1);
    Limits small = limits(rest);
    Form quotient = divided(whole, by);
    if (small.least() < 0 || small.least() <= -Limits.INFINITE) {
      return opaque(number, floor(its, by));
    }
    Limits part = floor(small, by);
    return part.least() == part.most()
        ? quotient.plus(Form.of(part.least()), 1)
        : quotient.plus(opaque(number, part), 1);
  }

  private static Limits floor(Limits of, long by) {
    return new Limits(
        of.least() <= -Limits.INFINITE ? of.least() : Math.floorDiv(of.least(), by),
        of.most() >= Limits.INFINITE ? of.most() : Math.floorDiv(of.most(), by));
  }

  private Form rest(int number, Node node) {
    Form mask = of(node.b());
    if (node.code() == Node.Code.AND
        && mask.isConstant()
        && mask.constant() < 0
        && Long.bitCount(-mask.constant()) == 1) { // the next smaller multiple
      Form of = of(node.a());
      return of.plus(rest(number, of, -mask.constant(), node), -1);
    }
    return rest(number, of(node.a()), divisor(node), node);
  }

  private Form rest(int number, Form of, long by, Node node) {
    Limits its = limits(of);
    if (by == 0 || its.least() < 0) {
      if (node.code() == Node.Code.AND) {
        return by > 0 ? opaque(number, new Limits(0, by - 1)) : bits(number, node);
      }
      return modulo(number, of, by);
    }
    Form rest = of.plus(divisible(of, by), -1);
    Limits small = limits(rest);
    return small.least() >= 0 && small.most() < by ? rest : opaque(number, new Limits(0, by - 1));
  }

  private Form modulo(int number, Form of, long by) {
    if (by == 0) {
      return opaque(number, Limits.ANY);
    }
    return of.isConstant()
        ? Form.of(of.constant() % by)
        : opaque(number, new Limits(1 - by, by - 1));
  }

  /** The part of a sum that a number divides whatever the variables are. */
  private static Form divisible(Form form, long by) {
    Form part = Form.of(Math.floorDiv(form.constant(), by) * by);
    for (int i = 0; i < form.size(); i++) {
      if (form.factors()[i] % by == 0) {
        part = part.plus(Form.variable(form.variables()[i]), form.factors()[i]);
      }
    }
    return part;
  }

  private static Form divided(Form form, long by) {
    return new Form(
        form.constant() / by,
        form.variables(),
        Arrays.stream(form.factors()).map(factor -> factor / by).toArray());
  }

  private Form bits(int number, Node node) {
    Form left = of(node.a());
    Form right = of(node.b());
    Limits a = limits(left);
    Limits b = limits(right);
    if (left.isConstant() && right.isConstant()) {
      long x = left.constant();
      long y = right.constant();
      return Form.of(
          switch (node.code()) {
            case AND -> x & y;
            case OR -> x | y;
            default -> x ^ y;
          });
    }
    if (node.code() == Node.Code.AND && (a.least() >= 0 || b.least() >= 0)) {
      return opaque(
          number,
          new Limits(
              0,
              Math.min(
                  a.least() >= 0 ? a.most() : Limits.INFINITE,
                  b.least() >= 0 ? b.most() : Limits.INFINITE)));
    }
    if (a.least() < 0 || b.least() < 0 || !a.isFinite() || !b.isFinite()) {
      return opaque(number, Limits.ANY);
    }
    return opaque(
        number, new Limits(0, (Long.highestOneBit(Math.max(a.most() | b.most(), 1)) << 1) - 1));
  }

  private Form smaller(int number, Node node) {
    Form a = of(node.a());
    Form b = of(node.b());
    Limits one = limits(a);
    Limits two = limits(b);
    boolean min = node.code() == Node.Code.MIN;
    if (one.most() <= two.least() && two.least() > -Limits.INFINITE) {
      return min ? a : b;
    }
    if (two.most() <= one.least() && one.least() > -Limits.INFINITE) {
      return min ? b : a;
    }
    return opaque(
        number,
        min
            ? new Limits(Math.min(one.least(), two.least()), Math.min(one.most(), two.most()))
            : new Limits(Math.max(one.least(), two.least()), Math.max(one.most(), two.most())));
  }

  private Form rounds(int number, Node node) {
    Form step = of(node.b());
    Form first = of(node.a());
    if (step.isConstant()) {
      int round = nodes.size() + (int) node.number();
      limits.putIfAbsent(round, new Limits(0, Limits.INFINITE));
      return first.plus(Form.variable(round), step.constant());
    }
    Limits steps = limits(step);
    Limits from = limits(first);
    return opaque(
        number,
        new Limits(
            steps.least() >= 0 ? from.least() : -Limits.INFINITE,
            steps.most() <= 0 ? from.most() : Limits.INFINITE));
  }
}
