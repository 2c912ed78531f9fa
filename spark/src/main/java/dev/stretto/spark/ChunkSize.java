package dev.stretto.spark;

/**
 * How much of its part of the memory a task's flow takes.
 *
 * @param bytes of a chunk as it comes in, a multiple of a row
 * @param depth how many chunks are in flight
 * @param pinnedBytes how much host memory all of them have, coming in and going out
 */
record ChunkSize(long bytes, int depth, long pinnedBytes) {
  private static final long MOST = 4 << 20;
  private static final int DEPTH = 4;

  /** Of the task's part: the rest is for what its stages hold, and for the staging of copies. */
  private static final int PART = 2;

  /**
   * {@return the size for rows of so many bytes}
   *
   * @throws TaskMemoryException if the task has too little memory for a row in each chunk
   */
  static ChunkSize of(TaskDevice task, int rowIn, int rowOut) {
    return of(task.memoryBytes(), task.pinnedBytes(), rowIn, rowOut);
  }

  static ChunkSize of(long memoryBytes, long pinnedBytes, int rowIn, int rowOut) {
    long row = (long) rowIn + rowOut;
    long room = Math.min(memoryBytes, pinnedBytes) / PART / DEPTH;
    long rows = Math.min(room / row, Math.max(1, MOST / Math.max(rowIn, rowOut)));
    if (rows < 1) {
      throw new TaskMemoryException(
          "rows of %d bytes that become %d: %d chunks at a time have to fit into half of what this"
              .concat(" task may have, %d bytes of the device's memory and %d of pinned memory;")
              .concat(" raise %s or %s")
              .formatted(
                  rowIn,
                  rowOut,
                  DEPTH,
                  memoryBytes,
                  pinnedBytes,
                  SparkSettings.PINNED,
                  SparkSettings.SPARK_AMOUNT));
    }
    return new ChunkSize(rows * rowIn, DEPTH, rows * row * DEPTH);
  }
}
