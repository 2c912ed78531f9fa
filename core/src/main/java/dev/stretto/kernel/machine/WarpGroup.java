package dev.stretto.kernel.machine;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The products that the threads of a warp group, which is four warps, have begun on a virtual
 * device.
 */
public final class WarpGroup {
  private final Deque<WarpGroupProduct> products = new ArrayDeque<>();
  private int gone;

  /** Called when a block begins. */
  void begin() {
    products.clear();
    gone = 0;
  }

  /**
   * The product that a thread begins; null if no other thread has begun it.
   *
   * @param number how many products the thread has begun before
   */
  @Nullable WarpGroupProduct product(int number) {
    while (!products.isEmpty() && products.getFirst().isRead()) {
      products.removeFirst();
      gone++;
    }
    int at = number - gone;
    if (at >= products.size()) {
      return null;
    }
    for (WarpGroupProduct product : products) {
      if (at-- == 0) {
        return product;
      }
    }
    throw new AssertionError("a product that no thread has begun");
  }

  void add(WarpGroupProduct product) {
    products.add(product);
  }
}
