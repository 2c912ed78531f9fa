package dev.stretto.order;

/** What one thread of the host knows, or some threads together. */
final class HostClock extends Actor {
  /** The host's number; all of its threads have the same one. */
  static final int INDEX = 0;

  private Knowledge known;

  /** How many tasks of the program it runs, one within the other. */
  private int tasks;

  /** When it was used last, in whatever {@link HostClocks} counts. */
  private long used;

  HostClock(Knowledge known) {
    super(INDEX);
    this.known = known;
  }

  Knowledge known() {
    return known;
  }

  void learn(Moment moment) {
    learn(moment.known().with(moment.stream().index(), moment.number()));
  }

  void learn(Knowledge more) {
    known = known.join(more);
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
    return "the host";
  }
}
