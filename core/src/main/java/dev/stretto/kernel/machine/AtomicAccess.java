package dev.stretto.kernel.machine;

/**
 * An atomic operation of a thread that is watched: it orders what threads do, and races with plain
 * accesses to the same element.
 */
public final class AtomicAccess {
  private final DeviceThread thread;
  private final AtomicPlace place;
  private final AtomicWatch watch;
  private final boolean wide;

  /**
   * Creates an access.
   *
   * @param place keeps what threads make known there
   * @param watch observes it
   * @param wide whether it is atomic for threads of other clusters
   */
  AtomicAccess(DeviceThread thread, AtomicPlace place, AtomicWatch watch, boolean wide) {
    this.thread = thread;
    this.place = place;
    this.watch = watch;
    this.wide = wide;
  }

  /** Called after a load that acquires. */
  public void loads() {
    thread.order().comes(thread);
    thread.order().readsAtomically(thread, place, true, wide);
    watch.loads();
  }

  /** Called before a store that releases. */
  public void stores() {
    watch.updates();
    thread.order().writesAtomically(thread, place, true, wide);
  }

  /** Called before a relaxed operation that compares and exchanges. */
  public void exchanges() {
    watch.exchanges();
    updates();
  }

  /** Called before a relaxed operation. */
  public void updates() {
    watch.updates();
    thread.order().writesAtomically(thread, place, false, wide);
  }

  /** Called after a relaxed operation. */
  public void hasUpdated() {
    thread.order().readsAtomically(thread, place, false, wide);
  }
}
