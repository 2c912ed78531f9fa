package dev.stretto.misuse;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** The objects of Stretto's that a round has: live ones, closed, lost, and of other drivers. */
final class Holdings {
  private static final int OF_EACH_CLASS = 10;
  private final Map<Class<?>, List<Object>> objects = new LinkedHashMap<>();
  private final ArrayDeque<AutoCloseable> dropped = new ArrayDeque<>();

  /** Takes one, and drops another of its class if there are many. */
  @SuppressWarnings("ReferenceEquality") // this very object
  synchronized void add(Object object, Random random) {
    Class<?> type = object.getClass();
    if (!type.getName().startsWith("dev.stretto")
        || type.getName().startsWith("dev.stretto.misuse")
        || type.getName().startsWith("dev.stretto.driver.virtual")
        || type.isEnum()) {
      return;
    }
    List<Object> same = objects.computeIfAbsent(type, _ -> new ArrayList<>());
    for (Object known : same) {
      if (known == object) {
        return;
      }
    }
    if (same.size() < OF_EACH_CLASS) {
      same.add(object);
    } else if (same.set(random.nextInt(OF_EACH_CLASS), object) instanceof AutoCloseable resource) {
      dropped.add(resource);
    }
  }

  /** {@return one that fits the type, if there is any} */
  synchronized Optional<Object> any(Class<?> type, Random random) {
    int fitting = 0;
    for (Map.Entry<Class<?>, List<Object>> entry : objects.entrySet()) {
      fitting += type.isAssignableFrom(entry.getKey()) ? entry.getValue().size() : 0;
    }
    if (fitting == 0) {
      return Optional.empty();
    }
    int at = random.nextInt(fitting);
    for (Map.Entry<Class<?>, List<Object>> entry : objects.entrySet()) {
      if (type.isAssignableFrom(entry.getKey())) {
        if (at < entry.getValue().size()) {
          return Optional.of(entry.getValue().get(at));
        }
        at -= entry.getValue().size();
      }
    }
    throw new AssertionError(type);
  }

  /** {@return one that was dropped and is to be closed, or nothing} */
  synchronized Optional<AutoCloseable> nextDropped() {
    return Optional.ofNullable(dropped.poll());
  }

  /** {@return all that can be closed} Nothing is left. */
  synchronized List<AutoCloseable> takeAll() {
    List<AutoCloseable> all = new ArrayList<>(dropped);
    dropped.clear();
    for (List<Object> same : objects.values()) {
      for (Object object : same) {
        if (object instanceof AutoCloseable resource) {
          all.add(resource);
        }
      }
    }
    objects.clear();
    return all;
  }
}
