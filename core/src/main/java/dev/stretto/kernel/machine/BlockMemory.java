package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The shared memory of a block on a virtual device. */
public final class BlockMemory {
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

  public SharedStorage dynamic() {
    return fresh(dynamic);
  }

  /** The array of the place in the kernel from which this is called. */
  public SharedStorage shared(int bytes) {
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
      array.fill(UndefinedValues.LONG);
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
