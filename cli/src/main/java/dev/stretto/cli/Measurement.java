package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.compiler.ptx.PtxText;
import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** Finds out what a kernel takes: by the assembler, or else by a GPU's driver. */
final class Measurement {
  private Measurement() {}

  /**
   * What a kernel takes, or nothing if neither is there.
   *
   * @param target what it is assembled for, for example sm_90a
   * @throws CommandFailure if the assembler cannot be run, or refuses the kernel
   * @throws dev.stretto.fault.StrettoException if the driver does
   */
  static Optional<Resources> of(PtxText kernel, String target) {
    Optional<Assembler> assembler = Assembler.find(System.getenv());
    return assembler.isPresent()
        ? assembler.map(found -> found.measure(kernel, target))
        : byDriver(kernel);
  }

  private static Optional<Resources> byDriver(PtxText kernel) {
    if (Device.all().stream().noneMatch(device -> device.driver().equals("cuda"))) {
      return Optional.empty();
    }
    try (Device device = Device.openGpu()) {
      return Optional.of(by(device, kernel));
    }
  }

  /** What a device's driver says when it has loaded a kernel. */
  static Resources by(Device device, PtxText kernel) {
    KernelImage image = KernelImage.ofPtx(kernel.text());
    DeviceKernel loaded = DeviceKernel.of(image, kernel.entry(), List.of(), new NeverRun());
    return Resources.of(device.prepare(Grid.of(1, 1), loaded).properties());
  }

  /** The kernel is loaded on a GPU, and not launched. */
  private static final class NeverRun implements KernelTwin {
    @Override
    public void run(
        LaunchShape shape, long first, long last, MemorySegment parameters, DeviceMemory memory) {
      throw new UnsupportedOperationException("a kernel that is loaded only");
    }

    @Override
    public long nanos(LaunchShape shape, MemorySegment parameters, Machine machine) {
      return 0;
    }
  }
}
