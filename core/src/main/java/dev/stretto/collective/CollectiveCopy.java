package dev.stretto.collective;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.DeadlockException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The copies of one collective operation, which threads can await, and streams can wait for, as
 * one. All arrays of the operation stay valid until it is done, even if something is closed in the
 * meantime; until then its sources must not be written, and its destinations must not be read or
 * written.
 *
 * <p>Any thread may use it. Awaiting parks the calling thread; a virtual thread releases its
 * carrier. Neither an interrupt nor a timeout stops the copies.
 */
public final class CollectiveCopy {
  private static final Duration CENTURIES = Duration.ofNanos(Long.MAX_VALUE);

  /** The last copy from one device to another. */
  record End(Device from, Device to, Event event) {}

  private final String what;
  private final List<Copy> copies;
  private final List<End> ends;

  CollectiveCopy(String what, List<Copy> copies, List<End> ends) {
    this.what = what;
    this.copies = List.copyOf(copies);
    this.ends = List.copyOf(ends);
  }

  // --- for streams
  // ------------------------------------------------------------------------------------------------------------

  /**
   * Makes all operations that are later enqueued on a stream wait until this collective is done
   * with the arrays of the stream's device: everything sent to that device has arrived, and
   * everything sent from it has left. Other devices may still be busy. Streams of devices that take
   * no part wait for the whole operation. Does not block the caller.
   *
   * @param stream of any device
   * @throws dev.stretto.fault.ClosedException if the stream or its device is closed
   */
  public void before(Stream stream) {
    Device device = Objects.requireNonNull(stream, "stream").device();
    Event[] own = on(device);
    for (Event event : own.length == 0 ? events() : own) {
      stream.waitFor(event);
    }
  }

  /**
   * {@return the events that together mark the point when this collective is done with the arrays
   * of a device}; none if it had nothing to do there
   *
   * @param device of the collective
   */
  public Event[] on(Device device) {
    Objects.requireNonNull(device, "device");
    return ends.stream().filter(touches(device)).map(End::event).toArray(Event[]::new);
  }

  /**
   * {@return the events that together mark the end of the whole operation}, for work that must come
   * after it: for example, as the last argument of another collective operation
   */
  public Event[] events() {
    return ends.stream().map(End::event).toArray(Event[]::new);
  }

  private static Predicate<End> touches(Device device) {
    return end -> end.from.equals(device) || end.to.equals(device);
  }

  // --- for threads
  // ------------------------------------------------------------------------------------------------------------

  /**
   * {@return whether all copies are done} Does not block.
   *
   * @throws dev.stretto.fault.DeviceLostException if a device was lost before its copies were done
   * @throws dev.stretto.fault.CopyFailedException if a copy failed
   */
  public boolean isDone() {
    for (End end : ends) {
      if (!end.event.isDone()) {
        return false;
      }
    }
    throwFailure();
    return true;
  }

  /**
   * Waits until all copies are done. If one fails, the others are still awaited: when this method
   * has thrown, nothing touches the arrays any more.
   *
   * @throws AwaitInterruptedException if the thread is interrupted before or during the wait
   * @throws dev.stretto.fault.DeviceLostException if a device was lost before its copies were done
   * @throws dev.stretto.fault.CopyFailedException if a copy failed
   */
  public void await() {
    awaitEach(
        end -> {
          end.await();
          return true;
        });
  }

  /**
   * Waits until all copies are done, up to a limit.
   *
   * @param atMost how long to wait
   * @return whether all copies are done
   * @throws AwaitInterruptedException if the thread is interrupted before or during the wait
   * @throws dev.stretto.fault.DeviceLostException if a device was lost before its copies were done
   * @throws dev.stretto.fault.CopyFailedException if a copy failed
   */
  public boolean await(Duration atMost) {
    Objects.requireNonNull(atMost, "atMost");
    long begin = System.nanoTime();
    Duration most = atMost.compareTo(CENTURIES) > 0 ? CENTURIES : atMost;
    Duration time =
        most.isNegative() ? Duration.ZERO : most; // otherwise negating the nanoseconds may overflow
    return awaitEach(end -> end.await(time.minusNanos(System.nanoTime() - begin)));
  }

  private boolean awaitEach(Predicate<Event> wait) {
    RuntimeException trouble = null;
    for (End end : ends) {
      try {
        if (!wait.test(end.event)) {
          return false;
        }
      } catch (AwaitInterruptedException | DeadlockException e) {
        throw e; // of the wait, not of the copies
      } catch (RuntimeException e) {
        trouble = trouble == null ? e : trouble;
      }
    }
    throwFailure();
    if (trouble != null) {
      throw trouble;
    }
    return true;
  }

  /**
   * {@return a future that completes when all copies are done, or exceptionally with what {@link
   * #await()} would throw}
   *
   * <p>Cancelling the future does not stop the copies. Dependent stages run on the common pool by
   * default.
   */
  public CompletableFuture<Void> toCompletableFuture() {
    CompletableFuture<@Nullable Throwable> all = CompletableFuture.completedFuture(null);
    for (int i = 0; i < ends.size(); i++) {
      // A future that derives from a stream's future advances a seeded device when a thread waits
      // for it.
      CompletableFuture<@Nullable Throwable> end =
          ends.get(i).event.toCompletableFuture().handle((_, trouble) -> trouble);
      all = i == 0 ? end : all.thenCombine(end, (first, next) -> first == null ? next : first);
    }
    CompletableFuture<Void> done = all.newIncompleteFuture();
    CompletableFuture<Void> _ =
        all.thenAccept(
            trouble -> {
              RuntimeException first = failure();
              if (first != null) {
                done.completeExceptionally(first);
              } else if (trouble != null) {
                done.completeExceptionally(trouble);
              } else {
                done.complete(null);
              }
            });
    return done;
  }

  /** The first copy that failed, in the order in which they were enqueued. All have ended. */
  private @Nullable RuntimeException failure() {
    for (Copy copy : copies) {
      try {
        boolean _ = copy.isDone();
      } catch (RuntimeException e) {
        return e;
      }
    }
    return null;
  }

  private void throwFailure() {
    RuntimeException failure = failure();
    if (failure != null) {
      throw failure;
    }
  }

  // --- what it is
  // ------------------------------------------------------------------------------------------------------------

  /** {@return the copies, in the order in which they were enqueued} */
  public List<Copy> copies() {
    return copies;
  }

  /** {@return the routes that the copies take; {@link Copy#route()} of each gives the reason} */
  public Set<Route.Kind> routes() {
    Set<Route.Kind> routes = EnumSet.noneOf(Route.Kind.class);
    copies.forEach(copy -> routes.add(copy.route().kind()));
    return routes;
  }

  @Override
  public String toString() {
    return what + ": " + copies.size() + (copies.size() == 1 ? " copy " : " copies ") + routes();
  }
}
