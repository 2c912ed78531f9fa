package dev.stretto.compiler;

import dev.stretto.compiler.KernelTree.*;
import java.util.List;

/** Makes the heads of loops up, each of which comes to an end. */
abstract class RandomLoops extends RandomExpressions {
  RandomLoops(long seed, boolean reckless) {
    super(seed, reckless);
  }

  Loop head(
      Layout layout,
      Kind kind,
      Expression start,
      Comparison comparison,
      Expression bound,
      Step step,
      Expression amount,
      int fuel) {
    Variable counter = new Variable(kind, fresh("i"));
    return new Loop(
        layout, counter, start, comparison, bound, step, amount, fuel, new Body(List.of()));
  }

  Layout layout() {
    return any(Layout.TOP, Layout.TOP, Layout.TOP, Layout.BOTTOM, Layout.DO);
  }

  static Object boxed(Kind kind, long value) {
    return switch (kind.computed()) {
      case LONG -> (Object) value;
      case FLOAT -> (Object) (float) value;
      case DOUBLE -> (Object) (double) value;
      default -> (Object) (int) value;
    };
  }

  static Literal literal(Kind kind, long value) {
    return new Literal(kind.computed(), boxed(kind, value));
  }

  /** From one constant to another one, in any way that ends. */
  Loop counted() {
    for (int attempt = 0; attempt < 20; attempt++) {
      Kind kind =
          any(
              Kind.INT,
              Kind.INT,
              Kind.INT,
              Kind.INT,
              Kind.INT,
              Kind.INT,
              Kind.LONG,
              Kind.LONG,
              Kind.BYTE,
              Kind.SHORT,
              Kind.CHAR);
      Loop loop =
          switch (random.nextInt(5)) {
            case 0 -> wrapping(kind);
            case 1 -> multiplied(kind);
            default -> straight(kind);
          };
      List<Long> values = KernelScopes.rounds(loop);
      if (values != null && values.size() <= 8) {
        return loop;
      }
    }
    return straight(Kind.INT);
  }

  Loop straight(Kind kind) {
    boolean down = chance(25);
    long by = any(1, 1, 1, 1, 2, 3);
    long start = any(0L, 0L, 0L, 1L, (long) between(-4, 6));
    long count = between(0, 6);
    long end = down ? start - count * by : start + count * by;
    Comparison how =
        down
            ? any(Comparison.MORE, Comparison.NOT_LESS, Comparison.DIFFERENT)
            : any(Comparison.LESS, Comparison.LESS, Comparison.NOT_MORE, Comparison.DIFFERENT);
    return head(
        layout(),
        kind,
        literal(kind, start),
        how,
        literal(kind, end),
        Step.ADD,
        literal(kind, down ? -by : by),
        0);
  }

  /** Ends when the counter has gone beyond the greatest or the least number. */
  Loop wrapping(Kind kind) {
    long most =
        switch (kind) {
          case BYTE -> Byte.MAX_VALUE;
          case SHORT -> Short.MAX_VALUE;
          case CHAR -> Character.MAX_VALUE;
          case LONG -> Long.MAX_VALUE;
          default -> Integer.MAX_VALUE;
        };
    boolean down = chance(40);
    long by = any(1L, 2L, most / 3, most / 2 + 1);
    long least = kind == Kind.CHAR ? 0 : -most - 1;
    long start = down ? least + random.nextInt(4) * by : most - random.nextInt(4) * by;
    Comparison how =
        down
            ? any(Comparison.LESS, Comparison.NOT_MORE)
            : any(Comparison.MORE, Comparison.NOT_LESS);
    long end = any(0L, start, start / 2);
    return head(
        layout(),
        kind,
        literal(kind, start),
        how,
        literal(kind, end),
        Step.ADD,
        literal(kind, down ? -by : by),
        0);
  }

  Loop multiplied(Kind kind) {
    int bits = kind == Kind.LONG ? 63 : kind == Kind.BYTE ? 7 : kind == Kind.INT ? 31 : 15;
    Step step = any(Step.MULTIPLY, Step.SHIFT_LEFT, Step.SHIFT_RIGHT, Step.SHIFT_RIGHT_UNSIGNED);
    boolean shift = step != Step.MULTIPLY;
    long start =
        switch (step) {
          case MULTIPLY -> any(1L, 2L, -1L);
          case SHIFT_LEFT -> 1L << between(bits - 5, bits);
          default -> any(1L << between(0, 6), -1L << between(0, 6));
        };
    long end = any(0L, 0L, 1L, 100L, -100L);
    Literal by = shift ? literal(Kind.INT, between(1, 4)) : literal(kind, any(2L, 3L, -2L));
    return head(
        layout(),
        kind,
        literal(kind, start),
        any(Comparison.values()),
        literal(kind, end),
        step,
        by,
        0);
  }

  /** Begins and ends where the data says. */
  Loop computed() {
    Kind kind = chance(80) ? Kind.INT : Kind.LONG;
    long by = any(1, 1, 1, 2, 3);
    boolean down = chance(30);
    Expression start =
        down
            ? binary("&", kind, expression(kind, 2), 7)
            : chance(50) ? literal(kind, 0) : binary("&", kind, expression(kind, 1), 3);
    Expression end = down ? literal(kind, between(-1, 1)) : bound(kind);
    Comparison how =
        down
            ? any(Comparison.MORE, Comparison.NOT_LESS)
            : any(Comparison.LESS, Comparison.LESS, Comparison.NOT_MORE);
    return head(layout(), kind, start, how, end, Step.ADD, literal(kind, down ? -by : by), 0);
  }

  /** From a number to another one that are both known before, as far as a type goes. */
  Loop walk(List<Statement> before, boolean same) {
    Kind kind = chance(70) ? Kind.INT : Kind.LONG;
    boolean down = chance(30);
    long most = kind == Kind.INT ? Integer.MAX_VALUE : Long.MAX_VALUE;
    int by = any(1, 1, 1, 2, 3, 7);
    long base = any(0L, 0L, 0L, -5L, down ? -most + by : most - 15 - by);
    Expression near = offset(kind, base, binary("&", kind, expression(kind, 1), any(0, 3, 15)));
    Expression far = offset(kind, base, binary("&", kind, expression(kind, 2), 15));
    Expression amount = literal(kind, down ? -by : by);
    if (by == 3 && !down) {
      // A step that is known to the threads alone.
      amount = offset(kind, 1, binary("&", kind, expression(kind, 1), 2));
    }
    Expression start = named(kind, down ? far : near, before, same);
    Expression end = named(kind, down ? near : far, before, same);
    Expression step = amount instanceof Literal ? amount : named(kind, amount, before, same);
    Comparison how =
        down
            ? any(Comparison.MORE, Comparison.NOT_LESS)
            : any(Comparison.LESS, Comparison.LESS, Comparison.NOT_MORE);
    return head(
        any(Layout.TOP, Layout.TOP, Layout.BOTTOM), kind, start, how, end, Step.ADD, step, 0);
  }

  Expression offset(Kind kind, long base, Expression expression) {
    return new Apply(operator("+", kind), List.of(literal(kind, base), expression));
  }

  /** A value that is computed once and kept. */
  Expression named(Kind kind, Expression value, List<Statement> before, boolean same) {
    Variable variable = new Variable(kind, fresh("n"));
    before.add(new Declare(variable, value));
    variables.add(new Known(variable, true, same));
    return new Read(variable);
  }

  /** Any way of counting, ended by force. */
  Loop fuelled() {
    Kind kind = numberKind();
    boolean whole = kind == Kind.INT || kind == Kind.LONG;
    Step step = whole ? any(Step.values()) : any(Step.ADD, Step.MULTIPLY);
    boolean shift = step != Step.ADD && step != Step.MULTIPLY;
    Literal by = shift ? literal(Kind.INT, between(1, 40)) : new Literal(kind, number(kind));
    return head(
        layout(),
        kind,
        expression(kind, 2),
        any(Comparison.values()),
        expression(kind, 2),
        step,
        by,
        between(1, 6));
  }

  Expression bound(Kind kind) {
    return binary("&", kind, expression(kind, 2), 7);
  }
}
