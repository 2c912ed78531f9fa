package dev.stretto;

import dev.stretto.settings.Settings;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The resources that are open. Off, this costs nothing. With the system property {@code
 * dev.stretto.leaks=true}, or once a test asks for it, it keeps the stack trace of every opening,
 * and logs each resource that is garbage collected without having been closed, through the logger
 * {@code dev.stretto}.
 */
final class Leaks {
  private static final boolean ALWAYS = Settings.LEAKS.value();
  private static final Cleaner CLEANER = Cleaner.create();
  private static final Watched UNWATCHED = new Watched(null, null);

  private final Set<Opened> open = ConcurrentHashMap.newKeySet();
  private volatile boolean on = ALWAYS;

  /** A resource that is watched for leaks. */
  static final class Watched {
    private final @Nullable Opened opened;
    private final Cleaner.@Nullable Cleanable cleanable;

    private Watched(@Nullable Opened opened, Cleaner.@Nullable Cleanable cleanable) {
      this.opened = opened;
      this.cleanable = cleanable;
    }

    /** Reports that the resource was closed properly. */
    void closed() {
      if (opened != null && cleanable != null) {
        opened.closed = true;
        cleanable.clean();
      }
    }
  }

  private static final class Opened implements Runnable {
    private final String what;
    private final Throwable where;
    private final Set<Opened> open;
    private volatile boolean closed;

    Opened(String what, Set<Opened> open) {
      this.what = what;
      this.where = new Throwable("allocated here");
      this.open = open;
    }

    @Override
    public void run() {
      open.remove(this);
      if (!closed) {
        System.getLogger("dev.stretto")
            .log(System.Logger.Level.WARNING, "leaked: " + what + " was never closed", where);
      }
    }
  }

  /** Makes it watch all resources that are opened from now on. */
  void watch() {
    on = true;
  }

  /** {@return a handle for a resource that is not watched} */
  static Watched unwatched() {
    return UNWATCHED;
  }

  /** {@return a handle that watches a resource} The description is made only if watching is on. */
  <T> Watched watch(T thing, Function<? super T, String> what) {
    if (!on) {
      return UNWATCHED;
    }
    Opened opened = new Opened(what.apply(thing), open);
    open.add(opened);
    return new Watched(opened, CLEANER.register(thing, opened));
  }

  /** Reports that the device is closed, and all its resources with it. */
  void closedWithTheDevice() {
    open.forEach(opened -> opened.closed = true);
    open.clear();
  }

  /** The resources that are open now, each with the stack trace of its allocation. */
  List<Leak> report() {
    return open.stream().map(opened -> new Leak(opened.what, opened.where)).toList();
  }
}
