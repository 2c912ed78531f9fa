package dev.stretto.driver.virtual;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.CopyList;
import dev.stretto.driver.GraphWork;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The calls that enqueue copies and fills. */
final class VirtualCopies {
  /** The largest source that CUDA stages without waiting for the stream. */
  private static final long SMALL = 64 << 10;

  private final PrimaryContext context;
  private final Platform platform;
  private final Submission submission;

  /** Picks the order of a batch's copies, under a seed; guarded by the platform's lock. */
  private final @Nullable SplittableRandom random;

  VirtualCopies(PrimaryContext context, Submission submission) {
    this.context = context;
    this.platform = context.platform();
    this.submission = submission;
    OptionalLong seed = platform.config().seed();
    this.random = seed.isPresent() ? new SplittableRandom(seed.getAsLong()) : null;
  }

  void copy(String call, CopyShape shape, long stream) {
    checkDeviceEnds(call, shape);
    if (shape.kind() == CopyKind.DEVICE_TO_DEVICE) {
      submission.submitOrCapture(call, stream, queue -> CopyOp.direct(queue, shape));
      return;
    }
    checkHostEnd(call, shape);
    if (platform.hostSpace().isPinned(shape.host(), shape.hostSpan())) {
      submission.submitOrCapture(call, stream, queue -> CopyOp.direct(queue, shape));
    } else {
      copyStaged(call, shape, NativeHeap.view(shape.host(), shape.hostSpan()), stream);
    }
  }

  private void checkDeviceEnds(String call, CopyShape shape) {
    shape.check(call);
    if (shape.kind() != CopyKind.DEVICE_TO_HOST) {
      context.memory().check(call, shape.dst(), shape.dstSpan());
    }
    if (shape.kind() != CopyKind.HOST_TO_DEVICE) {
      context.memory().check(call, shape.src(), shape.srcSpan());
    }
  }

  private void checkHostEnd(String call, CopyShape shape) {
    HostSpace.checkHost(call, shape.host(), shape.hostSpan());
    if (shape.kind() == CopyKind.DEVICE_TO_HOST) {
      platform.hostSpace().checkWritten(call, shape.host(), shape.hostSpan());
    }
  }

  /** Refuses a copy for a graph that the engines cannot do by themselves. */
  void checkDirect(String call, CopyShape shape) {
    checkDeviceEnds(call, shape);
    if (shape.kind() == CopyKind.DEVICE_TO_DEVICE) {
      return;
    }
    checkHostEnd(call, shape);
    if (!platform.hostSpace().isPinned(shape.host(), shape.hostSpan())) {
      throw CudaResult.INVALID_VALUE.of(
          call,
          "%d bytes of host memory at %s are not pinned"
              .formatted(shape.hostSpan(), DeviceSpace.name(shape.host())));
    }
  }

  /**
   * Enqueues copies that have no order among themselves. A stream still runs them one after the
   * other; a seed picks the order, so that no program can rely on one.
   */
  void copyAll(CopyList list, long stream) {
    String call = "cuMemcpyBatchAsync";
    if (list.count() == 0) {
      throw CudaResult.INVALID_VALUE.of(call, "a batch of 0 copies");
    }
    platform.lock().lock();
    try {
      for (int i : order(list.count())) {
        CopyShape shape = CopyShape.plain(list.dst(i), list.src(i), list.bytes(i), list.kind(i));
        copy(call, shape, stream);
      }
    } finally {
      platform.lock().unlock();
    }
  }

  private int[] order(int count) {
    int[] order = IntStream.range(0, count).toArray();
    SplittableRandom picks = random;
    for (int i = count - 1; picks != null && i > 0; i--) {
      int other = picks.nextInt(i + 1);
      int copy = order[i];
      order[i] = order[other];
      order[other] = copy;
    }
    return order;
  }

  void copyPageable(long device, MemorySegment host, CopyKind kind, long stream) {
    String call = "cuMemcpyAsync";
    if (!host.isNative() || host.byteSize() == 0) {
      throw CudaResult.INVALID_VALUE.of(
          call, "the host end has to be native memory of at least one byte, but is " + host);
    }
    long bytes = host.byteSize();
    CopyShape shape =
        switch (kind) {
          case HOST_TO_DEVICE -> CopyShape.plain(device, host.address(), bytes, kind);
          case DEVICE_TO_HOST -> CopyShape.plain(host.address(), device, bytes, kind);
          case DEVICE_TO_DEVICE ->
              throw CudaResult.INVALID_VALUE.of(call, "a copy within the device has no host end");
        };
    checkHostEnd(call, shape);
    context.memory().check(call, device, bytes);
    if (platform.hostSpace().find(shape.host()) != null) {
      // CUDA would not wait for the copy, but callers of this path rely on the wait.
      throw CudaResult.INVALID_VALUE.of(
          call,
          "%d bytes of host memory at %s are pinned, so this is not a pageable copy"
              .formatted(bytes, DeviceSpace.name(shape.host())));
    }
    copyStaged(call, shape, host, stream);
  }

  void fill(long dst, long value, int elementBytes, long count, long stream) {
    fill("cuMemsetAsync", new GraphWork.Fill(dst, value, elementBytes, count), stream);
  }

  void fill(String call, GraphWork.Fill fill, long stream) {
    checkFill(call, fill);
    submission.submitOrCapture(call, stream, queue -> new FillOp(queue, fill));
  }

  /** Refuses the fills that CUDA refuses. */
  void checkFill(String call, GraphWork.Fill fill) {
    long dst = fill.dst();
    int elementBytes = fill.elementBytes();
    long count = fill.count();
    if (elementBytes < 1 || elementBytes > 8 || Integer.bitCount(elementBytes) != 1) {
      throw CudaResult.INVALID_VALUE.of(
          call, "elements of %d bytes; 1, 2, 4 and 8 are possible".formatted(elementBytes));
    }
    if (count < 1 || count > Long.MAX_VALUE / 8) {
      throw CudaResult.INVALID_VALUE.of(call, count + " elements");
    }
    if (dst % elementBytes != 0) {
      throw CudaResult.INVALID_VALUE.of(
          call,
          "%s is not aligned to the elements' size of %d bytes"
              .formatted(DeviceSpace.name(dst), elementBytes));
    }
    if (fill.rows() < 1
        || (fill.rows() > 1
            && (fill.pitch() < count * elementBytes || fill.pitch() % elementBytes != 0))) {
      throw CudaResult.INVALID_VALUE.of(
          call, "%d rows that are %d bytes apart".formatted(fill.rows(), fill.pitch()));
    }
    context.memory().check(call, dst, FillOp.span(fill));
  }

  private long endNanos(StreamOp op) {
    platform.lock().lock();
    try {
      return platform.agenda().endNanos(op.moment());
    } finally {
      platform.lock().unlock();
    }
  }

  /**
   * Makes a copy on the driver's own path. It accesses the host end on the calling thread and
   * within the call, so that the segment's own checks apply: for its arena, its thread and write
   * access.
   *
   * <p>A copy from the device returns when it is done; a copy to the device returns when the source
   * has been read. If threads run the device, the call returns when a large copy is done, as
   * measured on a GPU. Under a seed, it returns at the earliest moment that CUDA allows, and the
   * seed decides when the bytes arrive.
   */
  private void copyStaged(String call, CopyShape shape, MemorySegment host, long stream) {
    boolean toDevice = shape.kind() == CopyKind.HOST_TO_DEVICE;
    boolean small = shape.bytes() <= SMALL;
    if (toDevice && !small) {
      submission.awaitIdle(call, stream);
    }
    Staging staging = Staging.forCopy(shape);
    try {
      if (toDevice) {
        staging.readFrom(host, shape);
      }
      CopyOp op = submission.submit(call, stream, queue -> CopyOp.staged(queue, shape, staging));
      if (!toDevice || (!small && platform.config().seed().isEmpty())) {
        submission.await(call, op);
      } else if (!small) {
        platform.clock().atLeast(endNanos(op));
      }
      if (!toDevice) {
        staging.writeTo(host, shape);
      }
    } finally {
      staging.release();
    }
  }
}
