package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PeerAccess;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Measures how long a kernel waits for one word of another device's memory, or of the host's: it
 * follows pointers, and must have each one to know where the next one is. Every multiprocessor
 * takes its turn.
 */
final class PointerChase {
  /** The memory that holds the pointers. */
  static final long BYTES = 2 << 20;

  /** All steps of a sample. */
  private static final long STEPS = 1_000_000;

  /** From one pointer to the next: a cache line of 128 bytes. */
  private static final int STRIDE = 16;

  private static final int ELEMENTS = (int) BYTES / Long.BYTES;

  private final int walkers;
  private final long steps;

  /** As many walkers as there are multiprocessors. */
  PointerChase(Device device) {
    this(device.properties().multiprocessors(), STEPS);
  }

  PointerChase(int walkers, long steps) {
    this.walkers = walkers;
    this.steps = steps / walkers;
  }

  /**
   * The median of samples, in nanoseconds per step.
   *
   * @param device runs the kernel; it can be given access to the peer's memory
   * @param peer holds the memory
   * @param sampled runs after each sample
   * @throws CommandFailure if a walker has not reached the element that the pointers lead to
   */
  double nanos(Device device, Device peer, int samples, Runnable sampled) {
    try (PeerAccess _ = device.enablePeerAccess(peer);
        GlobalLongs next = peer.allocateLongs(ELEMENTS);
        Stream stream = peer.stream()) {
      stream.copy(pointers(), next).await();
      return nanos(device, next, samples, sampled);
    }
  }

  /**
   * The same for a word of pinned host memory.
   *
   * @param device runs the kernel
   * @param sampled runs after each sample
   * @throws CommandFailure if a walker has not reached the element that the pointers lead to
   */
  double nanosOfHost(Device device, int samples, Runnable sampled) {
    try (PinnedArena pinned = device.pinnedArena()) {
      MemorySegment host = pinned.allocate(BYTES, Long.BYTES);
      MemorySegment.copy(pointers(), 0, host, ValueLayout.JAVA_LONG, 0, ELEMENTS);
      try (GlobalLongs next = device.view(host, GlobalLongs::of)) {
        return nanos(device, next, samples, sampled);
      }
    }
  }

  private double nanos(Device device, GlobalLongs next, int samples, Runnable sampled) {
    try (GlobalLongs reached = device.allocateLongs(walkers);
        Stream stream = device.stream()) {
      sample(stream, next, reached); // compiles and loads the kernel
      double[] nanos = new double[samples];
      for (int i = 0; i < samples; i++) {
        nanos[i] = sample(stream, next, reached);
        sampled.run();
      }
      return BandwidthRun.median(nanos);
    }
  }

  private static long[] pointers() {
    long[] next = new long[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
      next[i] = ((long) i + STRIDE) % ELEMENTS;
    }
    return next;
  }

  private double sample(Stream stream, GlobalLongs next, GlobalLongs reached) {
    double nanos = 0;
    stream.fill(reached, -1L);
    for (int walker = 0; walker < walkers; walker++) {
      try (TimedEvent begin = stream.recordTimed()) {
        stream.launch(Grid.of(walkers, 1), BandwidthKernels::chase, next, steps, walker, reached);
        try (TimedEvent end = stream.recordTimed()) {
          end.await();
          nanos += begin.nanosTo(end);
        }
      }
    }
    verify(stream, reached);
    return nanos / (steps * walkers);
  }

  private void verify(Stream stream, GlobalLongs reached) {
    long[] ends = new long[walkers];
    stream.copy(reached, ends).await();
    long expected = steps * STRIDE % ELEMENTS;
    for (int walker = 0; walker < walkers; walker++) {
      if (ends[walker] != expected) {
        throw new CommandFailure(
            "multiprocessor %d followed pointers to element %d; they lead to %d"
                .formatted(walker, ends[walker], expected));
      }
    }
  }
}
