package dev.stretto.route;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Work on devices that runs by itself once a program has started it, and whose outcome the program
 * has to learn. If nobody has awaited the work when one of its devices closes, when the program has
 * no reference to it any more, or when the process ends, the device's {@link Teller} is called
 * once.
 */
public final class StartedWork {
  private static final Map<Object, Unawaited> OPEN = new WeakHashMap<>();

  static {
    try {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(StartedWork::processEnds, "stretto never awaited"));
    } catch (IllegalStateException e) {
      // The process is ending already: work that is started now is not reported.
    }
  }

  /** Created with the first work, because it has a thread. */
  private static final class Unreachable {
    static final Cleaner CLEANER = Cleaner.create();
  }

  /** Reports work that nobody has awaited. */
  public interface Teller {
    /**
     * Reports work that nobody has awaited.
     *
     * @param work the work
     */
    void neverAwaited(StartedWork work);

    /** Reports copies that nobody has awaited, because the device closes. */
    void deviceCloses();

    /** Reports such copies and the device's loss, because the process ends with the device open. */
    void processEnds();
  }

  /** The work on one open device. */
  private static final class Unawaited {
    private final Teller teller;
    private final Set<StartedWork> begun = ConcurrentHashMap.newKeySet();

    Unawaited(Teller teller) {
      this.teller = teller;
    }
  }

  private final String what;
  private final StackWalker.@Nullable StackFrame place;
  private final List<Unawaited> watches = new ArrayList<>(1);
  private volatile Runnable deviceCloses = () -> {};
  private volatile @Nullable Throwable failure;

  @GuardedBy("this")
  private boolean settled;

  @GuardedBy("this")
  private boolean over;

  private StartedWork(String what, StackWalker.@Nullable StackFrame place) {
    this.what = what;
    this.place = place;
  }

  // --- devices
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * Notes that a device was opened.
   *
   * @param device the device, of which only the identity is used
   * @param teller reports unawaited work; must not refer to the device
   */
  public static void opened(Object device, Teller teller) {
    synchronized (OPEN) {
      OPEN.put(device, new Unawaited(teller));
    }
  }

  /**
   * Notes that a device is about to be closed; work that nobody has awaited by now is reported.
   *
   * @param device a device given to {@link #opened}
   */
  public static void closing(Object device) {
    Unawaited watch = watchOf(device);
    if (watch != null) {
      watch.begun.forEach(work -> work.neverAwaited(watch));
      watch.teller.deviceCloses();
    }
  }

  /**
   * Notes that a device was closed; work that still uses it cannot go on.
   *
   * @param device a device given to {@link #opened}
   */
  public static void closed(Object device) {
    Unawaited watch;
    synchronized (OPEN) {
      watch = OPEN.remove(device);
    }
    if (watch != null) {
      List.copyOf(watch.begun).forEach(work -> work.deviceCloses.run());
      watch.begun.clear();
    }
  }

  private static @Nullable Unawaited watchOf(Object device) {
    synchronized (OPEN) {
      return OPEN.get(device);
    }
  }

  /**
   * Notes that the process ends; work that nobody has awaited is reported. Code that prints such
   * reports has to call this first. Only the first call has an effect.
   */
  public static synchronized void processEnds() {
    ProgramLog.processEnds();
    Closing.awaitVerdicts();
    List<Unawaited> all;
    synchronized (OPEN) {
      all = List.copyOf(OPEN.values());
    }
    for (Unawaited watch : all) {
      watch.begun.forEach(work -> work.neverAwaited(watch));
      watch.teller.processEnds();
    }
  }

  // --- work
  // -------------------------------------------------------------------------------------------------------------------

  /**
   * {@return a record of work that begins now}
   *
   * @param <T> the type of the work
   * @param devices the open devices on which it runs
   * @param what a name of the work, with its article
   * @param work the work itself; this record does not keep it reachable
   * @param deviceCloses called after one of the devices was closed, if the work has not ended
   */
  public static <T> StartedWork on(
      List<?> devices, String what, T work, Consumer<? super T> deviceCloses) {
    StartedWork started = new StartedWork(what, caller(work.getClass().getPackageName()));
    WeakReference<T> reference = new WeakReference<>(work);
    started.deviceCloses =
        () -> {
          T there = reference.get();
          if (there != null) {
            deviceCloses.accept(there);
          }
        };
    for (Object device : devices) {
      Unawaited watch = watchOf(device);
      if (watch != null) {
        started.watches.add(watch);
        watch.begun.add(started);
      }
    }
    Cleaner.Cleanable _ = Unreachable.CLEANER.register(work, started::unreachable);
    return started;
  }

  /** {@return the line of the program that has started the work} */
  private static StackWalker.@Nullable StackFrame caller(String startedFrom) {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> !isPassedOver(frame.getClassName(), startedFrom))
                    .findFirst()
                    .orElse(null));
  }

  private static boolean isPassedOver(String className, String startedFrom) {
    String room = className.substring(0, Math.max(0, className.lastIndexOf('.')));
    return room.equals(startedFrom)
        || room.equals(StartedWork.class.getPackageName())
        || room.startsWith("java.");
  }

  private void unreachable() {
    for (Unawaited watch : watches) {
      neverAwaited(watch);
    }
    forget();
  }

  private void neverAwaited(Unawaited watch) {
    if (settle()) {
      watch.teller.neverAwaited(this);
    }
  }

  private synchronized boolean settle() {
    boolean first = !settled;
    settled = true;
    return first;
  }

  /** Notes that a thread awaits the work, before or after its end, and so learns how it ends. */
  public void awaited() {
    synchronized (this) {
      settled = true;
      if (!over) {
        return;
      }
    }
    forget();
  }

  /** Notes that the work has ended and uses no device any more; it may still be awaited. */
  public void ended() {
    deviceCloses = () -> {};
    synchronized (this) {
      over = true;
      if (!settled) {
        return;
      }
    }
    forget();
  }

  /** Forgets work that did not begin, or is over and need not be reported. */
  public void forget() {
    boolean _ = settle();
    watches.forEach(watch -> watch.begun.remove(this));
  }

  /**
   * Notes that the work has failed, for the report if nobody awaits it.
   *
   * @param cause why
   */
  public void failed(Throwable cause) {
    failure = cause;
  }

  /** {@return a name of the work, with its article} */
  public String what() {
    return what;
  }

  /** {@return where the program has started it} */
  public StackTraceElement place() {
    return place == null
        ? new StackTraceElement("unknown", "unknown", null, -1)
        : place.toStackTraceElement();
  }

  /** {@return why it has failed, if it has} */
  public @Nullable Throwable failure() {
    return failure;
  }
}
