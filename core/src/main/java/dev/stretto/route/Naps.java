package dev.stretto.route;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sleeps of some microseconds. Linux lets a timer of an ordinary thread fire up to 50 µs late, so
 * that it can wake several threads at once; {@code prctl(2)} calls this the timer slack. A thread
 * that naps has none, and gets its own back afterwards. A core that only naps is not halted for so
 * long that waking it takes longer than the nap.
 */
final class Naps {
  private static final int PR_SET_TIMERSLACK = 29;
  private static final int PR_GET_TIMERSLACK = 30;

  /**
   * A nap is longer in a long wait, by this power of two, so that a thread that waits for long
   * leaves its core to others for most of the time…
   */
  private static final int SHARE_OF_WAIT = 11;

  /** …but not so much longer that it comes late… */
  private static final long USUAL_NANOS = 20_000;

  /** …except after minutes, by a millionth of the wait. */
  private static final int SHARE_OF_LONG_WAIT = 20;

  /** The shortest nap; it takes about 5 µs longer than that. */
  private static final long LEAST_NANOS = 5_000;

  private static final int SHARPEST = 1;

  /** The most that {@code usleep(3)} takes everywhere. */
  private static final int MOST_MICROS = 999_999;

  private Naps() {}

  /** The functions. To link them takes 50 ms in a new JVM, and virtual devices need none. */
  private static final class Native {
    static final @Nullable MethodHandle PRCTL =
        link("prctl", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    static final @Nullable MethodHandle USLEEP = link("usleep", JAVA_INT);

    private Native() {}

    @SuppressWarnings("restricted")
    private static @Nullable MethodHandle link(String name, MemoryLayout... parameters) {
      if (!Naps.class.getModule().isNativeAccessEnabled()) {
        return null; // the JVM would print a warning, and virtual devices need no other native code
      }
      Linker linker = Linker.nativeLinker();
      return linker
          .defaultLookup()
          .find(name)
          .map(f -> linker.downcallHandle(f, FunctionDescriptor.of(JAVA_INT, parameters)))
          .orElse(null);
    }
  }

  /** Makes the first nap as short as the others. */
  static void prepare() {
    int _ = prctl(PR_GET_TIMERSLACK, 0);
  }

  /**
   * {@return how long a thread naps between two questions whether something is done} A wait that
   * has lasted longer may end later, in proportion.
   *
   * @param waitedNanos how long it has waited
   */
  static long nanos(long waitedNanos) {
    long usual = Math.clamp(waitedNanos >> SHARE_OF_WAIT, LEAST_NANOS, USUAL_NANOS);
    return Math.max(usual, waitedNanos >> SHARE_OF_LONG_WAIT);
  }

  /**
   * Takes away the timer slack of the calling platform thread.
   *
   * @return what {@link #blunt} takes
   */
  static int sharpen() {
    int before = prctl(PR_GET_TIMERSLACK, 0);
    int _ = prctl(PR_SET_TIMERSLACK, SHARPEST);
    return before;
  }

  /**
   * Gives the calling platform thread its timer slack back.
   *
   * @param slack what {@link #sharpen} has returned
   */
  static void blunt(int slack) {
    if (slack > 0) {
      int _ = prctl(PR_SET_TIMERSLACK, slack);
    }
  }

  /**
   * Sleeps on the calling virtual thread's carrier, which runs nothing else meanwhile.
   *
   * @param nanos as for {@link #sleep}
   */
  static void onCarrier(long nanos) {
    int slack = sharpen();
    try {
      sleep(nanos);
    } finally {
      blunt(slack);
    }
  }

  /**
   * Sleeps. Neither an interrupt nor {@link LockSupport#unpark} ends that; parking, which they
   * would end, takes half as long again.
   *
   * @param nanos how long; below 1 µs not at all
   */
  static void sleep(long nanos) {
    MethodHandle usleep = Native.USLEEP;
    if (usleep == null) {
      LockSupport.parkNanos(nanos);
      return;
    }
    try {
      int _ = (int) usleep.invokeExact(Math.clamp(nanos / 1000, 0, MOST_MICROS));
    } catch (Throwable e) {
      throw new AssertionError("usleep does not throw", e);
    }
  }

  private static int prctl(int option, long value) {
    MethodHandle prctl = Native.PRCTL;
    if (prctl == null) {
      return -1;
    }
    try {
      return (int) prctl.invokeExact(option, value, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw new AssertionError("prctl does not throw", e);
    }
  }
}
