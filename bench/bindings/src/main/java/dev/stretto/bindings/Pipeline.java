package dev.stretto.bindings;

/** An array on the heap through the device in chunks, enciphered there, into another array. */
@FunctionalInterface
interface Pipeline {
  /** Returns when the target has all of it. */
  void through(long[] source, long[] target, int chunkWords);
}
