package dev.stretto.kernel;

import dev.stretto.kernel.host.SynchronizationScan;
import dev.stretto.kernel.host.ThreadCalls;
import dev.stretto.kernel.machine.BlockThreads;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.ThreadPosition;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/** Calls methods whose first parameter is a {@link ThreadBlock}. */
final class BlockCalls implements ThreadCalls {
  static final BlockCalls CALLS = new BlockCalls();

  /** The classes through which a kernel's threads wait for each other or share memory. */
  static final SynchronizationScan.Words WORDS =
      SynchronizationScan.Words.of(
          ThreadBlock.class,
          Atomics.class,
          PtxCopies.class,
          PtxBulkCopies.class,
          PtxTensorCopies.class,
          PtxIm2colCopies.class,
          PtxBarriers.class,
          PtxWarpGroups.class);

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  private BlockCalls() {}

  @Override
  public MethodHandles.Lookup lookup() {
    return LOOKUP;
  }

  @Override
  public BlockThreads.Body body(MethodHandle method) {
    return new Bound(method);
  }

  @Override
  public ThreadBlock block(ThreadPosition at, DeviceThread thread) {
    return new ThreadBlock(
        at.extents(),
        at.blockX(),
        at.blockY(),
        at.blockZ(),
        at.threadX(),
        at.threadY(),
        at.threadZ(),
        thread);
  }

  /**
   * A kernel with its arguments.
   *
   * @param method the method, which takes only a {@link ThreadBlock}
   */
  private record Bound(MethodHandle method) implements BlockThreads.Body {
    @Override
    public void run(ThreadPosition at, DeviceThread thread) throws Throwable {
      method.invokeExact(CALLS.block(at, thread));
    }
  }
}
