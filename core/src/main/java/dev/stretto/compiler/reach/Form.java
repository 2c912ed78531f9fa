package dev.stretto.compiler.reach;

import java.util.Arrays;

/**
 * A sum of variables, each with a factor, and a constant. Immutable.
 *
 * @param constant the constant
 * @param variables the numbers of the variables, ascending
 * @param factors their factors, none of them 0
 */
@SuppressWarnings("ArrayRecordComponent") // made for each launch, compared by their content below
record Form(long constant, int[] variables, long[] factors) {
  private static final int[] NONE = {};
  private static final long[] NO_FACTORS = {};

  static Form of(long constant) {
    return new Form(constant, NONE, NO_FACTORS);
  }

  static Form variable(int variable) {
    return new Form(0, new int[] {variable}, new long[] {1});
  }

  boolean isConstant() {
    return variables.length == 0;
  }

  int size() {
    return variables.length;
  }

  /** {@return the factor of a variable, 0 if it is not part of the sum} */
  long factor(int variable) {
    int at = Arrays.binarySearch(variables, variable);
    return at < 0 ? 0 : factors[at];
  }

  /**
   * {@return this plus another one, times a factor}
   *
   * @throws ArithmeticException if a number is too large
   */
  Form plus(Form other, long times) {
    if (times == 0) {
      return this;
    }
    int[] all = new int[size() + other.size()];
    long[] sums = new long[all.length];
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < size() || j < other.size()) {
      int next =
          Math.min(
              i < size() ? variables[i] : Integer.MAX_VALUE,
              j < other.size() ? other.variables[j] : Integer.MAX_VALUE);
      long sum = 0;
      if (i < size() && variables[i] == next) {
        sum = factors[i++];
      }
      if (j < other.size() && other.variables[j] == next) {
        sum = Math.addExact(sum, Math.multiplyExact(other.factors[j++], times));
      }
      if (sum != 0) {
        all[count] = next;
        sums[count++] = sum;
      }
    }
    return new Form(
        Math.addExact(constant, Math.multiplyExact(other.constant, times)),
        Arrays.copyOf(all, count),
        Arrays.copyOf(sums, count));
  }

  /**
   * {@return this times a number}
   *
   * @throws ArithmeticException if a number is too large
   */
  Form times(long number) {
    return of(0).plus(this, number);
  }

  /** {@return the same without the constant} */
  Form linear() {
    return new Form(0, variables, factors);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Form form
        && constant == form.constant
        && Arrays.equals(variables, form.variables)
        && Arrays.equals(factors, form.factors);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(variables) + Arrays.hashCode(factors) + Long.hashCode(constant);
  }
}
