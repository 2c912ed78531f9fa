package dev.stretto.fault;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when two operations access the same bytes, at least one of them writes, and nothing orders
 * one after the other: neither a stream, nor an event that a stream waits for, nor a wait of the
 * host. The second one is not enqueued.
 *
 * <p>Waits throw it too, once the operation is done, if the program has written the source of a
 * copy before it knew that the copy was done; then the second line is not known.
 *
 * <p>Where the agent of {@code stretto-agent.jar} has changed a class, so does the line that is
 * about to read or write the host end of an operation that may not be over; nothing is accessed
 * then.
 *
 * <p>Only devices whose order is checked throw it. With {@code -Ddev.stretto.races} it may be
 * logged instead.
 */
public final class RaceException extends StrettoException {
  private static final long serialVersionUID = 1L;

  /** The line that enqueued the first access, or null. */
  private final @Nullable StackTraceElement first;

  /** The line that enqueued the second access, or null. */
  private final @Nullable StackTraceElement second;

  /**
   * Creates an exception.
   *
   * @param message both accesses, and what would order them
   * @param first the line that enqueued the first access, if it is known
   * @param second the line that enqueued the second access, if it is known
   */
  public RaceException(
      String message, Optional<StackTraceElement> first, Optional<StackTraceElement> second) {
    super(message);
    this.first = Objects.requireNonNull(first, "first").orElse(null);
    this.second = Objects.requireNonNull(second, "second").orElse(null);
  }

  /** {@return the line that enqueued the first access, if it is known} */
  public Optional<StackTraceElement> first() {
    return Optional.ofNullable(first);
  }

  /** {@return the line that enqueued the second access, if it is known} */
  public Optional<StackTraceElement> second() {
    return Optional.ofNullable(second);
  }
}
