package dev.stretto.flow;

import java.util.ArrayList;
import java.util.List;

/**
 * The stages that each chunk passes on its device, the arrays that it needs there, and what leaves
 * in the end.
 *
 * @param stages in order
 * @param isInPlace whether a stage that does not change the size works in one array
 * @param output what leaves after the last
 */
record Passage(List<PlannedStage> stages, boolean isInPlace, Output output) {
  /**
   * A chunk's arrays.
   *
   * @param sizes of each, in bytes; the chunk arrives in the first
   * @param arrayOf which one each stage reads; one more for what leaves after the last
   */
  record Layout(List<Long> sizes, List<Integer> arrayOf) {
    long bytes() {
      return sizes.stream().mapToLong(size -> size).sum();
    }
  }

  boolean resizes() {
    return stages.stream().anyMatch(PlannedStage::resizes);
  }

  /** {@return how many bytes leave a stage at most if so many enter it} */
  long most(int stage, long bytes) {
    return isLast(stage) && output.isResult()
        ? output.resultBytes()
        : stages.get(stage).most(bytes);
  }

  /** {@return how many bytes of a chunk leave the device at most} */
  long leaving(long chunkBytes) {
    if (output.isResult()) {
      return output.resultBytes();
    }
    long bytes = chunkBytes;
    for (PlannedStage stage : stages) {
      bytes = stage.most(bytes);
    }
    return output.isNothing() ? 0 : bytes;
  }

  /**
   * {@return the arrays of chunks of a size} A stage writes an array that nothing needs any more.
   */
  Layout layout(long chunkBytes) {
    List<Integer> arrayOf = new ArrayList<>(List.of(0));
    List<Long> sizes = new ArrayList<>(List.of(chunkBytes));
    long bytes = chunkBytes;
    for (int i = 0; i < stages.size(); i++) {
      bytes = most(i, bytes);
      int read = arrayOf.get(i);
      int before = i == 0 ? read : arrayOf.get(i - 1);
      if (isInPlace(i)) {
        arrayOf.add(read);
      } else if (before != read && sizes.get(before) >= bytes) {
        arrayOf.add(before);
      } else {
        arrayOf.add(sizes.size());
        sizes.add(bytes);
      }
    }
    return new Layout(sizes, arrayOf);
  }

  private boolean isInPlace(int stage) {
    boolean isSame = !stages.get(stage).resizes() && !(isLast(stage) && output.isResult());
    return isSame && (isInPlace || (isLast(stage) && output.isNothing()));
  }

  private boolean isLast(int stage) {
    return stage == stages.size() - 1;
  }
}
