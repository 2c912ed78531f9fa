package dev.stretto.kernel;

import dev.stretto.driver.KernelTwin;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The shared memory of a block on a virtual device. */
final class BlockMemory {
  private static final long POISON =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
          ? KernelTwin.FRESH_MEMORY * 0x0001_0001_0001_0001L
          : Long.reverseBytes(KernelTwin.FRESH_MEMORY * 0x0001_0001_0001_0001L);

  private static final ValueLayout.OfShort POISONED =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final class Array {
    private final long[] storage;
    private final MemorySegment memory;
    private int block;

    Array(int bytes) {
      // Longs, so that it is aligned for elements of every type.
      this.storage = new long[(bytes + 7) / 8];
      this.memory = MemorySegment.ofArray(storage).asSlice(0, bytes);
    }
  }

  private final Map<CallPath, Array> arrays = new HashMap<>();
  private final Array dynamic;
  private int block;

  BlockMemory(int dynamicBytes) {
    this.dynamic = new Array(dynamicBytes);
  }

  /** A block begins: nothing is left of what the one before has written. */
  void begin() {
    block++;
  }

  /** What an array held no longer counts. */
  static void poison(MemorySegment elements) {
    for (long at = 0; at < elements.byteSize(); at += Short.BYTES) {
      elements.set(POISONED, at, KernelTwin.FRESH_MEMORY);
    }
  }

  MemorySegment dynamic() {
    return fresh(dynamic);
  }

  /** The array of the place in the kernel from which this is called. */
  MemorySegment shared(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException(
          "shared memory of " + bytes + " bytes: has to be 1 or more");
    }
    Array array = arrays.computeIfAbsent(CallPath.here(), any -> new Array(bytes));
    if (array.memory.byteSize() != bytes) {
      throw new IllegalArgumentException(
          "shared memory of "
              + bytes
              + " bytes, where another thread or block has asked for "
              + array.memory.byteSize()
              + ": the length has to be a constant");
    }
    return fresh(array);
  }

  private MemorySegment fresh(Array array) {
    if (array.block != block) {
      array.block = block;
      Arrays.fill(array.storage, POISON);
    }
    return array.memory;
  }
}
