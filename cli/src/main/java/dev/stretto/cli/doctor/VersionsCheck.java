package dev.stretto.cli.doctor;

import java.util.List;
import java.util.Optional;

/** Whether both halves of the driver are of one version. */
final class VersionsCheck implements Check {
  private static final String NAME = "versions";

  @Override
  public List<Finding> examine(Machine machine) {
    Optional<String> module = machine.moduleVersion();
    Optional<String> library = Versions.ofLibrary(machine);
    if (module.isEmpty() || library.isEmpty()) {
      return List.of();
    }
    if (module.equals(library)) {
      return List.of(Finding.ok(NAME, "the kernel module and libcuda are one version"));
    }
    String both = "kernel module %s, libcuda %s".formatted(module.get(), library.get());
    // CUDA's package for forward compatibility brings a newer library on purpose.
    if (Versions.loadedLibrary(machine).filter(path -> path.contains("/compat/")).isPresent()) {
      return List.of(Finding.ok(NAME, both + " (compatibility package)"));
    }
    return List.of(
        Finding.bad(
            NAME,
            both,
            "restart the machine, so that the kernel loads the module that was installed; a"
                + " container: start it again"));
  }
}
