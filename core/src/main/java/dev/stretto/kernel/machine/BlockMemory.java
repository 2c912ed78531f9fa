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
  private List<SharedStorage> laid = List.of();

  BlockMemory(int dynamicBytes, SharedRaceDetector watch) {
    this.dynamic = new SharedStorage(dynamicBytes);
    this.watch = watch;
  }

  /**
   * Says where the kernel's arrays are, if its code knows that.
   *
   * @param arrays what there is from the begin of every block on
   */
  void lay(List<SharedStorage> arrays) {
    laid = arrays;
  }

  /** Called when a block begins: nothing that the previous block wrote is left. */
  void begin() {
    live.clear();
    for (SharedStorage array : laid) {
      array.poison();
      watch.watch(array);
    }
  }

  public SharedStorage dynamic() {
    return fresh(dynamic);
  }

  /** The array that belongs to the place in the kernel from which this is called. */
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
      array.poison();
      watch.watch(array);
    }
    return array;
  }

  /**
   * The storage that this block has for the same place in the kernel as another block's storage.
   */
  SharedStorage counterpart(BlockMemory other, SharedStorage storage) {
    if (storage == other.dynamic) {
      return fresh(dynamic);
    }
    for (int i = 0; i < other.laid.size(); i++) {
      if (other.laid.get(i) == storage) {
        return laid.get(i);
      }
    }
    for (Map.Entry<CallPath, SharedStorage> entry : other.arrays.entrySet()) {
      if (entry.getValue() == storage) {
        return fresh(
            arrays.computeIfAbsent(entry.getKey(), _ -> new SharedStorage(storage.bytes())));
      }
    }
    throw new AssertionError("shared memory of another block");
  }

  /** The number that stands for an array in matrix descriptors. */
  int number(SharedStorage storage) {
    if (storage.number() < 0) {
      storage.number(numbered.size());
      numbered.add(storage);
    }
    return storage.number();
  }

  /** The array that a number in a descriptor stands for. */
  SharedStorage storage(int number) {
    if (number >= numbered.size()) {
      throw new IllegalArgumentException("no shared array has the number of a matrix's descriptor");
    }
    return numbered.get(number);
  }
}
