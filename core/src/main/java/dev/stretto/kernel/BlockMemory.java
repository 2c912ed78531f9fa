package dev.stretto.kernel;

import dev.stretto.driver.KernelTwin;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The shared memory of a block on a virtual device. */
final class BlockMemory {
  private static final long POISON =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
          ? KernelTwin.FRESH_MEMORY * 0x0001_0001_0001_0001L
          : Long.reverseBytes(KernelTwin.FRESH_MEMORY * 0x0001_0001_0001_0001L);

  private static final ValueLayout.OfShort POISONED =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Map<CallPath, SharedStorage> arrays = new HashMap<>();
  private final Set<SharedStorage> live = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<SharedStorage> numbered = new ArrayList<>();
  private final SharedStorage dynamic;
  private final SharedRaceDetector watch;

  BlockMemory(int dynamicBytes, SharedRaceDetector watch) {
    this.dynamic = new SharedStorage(dynamicBytes);
    this.watch = watch;
  }

  /** A block begins: nothing is left of what the one before has written. */
  void begin() {
    live.clear();
  }

  /** What an array held no longer counts. */
  static void poison(MemorySegment elements) {
    for (long at = 0; at < elements.byteSize(); at += Short.BYTES) {
      elements.set(POISONED, at, KernelTwin.FRESH_MEMORY);
    }
  }

  SharedStorage dynamic() {
    return fresh(dynamic);
  }

  /** The array of the place in the kernel from which this is called. */
  SharedStorage shared(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException(
          "shared memory of " + bytes + " bytes: has to be 1 or more");
    }
    SharedStorage array = arrays.computeIfAbsent(CallPath.here(), _ -> new SharedStorage(bytes));
    if (array.bytes() != bytes) {
      throw new IllegalArgumentException(
          "shared memory of "
              + bytes
              + " bytes, where another thread or block has asked for "
              + array.bytes()
              + ": the length has to be a constant");
    }
    return fresh(array);
  }

  private SharedStorage fresh(SharedStorage array) {
    if (live.add(array)) {
      array.fill(POISON);
      watch.watch(array);
    }
    return array;
  }

  /** The storage of the same place in the kernel as one of another block. */
  SharedStorage counterpart(BlockMemory other, SharedStorage storage) {
    if (storage == other.dynamic) {
      return fresh(dynamic);
    }
    for (Map.Entry<CallPath, SharedStorage> entry : other.arrays.entrySet()) {
      if (entry.getValue() == storage) {
        return fresh(
            arrays.computeIfAbsent(entry.getKey(), _ -> new SharedStorage(storage.bytes())));
      }
    }
    throw new AssertionError("shared memory of another block");
  }

  /** The arrays that threads of the block have got. */
  Set<SharedStorage> live() {
    return live;
  }

  /** A number by which descriptors of matrices name an array. */
  int number(SharedStorage storage) {
    if (storage.number() < 0) {
      storage.number(numbered.size());
      numbered.add(storage);
    }
    return storage.number();
  }

  /** The array that a descriptor names. */
  SharedStorage storage(int number) {
    if (number >= numbered.size()) {
      throw new IllegalArgumentException("no shared array has the number of a matrix's descriptor");
    }
    return numbered.get(number);
  }
}
