package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The memory of one shared array, or the dynamic shared memory, of a block. */
public final class SharedStorage {
  /** Wants to know of accesses. */
  interface Accesses {
    /** The thread that runs reads some bytes. */
    void read(SharedStorage storage, int from, int bytes);

    /** The thread that runs writes some bytes. */
    void write(SharedStorage storage, int from, int bytes);
  }

  private final long[] longs;
  private final MemorySegment memory;
  private @Nullable Accesses watch;
  private int number = -1;

  SharedStorage(int bytes) {
    // Longs, so that it is aligned for elements of every type.
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

  /** Who wants to know of every access, if anybody does. */
  @Nullable Accesses watch() {
    return watch;
  }

  void watch(@Nullable Accesses by) {
    watch = by;
  }

  /** Which one of its block's it is, once that is asked; -1 before. */
  int number() {
    return number;
  }

  void number(int is) {
    number = is;
  }
}
