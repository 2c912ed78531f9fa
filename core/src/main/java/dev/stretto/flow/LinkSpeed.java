package dev.stretto.flow;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a copy to a device costs: so much for each copy, and so much for each byte. Measured once
 * for a device, in a few milliseconds.
 *
 * @param nanosPerCopy of a copy, however small
 * @param bytesPerNano beyond that
 */
record LinkSpeed(double nanosPerCopy, double bytesPerNano) {
  private static final long SMALL = 256 << 10;
  private static final long LARGE = 4 << 20;
  private static final int COPIES = 8;
  private static final int ROUNDS = 5;

  private static final Map<Device, LinkSpeed> MEASURED = new WeakHashMap<>();

  /** {@return what was measured, if it was} */
  static @Nullable LinkSpeed known(Device device) {
    synchronized (MEASURED) {
      return MEASURED.get(device);
    }
  }

  static LinkSpeed of(Device device) {
    LinkSpeed known = known(device);
    if (known != null) {
      return known;
    }
    LinkSpeed measured = measure(device);
    synchronized (MEASURED) {
      MEASURED.put(device, measured);
    }
    return measured;
  }

  /** {@return nanoseconds that a copy takes} */
  double nanos(long bytes) {
    return nanosPerCopy + bytes / bytesPerNano;
  }

  private static LinkSpeed measure(Device device) {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(LARGE)) {
      MemorySegment host = pinned.allocate(LARGE);
      time(stream, host, array); // warms up
      double small = time(stream, host.asSlice(0, SMALL), array.slice(0, SMALL));
      double large = time(stream, host, array);
      double bytesPerNano = (LARGE - SMALL) / Math.max(large - small, 1);
      double nanosPerCopy = Math.max(small - SMALL / bytesPerNano, 100);
      return new LinkSpeed(nanosPerCopy, bytesPerNano);
    }
  }

  /** Nanoseconds of one copy, the median of several rounds of several copies. */
  private static double time(Stream stream, MemorySegment host, GlobalBytes array) {
    double[] rounds = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      try (TimedEvent begin = stream.recordTimed()) {
        for (int i = 0; i < COPIES; i++) {
          stream.copy(host, array);
        }
        try (TimedEvent end = stream.recordTimed()) {
          end.await();
          rounds[round] = begin.nanosTo(end) / COPIES;
        }
      }
    }
    Arrays.sort(rounds);
    return rounds[ROUNDS / 2];
  }
}
