package dev.stretto.kernel.machine;

import java.util.ArrayDeque;
import java.util.Deque;

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
   * The product that a thread begins.
   *
   * @param number how many products the thread has begun before
   * @param anew the product to use if no other thread has begun it
   */
  WarpGroupProduct product(int number, WarpGroupProduct anew) {
    while (!products.isEmpty() && products.getFirst().isRead()) {
      products.removeFirst();
      gone++;
    }
    if (number - gone < products.size()) {
      return products.stream().skip(number - gone).findFirst().orElseThrow();
    }
    products.add(anew);
    return anew;
  }
}
