package dev.stretto.observe;

import dev.stretto.jfr.Flight;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.settings.Settings;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Hears of every device that the process opens, if a system property asks for its trace. */
public abstract class DeviceWatch {
  /** It lies above what reports to it, and is loaded only if it is wanted. */
  private static final String OF_TRACES = "dev.stretto.timeline.ProcessTrace";

  private static final @Nullable DeviceWatch OF_PROCESS =
      Settings.TRACE.value().isEmpty() ? null : load(Settings.TRACE.value());

  /** For subclasses. */
  protected DeviceWatch() {}

  private static @Nullable DeviceWatch load(String file) {
    if (file.endsWith(".jfr")) {
      record(DeviceWatch.ofProcess(file));
      return null; // the Flight Recorder hears of devices by itself
    }
    try {
      Constructor<?> made = Class.forName(OF_TRACES).getDeclaredConstructor(String.class);
      made.setAccessible(true);
      return (DeviceWatch) made.newInstance(file);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(OF_TRACES + " is missing", e);
    }
  }

  private static void record(Path file) {
    try {
      Flight.recordProcess(file);
    } catch (IOException e) {
      System.err.println("stretto: the trace cannot be written to " + file + ": " + e);
    }
  }

  /** {@return the file of this process: {@code %p} in its name becomes the process's number} */
  protected static Path ofProcess(String file) {
    return Path.of(file.replace("%p", Long.toString(ProcessHandle.current().pid())));
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
