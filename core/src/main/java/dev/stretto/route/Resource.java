package dev.stretto.route;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A resource that enqueued operations use, and that is released only after the last of them: device
 * memory, a pinned block, a module. It remembers its last use on each stream that reads or writes
 * it.
 */
public abstract class Resource {
  /** The last use of a resource on one stream. */
  static final class Use {
    final Completion stream;
    long sequence;

    Use(Completion stream, long sequence) {
      this.stream = stream;
      this.sequence = sequence;
    }
  }

  /** The listeners that wait for the release, the last one first. */
  private static final class Listeners {
    private final @Nullable Listeners before;
    private final Runnable last;

    Listeners(@Nullable Listeners before, Runnable last) {
      this.before = before;
      this.last = last;
    }

    /**
     * Calls all listeners in order of registration. Not recursive, because there may be very many.
     */
    void tell() {
      Deque<Runnable> all = new ArrayDeque<>();
      for (Listeners each = this; each != null; each = each.before) {
        all.addFirst(each.last);
      }
      all.forEach(Runnable::run);
    }
  }

  private static final int LEAST_TIDIED = 4;

  private static final Listeners RELEASED = new Listeners(null, () -> {});

  private static final VarHandle AFTER_RELEASE = afterRelease();

  private @Nullable Completion firstStream;
  private long firstSequence;
  private @Nullable Map<Completion, Use> moreUses;

  /** How many uses there may be before finished ones are removed. */
  private int tidyAt = LEAST_TIDIED;

  private volatile boolean closed;
  private int holds;

  /** Whether the resource was closed while it was held. */
  private boolean owed;

  /** The listeners for the release; {@link #RELEASED} after it, null if there are none. */
  private volatile @Nullable Listeners afterRelease;

  /** Its place in {@link OpenResources}, guarded by the driver's lock. */
  @Nullable OpenResources listedIn;

  @Nullable Resource listedBefore;
  @Nullable Resource listedBehind;

  /** {@return whether the resource may still be used} */
  public final boolean isOpen() {
    return !closed;
  }

  /**
   * Notes that an operation uses the resource.
   *
   * @param stream the operation's stream
   * @param sequence the operation's number in it
   * @return false if the resource is closed: the operation has to be refused
   */
  public final synchronized boolean use(Completion stream, long sequence) {
    if (closed) {
      return false;
    }
    Completion first = firstStream;
    if (first == stream) {
      firstSequence = Math.max(firstSequence, sequence); // a batch notes its last number first
      return true;
    }
    if (first == null || first.isKnownDone(firstSequence)) {
      firstStream = stream;
      firstSequence = sequence;
      return true;
    }
    Map<Completion, Use> uses = moreUses;
    if (uses == null) {
      uses = new LinkedHashMap<>(4);
      moreUses = uses;
    }
    Use known = uses.get(stream);
    if (known != null) {
      known.sequence = Math.max(known.sequence, sequence);
      return true;
    }
    if (uses.size() >= tidyAt) {
      uses.values().removeIf(use -> use.stream.isKnownDone(use.sequence));
      tidyAt = Math.max(LEAST_TIDIED, 2 * uses.size()); // not at each use: there may be thousands
    }
    uses.put(stream, new Use(stream, sequence));
    return true;
  }

  /** Notes the first use of a resource that no other thread knows yet. */
  final void usedFirst(Completion stream, long sequence) {
    firstStream = stream;
    firstSequence = sequence;
  }

  /** {@return the number of the last use on the stream of the first one} */
  final synchronized long firstUse() {
    return firstSequence;
  }

  /**
   * Ends the use of the resource, which is released after its last use. Does not block.
   *
   * @return false if it was closed before
   */
  public boolean closeAfterLastUse() {
    synchronized (this) {
      if (closed) {
        return false;
      }
      closed = true;
      if (holds > 0) {
        owed = true;
        return true;
      }
    }
    releaseAfterLastUse();
    return true;
  }

  /** {@return the last use on each stream that used it; these do not change once it is closed} */
  final synchronized List<Use> lastUses() {
    List<Use> uses = new ArrayList<>(2);
    if (firstStream != null) {
      uses.add(new Use(firstStream, firstSequence));
    }
    if (moreUses != null) {
      uses.addAll(moreUses.values());
    }
    return uses;
  }

  /**
   * Whether no other stream uses it. Only the thread that has closed the resource may ask: uses are
   * noted with the resource's own lock held, and none is noted after closing.
   */
  final boolean isUsedOnlyOn(Completion stream) {
    return moreUses == null && (firstStream == null || firstStream == stream);
  }

  /** Releases the closed resource when the host has seen its last uses done. */
  void releaseAfterLastUse() {
    List<Use> uses = lastUses();
    Countdown last = new Countdown(uses.size() + 1, this::release);
    for (Use use : uses) {
      use.stream.whenDone(use.sequence, last);
    }
    last.run();
  }

  /**
   * Delays the release until {@link #letGo}, even if the resource is closed meanwhile.
   *
   * @return false if it is closed and not held
   */
  public final synchronized boolean hold() {
    if (closed && holds == 0) {
      return false;
    }
    holds++;
    return true;
  }

  /** Ends a {@link #hold}. */
  public final void letGo() {
    synchronized (this) {
      holds--;
      if (holds > 0 || !owed) {
        return;
      }
      owed = false;
    }
    releaseAfterLastUse();
  }

  /** Notes that {@link #release()} is over. Further calls have no effect. */
  protected final void gone() {
    Listeners listeners = (Listeners) AFTER_RELEASE.getAndSet(this, RELEASED);
    if (listeners != null && listeners != RELEASED) {
      listeners.tell();
    }
  }

  /** Runs an action after the resource was released; at once if it already was. */
  public final void afterRelease(Runnable action) {
    whenReleased(action);
  }

  final void whenReleased(Runnable action) {
    Listeners before;
    do {
      before = afterRelease;
      if (before == RELEASED) {
        action.run();
        return;
      }
    } while (!AFTER_RELEASE.compareAndSet(this, before, new Listeners(before, action)));
  }

  private static VarHandle afterRelease() {
    try {
      return MethodHandles.lookup().findVarHandle(Resource.class, "afterRelease", Listeners.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** {@return a description of the resource, for messages} */
  public abstract String describe();

  /**
   * Releases the resource, and calls {@link #gone()} when that is done. Runs once, after the last
   * use, on any thread; must not block on the device.
   */
  protected abstract void release();
}
