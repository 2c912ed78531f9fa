package dev.stretto;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelReference;
import dev.stretto.route.GuardedBy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The kernels that were compiled from methods for a device, one for each set of constants. If a
 * method keeps getting new constants, its least recently used kernels are forgotten and unloaded.
 */
final class MethodKernels {
  /** More kernels of one method than a program would have on purpose. */
  static final int MOST_OF_A_METHOD = 64;

  /** How many kernels of a method are found by a glance at the arguments. */
  private static final int MOST_LATEST = 8;

  /**
   * {@code equals} and {@code hashCode} are written by hand, because those that the compiler
   * generates for a record use method handles: when many virtual threads launched at the same
   * moment, some pinned their carriers there.
   */
  private record Key(KernelReference method, List<Object> constants, boolean checked) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that
          && method.equals(that.method)
          && KernelReference.areSame(constants, that.constants)
          && checked == that.checked;
    }

    @Override
    public int hashCode() {
      return (31 * method.hashCode() + constants.hashCode()) * 31 + Boolean.hashCode(checked);
    }
  }

  /** A kernel and the approximate time of its last use: threads do not synchronize to update it. */
  static final class Compiled {
    private final Key key;
    private final DeviceKernel kernel;
    private long lastUse;
    private volatile @Nullable LoadedKernel loaded;

    private Compiled(Key key, DeviceKernel kernel, long lastUse) {
      this.key = key;
      this.kernel = kernel;
      this.lastUse = lastUse;
    }

    DeviceKernel kernel() {
      return kernel;
    }

    /**
     * {@return a launch of this kernel, which only the caller has until it puts it back; null if
     * the kernel has to be loaded}
     */
    @Nullable RepeatedLaunch take(Grid grid) {
      LoadedKernel known = loaded;
      return known == null || !known.module().isOpen() ? null : take(known, grid);
    }

    RepeatedLaunch take(LoadedKernel known, Grid grid) {
      return known.idle().take(known, grid, key.method, key.constants);
    }
  }

  /** A kernel with its last use, read once, because other threads may update it meanwhile. */
  private record Aged(Map.Entry<Key, Compiled> entry, long lastUse) {}

  private final DeviceProperties properties;
  private final LoadedKernels loaded;
  private final Map<Key, Compiled> kernels = new ConcurrentHashMap<>();

  /** Loaded kernels of each method, the latest first, so that a launch finds its kernel at once. */
  private final Map<KernelReference, Compiled[]> latest = new ConcurrentHashMap<>();

  private long uses;

  @GuardedBy("this")
  private final List<KernelReference> warned = new ArrayList<>();

  MethodKernels(DeviceProperties properties, LoadedKernels loaded) {
    this.properties = properties;
    this.loaded = loaded;
  }

  /**
   * {@return the kernel of a method that was launched last, or null} It may be one for other
   * constants.
   */
  @Nullable Compiled latest(KernelReference method) {
    Compiled[] known = loaded.isCrowded() ? null : latest.get(method);
    return known == null ? null : used(known[0]);
  }

  /** {@return the kernel for a launch's arguments, or null if it was not launched lately} */
  @Nullable Compiled latest(KernelReference method, Object[] arguments) {
    Compiled[] known = loaded.isCrowded() ? null : latest.get(method);
    if (known != null) {
      for (Compiled each : known) {
        if (RepeatedLaunch.isFor(method, each.key.constants, arguments)) {
          return used(each);
        }
      }
    }
    return null;
  }

  private @Nullable Compiled used(Compiled known) {
    if (known.key.checked != known.key.method.isChecked()) {
      return null;
    }
    known.lastUse = ++uses;
    return known;
  }

  /** Notes that a kernel was loaded to be launched. */
  synchronized void loaded(Compiled compiled, LoadedKernel as) {
    compiled.loaded = as;
    Key key = compiled.key;
    if (kernels.get(key) != compiled) {
      return; // it was forgotten meanwhile
    }
    Compiled[] before = latest.getOrDefault(key.method, new Compiled[0]);
    Compiled[] others =
        Arrays.stream(before)
            .filter(each -> each != compiled)
            .limit(MOST_LATEST - 1)
            .toArray(Compiled[]::new);
    Compiled[] after = new Compiled[others.length + 1];
    after[0] = compiled;
    System.arraycopy(others, 0, after, 1, others.length);
    latest.put(key.method, after);
  }

  /**
   * Compiles on virtual devices too, so that they refuse whatever the compiler for a GPU refuses.
   */
  Compiled kernel(KernelReference method, List<Object> constants) {
    Key key = new Key(method, constants, method.isChecked());
    Compiled known = kernels.get(key);
    if (known == null) {
      known = kernels.computeIfAbsent(key, this::compile);
      forgetSome(method);
    } else {
      known.lastUse = ++uses;
    }
    return known;
  }

  private Compiled compile(Key key) {
    return new Compiled(
        key,
        key.method().compile(key.constants(), properties.computeMajor(), properties.computeMinor()),
        ++uses);
  }

  private void forgetSome(KernelReference method) {
    String warning = "";
    synchronized (this) {
      List<Map.Entry<Key, Compiled>> ofMethod =
          new ArrayList<>(
              kernels.entrySet().stream()
                  .filter(entry -> entry.getKey().method().isOfSameMethod(method))
                  .toList());
      if (ofMethod.size() <= MOST_OF_A_METHOD) {
        return;
      }
      if (warned.stream().noneMatch(method::isOfSameMethod)) {
        warned.add(method);
        warning = warning(method, ofMethod.stream().map(Map.Entry::getKey).toList());
      }
      oldestFirst(ofMethod).stream()
          .limit(ofMethod.size() - MOST_OF_A_METHOD)
          .forEach(
              entry -> {
                kernels.remove(entry.getKey(), entry.getValue());
                latest.remove(entry.getKey().method());
                loaded.unload(entry.getValue().kernel);
              });
    }
    if (!warning.isEmpty()) { // outside the lock: a logger may call foreign code
      System.getLogger("dev.stretto").log(System.Logger.Level.WARNING, warning);
    }
  }

  private static List<Map.Entry<Key, Compiled>> oldestFirst(List<Map.Entry<Key, Compiled>> held) {
    return held.stream()
        .map(entry -> new Aged(entry, entry.getValue().lastUse))
        .sorted(Comparator.comparingLong(Aged::lastUse))
        .map(Aged::entry)
        .toList();
  }

  private static String warning(KernelReference method, List<Key> keys) {
    List<List<Object>> values =
        keys.stream().map(key -> key.method().knownValues(key.constants())).toList();
    List<String> names = new ArrayList<>();
    List<String> instead = new ArrayList<>();
    List<String> known = method.knownNames();
    for (int i = 0; i < known.size(); i++) {
      int at = i;
      if (values.stream().map(all -> all.get(at)).distinct().count() > 1) {
        boolean captured = i < method.captured().size();
        names.add((captured ? "captured variable '" : "@Const parameter '") + known.get(i) + "'");
        instead.add(
            captured
                ? "give the kernel a parameter and pass '" + known.get(i) + "' at the launch"
                : "take @Const from '" + known.get(i) + "'");
      }
    }
    return ("%s was compiled for more than %d values of %s: each is a separate kernel, compiled"
            + " and loaded separately. From now on the least recently used are unloaded, and"
            + " compiled again when they are used. If the value changes while the program runs,"
            + " %s")
        .formatted(
            method.where(),
            MOST_OF_A_METHOD,
            String.join(" and ", names),
            String.join(" and ", instead));
  }
}
