package dev.stretto;

import dev.stretto.observe.Detection;
import dev.stretto.observe.Observers;
import dev.stretto.route.StartedWork;
import dev.stretto.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The diagnosis of all devices of a process, if {@code -Ddev.stretto.diagnosis} requests it. */
final class ProcessDiagnosis {
  private static final String ASKED = Settings.DIAGNOSIS.value();
  private static final @Nullable Detection DETECTION = begin();

  private ProcessDiagnosis() {}

  private static @Nullable Detection begin() {
    if (ASKED.equals("false")) {
      return null;
    }
    Detection detection = new Detection();
    // Make no driver calls here: CUDA may already be shut down at this time.
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  StartedWork.processEnds(); // the report includes copies that were never awaited
                  write(detection.report());
                },
                "stretto diagnosis"));
    return detection;
  }

  /** Adds a device that was opened to the diagnosis. */
  static void opened(Observers observers) {
    if (DETECTION != null) {
      DETECTION.watch(observers);
    }
  }

  private static void write(String report) {
    if (ASKED.equals("true")) {
      System.err.print(report);
      System.err.flush();
      return;
    }
    try {
      Files.writeString(
          Path.of(ASKED), report, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      System.err.println("stretto: the diagnosis cannot be written to " + ASKED + ": " + e);
      System.err.print(report);
    }
  }
}
