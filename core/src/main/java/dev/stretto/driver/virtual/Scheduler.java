package dev.stretto.driver.virtual;

import dev.stretto.driver.Cooperation;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Who lets operations happen. Called under the platform's lock where nothing else is said. */
interface Scheduler {
  /** {@return whether records and waits happen as soon as they can, without being scheduled} */
  boolean recordsAtOnce();

  /** Takes an operation that may run from now on. */
  void offer(Op op);

  /**
   * Blocks the caller until a condition holds, which is looked at under the lock and changes only
   * when an operation is done.
   *
   * @param what the call that blocks, for the report where the condition can never hold
   */
  void await(String what, BooleanSupplier condition);

  /** Somebody asks how far a device is: a chance to begin what could not be begun before. */
  default void asked() {}

  /** Notes that an event is done, or was dropped with its device. */
  void recorded(RecordOp op);

  /** Notes that a context is lost. */
  void lost(PrimaryContext context);

  /** Notes that the calling thread enqueues something. */
  void used();

  /** {@return whether contexts tell their listeners of progress} */
  boolean tellsProgress();

  /** Lets go of a context, whose streams are all idle. */
  void close(PrimaryContext context);

  /** {@return how a program advances the devices, or null where they advance by themselves} */
  @Nullable Cooperation cooperation();
}
