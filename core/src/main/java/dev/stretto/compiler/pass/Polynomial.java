package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A LONG as a sum of products of other LONGs, modulo 2 to the 64th: what its sums, differences and
 * products come to. Values that are neither stand for themselves.
 *
 * @param constant the part without a factor
 * @param factors how often each product of one or two values is counted, never 0
 */
record Polynomial(long constant, Map<Product, Long> factors) {
  private static final int DEPTH = 8;
  private static final int MOST_TERMS = 8;

  /** One value, or the product of two, whichever is the first. */
  record Product(Value first, @Nullable Value second) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Product it
          && ((first == it.first && second == it.second)
              || (first == it.second && second == it.first));
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(first) ^ System.identityHashCode(second);
    }
  }

  static Polynomial of(Value value) {
    return of(value, DEPTH);
  }

  private static Polynomial of(Value value, int depth) {
    if (value instanceof Constant constant) {
      return new Polynomial(constant.asLong(), Map.of());
    }
    if (!(value instanceof Op op) || depth == 0) {
      return itself(value);
    }
    Polynomial result =
        switch (op.code()) {
          case ADD -> of(op.operand(0), depth - 1).plus(of(op.operand(1), depth - 1), 1);
          case SUB -> of(op.operand(0), depth - 1).plus(of(op.operand(1), depth - 1), -1);
          case NEG -> of(op.operand(0), depth - 1).times(-1);
          case SHL ->
              op.operand(1) instanceof Constant by
                  ? of(op.operand(0), depth - 1).times(1L << by.asInt())
                  : null;
          case MUL -> product(op, depth);
          default -> null;
        };
    return result == null || result.terms() > MOST_TERMS ? itself(value) : result;
  }

  /**
   * If the factors' own products make it more than a product of two, the factors are not opened.
   */
  private static @Nullable Polynomial product(Op op, int depth) {
    Polynomial whole = of(op.operand(0), depth - 1).times(of(op.operand(1), depth - 1));
    return whole != null ? whole : ofFactor(op.operand(0)).times(ofFactor(op.operand(1)));
  }

  /** A value, or the sum of a value and a number. */
  private static Polynomial ofFactor(Value value) {
    return value instanceof Op op && op.code() == OpCode.ADD && op.operand(1) instanceof Constant by
        ? new Polynomial(by.asLong(), itself(op.operand(0)).factors)
        : value instanceof Constant constant
            ? new Polynomial(constant.asLong(), Map.of())
            : itself(value);
  }

  /** The products in a LONG's sums, neither of whose factors is a number. */
  static Set<Op> products(Value value) {
    Set<Op> products = Collections.newSetFromMap(new IdentityHashMap<>());
    products(value, products, DEPTH);
    return products;
  }

  private static void products(Value value, Set<Op> products, int depth) {
    if (depth > 0 && value instanceof Op op && op.type() == Type.LONG) {
      switch (op.code()) {
        case ADD, SUB -> {
          products(op.operand(0), products, depth - 1);
          products(op.operand(1), products, depth - 1);
        }
        case NEG, SHL -> products(op.operand(0), products, depth - 1);
        case MUL -> {
          if (!(op.operand(0) instanceof Constant) && !(op.operand(1) instanceof Constant)) {
            products.add(op);
          }
        }
        default -> {}
      }
    }
  }

  private static Polynomial itself(Value value) {
    return new Polynomial(0, Map.of(new Product(value, null), 1L));
  }

  int terms() {
    return factors.size();
  }

  Polynomial minus(Polynomial other) {
    return plus(other, -1);
  }

  private Polynomial plus(Polynomial other, long times) {
    Map<Product, Long> sum = new LinkedHashMap<>(factors);
    other.factors.forEach((product, factor) -> count(sum, product, factor * times));
    return new Polynomial(constant + other.constant * times, sum);
  }

  Polynomial times(long number) {
    Map<Product, Long> result = new LinkedHashMap<>();
    factors.forEach((product, factor) -> count(result, product, factor * number));
    return new Polynomial(constant * number, result);
  }

  /** The product, or null if it would have products of more than two values. */
  private @Nullable Polynomial times(Polynomial other) {
    Map<Product, Long> result = new LinkedHashMap<>();
    factors.forEach((product, factor) -> count(result, product, factor * other.constant));
    other.factors.forEach((product, factor) -> count(result, product, factor * constant));
    for (Map.Entry<Product, Long> a : factors.entrySet()) {
      for (Map.Entry<Product, Long> b : other.factors.entrySet()) {
        if (a.getKey().second != null || b.getKey().second != null) {
          return null;
        }
        count(result, new Product(a.getKey().first, b.getKey().first), a.getValue() * b.getValue());
      }
    }
    return new Polynomial(constant * other.constant, result);
  }

  private static void count(Map<Product, Long> sum, Product product, long times) {
    long now = sum.getOrDefault(product, 0L) + times;
    if (now == 0) {
      sum.remove(product);
    } else {
      sum.put(product, now);
    }
  }

  /**
   * Computes the only term, if it is a value counted a number of times: null if it is a product.
   */
  @Nullable Value term(Line line, List<Op> ops) {
    Map.Entry<Product, Long> only = factors.entrySet().iterator().next();
    Value value = only.getKey().first;
    if (only.getKey().second != null) {
      return null;
    }
    long times = Math.abs(only.getValue());
    if (times != 1) {
      boolean shifts = Long.bitCount(times) == 1;
      Constant by = shifts ? Constant.of(Long.numberOfTrailingZeros(times)) : Constant.of(times);
      Op many = new Op(shifts ? OpCode.SHL : OpCode.MUL, Type.LONG, List.of(value, by), null, line);
      ops.add(many);
      value = many;
    }
    if (only.getValue() < 0) {
      Op negative = new Op(OpCode.NEG, Type.LONG, List.of(value), null, line);
      ops.add(negative);
      value = negative;
    }
    return value;
  }
}
