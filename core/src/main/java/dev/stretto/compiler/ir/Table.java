package dev.stretto.compiler.ir;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table keyed by blocks or values, by identity. Asking for a key that was never added is a bug in
 * the compiler.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class Table<K, V> {
  private final IdentityHashMap<K, V> map;

  /** Creates an empty table. */
  public Table() {
    map = new IdentityHashMap<>();
  }

  /**
   * Creates an empty table.
   *
   * @param expected how many keys it may get
   */
  public Table(int expected) {
    map = new IdentityHashMap<>(expected);
  }

  /** {@return the value of a key} */
  public V get(K key) {
    return Objects.requireNonNull(map.get(key), "this is not a block or value of the kernel");
  }

  /** {@return the value of a key, or null} */
  public @Nullable V find(@Nullable Object key) {
    return map.get(key);
  }

  /** {@return whether a key has a value} */
  public boolean has(K key) {
    return map.containsKey(key);
  }

  /**
   * Adds a value.
   *
   * @return whether the key is new
   */
  public boolean put(K key, V value) {
    return map.put(key, value) == null;
  }

  /** {@return the value of a key, created now if there is none} */
  public V make(K key, Function<? super K, ? extends V> maker) {
    return map.computeIfAbsent(key, maker);
  }

  /** {@return all values} */
  public Collection<V> values() {
    return map.values();
  }

  /** {@return how many keys there are} */
  public int size() {
    return map.size();
  }
}
