package dev.stretto.route;

import dev.stretto.driver.Cooperation;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeadlockException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.KernelImageException;
import dev.stretto.fault.LaunchException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.PinnedBudgetException;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What runs below one opened device: its queues, the thread that watches them, the threads that
 * copy host memory, its pinned buffers, and everything that is still to be released.
 */
public final class Engine {
  /**
   * Guards all queues of all devices of one driver, so that streams of two devices can wait for
   * each other.
   */
  final DriverLock lock;

  /**
   * Copies that a driver takes, over all streams of a device, before it blocks its caller, with
   * some to spare (H200: 4,080).
   */
  private static final int DRIVER_QUEUE = 3600;

  private static final int DRIVER_QUEUE_OF_STREAM = 900;

  /** Of so many streams it is kept in mind what nobody has awaited, beyond their end. */
  private static final int MOST_UNAWAITED = 1_000;

  private static final int LEAST_UNMARKED = 32;
  private static final int MOST_UNMARKED = 128;

  private final DriverDevice driver;
  private final String name;
  private final Watch watch;
  private final HostWork hostWork;
  private final Pinned pinned;
  private final Slots slots;
  private final SmallSlots smallSlots;
  private final FaultRecords faultRecords = new FaultRecords(this);
  private final Peers peers = new Peers(this);
  private final Set<StreamQueue> queues = new HashSet<>();
  private final SharedQueues sharedQueues = new SharedQueues();
  private final Watched watched = new Watched(this);
  private final Set<Staged> transfers = new LinkedHashSet<>();
  private final OpenResources resources = new OpenResources();
  private final Set<Resource> guests = new LinkedHashSet<>();
  private final Set<Arena> accesses = new LinkedHashSet<>();
  private final TimedEvents timedEvents = new TimedEvents(this);
  private final Loss loss = new Loss();

  /** What is brought to host memory, by the streams that the program has opened. */
  private final Set<ToHost> toHosts = ConcurrentHashMap.newKeySet();

  /** Losses of other devices that work of this one depended on, which was logged. */
  private final Set<Loss> toldOf = new HashSet<>(0);

  private int calls;

  /** An event that is never recorded, or 0: it is asked only to hear of errors. */
  private long probe;

  /** Whether all work of the closed device is over, and it was asked how that has ended. */
  private boolean idleForGood;

  private boolean releasing;
  private int backlog = DRIVER_QUEUE_OF_STREAM;
  private int unmarkedAtMost = MOST_UNMARKED;
  private volatile @Nullable DriverException lost;
  private volatile boolean closed;

  /**
   * Starts the engine of a device.
   *
   * @param driver the opened device; the engine closes it
   * @param lock shared by all devices of one driver
   * @param name the device's name, for messages and threads
   * @throws OutOfMemoryError if the process can have no thread to watch the device
   */
  public Engine(DriverDevice driver, DriverLock lock, String name) {
    this.driver = driver;
    this.lock = lock;
    this.name = name;
    this.hostWork = HostWork.of(driver, name);
    this.watch = new Watch(this, name);
    JdkThreads.begin();
    AtHand.load(
        MethodHandles.lookup(),
        OrdinaryCopies.class,
        PeerCopies.class,
        StreamWaits.class,
        Callback.class);
    this.pinned = new Pinned(this);
    this.slots = new Slots(this);
    this.smallSlots = new SmallSlots(this);
    watch.begin();
    lock.add(this);
  }

  /** {@return the driver's device} */
  public DriverDevice driver() {
    return driver;
  }

  /** {@return the device's name, for messages} */
  public String name() {
    return name;
  }

  /** {@return the pinned host memory of this device's program} */
  public Pinned pinned() {
    return pinned;
  }

  /** {@return the staging buffers} */
  Slots slots() {
    return slots;
  }

  SmallSlots smallSlots() {
    return smallSlots;
  }

  /** {@return what the device has to do with others} */
  public Peers peers() {
    return peers;
  }

  HostWork hostWork() {
    return hostWork;
  }

  // --- streams
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * {@return a new queue on a new non-blocking stream}
   *
   * @param priority numerically lower is more urgent
   * @param name what the stream is called; null to call it by its handle
   */
  public StreamQueue open(int priority, @Nullable StreamName name) {
    synchronized (lock) {
      requireUsable();
      try {
        long handle = driver.createStream(priority);
        StreamName called = name == null ? StreamName.ofHandle(handle) : name;
        return remember(new StreamQueue(this, handle, true, called));
      } catch (DriverException e) {
        throw raised(e);
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
      requireUsable();
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
    return sharedQueues.of(handle, () -> remember(new StreamQueue(this, handle, false, name)));
  }

  /**
   * Ends one use of a queue; the queue is closed with its last use.
   *
   * @param queue of {@link #open}, {@link #adopt} or {@link #adoptForeign}
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
   * {@return the queue on a stream that somebody else in the process has made, and destroys} {@link
   * #leave} ends this use of it.
   *
   * @param handle the driver's
   * @throws IllegalArgumentException if it is no stream of this device, or one of our own
   */
  public StreamQueue adoptForeign(long handle) {
    synchronized (lock) {
      requireUsable();
      for (StreamQueue queue : queues) {
        if (queue.isDeferrable() && queue.handle() == handle) {
          throw new IllegalArgumentException(
              "0x%x is %s, which %s itself has made: use that, for what it holds back would be overtaken"
                  .formatted(handle, queue.title(), name));
        }
      }
      try {
        driver.checkStream(handle);
      } catch (DriverException e) {
        throw foreign("0x%x cannot be adopted as a stream".formatted(handle), e);
      }
      return share(handle, StreamName.ofForeign(handle));
    }
  }

  /** {@return what a program is told of a handle that the driver refuses} */
  RuntimeException foreign(String what, DriverException e) {
    return e.kind() == DriverException.Kind.LOST
        ? raised(e)
        : new IllegalArgumentException(name + ": " + what + ": " + e.getMessage(), e);
  }

  private StreamQueue remember(StreamQueue queue) {
    driver.nameStream(queue.handle(), queue.title());
    queues.add(queue);
    shareDriverQueue();
    return queue;
  }

  void forget(StreamQueue queue) {
    queues.remove(queue);
    shareDriverQueue();
  }

  private void shareDriverQueue() {
    backlog = Math.min(DRIVER_QUEUE_OF_STREAM, DRIVER_QUEUE / Math.max(1, queues.size()));
    unmarkedAtMost = Math.clamp(backlog / 4, LEAST_UNMARKED, MOST_UNMARKED);
  }

  /**
   * How many operations of a stream in a row may go unmarked, so that its backlog can be measured:
   * a mark takes as long as a small copy.
   */
  int unmarkedAtMost() {
    return unmarkedAtMost;
  }

  /** How many operations of one stream may be in flight before more are deferred. */
  int backlog() {
    return backlog;
  }

  /** {@return what holds back streams of this device, a clause for each} */
  List<String> describeHolds() {
    synchronized (lock) {
      return queues.stream()
          .filter(StreamQueue::isHeld)
          .map(StreamQueue::describeHold)
          .sorted()
          .toList();
    }
  }

  /** {@return all queues that are not destroyed} */
  public List<StreamQueue> queues() {
    synchronized (lock) {
      return List.copyOf(queues);
    }
  }

  /** {@return the events that know when they happened} */
  public TimedEvents timedEvents() {
    return timedEvents;
  }

  // --- completion
  // -------------------------------------------------------------------------------------------------------------

  /** Has the watch look at a queue until nothing waits for it, unless the device is lost. */
  void watch(StreamQueue queue) {
    if (watched.add(queue)) {
      watch.wake();
    }
    if (isUsable()) {
      watch.lookSoon(queue);
    }
  }

  /** {@return the queues to look at} */
  Watched watched() {
    return watched;
  }

  /** {@return the thread that watches, or the way to step a seeded device} */
  public Watch watch() {
    return watch;
  }

  /** Runs an action soon on a host thread of the engine's, outside all locks. */
  void later(Runnable action) {
    hostWork.submit(action);
    if (hostWork.isStranded()) {
      watch.wake();
    }
  }

  @Nullable Cooperation cooperation() {
    return driver.cooperation().orElse(null);
  }

  // --- resources
  // --------------------------------------------------------------------------------------------------------------

  /**
   * Keeps a resource in mind until it is released, so that closing the device releases it too.
   *
   * @return false if the device's resources have been released already, and this one has to be too
   */
  boolean adopt(Resource resource) {
    synchronized (lock) {
      return adoptLocked(resource);
    }
  }

  void released(Resource resource) {
    synchronized (lock) {
      releasedLocked(resource);
    }
  }

  /** The same for who has the lock: to take it again costs as much as all that is done here. */
  boolean adoptLocked(Resource resource) {
    lock.assertHeld();
    resources.add(resource);
    return !releasing;
  }

  void releasedLocked(Resource resource) {
    lock.assertHeld();
    resources.remove(resource);
  }

  /** The same as {@link #adopt} of another device's resource, which goes with either of the two. */
  boolean adoptGuest(Resource resource) {
    synchronized (lock) {
      boolean _ = guests.add(resource);
      return !releasing;
    }
  }

  void releasedGuest(Resource resource) {
    synchronized (lock) {
      boolean _ = guests.remove(resource);
    }
  }

  /**
   * Has closing the device end the access to an arena before its memory is released.
   *
   * @param access of pinned memory
   */
  public void guard(Arena access) {
    synchronized (lock) {
      requireUsable();
      accesses.add(access);
    }
  }

  /**
   * Ends {@link #guard}, after the arena was closed.
   *
   * @param access the arena
   */
  public void unguard(Arena access) {
    synchronized (lock) {
      accesses.remove(access);
    }
  }

  /**
   * {@return what a call of the driver that is made outside the lock returns} The driver is not
   * closed meanwhile.
   *
   * @param body makes the call; what the driver throws is thrown as a program is told it
   */
  public <T> T call(Supplier<T> body) {
    synchronized (lock) {
      if (releasing) {
        throw closedException();
      }
      requireNotLost();
      calls++;
    }
    try {
      return body.get();
    } catch (DriverException e) {
      throw raised(e);
    } finally {
      synchronized (lock) {
        calls--;
        lock.notifyAll();
      }
    }
  }

  void began(Staged transfer) {
    transfers.add(transfer);
  }

  void ended(Staged transfer) {
    transfers.remove(transfer);
  }

  // --- state
  // ------------------------------------------------------------------------------------------------------------------

  boolean isUsable() {
    return lost == null;
  }

  /** {@return whether the device was lost} */
  public boolean isLost() {
    return lost != null;
  }

  /** {@return whether the device was closed} */
  public boolean isClosed() {
    return closed;
  }

  /** Refuses work on a device that is closed or lost. */
  public void requireUsable() {
    if (closed) {
      throw closedException();
    }
    requireNotLost();
  }

  /** {@return what a program is told that uses the device after closing it} */
  ClosedException closedException() {
    return new ClosedException(name + " is closed: open the device again to use it");
  }

  /** Tells of an error that comes up when there is nobody to throw it at. */
  void report(String what, DriverException e) {
    report(what, raised(e));
  }

  /** The same of a call that concerns another device too. */
  void report(String what, DriverException e, Engine other) {
    report(what, raised(e, other));
  }

  private void report(String what, RuntimeException raised) {
    if (Loss.of(raised) == null) {
      ProgramLog.warn(name + ": " + what, raised);
    } else {
      Loss.kept(raised); // everything goes with the device, whose loss is reported by itself
    }
  }

  // --- what the program hears of
  // ----------------------------------------------------------------------------------------------

  /** A stream of the program's was opened, or a shared one that it uses too. */
  void opened(ToHost stream) {
    boolean _ = toHosts.add(stream);
  }

  /** A stream is gone; who has copied to the host on it may still await the copies. */
  void gone(ToHost stream) {
    if (!stream.isUnawaited() || toHosts.size() > MOST_UNAWAITED) {
      boolean _ = toHosts.remove(stream);
    }
  }

  /** The program awaits all of the device. */
  public void heardOfAll() {
    toHosts.forEach(each -> each.awaited(each.last()));
  }

  /**
   * {@return the streams that have brought something to host memory which the program has never
   * awaited} Takes no lock; of a lost device none, for that is another story.
   */
  public List<ToHost> unawaited() {
    return isLost()
        ? List.of()
        : toHosts.stream()
            .filter(ToHost::isUnawaited)
            .sorted(Comparator.comparingLong(each -> each.queue().handle()))
            .toList();
  }

  /** {@return what the program has heard of the device's loss} */
  public Loss loss() {
    return loss;
  }

  /** {@return whether nothing was logged yet that failed for the loss of another device} */
  boolean isFirstToTell(Loss other) {
    synchronized (lock) {
      return other != loss && toldOf.add(other);
    }
  }

  /**
   * All work of the device is over, which is closed: a failure of the last of it is found now or
   * never.
   */
  void askForTheLastTime() {
    synchronized (lock) {
      if (isUsable()) {
        try {
          ask();
        } catch (RuntimeException e) {
          Loss.kept(e);
        }
      }
      idleForGood = true;
    }
    loss.closes(name);
  }

  /**
   * Asks the driver whether the device is still there: an error of earlier work is reported by the
   * call that comes next, so without a call nobody knows of it.
   *
   * @throws DeviceLostException if the device is lost
   */
  public void requireAlive() {
    synchronized (lock) {
      requireNotLost();
      if (idleForGood) {
        return; // its work was done before its memory went
      }
      ask();
    }
  }

  private void ask() {
    try {
      if (probe == 0) {
        probe = driver.createEvent(false);
      }
      boolean _ = driver.isDone(probe);
    } catch (DriverException e) {
      throw raised(e);
    }
  }

  /** Gives back what {@link #requireAlive} has made. */
  void endProbe() {
    synchronized (lock) {
      if (probe != 0 && isUsable()) {
        driver.destroyEvent(probe);
      }
      probe = 0;
    }
  }

  /** Refuses to wait for a device that is lost. */
  public void requireNotLost() {
    DriverException cause = lost;
    if (cause != null) {
      throw loss.toThrow(lostMessage(cause), cause);
    }
  }

  /** What lost the device comes first, where it is known, and the driver's code last. */
  private String lostMessage(DriverException cause) {
    String state = name + " is lost and can no longer be used by this process";
    String finding = cause.finding();
    return finding.isEmpty()
        ? state + ": " + cause.getMessage()
        : "%s; %s: %s".formatted(finding, state, cause.call());
  }

  /**
   * {@return what a program is told of a driver's error; if the device is lost, everyone who waits
   * is told too}
   */
  public RuntimeException raised(DriverException e) {
    return switch (e.kind()) {
      case LOST -> {
        loss.waits(); // the exception counts as heard before the loss is known
        try {
          yield loss.toThrow(lostMessage(lose(e)), e);
        } finally {
          loss.waited();
        }
      }
      case OUT_OF_MEMORY -> new OutOfDeviceMemoryException(name + ": " + e.getMessage(), e);
      case OUT_OF_HOST_MEMORY -> new PinnedBudgetException(name + ": " + e.getMessage(), e);
      case BAD_IMAGE -> new KernelImageException(name + ": " + e.getMessage(), e);
      case DEADLOCK -> new DeadlockException(name + ": " + e.getMessage(), e);
      case INVALID -> new LaunchException(name + ": " + e.getMessage(), e);
      case OTHER -> e;
    };
  }

  /**
   * {@return the exception for a launch that was held back and that the driver then refused}
   *
   * @param what was launched
   * @param place the line of the program, or null if it was not asked for
   * @param queue where
   */
  RuntimeException raisedLater(
      DriverException e, String what, @Nullable StackTraceElement place, StreamQueue queue) {
    if (e.kind() != DriverException.Kind.INVALID) {
      return raised(e);
    }
    return new LaunchException(
        "%s: the launch of %s%s on %s was refused when its turn came: %s"
            .formatted(
                name, what, place == null ? "" : " at " + place, queue.title(), e.getMessage()),
        e);
  }

  /**
   * {@return what a program is told of a driver's error in a call that concerns another device too}
   * If one of them is lost, it is this one only if it does not answer any more.
   */
  RuntimeException raised(DriverException e, Engine other) {
    if (e.kind() != DriverException.Kind.LOST || isLost()) {
      return raised(e);
    }
    try {
      long _ = driver.freeBytes();
    } catch (DriverException own) {
      return raised(e);
    }
    return other.raised(e);
  }

  /**
   * Gives up the device. All who wait for it get the loss as an exception.
   *
   * @param error by which it was noticed
   * @return what lost it, as far as that is known; the first time decides
   */
  DriverException lose(DriverException error) {
    List<Runnable> due = new ArrayList<>();
    DriverException cause;
    synchronized (lock) {
      cause = lost;
      if (cause != null) {
        return cause;
      }
      cause = withFinding(error);
      lost = cause;
      for (StreamQueue queue : queues) {
        queue.abandon(due);
      }
      watched.clear();
      RuntimeException told = loss.toKeep("a copy was under way: " + lostMessage(cause), cause);
      for (Staged transfer : List.copyOf(transfers)) {
        transfer.abandon(told);
      }
    }
    loss.happened(name, lostMessage(cause), cause, !isVirtual());
    // Never run them here: the caller may hold the lock, and they may be anything.
    due.forEach(this::later);
    return cause;
  }

  /**
   * What a kernel has written of a failed check says more than the driver's code; and where the
   * driver does not say which kernel it was, it is one of those that are not known to be done.
   */
  private DriverException withFinding(DriverException error) {
    if (!error.finding().isEmpty()) {
      return error;
    }
    String finding = new Suspects(queues).tell(faultRecords.report());
    return finding.isEmpty()
        ? error
        : new DriverException(error.kind(), error.code(), error.call(), finding);
  }

  /** {@return whether the device is a virtual one} */
  public boolean isVirtual() {
    return driver.properties().driver().equals("virtual");
  }

  /** {@return where kernels report failed checks} */
  public FaultRecords faultRecords() {
    return faultRecords;
  }

  /**
   * Ends the use of the device at once, and lets go of it after its last operation. Does not block.
   *
   * @return false if it was closed before
   */
  public boolean close() {
    List<StreamQueue> open;
    List<Staged> moving;
    List<Arena> reachable;
    synchronized (lock) {
      if (closed) {
        return false;
      }
      closed = true;
      open = List.copyOf(queues);
      moving = List.copyOf(transfers);
      reachable = List.copyOf(accesses);
    }
    new Closing(this).begin(open, moving, reachable);
    finishIfClosed();
    return true;
  }

  /**
   * Brings a closed seeded device to its end: nobody will await anything of it any more. Whoever
   * closes something of it calls this, for that may have been the last thing that closing the
   * device waited for.
   */
  public void finishIfClosed() {
    if (closed) {
      bringToAnEnd();
    }
  }

  /** Lets everything happen on a seeded device that can happen without the program. */
  public void bringToAnEnd() {
    if (cooperation() != null) {
      watch.stepToTheEnd();
    }
  }

  /** {@return what is to be released; what comes later is refused, or told to release itself} */
  List<Resource> beginReleasing() {
    synchronized (lock) {
      releasing = true;
      List<Resource> open = resources.all();
      open.addAll(guests);
      return open;
    }
  }

  /**
   * Waits for calls that are still under way, where other threads make them.
   *
   * @return false if some still are
   */
  boolean awaitCalls() {
    synchronized (lock) {
      try {
        while (calls > 0 && cooperation() == null) {
          lock.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return calls == 0;
    }
  }
}
