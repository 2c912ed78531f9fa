package dev.stretto.route;

import java.lang.invoke.MethodHandles;

/**
 * Classes that thousands of threads may need for the first time at the same moment, outside all
 * locks. A virtual thread that waits for another one to load a class pins its carrier; so these are
 * loaded before there is anything to wait for. Lambdas would be linked at their first use, which
 * cannot be done before: what is on such a path has a name.
 */
public final class Preload {
  private Preload() {}

  /**
   * Loads classes, unless they are there already.
   *
   * @param lookup of who may use them
   * @param classes which
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
