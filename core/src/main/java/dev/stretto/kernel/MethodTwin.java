package dev.stretto.kernel;

import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.TensorLayout;
import dev.stretto.kernel.machine.ClusterOrder;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.KernelFaults;
import dev.stretto.kernel.machine.LaunchExtents;
import dev.stretto.kernel.machine.Resident;
import dev.stretto.kernel.machine.TurnOrder;
import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * Runs a Java method for every thread of a launch.
 *
 * @param entry the kernel's name
 * @param parameters what the launch packs
 * @param body the method
 * @param operationsPerThread for the modelled clock
 * @param computeCapability for which the kernel is compiled
 * @param seed of the order in which threads get their turns, or empty for the order of their ranks
 */
record MethodTwin(
    String entry,
    List<Parameter> parameters,
    KernelBody body,
    double operationsPerThread,
    int computeCapability,
    OptionalLong seed)
    implements KernelTwin {

  MethodTwin withOperationsPerThread(double operations) {
    return new MethodTwin(entry, parameters, body, operations, computeCapability, seed);
  }

  @Override
  public KernelTwin seeded(long with) {
    return new MethodTwin(
        entry, parameters, body, operationsPerThread, computeCapability, OptionalLong.of(with));
  }

  /** A cluster whose threads wait for each other takes long enough. */
  @Override
  public int leastClusters() {
    return body.synchronizes() ? 1 : KernelTwin.super.leastClusters();
  }

  @Override
  public void run(
      LaunchShape shape, long first, long last, MemorySegment packed, DeviceMemory memory) {
    LaunchExtents extents = new LaunchExtents(shape, computeCapability);
    KernelFaults faults = new KernelFaults(entry);
    Object[] arguments = arguments(packed, memory);
    ClusterOrder order = ClusterOrder.of(first, last);
    if (body.synchronizes()) {
      TurnOrder turns =
          seed.isPresent()
              ? new TurnOrder.Seeded(new SplittableRandom(seed.getAsLong() + first))
              : new TurnOrder.ByRank();
      body.together(faults, extents, turns, order, arguments, memory, false).run();
    } else {
      body.runPlain(faults, extents, order, arguments);
    }
  }

  @Override
  public Run start(LaunchShape shape, MemorySegment packed, DeviceMemory memory) {
    if (seed.isEmpty()) {
      return KernelTwin.super.start(shape, packed, memory);
    }
    LaunchExtents extents = new LaunchExtents(shape, computeCapability);
    KernelFaults faults = new KernelFaults(entry);
    Object[] arguments = arguments(packed, memory);
    SplittableRandom random = new SplittableRandom(seed.getAsLong());
    ClusterOrder order = ClusterOrder.seeded(0, shape.clusters(), random);
    return body.synchronizes()
        ? body.together(
            faults, extents, new TurnOrder.Seeded(random), order, arguments, memory, true)
        : body.shuffled(faults, extents, random, order, arguments, memory);
  }

  private Object[] arguments(MemorySegment packed, DeviceMemory memory) {
    Object[] arguments = new Object[parameters.size()];
    for (int i = 0; i < arguments.length; i++) {
      Parameter parameter = parameters.get(i);
      long at = parameter.offset();
      arguments[i] =
          switch (parameter.type().getName()) {
            case "byte" -> packed.get(ValueLayout.JAVA_BYTE, at);
            case "short" -> packed.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
            case "int" -> packed.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            case "long" -> packed.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
            case "float" -> packed.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
            case "double" -> packed.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
            default ->
                parameter.isTensorMap()
                    ? TensorParameters.resident(TensorLayout.read(packed.asSlice(at)), memory)
                    : array(parameter, packed, memory, body.fetches(computeCapability));
          };
    }
    return arguments;
  }

  private static Object array(
      Parameter parameter, MemorySegment packed, DeviceMemory memory, boolean watched) {
    long address = packed.get(ValueLayout.JAVA_LONG_UNALIGNED, parameter.offset());
    long bytes = length(parameter, packed) * parameter.elementBytes();
    // Where no element is, nothing need be: the address may be the end of an allocation.
    MemorySegment elements =
        bytes == 0 ? MemorySegment.NULL.asReadOnly() : memory.at(address).asSlice(0, bytes);
    return parameter.resident(
        new Resident(address, elements, watched ? DeviceThread::stored : null));
  }

  private static long length(Parameter parameter, MemorySegment packed) {
    return packed.get(ValueLayout.JAVA_LONG_UNALIGNED, parameter.lengthOffset());
  }

  private static double bytes(TensorLayout layout) {
    double bytes = TensorMap.Element.values()[layout.element()].bytes();
    for (long extent : layout.extents()) {
      bytes *= extent;
    }
    return bytes;
  }

  @Override
  public long nanos(LaunchShape shape, MemorySegment packed, Machine machine) {
    double bytes = 0;
    for (Parameter parameter : parameters) {
      if (parameter.isArray()) {
        bytes += (double) length(parameter, packed) * parameter.elementBytes();
      } else if (parameter.isTensorMap()) {
        bytes += bytes(TensorLayout.read(packed.asSlice(parameter.offset())));
      }
    }
    double threads = (double) shape.blocks() * shape.threadsPerBlock();
    double seconds =
        Math.max(
            bytes / machine.memoryBytesPerSecond(),
            threads * operationsPerThread / machine.operationsPerSecond());
    return Math.round(seconds * 1e9);
  }
}
