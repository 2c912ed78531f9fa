package dev.stretto.order;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The accesses to host memory: to each Java array, and to the memory of each arena. They are kept
 * as long as the array or the arena is.
 *
 * <p>The segment of a direct buffer, and one of an array that may only be read, do not give away
 * the object that they belong to. Their scopes are equal if it is the same, but each segment has a
 * scope of its own. So one of those is kept as long as accesses to the memory matter.
 */
public final class HostMemories {
  /** What is kept, or looked for: equal if it is of the same memory. */
  private sealed interface Place permits Key, Sought {}

  /** A key that does not keep its object. */
  private static final class Key extends WeakReference<Object> implements Place {
    private final int hash;

    Key(Object of, ReferenceQueue<Object> gone) {
      super(of, gone);
      this.hash = hash(of);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other == this || (other instanceof Key key && isSame(get(), key.get()));
    }
  }

  /** An array or a scope that is looked for among the keys. */
  private record Sought(Object holder) implements Place {
    @Override
    public int hashCode() {
      return hash(holder);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && isSame(holder, key.get());
    }
  }

  private record Kept(Object scope, Accesses memory) {}

  /** So many scopes are kept without a question whether that is needed. */
  private static final int MANY = 1 << 6;

  private static final Class<?> GLOBAL = Arena.global().scope().getClass();

  private static final ConcurrentHashMap<Place, Accesses> ALL = new ConcurrentHashMap<>();
  private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
  private static final ArrayDeque<Kept> KEPT = new ArrayDeque<>();

  /** Read by every access of a program that is watched. */
  private static volatile boolean hasAny;

  private HostMemories() {}

  /** {@return whether there may be accesses to any memory} */
  public static boolean hasAny() {
    return hasAny;
  }

  /** {@return the accesses to the memory that a segment is in} */
  public static Accesses of(MemorySegment segment) {
    Object holder = segment.heapBase().orElse(segment.scope());
    Accesses known = find(holder);
    return known == null ? add(segment, holder) : known;
  }

  /**
   * {@return the accesses to the memory of an array or a scope, if it was ever asked for; otherwise
   * null}
   */
  public static @Nullable Accesses find(Object holder) {
    return ALL.get(new Sought(holder));
  }

  private static synchronized Accesses add(MemorySegment segment, Object holder) {
    for (Object key = GONE.poll(); key != null; key = GONE.poll()) {
      if (key instanceof Key gone) {
        ALL.remove(gone);
      }
    }
    String name = segment.isNative() ? "host memory" : nameOf(holder);
    Accesses memory = ALL.computeIfAbsent(new Key(holder, GONE), _ -> new Accesses(() -> name));
    hasAny = true;
    if (GLOBAL.isInstance(holder)) {
      if (KEPT.size() >= MANY) {
        KEPT.removeIf(kept -> kept.memory.isOver());
      }
      KEPT.add(new Kept(holder, memory));
    }
    return memory;
  }

  private static String nameOf(Object holder) {
    return holder.getClass().isArray() ? holder.getClass().getSimpleName() : "an array";
  }

  private static int hash(Object holder) {
    return holder instanceof MemorySegment.Scope scope
        ? scope.hashCode() // of a scope of an object: the object's own
        : System.identityHashCode(holder);
  }

  @SuppressWarnings("ReferenceEquality") // arrays and arenas are told apart by what they are
  private static boolean isSame(@Nullable Object one, @Nullable Object other) {
    if (one == null || other == null) {
      return false;
    }
    boolean isScope = one instanceof MemorySegment.Scope;
    if (isScope == other instanceof MemorySegment.Scope) {
      return isScope ? one.equals(other) : one == other;
    }
    return isScope ? one.equals(scopeOf(other)) : scopeOf(one).equals(other);
  }

  private static Object scopeOf(Object array) {
    return Objects.requireNonNull(segment(array)).scope();
  }

  /** {@return an array of numbers as a segment; null for any other object} */
  static @Nullable MemorySegment segment(Object array) {
    return switch (array) {
      case byte[] bytes -> MemorySegment.ofArray(bytes);
      case int[] ints -> MemorySegment.ofArray(ints);
      case float[] floats -> MemorySegment.ofArray(floats);
      case long[] longs -> MemorySegment.ofArray(longs);
      case double[] doubles -> MemorySegment.ofArray(doubles);
      case short[] shorts -> MemorySegment.ofArray(shorts);
      case char[] chars -> MemorySegment.ofArray(chars);
      default -> null;
    };
  }
}
