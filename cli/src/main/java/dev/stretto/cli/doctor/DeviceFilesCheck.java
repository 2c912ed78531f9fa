package dev.stretto.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** The files through which programs reach the kernel's module. */
final class DeviceFilesCheck implements Check {
  private static final String NAME = "device-files";
  private static final String CONTROL = "/dev/nvidiactl";
  private static final String MEMORY = "/dev/nvidia-uvm";

  @Override
  public List<Finding> examine(Machine machine) {
    List<String> gpus =
        machine.names("/dev").stream()
            .filter(name -> name.matches("nvidia[0-9]+"))
            .map(name -> "/dev/" + name)
            .toList();
    if (machine.moduleVersion().isEmpty() && gpus.isEmpty()) {
      return List.of(); // nothing makes them
    }
    if (gpus.isEmpty() && !machine.exists(CONTROL) && machine.isContainer()) {
      return List.of(); // told by another check
    }
    List<Finding> findings = new ArrayList<>();
    if (gpus.isEmpty()) {
      findings.add(missing("/dev/nvidia0", "sudo nvidia-modprobe -c 0"));
    }
    for (String file : List.of(CONTROL, MEMORY)) {
      if (!machine.exists(file)) {
        findings.add(missing(file, "sudo nvidia-modprobe -u -c 0; in a container: --gpus all"));
      }
    }
    List<String> all = new ArrayList<>(gpus);
    all.addAll(List.of(CONTROL, MEMORY));
    for (String file : all) {
      if (machine.exists(file) && !machine.mayUse().test(machine.path(file))) {
        findings.add(
            Finding.bad(
                NAME,
                file + " may not be read and written by this user",
                "join the group of that file (ls -l " + file + "), then log in again"));
      }
    }
    if (findings.isEmpty()) {
      findings.add(Finding.ok(NAME, gpus.size() + " of GPUs, " + CONTROL + ", " + MEMORY));
    }
    return findings;
  }

  private static Finding missing(String file, String remedy) {
    return Finding.bad(NAME, file + " is missing", remedy);
  }
}
