package dev.stretto.bindings;

/** Small operations, 4 KiB or nothing at all, whose cost is that of the calls. */
interface Submission {
  int BYTES = 4096;
  int WORDS = BYTES / Long.BYTES;

  /** Fills the pinned buffer that {@link #copy} copies. */
  void fill(long[] words);

  /** Enqueues a copy of the pinned buffer to the device. */
  void copy();

  /** Copies an array on the heap to the device, and awaits that. */
  void copyArray(long[] words);

  /** Copies back what {@link #copy} or {@link #copyArray} copied. */
  void copyBack(long[] words);

  /** Launches a kernel that does nothing. */
  void launch();

  /** Records an event on one stream, and makes another wait for it. */
  void recordAndWait();

  /** Awaits everything. */
  void await();
}
