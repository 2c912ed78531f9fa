package dev.stretto;

import dev.stretto.settings.Settings;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What was opened and not closed. Off, it costs nothing; with the system property {@code
 * dev.stretto.leaks=true} it keeps the stack of every allocation, and reports through the logger
 * {@code dev.stretto} what is garbage collected without having been closed.
 */
final class Leaks {
  private static final boolean ON = Settings.LEAKS.value();
  private static final Cleaner CLEANER = Cleaner.create();
  private static final Watched UNWATCHED = new Watched(null, null);

  private final Set<Opened> open = ConcurrentHashMap.newKeySet();

  /** One thing that is watched. */
  static final class Watched {
    private final @Nullable Opened opened;
    private final Cleaner.@Nullable Cleanable cleanable;

    private Watched(@Nullable Opened opened, Cleaner.@Nullable Cleanable cleanable) {
      this.opened = opened;
      this.cleanable = cleanable;
    }

    /** Says that it was closed as it should be. */
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

  /** {@return what nobody watches} */
  static Watched unwatched() {
    return UNWATCHED;
  }

  /** {@return what watches over a thing, which is described only if it does} */
  <T> Watched watch(T thing, Function<? super T, String> what) {
    if (!ON) {
      return UNWATCHED;
    }
    Opened opened = new Opened(what.apply(thing), open);
    open.add(opened);
    return new Watched(opened, CLEANER.register(thing, opened));
  }

  /** Says that all of it goes with the device. */
  void closedWithTheDevice() {
    open.forEach(opened -> opened.closed = true);
    open.clear();
  }

  /** Each thing that is open now, with its allocation's stack as the cause. */
  List<Leak> report() {
    return open.stream().map(opened -> new Leak(opened.what, opened.where)).toList();
  }
}
