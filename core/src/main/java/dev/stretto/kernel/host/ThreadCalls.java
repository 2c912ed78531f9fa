package dev.stretto.kernel.host;

import dev.stretto.kernel.machine.BlockThreads;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * How a kernel's method is called for a thread: its first parameter is the block as the thread sees
 * it, which is known where the vocabulary of kernels is.
 */
public interface ThreadCalls {
  /**
   * May define classes beside that of the first parameter, and call its static method {@code
   * alone}, which makes the block of a thread that waits for no other.
   */
  MethodHandles.Lookup lookup();

  /**
   * What threads do that wait for each other.
   *
   * @param method takes the block, and nothing else
   */
  BlockThreads.Body body(MethodHandle method);
}
