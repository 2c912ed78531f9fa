package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.Leak;
import dev.stretto.PinnedArena;
import dev.stretto.memory.GlobalInts;
import dev.stretto.settings.Settings;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Leaks on purpose, and prints what it is told about that. Run by {@link LeakTest}. */
final class LeakProgram {
  /** Held, for the log manager does not hold loggers. */
  private static final Logger LOGGER = Logger.getLogger("dev.stretto");

  private LeakProgram() {}

  private static GlobalInts allocateHere(Device device) {
    return device.allocateInts(12_345);
  }

  private static void forgetHere(Device device) {
    PinnedArena forgotten = device.pinnedArena();
    forgotten.allocate(100);
  }

  public static void main(String[] args) throws InterruptedException {
    boolean[] told = {false};
    LOGGER.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            System.out.println("log: " + record.getMessage());
            print(record.getThrown());
            told[0] = true;
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
    try (Device device = Device.open("virtual")) {
      GlobalInts array = allocateHere(device);
      System.out.println("open: " + device.leaks().size());
      for (Leak leak : device.leaks()) {
        System.out.println("leak: " + leak.what());
        print(leak.where());
      }
      array.close();
      System.out.println("left: " + device.leaks().size());
      forgetHere(device);
      for (int i = 0; i < 100 && Settings.LEAKS.value() && !told[0]; i++) {
        System.gc();
        Thread.sleep(20);
      }
    }
  }

  private static void print(Throwable where) {
    if (where != null) {
      for (StackTraceElement element : where.getStackTrace()) {
        System.out.println("  at " + element.getMethodName());
      }
    }
  }
}
