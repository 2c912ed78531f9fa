package dev.stretto.kernels.product;

/**
 * The size of a product.
 *
 * @param m rows of A and C
 * @param n columns of C
 * @param k the inner dimension
 * @param count how many products
 * @param transposedB whether B is given as n rows of k
 */
record Problem(int m, int n, int k, int count, boolean transposedB) {
  long elementsA() {
    return Math.multiplyExact((long) m * k, (long) count);
  }

  long elementsB() {
    return Math.multiplyExact((long) k * n, (long) count);
  }

  long elementsC() {
    return Math.multiplyExact((long) m * n, (long) count);
  }

  @Override
  public String toString() {
    return "%d x %d x %d%s".formatted(m, n, k, count == 1 ? "" : ", " + count + " times");
  }
}
