package dev.stretto.contract;

import dev.stretto.Device;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Opens devices as its arguments say, and prints what it gets and what is logged. */
public final class OpeningProgram {
  /** Held, for the log manager does not hold loggers. */
  private static final Logger LOGGER = Logger.getLogger("dev.stretto");

  private OpeningProgram() {}

  /**
   * Opens one device after the other.
   *
   * @param arguments {@code open}, {@code openGpu}, a number or a name
   */
  public static void main(String[] arguments) {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            boolean warning = record.getLevel().equals(Level.WARNING);
            System.out.println((warning ? "warning: " : "log: ") + record.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
    for (String argument : arguments) {
      open(
          argument,
          switch (argument) {
            case "open" -> Device::open;
            case "openGpu" -> Device::openGpu;
            default ->
                argument.matches("\\d+")
                    ? () -> Device.open(Integer.parseInt(argument))
                    : () -> Device.open(argument);
          });
    }
  }

  private static void open(String call, Supplier<Device> opening) {
    try (Device device = opening.get()) {
      System.out.println(call + ": " + device + ": " + device.reason());
    } catch (RuntimeException e) {
      System.out.println(call + ": " + e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }
}
