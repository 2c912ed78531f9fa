package dev.stretto.cli.doctor;

import java.util.List;

/** The operating system and the processor. */
final class SystemCheck implements Check {
  @Override
  public List<Finding> examine(Machine machine) {
    Jvm jvm = machine.jvm();
    String both = jvm.system() + " on " + jvm.architecture();
    if (!jvm.system().equals("linux")) {
      return List.of(Finding.bad("system", both, "GPUs need Linux; virtual devices work here too"));
    }
    return List.of(
        switch (jvm.architecture()) {
          case "amd64", "x86_64" -> Finding.ok("system", both);
          case "aarch64" ->
              Finding.warn(
                  "system",
                  both + ", where Stretto has not been tested",
                  "run its tests before you rely on it: tools/gpu-kit");
          default -> Finding.bad("system", both, "GPUs need x86-64");
        });
  }
}
