package dev.stretto.spark;

import dev.stretto.Device;
import java.security.CodeSource;

/**
 * Which copy of Stretto owns the devices of this process. System properties are the one place that
 * all class loaders share.
 */
final class LoadedCopy {
  /** Not among Stretto's settings, whose names begin with its package: nobody sets this one. */
  static final String PROPERTY = "stretto.spark.copy";

  private LoadedCopy() {}

  /** Refuses this copy if another one owns the devices; otherwise this one owns them. */
  static void claim() {
    Object owner = System.getProperties().putIfAbsent(PROPERTY, name());
    if (owner != null && !owner.equals(name())) {
      throw refusal(owner);
    }
  }

  /** Refuses this copy if another one owns the devices. */
  static void requireNoOther() {
    Object owner = System.getProperties().get(PROPERTY);
    if (owner != null && !owner.equals(name())) {
      throw refusal(owner);
    }
  }

  static void release() {
    boolean _ = System.getProperties().remove(PROPERTY, name());
  }

  private static SecondCopyException refusal(Object owner) {
    return new SecondCopyException(
        "Stretto is loaded twice in this process: by %s, which owns the devices, and by %s."
                .formatted(owner, name())
            + " Keep one copy: leave Stretto out of the application's own jar (scope provided), add"
            + " it by --jars or spark.executor.extraClassPath, and leave"
            + " spark.executor.userClassPathFirst and spark.driver.userClassPathFirst unset");
  }

  /** Both classes count: this module's and the core's may come from different jars. */
  private static String name() {
    return of(LoadedCopy.class) + " with " + of(Device.class);
  }

  private static String of(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return "%s of %s@%x"
        .formatted(
            source == null ? "a jar" : source.getLocation(),
            loader.getClass().getSimpleName(),
            System.identityHashCode(loader));
  }
}
