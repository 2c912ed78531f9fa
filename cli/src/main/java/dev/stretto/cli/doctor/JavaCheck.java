package dev.stretto.cli.doctor;

import dev.stretto.driver.cuda.DriverProbe;
import java.util.List;

/** The version of Java, and whether it lets programs call the driver. */
final class JavaCheck implements Check {
  private static final int NEEDED = 25;

  @Override
  public List<Finding> examine(Machine machine) {
    int feature = machine.jvm().feature();
    Finding version =
        feature < NEEDED
            ? Finding.bad("java", "Java " + feature, "install a JDK " + NEEDED)
            : Finding.ok("java", "Java " + feature);
    return List.of(version, access(machine));
  }

  private static Finding access(Machine machine) {
    String remedy =
        "start java with --enable-native-access=ALL-UNNAMED, or =dev.stretto on the module path";
    if (machine.driver().end() == DriverProbe.End.NOT_ALLOWED) {
      return Finding.bad("native-access", "native calls are denied", remedy);
    }
    return machine.jvm().nativeAccess()
        ? Finding.ok("native-access", "native calls are allowed to this command")
        : Finding.warn("native-access", "--enable-native-access is missing", remedy);
  }
}
