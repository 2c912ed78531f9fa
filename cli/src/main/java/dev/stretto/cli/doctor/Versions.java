package dev.stretto.cli.doctor;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The versions of the driver's two halves: the kernel's module, and the programs' library. */
final class Versions {
  private static final Pattern MODULE =
      Pattern.compile("Module\\s+(?:for\\s+\\S+\\s+)?([0-9]+\\.[0-9.]+)");

  private static final Pattern LIBRARY = Pattern.compile("libcuda\\.so\\.([0-9]+\\.[0-9.]+)$");

  private static final List<String> FOLDERS =
      List.of(
          "/usr/lib/x86_64-linux-gnu",
          "/usr/lib/aarch64-linux-gnu",
          "/usr/lib64",
          "/usr/lib",
          "/usr/local/nvidia/lib64",
          "/usr/lib/wsl/lib");

  private Versions() {}

  /** The version in {@code /proc/driver/nvidia/version}. */
  static Optional<String> ofModule(String text) {
    Matcher matcher = MODULE.matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** The file of the library that this process has loaded. */
  static Optional<String> loadedLibrary(Machine machine) {
    return machine.lines("/proc/self/maps").stream()
        .filter(line -> line.contains("/libcuda.so"))
        .map(line -> line.substring(line.indexOf('/')))
        .findFirst();
  }

  /** The version of the library that is loaded, or else of the installed one. */
  static Optional<String> ofLibrary(Machine machine) {
    Stream<String> loaded = loadedLibrary(machine).stream();
    Stream<String> linked =
        FOLDERS.stream().flatMap(folder -> machine.target(folder + "/libcuda.so.1").stream());
    Stream<String> present = FOLDERS.stream().flatMap(folder -> machine.names(folder).stream());
    return Stream.of(loaded, linked, present)
        .flatMap(names -> names)
        .map(LIBRARY::matcher)
        .filter(Matcher::find)
        .map(matcher -> matcher.group(1))
        .findFirst();
  }
}
