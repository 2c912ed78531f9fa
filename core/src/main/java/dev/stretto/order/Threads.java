package dev.stretto.order;

/**
 * What an agent tells of the program's threads: who passes on what he knows, and who gets it. A
 * thread is looked at by itself from the begin of a task of the program to its end.
 */
public final class Threads {
  private final Order order;
  private final HostClocks clocks;

  Threads(Order order, HostClocks clocks) {
    this.order = order;
    this.clocks = clocks;
  }

  /** The calling thread passes on what it knows. */
  public void release(HandOver by) {
    synchronized (order) {
      by.learn(clocks.known());
    }
  }

  /** The calling thread gets what was passed on. */
  public void acquire(HandOver by) {
    synchronized (order) {
      clocks.learn(by.known());
    }
  }

  /** The calling thread may have got anything from any other thread. */
  public void acquireAll() {
    synchronized (order) {
      clocks.learn(clocks.knownToAny());
    }
  }

  /** Threads that are not seen may get what the calling thread knows. */
  public void publish() {
    synchronized (order) {
      clocks.publish();
    }
  }

  /** All threads get what the calling thread knows. */
  public void publishToAll() {
    synchronized (order) {
      clocks.allLearn(clocks.known());
    }
  }

  /** A thread gets what the calling thread knows. */
  public void publishTo(Thread other) {
    synchronized (order) {
      clocks.tell(other);
    }
  }

  /** The calling thread begins a task of the program. */
  public void begins() {
    synchronized (order) {
      clocks.begins();
    }
  }

  /** The calling thread ends a task of the program. */
  public void ends() {
    synchronized (order) {
      clocks.ends();
    }
  }

  /** The calling thread knows that another one has ended, and what that one knew. */
  public void acquireEnded(Thread other) {
    synchronized (order) {
      Knowledge its = clocks.ofEnded(other);
      clocks.learn(its == null ? clocks.knownToAny() : its);
    }
  }
}
