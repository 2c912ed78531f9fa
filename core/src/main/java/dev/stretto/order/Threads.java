package dev.stretto.order;

/**
 * What an agent tells of the program's threads: who passes on what he knows, and who gets it. A
 * thread is looked at by itself from the begin of a task of the program to its end.
 */
public final class Threads {
  private static final HostClocks CLOCKS = new HostClocks();

  private Threads() {}

  /** {@return the clocks of this process's threads} */
  static HostClocks clocks() {
    return CLOCKS;
  }

  /** {@return whether there is anything to know: whether there ever was a stream} */
  public static boolean areUsed() {
    return CLOCKS.areUsed();
  }

  /** The calling thread passes on what it knows. */
  public static void release(HandOver by) {
    by.learn(CLOCKS.tell());
  }

  /** The calling thread gets what was passed on. */
  public static void acquire(HandOver by) {
    CLOCKS.learn(by.known());
  }

  /** The calling thread may have got anything from any other thread. */
  public static void acquireAll() {
    CLOCKS.learn(CLOCKS.knownToAny());
  }

  /** Threads that are not seen may get what the calling thread knows. */
  public static void publish() {
    CLOCKS.publish();
  }

  /** All threads get what the calling thread knows. */
  public static void publishToAll() {
    CLOCKS.allLearn(CLOCKS.tell());
  }

  /** A thread gets what the calling thread knows. */
  public static void publishTo(Thread other) {
    CLOCKS.tell(other);
  }

  /** The calling thread begins a task of the program. */
  public static void begins() {
    CLOCKS.begins();
  }

  /** The calling thread ends a task of the program. */
  public static void ends() {
    CLOCKS.ends();
  }

  /** The calling thread knows that another one has ended, and what that one knew. */
  public static void acquireEnded(Thread other) {
    Knowledge its = CLOCKS.ofEnded(other);
    CLOCKS.learn(its == null ? CLOCKS.knownToAny() : its);
  }
}
