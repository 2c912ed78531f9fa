package dev.stretto.kernel.host;

import dev.stretto.kernel.machine.BlockThreads;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.ThreadPosition;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * Calls a kernel's method for a thread. The method's first parameter is the block as the thread
 * sees it. The type of that parameter belongs to the vocabulary of kernels, which this package does
 * not know.
 */
public interface ThreadCalls {
  /**
   * A lookup that may define classes in the package of the first parameter's class. It may also
   * call that class's static method {@code alone}, which makes the block of a thread that waits for
   * no other.
   */
  MethodHandles.Lookup lookup();

  /**
   * The code that threads run if they wait for each other.
   *
   * @param method the method, which takes only the block
   */
  BlockThreads.Body body(MethodHandle method);

  /** {@return what a thread's method gets as its thread block} */
  Object block(ThreadPosition position, DeviceThread thread);
}
