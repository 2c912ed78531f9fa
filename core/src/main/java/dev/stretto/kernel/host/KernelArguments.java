package dev.stretto.kernel.host;

import dev.stretto.driver.KernelTwin;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;

/** Unpacks the arguments of a launch for a kernel's method. */
public interface KernelArguments {
  /**
   * The method's arguments.
   *
   * @param packed the arguments as the launch has packed them
   * @param memory the memory of the device
   * @param watched whether accesses of the method are observed
   */
  Object[] of(MemorySegment packed, KernelTwin.DeviceMemory memory, boolean watched);

  /**
   * The same, with a record's numbers in place of the record: what a compiled kernel takes.
   *
   * @param packed the arguments as the launch has packed them
   * @param memory the memory of the device
   * @param watched whether accesses of the method are observed
   */
  Object[] numbers(MemorySegment packed, KernelTwin.DeviceMemory memory, boolean watched);

  /**
   * The size in bytes of the arrays that the launch was given.
   *
   * @param at which of them count, by their addresses
   */
  double bytes(MemorySegment packed, LongPredicate at);
}
