package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A launch in the driver's form: the shape, and the parameters packed in native memory.
 *
 * <p>Values and the shape may be changed between launches, but not while a launch of this object is
 * being enqueued.
 */
public final class PackedLaunch {
  private static final long LEAST_BYTES = 16;

  private final String kernel;
  private final long function;
  private final long[] offsets;
  private final boolean lent;
  private final MemorySegment memory;
  private final MemorySegment values;
  private final MemorySegment pointers;
  private LaunchShape shape;
  private @Nullable PackedLaunch forEarlier;

  /**
   * Creates a launch with all values zero.
   *
   * @param kept whether it may be enqueued more than once; if so, it owns its memory; if not, the
   *     memory is lent until {@link #release}
   * @param kernel its name, for messages
   * @param function the driver's handle
   * @param shape the shape of the launch
   * @param offsets where each parameter begins
   * @param bytes the size of all parameters
   */
  public PackedLaunch(
      boolean kept, String kernel, long function, LaunchShape shape, long[] offsets, long bytes) {
    this.kernel = kernel;
    this.function = function;
    this.shape = shape;
    this.offsets = offsets;
    long valueBytes = Math.max(bytes, LEAST_BYTES);
    long pointersAt = (valueBytes + Long.BYTES - 1) & -Long.BYTES;
    long pointerBytes = (long) Long.BYTES * offsets.length;
    long allBytes = pointersAt + pointerBytes;
    this.lent = !kept;
    this.memory = kept ? ParameterMemory.allocate(allBytes) : ParameterMemory.take(allBytes);
    this.values = memory.asSlice(0, valueBytes);
    this.pointers = memory.asSlice(pointersAt, pointerBytes);
    if (lent) {
      values.fill((byte) 0);
    }
    for (int i = 0; i < offsets.length; i++) {
      pointers.setAtIndex(ValueLayout.JAVA_LONG, i, values.address() + offsets[i]);
    }
  }

  /** {@return the packed parameters} */
  public MemorySegment values() {
    return values;
  }

  /** {@return the shape} */
  public LaunchShape shape() {
    return shape;
  }

  /**
   * Changes the shape of later launches.
   *
   * @param other the new shape
   */
  public void shape(LaunchShape other) {
    shape = other;
  }

  /** {@return another with the same values} */
  public PackedLaunch copy() {
    PackedLaunch copy = new PackedLaunch(true, kernel, function, shape, offsets, values.byteSize());
    copy.values.copyFrom(values);
    return copy;
  }

  /**
   * Gives back the lent memory after the launch was enqueued or refused. The launch must not be
   * used after this, except by its own deferred enqueuing.
   */
  public void release() {
    if (lent) {
      ParameterMemory.giveBack(memory);
    }
  }

  /** {@return the launch as a node of a graph; its values may not be changed any more} */
  public GraphWork.Kernel work() {
    return new GraphWork.Kernel(function, shape, values, pointers);
  }

  /** {@return the kernel's name} */
  String kernel() {
    return kernel;
  }

  void submit(DriverDevice driver, long stream, @Nullable StackTraceElement place) {
    driver.launch(function, shape, stream, values, pointers, place);
  }

  /** {@return a copy of the current values, for a launch that is held back} */
  byte[] snapshot() {
    return values.toArray(ValueLayout.JAVA_BYTE);
  }

  /**
   * Launches with the shape and values that it had earlier; called with the driver's lock held.
   *
   * @param earlier a {@link #snapshot} of the values
   */
  void submit(
      DriverDevice driver,
      long stream,
      LaunchShape shapeThen,
      byte[] earlier,
      @Nullable StackTraceElement place) {
    PackedLaunch copy = forEarlier;
    if (copy == null) {
      copy = new PackedLaunch(!lent, kernel, function, shape, offsets, values.byteSize());
      forEarlier = lent ? null : copy;
    }
    try {
      copy.shape = shapeThen;
      MemorySegment.copy(earlier, 0, copy.values, ValueLayout.JAVA_BYTE, 0, earlier.length);
      copy.submit(driver, stream, place);
    } finally {
      copy.release();
    }
  }
}
