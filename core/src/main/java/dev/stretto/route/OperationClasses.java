package dev.stretto.route;

import java.lang.invoke.MethodHandles;

/**
 * The classes of operations that thousands of threads may be the first to need, all at once. They
 * are loaded when a device is opened, so that none of those threads waits for it.
 */
public final class OperationClasses {
  private OperationClasses() {}

  /** Loads them. */
  public static void load() {
    Preload.load(
        MethodHandles.lookup(),
        OrdinaryCopies.class,
        PeerCopies.class,
        StreamWaits.class,
        Callback.class);
  }
}
