package dev.stretto;

import java.util.function.Consumer;

/**
 * Work of another CUDA library that may take its time to be enqueued, or may fail after it was: for
 * {@link Stream#call(ForeignWork, java.util.List, java.util.List)}.
 */
@FunctionalInterface
public interface ForeignWork {
  /**
   * Enqueues the work. It must not block.
   *
   * @param stream the driver's handle of the stream
   * @param failed may be told, once and at any time until the work is done, why what the work
   *     writes is not what it should be: awaiting the work then throws this exception, as does the
   *     next wait for the stream. In a capture, it may be told until everything is enqueued, and
   *     the call throws the exception
   * @return whether everything is on the stream now; if not, the stream is held back until {@link
   *     #awaitEnqueued()} has returned
   */
  boolean enqueue(long stream, Consumer<RuntimeException> failed);

  /**
   * Waits until everything is on the stream. Runs on a virtual thread, in a capture on the calling
   * one, and only if {@link #enqueue} has returned {@code false}; an exception is reported like one
   * that {@code failed} is told.
   */
  default void awaitEnqueued() {}

  /**
   * {@return whether the work may wait, on the device, for something that is not before it on the
   * stream, such as another process} If it does not, the call costs the host less, and who awaits
   * the work may also wait for some operations after it, as with launches.
   *
   * <p>An exception counts as {@code true}, and is reported like one that {@code failed} is told.
   */
  default boolean mayWaitForOthers() {
    return true;
  }
}
