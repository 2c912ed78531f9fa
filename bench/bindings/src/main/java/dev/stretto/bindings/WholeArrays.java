package dev.stretto.bindings;

/** An array on the heap as a whole, to the device and back. */
interface WholeArrays {
  /** Returns when the device has all of it. */
  void in(long[] source);

  /** Copies back what the device has got. */
  void out(long[] target);
}
