package dev.stretto.cli.doctor;

import dev.stretto.driver.cuda.DriverProbe;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The programs' half of the driver. */
final class LibraryCheck implements Check {
  private static final String NAME = "libcuda";

  /** What the library answers that the CUDA toolkit has for linkers. */
  private static final int STUB_LIBRARY = 34;

  @Override
  public List<Finding> examine(Machine machine) {
    DriverProbe driver = machine.driver();
    Optional<String> stub = stub(machine);
    if (stub.isPresent() || driver.result() == STUB_LIBRARY) {
      return List.of(
          Finding.bad(
              NAME,
              "a stub without a driver" + stub.map(path -> ": " + path).orElse(""),
              "take the folder stubs out of LD_LIBRARY_PATH"));
    }
    return switch (driver.end()) {
      case NOT_ALLOWED -> List.of(); // told by another check
      case NOT_FOUND ->
          List.of(
              Finding.bad(
                  NAME,
                  "the library of NVIDIA's driver cannot be opened",
                  (machine.isContainer()
                          ? "the container's runtime has to bring it in: --gpus all. "
                          : "install NVIDIA's driver, 525 or later. ")
                      + driver.detail()));
      case NOT_CUDA ->
          List.of(
              Finding.bad(
                  NAME,
                  "the library is not the CUDA driver",
                  "remove -Ddev.stretto.libcuda, or the file before the real one in"
                      + " LD_LIBRARY_PATH"));
      case NO_VERSION ->
          List.of(Finding.bad(NAME, "it fails: " + driver.detail(), "install the driver again"));
      case TOO_OLD ->
          List.of(
              Finding.bad(
                  NAME,
                  "it supports CUDA "
                      + driver.dotted()
                      + "; "
                      + DriverProbe.needed()
                      + " is needed",
                  "update NVIDIA's driver to 525 or later"));
      case NOT_STARTED, STARTED ->
          List.of(
              Finding.ok(
                  NAME,
                  Versions.ofLibrary(machine).map(version -> version + ", ").orElse("")
                      + "CUDA "
                      + driver.dotted()));
    };
  }

  /** The stub that was loaded, or that comes before the real library. */
  private static Optional<String> stub(Machine machine) {
    Stream<String> onPath =
        Stream.of(machine.variable("LD_LIBRARY_PATH").orElse("").split(":", -1))
            .filter(
                folder -> folder.startsWith("/") && folder.replaceAll("/+$", "").endsWith("stubs"))
            .map(folder -> folder.replaceAll("/+$", "") + "/libcuda.so.1")
            .filter(machine::exists);
    Stream<String> loaded =
        Versions.loadedLibrary(machine).stream().filter(path -> path.contains("/stubs/"));
    return Stream.concat(loaded, onPath).findFirst();
  }
}
