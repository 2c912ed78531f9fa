package dev.stretto.agent;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** What class loaders see of Stretto, and of the classes that the program extends. */
final class Loaders {
  private static final String HOOKS = Supertypes.nameOf(Hook.ACCESSES);

  /**
   * What a loader sees.
   *
   * @param its the class whose methods are the hooks; it refers to nothing if there is none
   * @param supertypes who extends whom
   */
  record Seen(WeakReference<@Nullable Class<?>> its, Supertypes supertypes) {
    Seen(@Nullable Class<?> hooks, Supertypes supertypes) {
      this(new WeakReference<>(hooks), supertypes);
    }

    /** {@return the class whose methods are the hooks; null if the loader does not see Stretto} */
    @Nullable Class<?> hooks() {
      return its.get();
    }
  }

  /** Whether this thread is asking a loader, which may load classes of its own for that. */
  private final ThreadLocal<@Nullable Boolean> isAsking = new ThreadLocal<>();

  private final Map<ClassLoader, Seen> all = new WeakHashMap<>();

  /** {@return what a loader sees} */
  Seen of(ClassLoader loader) {
    Seen known;
    synchronized (all) {
      known = all.get(loader);
    }
    if (known != null || isAsking.get() != null) {
      return known == null ? new Seen((Class<?>) null, new Supertypes(loader)) : known;
    }
    Seen seen = new Seen(hooks(loader), new Supertypes(loader)); // with no lock held
    synchronized (all) {
      Seen first = all.putIfAbsent(loader, seen);
      return first == null ? seen : first;
    }
  }

  private @Nullable Class<?> hooks(ClassLoader loader) {
    isAsking.set(true);
    try {
      return Class.forName(HOOKS, false, loader);
    } catch (ClassNotFoundException | LinkageError _) {
      return null;
    } finally {
      isAsking.remove();
    }
  }
}
