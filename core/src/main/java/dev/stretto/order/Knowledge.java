package dev.stretto.order;

import org.jspecify.annotations.Nullable;

/**
 * A vector clock that never changes: up to which number of each actor everything has happened, as
 * far as somebody knows. Vectors share what they have in common, so that learning one number copies
 * two short arrays, however many actors there are, and joining two vectors looks only at what
 * differs.
 */
@SuppressWarnings("ReferenceEquality") // what is shared is not looked at
final class Knowledge {
  private static final int BITS = 3;
  private static final int WIDTH = 1 << BITS;

  /** Knows nothing of anybody. */
  static final Knowledge NONE = new Knowledge(new long[0][]);

  /** The numbers of eight actors each; null for eight of which nothing is known. */
  private final long[] @Nullable [] leaves;

  private Knowledge(long[] @Nullable [] leaves) {
    this.leaves = leaves;
  }

  /** {@return the number up to which the actor with an index is known; 0 if nothing is} */
  long of(int actor) {
    int leaf = actor >>> BITS;
    long[] numbers = leaf < leaves.length ? leaves[leaf] : null;
    return numbers == null ? 0 : numbers[actor & (WIDTH - 1)];
  }

  /** {@return this, and the actor up to a number} */
  Knowledge with(int actor, long number) {
    if (of(actor) >= number) {
      return this;
    }
    int leaf = actor >>> BITS;
    long[][] copy = new long[Math.max(leaves.length, leaf + 1)][];
    System.arraycopy(leaves, 0, copy, 0, leaves.length);
    long[] numbers = copy[leaf] == null ? new long[WIDTH] : copy[leaf].clone();
    numbers[actor & (WIDTH - 1)] = number;
    copy[leaf] = numbers;
    return new Knowledge(copy);
  }

  /** {@return what this and the other one know together; one of the two if it knows all} */
  Knowledge join(Knowledge other) {
    if (this == other || other.leaves.length == 0) {
      return this;
    }
    int length = Math.max(leaves.length, other.leaves.length);
    boolean isThis = length == leaves.length;
    boolean isOther = length == other.leaves.length;
    long[][] joined = null;
    for (int i = 0; i < length; i++) {
      long[] mine = i < leaves.length ? leaves[i] : null;
      long[] theirs = i < other.leaves.length ? other.leaves[i] : null;
      long[] both = join(mine, theirs);
      isThis &= both == mine;
      isOther &= both == theirs;
      if (joined == null && !isThis && !isOther) {
        joined = new long[length][];
        for (int k = 0; k < i; k++) { // up to here one of the two knew all
          joined[k] =
              join(
                  k < leaves.length ? leaves[k] : null,
                  k < other.leaves.length ? other.leaves[k] : null);
        }
      }
      if (joined != null) {
        joined[i] = both;
      }
    }
    if (isThis) {
      return this;
    }
    return isOther || joined == null ? other : new Knowledge(joined);
  }

  /** {@return what this and the other one both know} */
  Knowledge meet(Knowledge other) {
    if (this == other) {
      return this;
    }
    long[][] both = new long[Math.min(leaves.length, other.leaves.length)][];
    for (int i = 0; i < both.length; i++) {
      long[] mine = leaves[i];
      long[] theirs = other.leaves[i];
      if (mine == theirs) {
        both[i] = mine;
      } else if (mine != null && theirs != null) {
        both[i] = new long[WIDTH];
        for (int k = 0; k < WIDTH; k++) {
          both[i][k] = Math.min(mine[k], theirs[k]);
        }
      }
    }
    return new Knowledge(both);
  }

  private static long @Nullable [] join(long @Nullable [] a, long @Nullable [] b) {
    if (a == b || b == null) {
      return a;
    }
    if (a == null) {
      return b;
    }
    boolean isA = true;
    boolean isB = true;
    for (int i = 0; i < WIDTH; i++) {
      isA &= a[i] >= b[i];
      isB &= b[i] >= a[i];
    }
    if (isA) {
      return a;
    }
    if (isB) {
      return b;
    }
    long[] both = new long[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      both[i] = Math.max(a[i], b[i]);
    }
    return both;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int actor = 0; actor < leaves.length * WIDTH; actor++) {
      if (of(actor) > 0) {
        text.append(text.length() > 1 ? ", " : "").append(actor).append(": ").append(of(actor));
      }
    }
    return text.append("}").toString();
  }
}
