package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The memory of one shared array of a block, or its dynamic shared memory. */
public final class SharedStorage {
  /** Observes accesses. */
  interface Accesses {
    /** Called when the running thread reads some bytes. */
    void read(SharedStorage storage, int from, int bytes);

    /** Called when the running thread writes some bytes. */
    void write(SharedStorage storage, int from, int bytes);
  }

  private final long[] longs;
  private final MemorySegment memory;
  private @Nullable Accesses watch;
  private int number = -1;

  SharedStorage(int bytes) {
    // Longs, so that the memory is aligned for elements of every type.
    this.longs = new long[(bytes + 7) / 8];
    this.memory = MemorySegment.ofArray(longs).asSlice(0, bytes);
  }

  MemorySegment memory() {
    return memory;
  }

  public int bytes() {
    return (int) memory.byteSize();
  }

  void fill(long value) {
    java.util.Arrays.fill(longs, value);
  }

  /** The observer of every access; null if there is none. */
  @Nullable Accesses watch() {
    return watch;
  }

  void watch(@Nullable Accesses by) {
    watch = by;
  }

  /** The number of this storage in its block; -1 until a descriptor needs one. */
  int number() {
    return number;
  }

  void number(int is) {
    number = is;
  }
}
