package dev.stretto.kernel;

import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.TensorLayout;
import dev.stretto.kernel.host.KernelArguments;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.Resident;
import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Unpacks the arguments of a launch for a kernel's method.
 *
 * @param parameters the parameters that the launch packs
 * @param constants the arrays whose content was compiled in, which the method reads as they are
 */
record PackedArguments(List<Parameter> parameters, List<ConstantArray> constants)
    implements KernelArguments {
  @Override
  public Object[] of(MemorySegment packed, KernelTwin.DeviceMemory memory, boolean watched) {
    constants.forEach(ConstantArray::requireUnchanged);
    Object[] arguments = new Object[parameters.size()];
    for (int i = 0; i < arguments.length; i++) {
      Parameter parameter = parameters.get(i);
      arguments[i] =
          parameter.isRecord()
              ? RecordLayout.of(parameter.type()).read(packed, parameter.offset())
              : argument(parameter, packed, memory, watched);
    }
    return arguments;
  }

  @Override
  public Object[] numbers(MemorySegment packed, KernelTwin.DeviceMemory memory, boolean watched) {
    List<Object> arguments = new ArrayList<>(parameters.size());
    for (Parameter parameter : parameters) {
      if (parameter.isRecord()) {
        RecordLayout.of(parameter.type()).numbers(packed, parameter.offset(), arguments);
      } else {
        arguments.add(argument(parameter, packed, memory, watched));
      }
    }
    return arguments.toArray();
  }

  private static Object argument(
      Parameter parameter, MemorySegment packed, KernelTwin.DeviceMemory memory, boolean watched) {
    long at = parameter.offset();
    return switch (parameter.type().getName()) {
      case "byte" -> packed.get(ValueLayout.JAVA_BYTE, at);
      case "short" -> packed.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
      case "int" -> packed.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      case "long" -> packed.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
      case "float" -> packed.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
      case "double" -> packed.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
      default ->
          parameter.isTensorMap()
              ? TensorParameters.resident(TensorLayout.read(packed.asSlice(at)), memory)
              : array(parameter, packed, memory, watched);
    };
  }

  private static Object array(
      Parameter parameter, MemorySegment packed, KernelTwin.DeviceMemory memory, boolean watched) {
    long address = packed.get(ValueLayout.JAVA_LONG_UNALIGNED, parameter.offset());
    long bytes = length(parameter, packed) * parameter.elementBytes();
    // An array without elements needs no memory: its address may be the end of an allocation.
    MemorySegment elements =
        bytes == 0 ? MemorySegment.NULL.asReadOnly() : memory.at(address).asSlice(0, bytes);
    return parameter.resident(
        new Resident(
            address,
            elements,
            watched ? DeviceThread.ACCESSES : null,
            bytes == 0 ? null : memory.window(address).orElse(null)));
  }

  private static long length(Parameter parameter, MemorySegment packed) {
    return packed.get(ValueLayout.JAVA_LONG_UNALIGNED, parameter.lengthOffset());
  }

  @Override
  public double bytes(MemorySegment packed, LongPredicate at) {
    double bytes = 0;
    for (Parameter parameter : parameters) {
      if (parameter.isArray()) {
        long address = packed.get(ValueLayout.JAVA_LONG_UNALIGNED, parameter.offset());
        long length = at.test(address) ? length(parameter, packed) : 0;
        bytes += (double) length * parameter.elementBytes();
      } else if (parameter.isTensorMap()) {
        TensorLayout layout = TensorLayout.read(packed.asSlice(parameter.offset()));
        bytes += at.test(layout.address()) ? bytes(layout) : 0;
      }
    }
    return bytes;
  }

  private static double bytes(TensorLayout layout) {
    double bytes = TensorMap.Element.values()[layout.element()].bytes();
    for (long extent : layout.extents()) {
      bytes *= extent;
    }
    return bytes;
  }
}
