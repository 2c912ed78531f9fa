package dev.stretto;

import dev.stretto.route.LateFailure;
import dev.stretto.route.Reports;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** A launch of a graph whose guests have to know of it. */
final class GuestLaunch {
  /**
   * Guests may take locks until the launch is enqueued. Only one thread at a time takes those of
   * several, so that no two wait for each other.
   */
  private static final ReentrantLock BEGINNING = new ReentrantLock();

  private GuestLaunch() {}

  /**
   * {@return the number of the launch}
   *
   * @param launch enqueues it
   */
  static long of(List<GraphGuest> guests, Stream stream, LongSupplier launch) {
    LateFailure failure = new LateFailure(stream.queue());
    List<GraphGuest> told = new ArrayList<>();
    Optional<Event> event = Optional.empty();
    try (Reports _ = Reports.keep()) {
      try {
        tell(guests, stream, failure, told);
        long sequence = launch.getAsLong();
        failure.belongsTo(sequence);
        event = Optional.of(new Event(stream, sequence));
        return sequence;
      } finally {
        for (GraphGuest guest : told.reversed()) {
          guest.launched(event);
        }
      }
    }
  }

  private static void tell(
      List<GraphGuest> guests, Stream stream, LateFailure failure, List<GraphGuest> told) {
    BEGINNING.lock();
    try {
      for (GraphGuest guest : guests) {
        guest.launching(stream, failure);
        told.add(guest);
      }
    } finally {
      BEGINNING.unlock();
    }
  }
}
