package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.timeline.Timeline;

/**
 * A program that is traced: it opens devices one after the other, closes all but the last one, and
 * runs some fills and a copy on each. If it records them itself, it ends with how many they were.
 */
final class TracedProgram {
  private static final int BYTES = 4096;
  private static final int STATUS = 3;

  private TracedProgram() {}

  public static void main(String... arguments) {
    int devices = Integer.parseInt(arguments[0]);
    int fills = Integer.parseInt(arguments[1]);
    boolean records = arguments.length > 2;
    int status = STATUS;
    for (int i = 0; i < devices; i++) {
      Device device = Device.open("virtual");
      Timeline timeline = records ? Timeline.record(device) : null;
      try (Stream stream = device.stream("uploads");
          GlobalBytes array = device.allocateBytes(BYTES)) {
        for (int fill = 0; fill < fills; fill++) {
          stream.fill(array, (byte) fill);
        }
        byte[] result = new byte[BYTES];
        stream.copy(array, result).await();
      }
      if (timeline != null) {
        status = timeline.spans().size();
        timeline.close();
      }
      if (i < devices - 1) {
        device.close();
      }
    }
    System.exit(status);
  }
}
