package dev.stretto.compiler.ir;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to each of some blocks or values, by identity. Asking for one that was never put in
 * is a mistake of the compiler's.
 *
 * @param <K> what it is asked by
 * @param <V> what it tells
 */
public final class Table<K, V> {
  private final IdentityHashMap<K, V> map;

  /** Creates a table of nothing. */
  public Table() {
    map = new IdentityHashMap<>();
  }

  /**
   * Creates a table of nothing.
   *
   * @param expected how many keys there may be
   */
  public Table(int expected) {
    map = new IdentityHashMap<>(expected);
  }

  /** {@return what belongs to a key} */
  public V get(K key) {
    return Objects.requireNonNull(map.get(key), "what no block or value of the kernel is");
  }

  /** {@return what belongs to a key, or null} */
  public @Nullable V find(@Nullable Object key) {
    return map.get(key);
  }

  /** {@return whether something belongs to a key} */
  public boolean has(K key) {
    return map.containsKey(key);
  }

  /**
   * Puts something in.
   *
   * @return whether the key is new
   */
  public boolean put(K key, V value) {
    return map.put(key, value) == null;
  }

  /** {@return what belongs to a key, made now if there is nothing} */
  public V make(K key, Function<? super K, ? extends V> maker) {
    return map.computeIfAbsent(key, maker);
  }

  /** {@return all that it tells} */
  public Collection<V> values() {
    return map.values();
  }

  /** {@return how many keys there are} */
  public int size() {
    return map.size();
  }
}
