package dev.stretto.route;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A failure that may be told before the number of the operation that has failed is known. */
public final class LateFailure implements Consumer<RuntimeException> {
  private final StreamQueue queue;
  private long sequence = -1;
  private @Nullable RuntimeException early;

  /**
   * Prepares for the failure of an operation.
   *
   * @param queue its stream
   */
  public LateFailure(StreamQueue queue) {
    this.queue = queue;
  }

  /** The operation has failed; awaiting it throws the exception. */
  @Override
  public synchronized void accept(RuntimeException why) {
    if (sequence >= 0) {
      queue.failures.add(sequence, why);
    } else if (early == null) {
      early = why;
    }
  }

  /** Says which operation it is. */
  public synchronized void belongsTo(long number) {
    sequence = number;
    RuntimeException told = early;
    if (told != null) {
      queue.failures.add(number, told);
    }
  }
}
