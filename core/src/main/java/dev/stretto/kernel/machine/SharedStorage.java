package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

  /** Sees which threads use the memory, where those of other blocks do too. */
  interface Uses {
    /** Called before the running thread accesses it. */
    void uses();

    /** Whether the running thread belongs to another block. */
    boolean areFromOutside();
  }

  private static final MemorySegment POISON = MemorySegment.ofArray(new long[512]);

  static {
    for (long at = 0; at < POISON.byteSize(); at += Long.BYTES) {
      POISON.set(ValueLayout.JAVA_LONG, at, UndefinedValues.LONG);
    }
  }

  private final MemorySegment memory;
  private @Nullable Accesses watch;
  private @Nullable PackedAccesses packed;
  private @Nullable Uses outside;
  private int number = -1;

  SharedStorage(int bytes) {
    // Longs, so that the memory is aligned for elements of every type.
    this(MemorySegment.ofArray(new long[(bytes + 7) / 8]).asSlice(0, bytes));
  }

  /** Creates storage in a part of a block's memory. */
  SharedStorage(MemorySegment memory) {
    this.memory = memory;
  }

  MemorySegment memory() {
    return memory;
  }

  public int bytes() {
    return (int) memory.byteSize();
  }

  /** Makes the content undefined. */
  void poison() {
    for (long at = 0; at < memory.byteSize(); at += POISON.byteSize()) {
      long bytes = Math.min(POISON.byteSize(), memory.byteSize() - at);
      MemorySegment.copy(POISON, 0, memory, at, bytes);
    }
  }

  /** The observer of every access; null if there is none. */
  @Nullable Accesses watch() {
    return watch;
  }

  /**
   * Has accesses observed.
   *
   * @param by the observer; null for nobody
   * @param plain where plain accesses are kept as numbers; null if they are not
   */
  void watch(@Nullable Accesses by, @Nullable PackedAccesses plain) {
    watch = by;
    packed = plain;
  }

  /** Plain accesses, if they are watched and kept as numbers. */
  @Nullable PackedAccesses packed() {
    return packed;
  }

  /** Says that plain accesses are objects from now on. */
  void unpack() {
    packed = null;
  }

  /** Says that threads of other blocks use it too. */
  void outside(Uses uses) {
    outside = uses;
  }

  /** Called before the running thread accesses it. */
  void isUsed() {
    if (outside != null) {
      outside.uses();
    }
  }

  /** Whether the running thread belongs to another block. */
  boolean isOfAnotherBlock() {
    return outside != null && outside.areFromOutside();
  }

  /** The number of this storage in its block; -1 until a descriptor needs one. */
  int number() {
    return number;
  }

  void number(int is) {
    number = is;
  }
}
