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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One opened device, as everything that runs on it sees it: the driver's device, whether it is
 * usable, closed or lost, and what a program is told of the driver's errors.
 */
public final class DeviceState {
  /** What the rest of the device contributes. */
  interface Parts {
    /** Has the thread that watches look again. */
    void wake();

    /** {@return what is known of the kernels that may have lost the device; empty for nothing} */
    String finding();

    /** {@return what holds back streams, a clause for each} */
    List<String> holds();

    /**
     * The device is lost: gives up all that is under way. Called under the lock.
     *
     * @param due gets what is to be run then
     * @param told what copies that are under way end with
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

  /** {@link #stepOnce} of a seeded device, one and the same for all who wait for it. */
  private final @Nullable LongPredicate steps;

  private final Loss loss = new Loss();

  /** Losses of other devices that work of this one depended on, which was logged. */
  private final Set<Loss> toldOf = new HashSet<>(0);

  private int calls;

  /** An event that is never recorded, or 0: it is asked only to hear of errors. */
  private long probe;

  /** Whether all work of the closed device is over, and it was asked how that has ended. */
  private boolean idleForGood;

  private boolean releasing;
  private volatile @Nullable DriverException lost;
  private volatile boolean closed;

  DeviceState(DriverDevice driver, OpenDevices open, String name, Parts parts) {
    this.driver = driver;
    this.open = open;
    this.lock = open.lock();
    this.name = name;
    this.parts = parts;
    this.hostWork = HostWork.of(driver, name);
    Cooperation cooperation = cooperation();
    this.stepper = cooperation == null ? null : new Stepper(cooperation, lock, open.looks(), name);
    this.steps = cooperation == null ? null : this::stepOnce;
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

  /** {@return the host threads that work for it} */
  HostWork hostWork() {
    return hostWork;
  }

  /** {@return how a seeded device is stepped; null for others} */
  @Nullable Cooperation cooperation() {
    return driver.cooperation().orElse(null);
  }

  /** {@return what steps a seeded device; null for others} */
  @Nullable Stepper stepper() {
    return stepper;
  }

  /** {@return what lets a seeded device advance for streams of another driver; else null} */
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

  /** Runs an action soon on a host thread of the device's, outside all locks. */
  void later(Runnable action) {
    hostWork.submit(action);
    if (hostWork.isStranded()) {
      parts.wake();
    }
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
    if (stepper != null) {
      stepper.stepToTheEnd();
    }
  }

  /**
   * Lets one thing happen on a seeded device.
   *
   * @return whether there was one, or anything to tell of what has happened elsewhere
   */
  boolean stepOnce() {
    return stepOnce(Long.MAX_VALUE);
  }

  /**
   * The same for a thread that does not wait for ever: a kernel that still runs then goes on beside
   * it.
   *
   * @param deadline a time of {@link System#nanoTime()}, or {@link Long#MAX_VALUE} for none
   */
  boolean stepOnce(long deadline) {
    return stepper != null && stepper.stepOnce(deadline);
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

  /** {@return false if the device was closed before; it is now} */
  boolean markClosed() {
    lock.assertHeld();
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** From now on nothing is called any more, and what is made is to be released at once. */
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

  // --- errors
  // -----------------------------------------------------------------------------------------------------------------

  /** {@return what a program is told of a handle that the driver refuses} */
  RuntimeException foreign(String what, DriverException e) {
    return e.kind() == DriverException.Kind.LOST
        ? raised(e)
        : new IllegalArgumentException(name + ": " + what + ": " + e.getMessage(), e);
  }

  /** Tells of an error that comes up when there is nobody to throw it at. */
  void report(String what, DriverException e) {
    report(what, raised(e));
  }

  /** The same of a call that concerns another device too. */
  void report(String what, DriverException e, DeviceState other) {
    report(what, raised(e, other));
  }

  private void report(String what, RuntimeException raised) {
    if (Loss.of(raised) == null) {
      ProgramLog.warn(name + ": " + what, raised);
    } else {
      Loss.kept(raised); // everything goes with the device, whose loss is reported by itself
    }
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
   * {@return what a program is told of a driver's error in a call that concerns another device too}
   * If one of them is lost, it is this one only if it does not answer any more.
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
      parts.abandon(due, loss.toKeep("a copy was under way: " + lostMessage(cause), cause));
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
    String finding = parts.finding();
    return finding.isEmpty()
        ? error
        : new DriverException(error.kind(), error.code(), error.call(), finding);
  }
}
