package dev.stretto.order;

/**
 * What one thread of the host knows, or some threads together. Its number grows only if it accesses
 * memory after others may have learned the number before.
 */
final class HostClock extends Actor {
  private final String name;
  private volatile Knowledge known = Knowledge.NONE;
  private long number = 1;
  private boolean isTold;

  /** How many tasks of the program it runs, one within the other. */
  private int tasks;

  /** When it was used last, in whatever {@link HostClocks} counts. */
  private long used;

  HostClock(int index, String name) {
    super(index);
    this.name = name;
  }

  Knowledge known() {
    return known;
  }

  /** {@return what others learn of it now} */
  Knowledge tell() {
    isTold = true;
    known = known.with(index(), number);
    return known;
  }

  /** {@return the same, where nobody learns that now} */
  Knowledge knownWithItself() {
    return known.with(index(), number);
  }

  /** {@return the clock of another thread, with numbers behind those of this one} */
  HostClock heir(String its) {
    HostClock heir = new HostClock(index(), its);
    heir.number = number + 1;
    return heir;
  }

  /** {@return the number of an access that it makes now} */
  long access() {
    if (isTold) {
      number++;
      isTold = false;
    }
    return number;
  }

  /** {@return whether an access that it makes now has a certain number} */
  boolean isStill(long its) {
    return !isTold && number == its;
  }

  void learn(Moment moment) {
    known = known.join(moment.known()).with(moment.stream().index(), moment.number());
  }

  void learn(Knowledge more) {
    known = known.join(more);
  }

  /** Makes it the clock of something that knows nothing. */
  void beginAnew() {
    known = Knowledge.NONE;
    isTold = true;
  }

  void usedAt(long time) {
    used = time;
  }

  long used() {
    return used;
  }

  void begins() {
    tasks++;
  }

  void ends() {
    tasks--;
  }

  /** {@return whether it runs a task of the program, so that all is seen that it does} */
  boolean isSeen() {
    return tasks > 0;
  }

  @Override
  public String toString() {
    return name;
  }
}
