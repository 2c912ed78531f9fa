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
 * The loss of a device, and whether the program has heard of it. Each exception about a loss counts
 * as heard from its making on, for most are thrown at the program. Code that catches one and goes
 * on, or puts it away for later, says so by {@link #kept}; if the program gets it after all, that
 * is {@link #shown}. When something of the device closes and no exception has reached the program,
 * and none is about to, the loss is logged, once.
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

  /** What was lost in this process, by the device's name, for those who open it again. */
  private static final Map<String, String> LOST = new ConcurrentHashMap<>();

  private volatile @Nullable DriverException cause;
  private String message = "";

  /** How many exceptions have reached the program. */
  private int shown;

  /** How many threads and futures wait for something that the loss would end. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** Before what somebody ought to have heard of it, once that has come. */
  private @Nullable String due;

  private boolean logged;

  Loss() {}

  // --- what is lost
  // -----------------------------------------------------------------------------------------------------------

  /**
   * The device was lost.
   *
   * @param forGood whether the process cannot have it again
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
   * {@return what this process knows of the loss of any device of a driver, which may have taken
   * others with it; empty if it knows of none}
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

  /** {@return an exception about the loss, which is about to be thrown at the program} */
  DeviceLostException toThrow(String text, Throwable why) {
    DeviceLostException made = toKeep(text, why);
    shown(made);
    return made;
  }

  /** {@return an exception about the loss that the program gets later, if it asks} */
  DeviceLostException toKeep(String text, Throwable why) {
    DeviceLostException made = new DeviceLostException(text, why);
    Made state = new Made(this);
    state.kept = true;
    MADE.put(made, state);
    return made;
  }

  /**
   * An exception goes no further for now: it was caught, or is kept until the program asks. Has no
   * effect for exceptions about anything but a loss.
   *
   * @param thrown what was caught
   */
  public static void kept(Throwable thrown) {
    count(thrown, true);
  }

  /**
   * The program gets an exception that was kept. Has no effect for exceptions about anything but a
   * loss.
   *
   * @param thrown what the program gets
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

  /** {@return which loss an exception is about, or null} */
  static @Nullable Loss of(Throwable thrown) {
    Made made = thrown instanceof DeviceLostException lost ? MADE.get(lost) : null;
    return made == null ? null : made.loss;
  }

  // --- whether anybody hears of it
  // ----------------------------------------------------------------------------------------

  /** A thread or a future waits for the device, and is about to hear of a loss. */
  public void waits() {
    int _ = waiting.incrementAndGet();
  }

  /** It waits no longer: it has heard of the loss by now, or will not. */
  public void waited() {
    int _ = waiting.decrementAndGet();
    if (cause != null) {
      check();
    }
  }

  /**
   * Something is closed, and its work is over.
   *
   * @param what with its name
   */
  void closes(String what) {
    falls(what + " was closed");
  }

  /** The process ends: whoever still waits will not hear of anything any more. */
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
            + "; nobody has heard of it before "
            + when
            + ": await every stream before it is closed, or each copy, event or future"
            + " whose work matters",
        unheard);
  }
}
