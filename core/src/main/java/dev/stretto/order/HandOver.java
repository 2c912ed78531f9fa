package dev.stretto.order;

/**
 * What those knew who have passed something on by means of an object: a lock that they unlocked, a
 * latch that they counted down, a task that they submitted. Whoever gets it knows that too.
 */
public final class HandOver {
  private Knowledge known = Knowledge.NONE;

  /** Creates one by which nothing was passed on. */
  public HandOver() {}

  synchronized Knowledge known() {
    return known;
  }

  synchronized void learn(Knowledge more) {
    known = known.join(more);
  }
}
