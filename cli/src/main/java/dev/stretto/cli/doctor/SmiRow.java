package dev.stretto.cli.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What {@code nvidia-smi} says of a GPU. A text is empty where it says nothing.
 *
 * @param address its place on the bus
 * @param persistence Enabled or Disabled
 * @param correction whether its memory corrects errors: Enabled or Disabled
 * @param uncorrected errors since the driver started that were not corrected
 * @param mig Enabled or Disabled
 */
public record SmiRow(
    String address, String persistence, String correction, String uncorrected, String mig) {
  private static final List<String> COMMAND =
      List.of(
          "nvidia-smi",
          "--query-gpu=pci.bus_id,persistence_mode,ecc.mode.current,"
              + "ecc.errors.uncorrected.volatile.total,mig.mode.current",
          "--format=csv,noheader,nounits");

  private static final int FIELDS = 5;
  private static final int MOST_BYTES = 1 << 16;
  private static final long PATIENCE_SECONDS = 20;

  /** Runs the program; no rows where there is none, or if it fails. */
  static List<SmiRow> ask() {
    try {
      Process process =
          new ProcessBuilder(COMMAND).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      process.getOutputStream().close();
      // It hangs where the driver does, so that somebody has to end it.
      var _ =
          process
              .onExit()
              .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
              .whenComplete(
                  (_, late) -> {
                    if (late != null) {
                      process.destroyForcibly();
                    }
                  });
      try (InputStream in = process.getInputStream()) {
        return parse(new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
      }
    } catch (IOException _) {
      return List.of(); // there is no such program
    }
  }

  static List<SmiRow> parse(String output) {
    return output
        .lines()
        .map(line -> line.split(",", -1))
        .filter(fields -> fields.length == FIELDS)
        .map(
            fields ->
                new SmiRow(
                    known(fields[0]),
                    known(fields[1]),
                    known(fields[2]),
                    known(fields[3]),
                    known(fields[4])))
        .toList();
  }

  private static String known(String field) {
    String text = field.strip();
    return text.startsWith("[") ? "" : text;
  }
}
