package dev.stretto.kernel;

import dev.stretto.compiler.ptx.FaultSite;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Puts into words the record that a kernel has written of a failed check. */
final class FaultText {
  private static final int NUMBERS = 32;

  private FaultText() {}

  /**
   * Describes what happened and where.
   *
   * @param kernel the kernel's name
   * @param faults the places in the kernel that a record may refer to
   * @param record 64 bytes as the device has written them
   */
  static String of(String kernel, List<FaultSite> faults, MemorySegment record) {
    int number = integer(record, 1);
    FaultSite site = faults.get(Math.clamp(number, 0, faults.size() - 1));
    return "%s, in kernel %s (%s:%d, %s), block (%d, %d, %d), thread (%d, %d, %d)"
        .formatted(
            what(site, record),
            kernel,
            site.file(),
            site.line(),
            site.method(),
            integer(record, 2),
            integer(record, 3),
            integer(record, 4),
            integer(record, 5),
            integer(record, 6),
            integer(record, 7));
  }

  private static String what(FaultSite site, MemorySegment record) {
    String message = site.trap().message();
    return switch (site.trap().kind()) {
      case INDEX ->
          "index %d%s is out of bounds for length %d"
              .formatted(
                  number(record, 0),
                  message.isEmpty() ? "" : ", " + message + ",",
                  number(record, 1));
      case ALIGNMENT -> "index %d is not %s".formatted(number(record, 0), message);
      case DIVISION -> message;
      case SLICE ->
          "a slice of %d elements from %d is not inside an array of %d"
              .formatted(number(record, 1), number(record, 0), number(record, 2));
      case RANGE -> "%d, where %s".formatted(number(record, 0), message);
      case ASSERTION -> "assertion failed" + (message.isEmpty() ? "" : ": " + message);
    };
  }

  private static int integer(MemorySegment record, int index) {
    return record.get(ValueLayout.JAVA_INT, index * 4L);
  }

  private static long number(MemorySegment record, int index) {
    return record.get(ValueLayout.JAVA_LONG_UNALIGNED, NUMBERS + index * 8L);
  }
}
