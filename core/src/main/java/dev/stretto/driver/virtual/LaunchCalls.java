package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The call that enqueues a launch. */
final class LaunchCalls {
  /**
   * What kernels read of pinned memory, as a part of what a copy brings: 51.2 of 55.2 GB/s on an
   * H200 (bench/cpp/meeting.cu).
   */
  private static final double KERNELS_ON_THE_LINK = 0.93;

  private final PrimaryContext context;
  private final Submission submission;
  private final KernelTwin.Machine machine;

  LaunchCalls(PrimaryContext context, Submission submission) {
    this.context = context;
    this.submission = submission;
    DeviceModel model = context.platform().model();
    this.machine =
        new KernelTwin.Machine(
            model.memoryTraffic(),
            model.operations(),
            linkBytesPerSecond(model),
            address -> !DeviceSpace.isDeviceAddress(address));
  }

  /** {@return what kernels read or write per second of the host's memory} */
  static double linkBytesPerSecond(DeviceModel model) {
    return KERNELS_ON_THE_LINK * model.toDevice();
  }

  void launch(
      long handle,
      LaunchShape shape,
      long stream,
      MemorySegment parameters,
      MemorySegment parameterPointers,
      @Nullable StackTraceElement place) {
    submission.submitOrCapture(
        "cuLaunchKernel", stream, prepare(handle, shape, parameters, parameterPointers, place));
  }

  /**
   * {@return a function that makes the operation, after all checks and copies that CUDA makes in
   * the call}
   */
  Function<OpQueue, LaunchOp> prepare(
      long handle,
      LaunchShape shape,
      MemorySegment parameters,
      MemorySegment parameterPointers,
      @Nullable StackTraceElement place) {
    LoadedFunction function = find(handle);
    LaunchLimits.check(shape, context.properties(), function);
    checkPointers(parameters, parameterPointers);
    MemorySegment copied = copy(parameters);
    LaunchCost cost = LaunchCost.of(function.twin(), shape, copied, machine);
    return queue -> new LaunchOp(queue, function, shape, copied, cost, place);
  }

  private LoadedFunction find(long handle) {
    context.platform().lock().lock();
    try {
      context.checkAlive("cuLaunchKernel");
      return context.modules().get("cuLaunchKernel", handle);
    } finally {
      context.platform().lock().unlock();
    }
  }

  /** Checks pointers that CUDA would follow anywhere. */
  private static void checkPointers(MemorySegment parameters, MemorySegment pointers) {
    long start = parameters.address();
    long end = start + parameters.byteSize();
    for (long at = 0; at + 8 <= pointers.byteSize(); at += 8) {
      long pointer = pointers.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
      if (pointer < start || pointer >= end) {
        throw CudaResult.INVALID_VALUE.of(
            "cuLaunchKernel",
            "parameter %d is at %s, but the parameters are %d bytes at %s"
                .formatted(
                    at / 8, DeviceSpace.name(pointer), end - start, DeviceSpace.name(start)));
      }
    }
  }

  private static MemorySegment copy(MemorySegment parameters) {
    long bytes = parameters.byteSize();
    // An array of longs, so that the copy is aligned for parameters of every type.
    MemorySegment copy = MemorySegment.ofArray(new long[Math.toIntExact((bytes + 7) / 8)]);
    MemorySegment.copy(parameters, 0, copy, 0, bytes);
    return copy.asSlice(0, bytes).asReadOnly();
  }
}
