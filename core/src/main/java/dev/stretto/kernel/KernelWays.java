package dev.stretto.kernel;

import dev.stretto.settings.Settings;
import java.util.Arrays;
import java.util.stream.Stream;

/** How kernels run on virtual devices whose threads wait for each other. */
final class KernelWays {
  private static final boolean DEBUGGED = isDebugged();

  private KernelWays() {}

  /** Whether they are compiled. Otherwise their methods run, where a debugger can stop. */
  static boolean areCompiled() {
    return Settings.KERNELS.value().orElse(!DEBUGGED);
  }

  /** Whether the JVM was started with an agent for debuggers. It cannot be loaded later. */
  private static boolean isDebugged() {
    Stream<String> line =
        ProcessHandle.current().info().arguments().map(Arrays::stream).orElse(Stream.empty());
    Stream<String> variables =
        Stream.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")
            .map(System.getenv()::get)
            .filter(options -> options != null);
    return Stream.concat(line, variables)
        .anyMatch(option -> option.contains("-agentlib:jdwp") || option.contains("-Xrunjdwp"));
  }
}
