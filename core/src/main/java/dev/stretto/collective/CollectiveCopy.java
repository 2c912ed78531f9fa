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
 * The copies of one collective, which are awaited, and waited for by streams, as one. All arrays of
 * the collective stay valid until it is done, whatever is closed meanwhile; until then its sources
 * must not be written and its destinations be neither read nor written.
 *
 * <p>Any thread may use it. Awaiting parks the calling thread; a virtual thread lets go of its
 * carrier meanwhile. Neither an interrupt nor a time-out stops the copies.
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
   * Has everything that is enqueued on a stream from now on wait until this collective is done with
   * the arrays of the stream's device: what was to arrive there has, and what was to leave has
   * left. Other devices may still be busy. Streams of devices that take no part wait for all of it.
   * Does not block the caller.
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
   * {@return the events that together say that this collective is done with the arrays of a
   * device}; none if it had nothing to do there
   *
   * @param device of the collective
   */
  public Event[] on(Device device) {
    Objects.requireNonNull(device, "device");
    return ends.stream().filter(touches(device)).map(End::event).toArray(Event[]::new);
  }

  /**
   * {@return the events that together say that all is done}, for what is to come after it: the last
   * argument of another collective, say
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
   * {@return whether all copies are done; asks without blocking}
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
   * Waits until all copies are done. Where one fails, the others are waited for first: nothing
   * touches the arrays any more when this has thrown.
   *
   * @throws AwaitInterruptedException if the thread is interrupted before or meanwhile
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
   * Waits until all copies are done, but not for longer than this.
   *
   * @param atMost how long
   * @return whether all copies are done
   * @throws AwaitInterruptedException if the thread is interrupted before or meanwhile
   * @throws dev.stretto.fault.DeviceLostException if a device was lost before its copies were done
   * @throws dev.stretto.fault.CopyFailedException if a copy failed
   */
  public boolean await(Duration atMost) {
    Objects.requireNonNull(atMost, "atMost");
    long begin = System.nanoTime();
    Duration most = atMost.compareTo(CENTURIES) > 0 ? CENTURIES : atMost;
    Duration time = most.isNegative() ? Duration.ZERO : most; // or minus nanoseconds may overflow
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
        throw e; // of the waiting, not of the copies
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
   * <p>Cancelling the future does not stop the copies. What depends on the future runs on the
   * common pool unless it says otherwise.
   */
  public CompletableFuture<Void> toCompletableFuture() {
    CompletableFuture<@Nullable Throwable> all = CompletableFuture.completedFuture(null);
    for (int i = 0; i < ends.size(); i++) {
      // One that is made of a stream's future lets a seeded device go on where it is waited for.
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

  /** The first copy that failed, in the order in which they were enqueued. All are over. */
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

  /** {@return the ways that the copies take; {@link Copy#route()} of each says why} */
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
