package dev.stretto.kernel;

import dev.stretto.compiler.ptx.PtxText;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The layout of a launch's arguments for an entry.
 *
 * @param offsets where each of the entry's parameters lies among the packed ones, in the entry's
 *     order
 * @param packedBytes the size of the packed parameters
 * @param addedSharedBytes dynamic shared memory that the kernel needs in addition to the launch's
 *     own
 * @param awaitsGrids whether each thread waits itself for the kernels before this one, so that it
 *     may be launched while they end
 * @param faultOffset where the address lies at which a failed check is reported; -1 if nothing is
 *     checked
 * @param faultWords describes what a kernel with checks has reported; nothing if nothing is checked
 */
public record CallShape(
    List<Long> offsets,
    long packedBytes,
    int addedSharedBytes,
    boolean awaitsGrids,
    long faultOffset,
    Optional<Function<MemorySegment, String>> faultWords) {
  /** {@return the layout for an entry that takes the values and no lengths, as in CUDA C++} */
  static CallShape ofValues(List<Parameter> parameters) {
    return new CallShape(
        parameters.stream().map(Parameter::offset).toList(),
        Parameter.packedBytes(parameters),
        0,
        false,
        -1,
        Optional.empty());
  }

  /**
   * {@return the layout for an entry that was compiled from a method: it takes each array's length
   * after its address, and finally the address for reports if it has checks}
   *
   * @param parameters the packed parameters of a launch
   * @param text the compiled kernel
   */
  static CallShape ofCompiled(List<Parameter> parameters, PtxText text) {
    List<Long> offsets = new ArrayList<>();
    for (Parameter parameter : parameters) {
      offsets.add(parameter.offset());
      if (parameter.isArray()) {
        offsets.add(parameter.lengthOffset());
      }
    }
    long bytes = Parameter.packedBytes(parameters);
    long fault = -1;
    if (!text.faults().isEmpty()) {
      fault = bytes;
      offsets.add(fault);
      bytes += Long.BYTES;
    }
    return new CallShape(
        List.copyOf(offsets),
        bytes,
        Math.toIntExact(text.movedBytes()),
        text.awaitsGrids(),
        fault,
        fault < 0
            ? Optional.empty()
            : Optional.of(record -> FaultText.of(text.entry(), text.faults(), record)));
  }
}
