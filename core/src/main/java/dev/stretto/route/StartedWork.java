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
 * Work on devices that runs by itself once a program has started it, and of which somebody has to
 * hear how it ended. If nobody has awaited it when a device of it closes, when the program has no
 * reference to it any more, or when the process ends, the device's teller is told, once.
 */
public final class StartedWork {
  private static final Map<Object, Unawaited> OPEN = new WeakHashMap<>();

  static {
    try {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(StartedWork::processEnds, "stretto never awaited"));
    } catch (IllegalStateException e) {
      // The process is ending already: what is started now is not told of.
    }
  }

  /** Made with the first work: it has a thread. */
  private static final class Unreachable {
    static final Cleaner CLEANER = Cleaner.create();
  }

  /** Tells of work that nobody has awaited. */
  public interface Teller {
    /**
     * Tells of it.
     *
     * @param work what nobody has awaited
     */
    void neverAwaited(StartedWork work);

    /** The device closes: tells of copies that nobody has awaited. */
    void deviceCloses();

    /** The process ends with the device open: tells of the same, and of its loss. */
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
  private final StackTraceElement place;
  private final List<Unawaited> watches = new ArrayList<>(1);
  private volatile Runnable deviceCloses = () -> {};
  private volatile @Nullable Throwable failure;
  private boolean settled;

  private StartedWork(String what, StackTraceElement place) {
    this.what = what;
    this.place = place;
  }

  // --- devices
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * A device was opened.
   *
   * @param device of which no more than its identity is known here
   * @param teller does not refer to it
   */
  public static void opened(Object device, Teller teller) {
    synchronized (OPEN) {
      OPEN.put(device, new Unawaited(teller));
    }
  }

  /**
   * A device is about to be closed: what nobody has awaited by now is told of.
   *
   * @param device of {@link #opened}
   */
  public static void closing(Object device) {
    Unawaited watch = watchOf(device);
    if (watch != null) {
      watch.begun.forEach(work -> work.neverAwaited(watch));
      watch.teller.deviceCloses();
    }
  }

  /**
   * A device was closed: work that uses it still cannot go on.
   *
   * @param device of {@link #opened}
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
   * The process ends: what nobody has awaited is told of. Whoever reports what was told calls this
   * first; it is done once.
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
   * {@return the note of work that begins now}
   *
   * @param <T> the type of the work
   * @param devices on which, open ones
   * @param what it is, with its article
   * @param work the work itself, which is not kept reachable by this
   * @param deviceCloses is called after one of the devices was closed, if the work has not ended
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

  /** The line of the program that has started the work. */
  private static StackTraceElement caller(String startedFrom) {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> !isPassedOver(frame.getClassName(), startedFrom))
                    .findFirst()
                    .map(StackWalker.StackFrame::toStackTraceElement)
                    .orElseGet(() -> new StackTraceElement("unknown", "unknown", null, -1)));
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

  /** Somebody awaits the work, and hears how it ends. */
  public void awaited() {
    boolean _ = settle();
  }

  /** The work has ended, so that no device matters to it any more; somebody may still await it. */
  public void ended() {
    deviceCloses = () -> {};
    synchronized (this) {
      if (!settled) {
        return;
      }
    }
    forget();
  }

  /** The work was not begun, or is over and nobody needs to be told of it. */
  public void forget() {
    boolean _ = settle();
    watches.forEach(watch -> watch.begun.remove(this));
  }

  /**
   * The work has failed, which nobody may ever hear of.
   *
   * @param cause why
   */
  public void failed(Throwable cause) {
    failure = cause;
  }

  /** {@return what it is, with its article} */
  public String what() {
    return what;
  }

  /** {@return where the program has started it} */
  public StackTraceElement place() {
    return place;
  }

  /** {@return why it has failed, if it has} */
  public @Nullable Throwable failure() {
    return failure;
  }
}
