package dev.stretto.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/** A launch of a graph whose guests have to know of it. */
public final class GuestLaunch<S, E> {
  /**
   * Guests may take locks until the launch is enqueued. Only one thread at a time takes those of
   * several, so that no two wait for each other.
   */
  private static final ReentrantLock BEGINNING = new ReentrantLock();

  private final S stream;
  private final LateFailure failure;
  private final List<GraphGuest<S, E>> told = new ArrayList<>();

  /**
   * Prepares a launch.
   *
   * @param stream where, as programs call it
   * @param queue the same
   */
  public GuestLaunch(S stream, StreamQueue queue) {
    this.stream = stream;
    this.failure = new LateFailure(queue);
  }

  /**
   * {@return the number of the launch}
   *
   * @param guests told before and after
   * @param launch enqueues it
   * @param event makes the event of its number
   */
  public long enqueue(
      List<GraphGuest<S, E>> guests, LongSupplier launch, LongFunction<? extends E> event) {
    Optional<E> launched = Optional.empty();
    try (Reports _ = Reports.keep()) {
      try {
        tell(guests);
        long sequence = launch.getAsLong();
        failure.belongsTo(sequence);
        launched = Optional.of(event.apply(sequence));
        return sequence;
      } finally {
        for (GraphGuest<S, E> guest : told.reversed()) {
          guest.launched(launched);
        }
      }
    }
  }

  private void tell(List<GraphGuest<S, E>> guests) {
    BEGINNING.lock();
    try {
      for (GraphGuest<S, E> guest : guests) {
        guest.launching(stream, failure);
        told.add(guest);
      }
    } finally {
      BEGINNING.unlock();
    }
  }
}
