package dev.stretto.order;

/**
 * What the host has done and knows. Its number grows only if it accesses memory after a stream has
 * learned the number before: so a program that only enqueues changes nothing here.
 */
final class HostClock extends Actor {
  private Knowledge known = Knowledge.NONE;
  private long number = 1;
  private boolean isTold;

  HostClock(int index) {
    super(index);
  }

  Knowledge known() {
    return known;
  }

  void learn(Moment moment) {
    known = known.join(moment.known()).with(moment.stream().index(), moment.number());
  }

  /** {@return what an operation knows that the host enqueues now} */
  Knowledge tell() {
    isTold = true;
    known = known.with(index(), number);
    return known;
  }

  /** {@return the number of an access that the host makes now} */
  long access() {
    if (isTold) {
      number++;
      isTold = false;
    }
    return number;
  }

  @Override
  public String toString() {
    return "the host";
  }
}
