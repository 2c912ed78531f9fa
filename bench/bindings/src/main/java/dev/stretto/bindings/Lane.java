package dev.stretto.bindings;

import java.nio.ByteBuffer;

/**
 * What an expert has for one chunk on its way: pinned buffers, device memory of the same size, a
 * stream, and an event that says when the buffers are free again.
 */
interface Lane {
  /** {@return the pinned buffer that is copied to the device, in native order} */
  ByteBuffer toDevice();

  /** {@return the pinned buffer that the device is copied to, in native order} */
  ByteBuffer fromDevice();

  /** Enqueues a copy to the device's first array. */
  void in(int bytes, long position);

  /** Enqueues a copy from the device's first array. */
  void out(int bytes, long position);

  /** Enqueues a copy in, the cipher, and a copy out. */
  void through(int bytes, long position);

  /** Enqueues a copy in, and adds its words to the total. */
  void sum(int bytes);

  /** Awaits what was enqueued last. */
  void await();
}
