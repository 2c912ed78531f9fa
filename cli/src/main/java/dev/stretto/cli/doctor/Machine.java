package dev.stretto.cli.doctor;

import dev.stretto.driver.cuda.DriverProbe;
import dev.stretto.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The machine as checks see it: its files, the variables of this process, the driver. A test plants
 * another one.
 *
 * @param root the folder that holds {@code proc}, {@code sys}, {@code dev}
 * @param environment the variables of this process
 * @param jvm the Java virtual machine
 * @param driver what {@code libcuda} answers
 * @param smi what {@code nvidia-smi} says of each GPU
 * @param mayUse whether this process may read and write a file
 */
public record Machine(
    Path root,
    Map<String, String> environment,
    Jvm jvm,
    DriverProbe driver,
    List<SmiRow> smi,
    Predicate<Path> mayUse) {
  /** Files of proc and sys are short; the list of mappings is the longest. */
  private static final int MOST_BYTES = 1 << 20;

  private static final String PCI = "/sys/bus/pci/devices";
  private static final String NVIDIA = "0x10de";

  /** {@return the machine of this process; asks its driver} */
  public static Machine thisOne() {
    DriverProbe driver = DriverProbe.of(Settings.LIBCUDA.value());
    return new Machine(
        Path.of("/"),
        System.getenv(),
        Jvm.thisOne(),
        driver,
        SmiRow.ask(),
        file -> Files.isReadable(file) && Files.isWritable(file));
  }

  Path path(String absolute) {
    return root.resolve(absolute.substring(1));
  }

  boolean exists(String path) {
    return Files.exists(path(path), LinkOption.NOFOLLOW_LINKS);
  }

  /** The content of a file without blanks around it, or nothing if it cannot be read. */
  Optional<String> text(String path) {
    return attempt(
        () -> {
          try (InputStream in = Files.newInputStream(path(path))) {
            return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
          }
        });
  }

  List<String> lines(String path) {
    return text(path).map(text -> text.lines().toList()).orElse(List.of());
  }

  /** The names in a folder, in order; none if there is no such folder. */
  List<String> names(String folder) {
    return attempt(
            () -> {
              try (Stream<Path> files = Files.list(path(folder))) {
                return files.map(file -> file.getFileName().toString()).sorted().toList();
              }
            })
        .orElse(List.of());
  }

  /** The last name of a symbolic link's target. */
  Optional<String> target(String link) {
    return attempt(() -> Files.readSymbolicLink(path(link)).getFileName().toString());
  }

  private interface Reading<T> {
    T read() throws IOException;
  }

  private static <T> Optional<T> attempt(Reading<T> reading) {
    try {
      return Optional.of(reading.read());
    } catch (IOException | UnsupportedOperationException | SecurityException _) {
      return Optional.empty(); // not there, or none of our business
    }
  }

  Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name));
  }

  /** The folders of the NVIDIA GPUs on the PCI bus. */
  List<PciGpu> pciGpus() {
    return names(PCI).stream()
        .map(address -> new PciGpu(this, address, PCI + "/" + address))
        .filter(gpu -> gpu.file("vendor").equals(NVIDIA) && gpu.file("class").startsWith("0x03"))
        .toList();
  }

  /** The version of the loaded kernel module, such as 580.159.03. */
  Optional<String> moduleVersion() {
    return text("/proc/driver/nvidia/version").flatMap(Versions::ofModule);
  }

  boolean isWsl() {
    return Stream.of("/proc/sys/kernel/osrelease", "/proc/version")
        .flatMap(file -> text(file).stream())
        .anyMatch(text -> text.toLowerCase(Locale.ROOT).contains("microsoft"));
  }

  boolean isContainer() {
    Supplier<Boolean> group =
        () ->
            lines("/proc/1/cgroup").stream()
                .anyMatch(line -> line.matches(".*(docker|kubepods|containerd|libpod|lxc).*"));
    return exists("/.dockerenv")
        || exists("/run/.containerenv")
        || environment.containsKey("KUBERNETES_SERVICE_HOST")
        || group.get();
  }
}
