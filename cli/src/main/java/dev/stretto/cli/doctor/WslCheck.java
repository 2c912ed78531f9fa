package dev.stretto.cli.doctor;

import java.util.List;

/** Linux inside Windows, whose GPUs belong to Windows' driver. */
final class WslCheck implements Check {
  @Override
  public List<Finding> examine(Machine machine) {
    if (!machine.isWsl()) {
      return List.of();
    }
    if (!machine.exists("/dev/dxg")) {
      return List.of(
          Finding.bad(
              "wsl",
              "WSL without /dev/dxg, so no GPU reaches it",
              "use WSL 2: wsl --update and wsl --set-version NAME 2; update Windows' driver"));
    }
    return List.of(
        Finding.warn(
            "wsl",
            "WSL2: little memory can be pinned, and calls of the driver are slow",
            "install NVIDIA's driver in Windows, and none inside WSL; measure on Linux"));
  }
}
