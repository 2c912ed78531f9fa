package dev.stretto.route;

import dev.stretto.driver.KernelTwin;

/**
 * A form that a device can give to elements which were moved to pinned memory as they are on the
 * host. Its kernels read that memory over the link and write to the device. They have these
 * parameters: where the first row begins on the device, where it begins in pinned memory, how many
 * groups of elements a row has, how many there are in all, the bytes from row to row on the device,
 * and the scale. Rows follow each other in pinned memory. Each thread converts a group.
 */
public interface DeviceForm {
  /** The threads of a block. */
  int THREADS = 256;

  /** {@return the PTX text with the kernels, the same for equal forms} */
  String image();

  /**
   * {@return the name of a kernel}
   *
   * @param group how many elements each thread converts: 1 or {@link #GROUP}
   */
  String entry(int group);

  /** So many elements a thread converts if all rows begin at multiples of them. */
  int GROUP = 4;

  /**
   * {@return what does the same on a virtual device}
   *
   * @param group as of the kernel
   */
  KernelTwin twin(int group);

  /** {@return the bytes of an element on the host} */
  int hostBytes();

  /** {@return the bytes of an element on the device} */
  int deviceBytes();

  /** {@return the last parameter} */
  float scale();
}
