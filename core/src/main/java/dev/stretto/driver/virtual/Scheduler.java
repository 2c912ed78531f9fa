package dev.stretto.driver.virtual;

import dev.stretto.driver.Cooperation;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Lets operations happen. Called with the platform's lock held unless stated otherwise. */
interface Scheduler {
  /** {@return whether records and waits happen as soon as possible, without being scheduled} */
  boolean recordsAtOnce();

  /** Accepts an operation that may run from now on. */
  void offer(StreamOp op);

  /**
   * Notes that an operation was enqueued, with all that belongs to it: a chance to let something
   * happen before the program goes on.
   */
  default void enqueued(StreamOp op) {}

  /**
   * Blocks the caller until a condition holds. It is evaluated with the lock held, and changes only
   * when an operation is done.
   *
   * @param what the call that blocks, for the report if the condition can never hold
   */
  void await(String what, BooleanSupplier condition);

  /**
   * Called when a device is asked for its progress: a chance to start work that could not be
   * started.
   */
  default void asked() {}

  /** Notes that an event is done, or was dropped with its device. */
  void recorded(RecordOp op);

  /** Notes that a context is lost. */
  void lost(PrimaryContext context);

  /** Notes that the calling thread enqueues something. */
  void used();

  /** {@return whether contexts report progress to their listeners} */
  boolean tellsProgress();

  /** Forgets a context whose streams are all idle. */
  void close(PrimaryContext context);

  /**
   * {@return the control with which a program advances the devices, or null if they advance by
   * themselves}
   */
  @Nullable Cooperation cooperation();
}
