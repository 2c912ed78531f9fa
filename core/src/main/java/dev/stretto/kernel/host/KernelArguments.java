package dev.stretto.kernel.host;

import dev.stretto.driver.KernelTwin;
import java.lang.foreign.MemorySegment;

/** What a launch has packed, as a kernel's method takes it. */
public interface KernelArguments {
  /**
   * The method's arguments.
   *
   * @param packed by the launch
   * @param memory of the device
   * @param watched whether stores are checked against bulk copies that read them
   */
  Object[] of(MemorySegment packed, KernelTwin.DeviceMemory memory, boolean watched);

  /** How many bytes the arrays have that the launch was given. */
  double bytes(MemorySegment packed);
}
