package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.compiler.ptx.PtxText;
import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.Parameter;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Measures a kernel's resource usage: with the assembler, or otherwise with a GPU's driver. */
final class Measurement {
  /** A parameter as the compiler declares it. */
  private static final Pattern PARAMETER =
      Pattern.compile("\\.param (?:\\.align \\d+ )?\\.(\\w+) param\\d+");

  /** A parameter that is a record; a tensor map has 128 bytes, and begins at a multiple of 64. */
  private static final Pattern RECORD =
      Pattern.compile("\\.param \\.align (?!64 \\.b8 param\\d+\\[128])");

  private static final int BOX = 64;

  private Measurement() {}

  /**
   * A kernel's resource usage, or nothing if there is neither assembler nor GPU, or no assembler
   * for a kernel that takes records.
   *
   * @param target the target to assemble for, for example sm_90a
   * @throws CommandFailure if the assembler cannot be run, or refuses the kernel
   * @throws dev.stretto.fault.StrettoException if the driver refuses the kernel
   */
  static Optional<Resources> of(PtxText kernel, String target) {
    Optional<Assembler> assembler = Assembler.find(System.getenv());
    return assembler.isPresent()
        ? assembler.map(found -> found.measure(kernel, target))
        : byDriver(kernel);
  }

  private static Optional<Resources> byDriver(PtxText kernel) {
    if (RECORD.matcher(kernel.text()).find()) {
      return Optional.empty(); // their classes are not in the text
    }
    if (Device.all().stream().noneMatch(device -> device.driver().equals("cuda"))) {
      return Optional.empty();
    }
    try (Device device = Device.openGpu()) {
      return Optional.of(by(device, kernel));
    }
  }

  /** What a device's driver reports after loading a kernel. */
  static Resources by(Device device, PtxText kernel) {
    KernelImage image = KernelImage.ofPtx(kernel.text());
    List<Class<?>> types = parameters(kernel);
    DeviceKernel loaded =
        DeviceKernel.of(image, kernel.entry(), Parameter.pack(types), new NeverRun());
    try (GlobalFloats any = device.allocateFloats(BOX)) {
      Object[] arguments = types.stream().map(type -> argument(type, any)).toArray();
      return Resources.of(device.prepare(Grid.of(1, 1), loaded, arguments).properties());
    }
  }

  /** Java types for the parameters that the entry declares: a GPU loads no kernel without them. */
  private static List<Class<?>> parameters(PtxText kernel) {
    return PARAMETER
        .matcher(kernel.text())
        .results()
        .<Class<?>>map(
            found ->
                switch (found.group(1)) {
                  case "u8", "s8" -> byte.class;
                  case "u16", "s16" -> short.class;
                  case "f32" -> float.class;
                  case "f64" -> double.class;
                  case "u64", "s64", "b64" -> long.class;
                  case "b8" -> TensorMap.class;
                  default -> int.class;
                })
        .toList();
  }

  /** Any value of a type; it is never read, since the kernel is not launched. */
  private static Object argument(Class<?> type, GlobalFloats any) {
    return switch (type.getName()) {
      case "byte" -> (byte) 0;
      case "short" -> (short) 0;
      case "int" -> 0;
      case "long" -> 0L;
      case "float" -> 0f;
      case "double" -> 0d;
      default -> TensorMap.of(any).shape(BOX).box(BOX).build();
    };
  }

  /** The host version of a kernel that is loaded on a GPU and never launched. */
  private static final class NeverRun implements KernelTwin {
    @Override
    public void run(
        LaunchShape shape, long first, long last, MemorySegment parameters, DeviceMemory memory) {
      throw new UnsupportedOperationException("this kernel is only loaded");
    }

    @Override
    public long nanos(LaunchShape shape, MemorySegment parameters, Machine machine) {
      return 0;
    }
  }
}
