package dev.stretto.route;

import java.lang.invoke.MethodHandles;

/**
 * Loads the classes of operations when a device is opened. Otherwise thousands of threads could
 * need them for the first time at the same moment, and would wait for the loading.
 */
public final class OperationClasses {
  private OperationClasses() {}

  /** Loads them. */
  public static void load() {
    Preload.load(
        MethodHandles.lookup(),
        OrdinaryCopies.class,
        SmallCopies.class,
        Pieces.class,
        PeerCopies.class,
        StreamWaits.class,
        Callback.class);
  }
}
