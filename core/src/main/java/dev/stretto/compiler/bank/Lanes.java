package dev.stretto.compiler.bank;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A value of each lane of a warp, boxed as in {@link dev.stretto.compiler.ir.Constant}; null where
 * it is not known.
 */
final class Lanes {
  private final @Nullable Object[] values;
  private final Set<Unknown> from;

  private Lanes(@Nullable Object[] values, Set<Unknown> from) {
    this.values = values;
    this.from = from;
  }

  /** One value for all lanes. */
  static Lanes same(Object value, Set<Unknown> from) {
    return new Lanes(new Object[] {value}, from);
  }

  /** A value for each lane. */
  static Lanes each(@Nullable Object[] values, Set<Unknown> from) {
    Object first = values[0];
    boolean same = first != null && Arrays.stream(values).allMatch(first::equals);
    return same ? same(first, from) : new Lanes(values, from);
  }

  static Lanes unknown(Set<Unknown> from) {
    return new Lanes(new Object[Banks.LANES], from);
  }

  /** {@return whether all lanes have the same value, which is known} */
  boolean isSame() {
    return values.length == 1;
  }

  @Nullable Object of(int lane) {
    return values.length == 1 ? values[0] : values[lane];
  }

  /** {@return what was assumed to compute it} */
  Set<Unknown> from() {
    return from;
  }

  /** {@return the same, with further assumptions} */
  Lanes and(Set<Unknown> others) {
    return new Lanes(values, union(from, others));
  }

  boolean hasSameValues(Lanes other) {
    for (int lane = 0; lane < Banks.LANES; lane++) {
      Object value = of(lane);
      if (value == null || !value.equals(other.of(lane))) {
        return false;
      }
    }
    return true;
  }

  static Set<Unknown> union(Set<Unknown> a, Set<Unknown> b) {
    if (a.containsAll(b)) {
      return a;
    }
    if (b.containsAll(a)) {
      return b;
    }
    Set<Unknown> both = new HashSet<>(a);
    both.addAll(b);
    return both;
  }
}
