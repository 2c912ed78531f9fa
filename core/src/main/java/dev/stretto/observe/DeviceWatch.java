package dev.stretto.observe;

import dev.stretto.route.DeviceRuntime;
import dev.stretto.settings.Settings;
import java.lang.reflect.Constructor;
import org.jspecify.annotations.Nullable;

/** Hears of every device that the process opens, if a system property asks for its trace. */
public abstract class DeviceWatch {
  /** It lies above what reports to it, and is loaded only if it is wanted. */
  private static final String OF_TRACES = "dev.stretto.timeline.ProcessTrace";

  private static final @Nullable DeviceWatch OF_PROCESS =
      Settings.TRACE.value().isEmpty() ? null : load(Settings.TRACE.value());

  /** For subclasses. */
  protected DeviceWatch() {}

  private static DeviceWatch load(String file) {
    try {
      Constructor<?> made = Class.forName(OF_TRACES).getDeclaredConstructor(String.class);
      made.setAccessible(true);
      return (DeviceWatch) made.newInstance(file);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(OF_TRACES + " is missing", e);
    }
  }

  /** Called when a device was opened. */
  public static void opened(DeviceRuntime engine, Observers observers) {
    if (OF_PROCESS != null) {
      OF_PROCESS.watch(engine, observers);
    }
  }

  /**
   * Watches a device from now on.
   *
   * @param engine the device
   * @param observers to whom it reports
   */
  protected abstract void watch(DeviceRuntime engine, Observers observers);
}
