package dev.stretto.kernel;

import dev.stretto.driver.KernelTwin;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;

/** Runs a Java method for every thread of a launch. */
final class MethodTwin implements KernelTwin {
  private final String entry;
  private final List<Parameter> parameters;
  private final MethodHandle method;
  private final double operationsPerThread;

  MethodTwin(
      String entry, List<Parameter> parameters, MethodHandle method, double operationsPerThread) {
    this.entry = entry;
    this.parameters = parameters;
    this.method = method;
    this.operationsPerThread = operationsPerThread;
  }

  @Override
  public void run(
      int[] grid,
      int[] block,
      int sharedBytes,
      long firstBlock,
      long lastBlock,
      MemorySegment packed,
      DeviceMemory memory) {
    MethodHandle thread = MethodHandles.insertArguments(method, 1, arguments(packed, memory));
    ThreadBlock position = new ThreadBlock(grid, block);
    for (long number = firstBlock; number < lastBlock; number++) {
      position.enter(number);
      for (int z = 0; z < block[2]; z++) {
        for (int y = 0; y < block[1]; y++) {
          for (int x = 0; x < block[0]; x++) {
            position.thread(x, y, z);
            call(thread, position);
          }
        }
      }
    }
  }

  private void call(MethodHandle thread, ThreadBlock position) {
    try {
      thread.invokeExact(position);
    } catch (RuntimeException | Error e) {
      throw new IllegalStateException("kernel " + entry + ", " + position + ": " + e, e);
    } catch (Throwable e) {
      throw new IllegalStateException(
          "kernel " + entry + ", " + position + " threw a checked exception", e);
    }
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
            default -> array(parameter, packed, memory);
          };
    }
    return arguments;
  }

  private static Object array(Parameter parameter, MemorySegment packed, DeviceMemory memory) {
    long address = packed.get(ValueLayout.JAVA_LONG_UNALIGNED, parameter.offset());
    long bytes = length(parameter, packed) * parameter.elementBytes();
    // Where no element is, nothing need be: the address may be the end of an allocation.
    MemorySegment elements =
        bytes == 0 ? MemorySegment.NULL.asReadOnly() : memory.at(address).asSlice(0, bytes);
    return parameter.resident(new Resident(address, elements));
  }

  private static long length(Parameter parameter, MemorySegment packed) {
    return packed.get(ValueLayout.JAVA_LONG_UNALIGNED, parameter.lengthOffset());
  }

  @Override
  public long nanos(int[] grid, int[] block, MemorySegment packed, Machine machine) {
    double bytes = 0;
    for (Parameter parameter : parameters) {
      if (parameter.isArray()) {
        bytes += (double) length(parameter, packed) * parameter.elementBytes();
      }
    }
    double threads = (double) grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2];
    double seconds =
        Math.max(
            bytes / machine.memoryBytesPerSecond(),
            threads * operationsPerThread / machine.operationsPerSecond());
    return Math.round(seconds * 1e9);
  }
}
