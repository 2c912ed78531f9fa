package dev.stretto.cli.doctor;

import dev.stretto.driver.cuda.DriverProbe;
import java.util.List;

/** Whether the driver starts, and if not, what its code means. */
final class StartCheck implements Check {
  private static final String NAME = "driver";
  private static final int STUB_LIBRARY = 34;

  @Override
  public List<Finding> examine(Machine machine) {
    DriverProbe driver = machine.driver();
    return switch (driver.end()) {
      case STARTED ->
          driver.gpus().isEmpty()
              ? List.of(noDevice(machine, "the driver starts, but has no device"))
              : List.of(Finding.ok(NAME, "it starts; devices: " + driver.gpus().size()));
      case NOT_STARTED ->
          driver.result() == STUB_LIBRARY
              ? List.of() // told by another check
              : List.of(failed(machine, driver.result(), driver.detail()));
      default -> List.of();
    };
  }

  private static Finding noDevice(Machine machine, String what) {
    return Finding.bad(
        NAME,
        what,
        machine.variable("CUDA_VISIBLE_DEVICES").isPresent()
            ? "unset CUDA_VISIBLE_DEVICES, and look at nvidia-smi -L"
            : "look at nvidia-smi -L, and in sudo dmesg for lines with NVRM");
  }

  private static Finding failed(Machine machine, int code, String detail) {
    return switch (code) {
      case 46 ->
          bad(code, "the GPU is in use or prohibited", "nvidia-smi -c DEFAULT, or end its process");
      case 100 -> noDevice(machine, "cuInit fails with 100: it finds no device");
      case 304 -> bad(code, "the system refused something", "check /dev/nvidia*, then sudo dmesg");
      case 802 ->
          bad(
              code,
              "the links between the GPUs are not up yet",
              "sudo systemctl start nvidia-fabricmanager, of the driver's own version; at a"
                  + " start of the machine: wait");
      case 803 ->
          bad(
              code,
              "the kernel module and libcuda differ in version",
              "restart the machine or the container after an update of the driver");
      case 804 ->
          bad(
              code,
              "the compatibility package does not support this GPU",
              "take /usr/local/cuda/compat out of LD_LIBRARY_PATH, or update the driver");
      case 805, 806, 807, 808, 809 ->
          bad(
              code,
              "the MPS service cannot be used",
              "start nvidia-cuda-mps-control -d, or unset CUDA_MPS_PIPE_DIRECTORY");
      case 999 ->
          bad(
              code,
              "an unknown error, often /dev/nvidia-uvm or a GPU that is lost",
              "sudo nvidia-modprobe -u -c 0; look in sudo dmesg for Xid; restart");
      default -> bad(code, detail, "look in sudo dmesg for lines with NVRM");
    };
  }

  private static Finding bad(int code, String what, String remedy) {
    return Finding.bad(NAME, "cuInit fails with " + code + ": " + what, remedy);
  }
}
