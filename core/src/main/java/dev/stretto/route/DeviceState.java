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
import dev.stretto.settings.OrderMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of one opened device: the driver's device, whether it is usable, closed or lost, and
 * which exceptions a program sees for the driver's errors.
 */
public final class DeviceState {
  /** The services of the device's other parts. */
  interface Parts {
    /** Wakes the polling thread. */
    void wake();

    /**
     * {@return what is known about the kernels that may have lost the device; empty if nothing is}
     */
    String finding();

    /** {@return what holds back streams, a clause for each} */
    List<String> holds();

    /**
     * Abandons everything that is in flight on the lost device. Called with the lock held.
     *
     * @param due receives the actions to run after that
     * @param told the exception with which copies in flight end
     */
    void abandon(List<Runnable> due, RuntimeException told);
  }

  /** Guards all streams of all devices of one driver, so that they can wait for each other. */
  final DriverLock lock;

  private final DriverDevice driver;
  private final String name;
  private final OpenDevices open;
  private final Parts parts;
  private final HostWork hostWork;
  private final @Nullable Stepper stepper;

  /** {@link #stepOnce} of a seeded device, the same object for all threads that wait for it. */
  private final @Nullable LongPredicate steps;

  private final Loss loss = new Loss();
  private final OrderMode order;

  /** Losses of other devices that failed work of this one, and were logged for that. */
  private final Set<Loss> toldOf = new HashSet<>(0);

  private int calls;

  /** An event that is never recorded, or 0: querying it only reveals errors. */
  private long probe;

  /** Whether all work of the closed device is over, and the driver was asked how it ended. */
  private boolean idleForGood;

  private boolean releasing;
  private volatile @Nullable DriverException lost;

  /** Changed with the lock held. */
  private volatile long launches;

  private volatile boolean closed;

  DeviceState(DriverDevice driver, OpenDevices open, String name, OrderMode order, Parts parts) {
    this.driver = driver;
    this.open = open;
    this.lock = open.lock();
    this.name = name;
    this.order = order;
    this.parts = parts;
    this.hostWork = HostWork.of(driver, name);
    Cooperation cooperation = cooperation();
    this.stepper = cooperation == null ? null : new Stepper(cooperation, lock, open.looks(), name);
    this.steps = cooperation == null ? null : this::stepOnce;
  }

  /** {@return what is done about the order of the device's operations} */
  public OrderMode order() {
    return order;
  }

  /** {@return the driver's device} */
  public DriverDevice driver() {
    return driver;
  }

  /** {@return the device's name, for messages} */
  public String name() {
    return name;
  }

  /** {@return the open devices of its driver} */
  OpenDevices open() {
    return open;
  }

  /** {@return the host threads that work for the device} */
  HostWork hostWork() {
    return hostWork;
  }

  /** {@return the control of a seeded device; null for others} */
  @Nullable Cooperation cooperation() {
    return driver.cooperation().orElse(null);
  }

  /** {@return the stepper of a seeded device; null for others} */
  @Nullable Stepper stepper() {
    return stepper;
  }

  /**
   * {@return an action that steps a seeded device for streams of another driver; null for other
   * devices}
   */
  @Nullable LongPredicate stepsOfStranger() {
    return steps;
  }

  /** {@return what holds back streams, a clause for each} */
  List<String> holds() {
    return parts.holds();
  }

  /** {@return whether the device is a virtual one} */
  public boolean isVirtual() {
    return driver.properties().driver().equals("virtual");
  }

  /** Runs an action soon on a host thread of the device, outside all locks. */
  void later(Runnable action) {
    hostWork.submit(action);
    if (hostWork.isStranded()) {
      parts.wake();
    }
  }

  /** The same for an action that reads or writes a file, and so may have to wait for a disk. */
  void laterWithFiles(Runnable action) {
    hostWork.submitWithFiles(action);
    if (hostWork.isStranded()) {
      parts.wake();
    }
  }

  /**
   * Runs a closed seeded device to its end, because nobody will await anything of it any more. Call
   * this after closing anything that belongs to the device: it may have been the last thing that
   * closing the device waited for.
   */
  public void finishIfClosed() {
    if (closed) {
      bringToAnEnd();
    }
  }

  /** Runs a seeded device as far as it can go without the program. */
  public void bringToAnEnd() {
    if (stepper != null) {
      stepper.stepToTheEnd();
    }
  }

  /**
   * Lets one thing happen on a seeded device.
   *
   * @return whether anything happened here, or there was anything to report about other threads'
   *     steps
   */
  boolean stepOnce() {
    return stepOnce(Long.MAX_VALUE);
  }

  /**
   * The same for a thread that waits for a limited time. A kernel that still runs at the deadline
   * goes on in the background.
   *
   * @param deadline a time of {@link System#nanoTime()}, or {@link Long#MAX_VALUE} for none
   */
  boolean stepOnce(long deadline) {
    return stepper != null && stepper.stepOnce(deadline);
  }

  /**
   * {@return the result of a driver call that is made outside the lock} The driver is not closed
   * meanwhile.
   *
   * @param body makes the call; a driver's exception is thrown as the exception that programs see
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

  /** {@return the exception for a program that uses the device after closing it} */
  ClosedException closedException() {
    return new ClosedException(name + " is closed: open the device again to use it");
  }

  /** {@return whether this call closed the device; false if it was closed before} */
  boolean markClosed() {
    lock.assertHeld();
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** Refuses driver calls from now on; new resources have to be released at once. */
  void markReleasing() {
    lock.assertHeld();
    releasing = true;
  }

  /** {@return whether resources are being released} */
  boolean isReleasing() {
    lock.assertHeld();
    return releasing;
  }

  /**
   * Waits for driver calls that other threads are still making.
   *
   * @return false if some are still in progress
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

  // --- errors
  // -----------------------------------------------------------------------------------------------------------------

  /** {@return the exception that a program sees for a foreign handle that the driver refuses} */
  RuntimeException foreign(String what, DriverException e) {
    return e.kind() == DriverException.Kind.LOST
        ? raised(e)
        : new IllegalArgumentException(name + ": " + what + ": " + e.getMessage(), e);
  }

  /** Counts a launch that is about to be handed to the driver. Called with the lock held. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the lock is held
  void countLaunch() {
    launches++;
  }

  /** {@return how many kernels and graphs were launched} Any thread may ask. */
  long launches() {
    return launches;
  }

  /** Logs an error that occurs when there is no caller to throw it to. */
  void report(String what, DriverException e) {
    report(what, raised(e));
  }

  /** The same for a call that also concerns another device. */
  void report(String what, DriverException e, DeviceState other) {
    report(what, raised(e, other));
  }

  private void report(String what, RuntimeException raised) {
    if (Loss.of(raised) == null) {
      ProgramLog.warn(name + ": " + what, raised);
    } else {
      Loss.kept(raised); // the loss of the device itself is reported, and explains this error
    }
  }

  /** {@return the record of what the program knows about the device's loss} */
  public Loss loss() {
    return loss;
  }

  /** {@return whether no failure caused by the loss of another device was logged yet} */
  boolean isFirstToTell(Loss other) {
    synchronized (lock) {
      return other != loss && toldOf.add(other);
    }
  }

  /**
   * Checks a closed device when all its work is over: a failure of its last work is found now or
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
   * Asks the driver whether the device is still alive. The driver reports an error of earlier work
   * with the next call, so without a call nobody would learn of it.
   *
   * @throws DeviceLostException if the device is lost
   */
  public void requireAlive() {
    synchronized (lock) {
      requireNotLost();
      if (idleForGood) {
        return; // its work was done before its memory was released
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

  /** Destroys the event that {@link #requireAlive} has created. */
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

  /** The cause of the loss comes first, if it is known, and the driver's code last. */
  private String lostMessage(DriverException cause) {
    String state = name + " is lost, and this process can no longer use it";
    String finding = cause.finding();
    return finding.isEmpty()
        ? state + ": " + cause.getMessage()
        : "%s; %s: %s".formatted(finding, state, cause.call());
  }

  /**
   * {@return the exception that a program sees for a driver's error} If the device is lost, all
   * waiting threads get an exception too.
   */
  public RuntimeException raised(DriverException e) {
    return switch (e.kind()) {
      case LOST -> {
        loss.waits(); // the exception counts as seen by the program before the loss is known
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
   * {@return the exception that a program sees for a driver's error in a call that also concerns
   * another device} If one of the two is lost, it is this one only if it no longer answers.
   */
  RuntimeException raised(DriverException e, DeviceState other) {
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
   * Marks the device as lost. All threads that wait for it get an exception about the loss.
   *
   * @param error the error that revealed the loss
   * @return what lost the device, as far as that is known; later calls return the same
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
      parts.abandon(due, loss.toKeep("a copy was in flight: " + lostMessage(cause), cause));
    }
    loss.happened(name, lostMessage(cause), cause, !isVirtual());
    // Never run them here: the caller may hold the lock, and the actions may be any code.
    due.forEach(this::later);
    return cause;
  }

  /**
   * Adds what is known about the cause. A kernel's own record of a failed check says more than the
   * driver's code. If the driver does not say which kernel faulted, it is one of those that are not
   * known to be done.
   */
  private DriverException withFinding(DriverException error) {
    if (!error.finding().isEmpty()) {
      return error;
    }
    String finding = parts.finding();
    return finding.isEmpty()
        ? error
        : new DriverException(error.kind(), error.code(), error.call(), finding);
  }
}
