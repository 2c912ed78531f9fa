package dev.stretto.cli.doctor;

import java.util.List;
import java.util.function.Consumer;

/** Makes all checks. */
public final class Doctor {
  /** From what everything depends on to what only costs time. */
  private static final List<Check> CHECKS =
      List.of(
          new SystemCheck(),
          new JavaCheck(),
          new WslCheck(),
          new HardwareCheck(),
          new KernelModuleCheck(),
          new ContainerCheck(),
          new DeviceFilesCheck(),
          new LibraryCheck(),
          new VersionsCheck(),
          new VisibleDevicesCheck(),
          new MpsCheck(),
          new StartCheck(),
          new ProductsCheck(),
          new ComputeModeCheck(),
          new MigCheck(),
          new ErrorCorrectionCheck(),
          new PersistenceCheck(),
          new LinkCheck(),
          new NumaCheck(),
          new IommuCheck(),
          new MemoryCheck(),
          new LockedMemoryCheck(),
          new SharedMemoryCheck(),
          new HugePagesCheck(),
          new LaunchBlockingCheck());

  private Doctor() {}

  /** Tells each finding as soon as it is known. */
  public static void examine(Machine machine, Consumer<Finding> findings) {
    CHECKS.forEach(check -> check.examine(machine).forEach(findings));
  }
}
