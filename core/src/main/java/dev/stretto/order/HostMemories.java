package dev.stretto.order;

import java.lang.foreign.MemorySegment;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The accesses to host memory: to each Java array, and to the memory of each arena. They are kept
 * as long as the array or the arena is.
 */
public final class HostMemories {
  /** A key that does not keep its object, and is equal to those of the same object only. */
  @SuppressWarnings("ReferenceEquality") // arrays and arenas are told apart by what they are
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object of, @Nullable ReferenceQueue<Object> gone) {
      super(of, gone);
      this.hash = System.identityHashCode(of);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other == this || (other instanceof Key key && get() != null && key.get() == get());
    }
  }

  private static final Map<Key, Accesses> ALL = new HashMap<>();
  private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();

  private HostMemories() {}

  /** {@return the accesses to the memory that a segment is in} */
  public static Accesses of(MemorySegment segment) {
    Object holder = segment.heapBase().orElse(segment.scope());
    String name = segment.isNative() ? "host memory" : holder.getClass().getSimpleName();
    synchronized (ALL) {
      for (Object key = GONE.poll(); key != null; key = GONE.poll()) {
        ALL.remove(key);
      }
      return ALL.computeIfAbsent(new Key(holder, GONE), _ -> new Accesses(() -> name));
    }
  }
}
