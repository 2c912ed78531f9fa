package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.DeviceLostException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The loss of a device, and whether the program knows about it. An exception about a loss counts as
 * seen as soon as it is created, because most are thrown to the program. Code that catches one and
 * goes on, or keeps it for later, calls {@link #kept}; if the program gets the exception after all,
 * {@link #shown} is called. When something that belongs to the device closes, and no exception has
 * reached the program or is about to, the loss is logged once.
 */
public final class Loss {
  /** An exception about a loss. */
  private static final class Made {
    final Loss loss;
    boolean kept;

    Made(Loss loss) {
      this.loss = loss;
    }
  }

  private static final Map<DeviceLostException, Made> MADE =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** The losses in this process by the device's name, for code that opens the device again. */
  private static final Map<String, String> LOST = new ConcurrentHashMap<>();

  private volatile @Nullable DriverException cause;
  private String message = "";

  /** How many exceptions have reached the program. */
  private int shown;

  /** How many threads and futures wait for something that the loss ends. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** The event before which the program should have seen the loss, once it has happened. */
  private @Nullable String due;

  private boolean logged;

  Loss() {}

  // --- the loss
  // -----------------------------------------------------------------------------------------------------------

  /**
   * Notes that the device was lost.
   *
   * @param forGood whether the process cannot open the device again
   */
  void happened(String device, String what, DriverException why, boolean forGood) {
    if (forGood) {
      LOST.put(device, what);
    }
    synchronized (this) {
      message = what;
      cause = why;
    }
    check();
  }

  /**
   * {@return what is known about losses of devices of a driver in this process; empty if there were
   * none} One loss may extend to other devices.
   *
   * @param driver the driver's name
   */
  public static String inThisProcessOf(String driver) {
    return LOST.entrySet().stream()
        .filter(each -> each.getKey().startsWith(driver + ":"))
        .map(Map.Entry::getValue)
        .sorted()
        .collect(Collectors.joining("; "));
  }

  // --- exceptions
  // -------------------------------------------------------------------------------------------------------------

  /** {@return an exception about the loss that is about to be thrown to the program} */
  DeviceLostException toThrow(String text, Throwable why) {
    DeviceLostException made = toKeep(text, why);
    shown(made);
    return made;
  }

  /** {@return an exception about the loss that the program gets only if it asks later} */
  DeviceLostException toKeep(String text, Throwable why) {
    DeviceLostException made = new DeviceLostException(text, why);
    Made state = new Made(this);
    state.kept = true;
    MADE.put(made, state);
    return made;
  }

  /**
   * Notes that an exception was caught, or is kept until the program asks. Has no effect on
   * exceptions that are not about a loss.
   *
   * @param thrown the exception that was caught
   */
  public static void kept(Throwable thrown) {
    count(thrown, true);
  }

  /**
   * Notes that the program gets an exception that was kept. Has no effect on exceptions that are
   * not about a loss.
   *
   * @param thrown the exception that the program gets
   */
  static void shown(Throwable thrown) {
    count(thrown, false);
  }

  private static void count(Throwable thrown, boolean kept) {
    Made made = thrown instanceof DeviceLostException lost ? MADE.get(lost) : null;
    if (made == null) {
      return;
    }
    synchronized (made.loss) {
      if (made.kept == kept) {
        return;
      }
      made.kept = kept;
      made.loss.shown += kept ? -1 : 1;
    }
    if (kept) {
      made.loss.check();
    }
  }

  /** {@return the loss that an exception is about, or null} */
  static @Nullable Loss of(Throwable thrown) {
    Made made = thrown instanceof DeviceLostException lost ? MADE.get(lost) : null;
    return made == null ? null : made.loss;
  }

  // --- whether the program knows
  // ----------------------------------------------------------------------------------------

  /** Notes that a thread or a future waits for the device; a loss would reach it. */
  public void waits() {
    int _ = waiting.incrementAndGet();
  }

  /** Notes that it no longer waits: the loss has reached it by now, or will not. */
  public void waited() {
    int _ = waiting.decrementAndGet();
    if (cause != null) {
      check();
    }
  }

  /**
   * Notes that something was closed whose work is over.
   *
   * @param what what was closed, with its name
   */
  void closes(String what) {
    falls(what + " was closed");
  }

  /** Notes that the process ends: nothing can reach waiting threads any more. */
  public void processEnds() {
    waiting.set(0);
    falls("the process ended");
  }

  private void falls(String when) {
    synchronized (this) {
      if (due == null) {
        due = when;
      }
    }
    check();
  }

  /** {@return whether an exception about it has reached the program} */
  public synchronized boolean isHeard() {
    return shown > 0;
  }

  private void check() {
    DeviceLostException unheard;
    String when;
    synchronized (this) {
      DriverException why = cause;
      when = due;
      if (logged || when == null || why == null || shown > 0 || waiting.get() > 0) {
        return;
      }
      logged = true;
      unheard = new DeviceLostException(message, why);
    }
    ProgramLog.warn(
        unheard.getMessage()
            + "; no exception has reported it before "
            + when
            + ": await every stream before it is closed, or each copy, event or future"
            + " whose work matters",
        unheard);
  }
}
