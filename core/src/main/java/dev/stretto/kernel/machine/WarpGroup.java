package dev.stretto.kernel.machine;

import java.util.ArrayDeque;
import java.util.Deque;

/** The products that the threads of four warps have begun, on a virtual device. */
public final class WarpGroup {
  private final Deque<WarpGroupProduct> products = new ArrayDeque<>();
  private int gone;

  /** A block begins. */
  void begin() {
    products.clear();
    gone = 0;
  }

  /**
   * The product that a thread begins.
   *
   * @param number how many it has begun before
   * @param anew what it is if no other thread has begun it
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
