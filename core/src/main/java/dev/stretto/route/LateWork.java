package dev.stretto.route;

import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Work of another library that may take its time to be enqueued, or may fail after it was. */
public interface LateWork {
  /**
   * Enqueues it.
   *
   * @param stream the driver's handle
   * @param failed told why the work has failed
   * @return whether everything is on the stream
   */
  boolean enqueue(long stream, Consumer<RuntimeException> failed);

  /** Waits until everything is. */
  void awaitEnqueued();

  /** {@return whether it may wait for something that is not before it on the stream} */
  default boolean mayWaitForOthers() {
    return true;
  }

  /** {@return work that is on the stream when it returns} */
  static LateWork of(LongConsumer work) {
    return new LateWork() {
      @Override
      public boolean enqueue(long stream, Consumer<RuntimeException> failed) {
        work.accept(stream);
        return true;
      }

      @Override
      public void awaitEnqueued() {}
    };
  }
}
