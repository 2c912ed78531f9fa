package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.order.Order;
import dev.stretto.settings.OrderMode;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The streams of one device. Guarded by the driver's lock. */
public final class DeviceStreams implements StreamQueue.Owner {
  /** How many streams are remembered after their end because of copies that nobody has awaited. */
  private static final int MOST_UNAWAITED = 1_000;

  private final DeviceState device;
  private final DriverLock lock;
  private final CompletionPoller watch;
  private final LaunchBacklog backlog = new LaunchBacklog();
  private final Set<StreamQueue> queues = new HashSet<>();
  private final SharedQueues sharedQueues = new SharedQueues();
  private final SpareStreams spares;

  /** The streams that the program has opened, and ended ones with copies that nobody awaited. */
  private final Set<StreamQueue> ofProgram = ConcurrentHashMap.newKeySet();

  DeviceStreams(DeviceState device, CompletionPoller watch) {
    this.device = device;
    this.lock = device.lock;
    this.watch = watch;
    this.spares = new SpareStreams(device);
  }

  /**
   * {@return a new queue on a new non-blocking stream}
   *
   * @param priority numerically lower is more urgent
   * @param name the name of the stream; null to name it after its handle
   */
  public StreamQueue open(int priority, @Nullable StreamName name) {
    return open(priority, name, device.order());
  }

  /**
   * {@return the same for a stream that does otherwise about the order of its operations than its
   * device}
   */
  public StreamQueue open(int priority, @Nullable StreamName name, OrderMode order) {
    synchronized (lock) {
      device.requireUsable();
      try {
        long handle = spares.take(priority);
        StreamName called = name == null ? StreamName.ofHandle(handle) : name;
        return remember(new StreamQueue(device, this, handle, priority, true, called, order));
      } catch (DriverException e) {
        throw device.raised(e);
      }
    }
  }

  /**
   * {@return the queue on one of CUDA's default streams} {@link #leave} ends this use of it.
   *
   * @param handle {@link DriverDevice#LEGACY_STREAM} or {@link DriverDevice#PER_THREAD_STREAM}
   */
  public StreamQueue adopt(long handle) {
    synchronized (lock) {
      device.requireUsable();
      boolean legacy = handle == DriverDevice.LEGACY_STREAM;
      return share(handle, legacy ? StreamName.ofLegacyStream() : nameOfThreadsStream());
    }
  }

  private StreamName nameOfThreadsStream() {
    int number = 1;
    while (isCalled(StreamName.ofThread(number))) {
      number++;
    }
    return StreamName.ofThread(number);
  }

  private boolean isCalled(StreamName name) {
    return queues.stream().anyMatch(queue -> queue.name().equals(name));
  }

  private StreamQueue share(long handle, StreamName name) {
    return sharedQueues.of(
        handle,
        () -> remember(new StreamQueue(device, this, handle, 0, false, name, device.order())));
  }

  /** Notes that the program has learned that all is done, also on the streams that are closed. */
  public void learnedAll() {
    if (device.order() != OrderMode.OFF) {
      Order.ofProcess().learnsOfGone(device);
    }
  }

  /**
   * Ends one use of a queue; the queue is closed with its last use.
   *
   * @param queue a queue of {@link #open}, {@link #adopt} or {@link #adoptForeign}
   */
  public void leave(StreamQueue queue) {
    synchronized (lock) {
      if (!sharedQueues.leaves(queue)) {
        return;
      }
    }
    queue.close();
  }

  /**
   * {@return the queue on a stream that other code in the process has created and destroys} {@link
   * #leave} ends this use of it.
   *
   * @param handle the driver's
   * @throws IllegalArgumentException if it is not a stream of this device, or Stretto has created
   *     it
   */
  public StreamQueue adoptForeign(long handle) {
    synchronized (lock) {
      device.requireUsable();
      for (StreamQueue queue : queues) {
        if (queue.isDeferrable() && queue.handle() == handle) {
          throw new IllegalArgumentException(
              "0x%x is %s, which %s itself has created: use that stream object, because operations through the handle would overtake what it holds back"
                  .formatted(handle, queue.title(), device.name()));
        }
      }
      try {
        device.driver().checkStream(handle);
      } catch (DriverException e) {
        throw device.foreign("0x%x cannot be adopted as a stream".formatted(handle), e);
      }
      return share(handle, StreamName.ofForeign(handle));
    }
  }

  private StreamQueue remember(StreamQueue queue) {
    device.driver().nameStream(queue.handle(), queue.title());
    queues.add(queue);
    backlog.share(queues.size());
    return queue;
  }

  /** {@return what holds back streams of this device, a clause for each} */
  List<String> describeHolds() {
    synchronized (lock) {
      return queues.stream()
          .filter(queue -> queue.handover.isHeld())
          .map(queue -> queue.handover.describeHold())
          .sorted()
          .toList();
    }
  }

  /** {@return how many operations of all streams are held back} */
  public int heldBack() {
    synchronized (lock) {
      return queues.stream().mapToInt(queue -> queue.handover.heldBack()).sum();
    }
  }

  /** {@return all queues that are not destroyed} */
  @Override
  public List<StreamQueue> queues() {
    synchronized (lock) {
      return List.copyOf(queues);
    }
  }

  /** Abandons everything that waits, after the device was lost. */
  void abandon(List<Runnable> due) {
    lock.assertHeld();
    queues.forEach(queue -> queue.handover.abandon(due));
  }

  // --- for the streams
  // -----------------------------------------------------------------------------------------------

  @Override
  public CompletionPoller watch() {
    return watch;
  }

  @Override
  public PolledStreams watched() {
    return watch.watched();
  }

  @Override
  public LaunchBacklog backlog() {
    return backlog;
  }

  @Override
  public void opened(StreamQueue queue) {
    boolean _ = ofProgram.add(queue);
  }

  @Override
  public void release(StreamQueue queue) {
    if (queue.isHandedOut()) {
      device.driver().destroyStream(queue.handle());
    } else {
      spares.giveBack(queue.handle(), queue.priority());
    }
  }

  /** {@return the driver's streams that wait for new use} */
  SpareStreams spares() {
    return spares;
  }

  /** The program may still await copies to the host that were made on the stream. */
  @Override
  public void gone(StreamQueue queue) {
    queues.remove(queue);
    backlog.share(queues.size());
    if (!queue.toHost.isUnawaited() || ofProgram.size() > MOST_UNAWAITED) {
      boolean _ = ofProgram.remove(queue);
    }
  }

  // --- reports to the program
  // ----------------------------------------------------------------------------------------------

  /** Notes that the program awaits all work of the device. */
  public void heardOfAll() {
    ofProgram.forEach(each -> each.toHost.awaited(each.toHost.last()));
  }

  /**
   * {@return the streams with copies to host memory that the program has never awaited} Takes no
   * lock. Empty for a lost device, whose loss is reported instead.
   */
  public List<StreamQueue> unawaited() {
    return device.isLost()
        ? List.of()
        : ofProgram.stream()
            .filter(queue -> queue.toHost.isUnawaited())
            .sorted(Comparator.comparingLong(StreamQueue::handle))
            .toList();
  }
}
