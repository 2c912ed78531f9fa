package dev.stretto.route;

import java.lang.invoke.MethodHandles;

/**
 * Loads classes that thousands of threads may need for the first time at the same moment, outside
 * all locks. A virtual thread that waits for another one to load a class pins its carrier, so these
 * classes are loaded before any thread can wait. Code on such paths uses named classes: a lambda is
 * linked at its first use and cannot be linked earlier.
 */
public final class Preload {
  private Preload() {}

  /**
   * Loads classes, unless they are loaded already.
   *
   * @param lookup the lookup of a class that may use them
   * @param classes the classes to load
   */
  public static void load(MethodHandles.Lookup lookup, Class<?>... classes) {
    try {
      for (Class<?> each : classes) {
        Class<?> _ = lookup.ensureInitialized(each);
      }
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
