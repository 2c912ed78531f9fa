package dev.stretto.flow;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.PinnedUse;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a copy to a device: a fixed cost for each copy, and a cost for each byte. Measured
 * once for a device, in some ten milliseconds, in the device's own time, so host activity such as a
 * JVM that is not warmed up does not affect it.
 *
 * @param nanosPerCopy the fixed cost of a copy
 * @param bytesPerNano the rate beyond that
 */
record LinkSpeed(double nanosPerCopy, double bytesPerNano) {
  /**
   * Large enough that the fixed cost of a copy is a fraction of a percent; smaller if there is
   * little memory.
   */
  private static final long MOST_LARGE = 16 << 20;

  private static final long LEAST_LARGE = 256 << 10;

  /** How many small copies are as large as a large one. */
  private static final int SMALL_IN_LARGE = 128;

  /** How many copies are enqueued while one large copy runs, even by a cold JVM. */
  private static final int COPIES = 16;

  /** A device that was idle is slow at first, and others may use the link now and then. */
  private static final int MOST_ROUNDS = 60;

  /** The measurement ends after this many consecutive rounds without a better result. */
  private static final int ROUNDS_IN_VAIN = 12;

  /** The ratio that counts as a better result. */
  private static final double BETTER = 0.995;

  /** The time that is lost between two copies even on the fastest devices. */
  private static final double LEAST_NANOS = 100;

  private static final Map<Device, LinkSpeed> MEASURED = new WeakHashMap<>();

  /** {@return the measured speed, or null if it was not measured} */
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
    try (Stream stream = device.stream("measuring of the link");
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(large(device))) {
      long large = array.byteSize();
      MemorySegment host = pinned.allocate(large);
      Round best = Round.of(stream, host, array);
      int inVain = 0;
      for (int round = 1; round < MOST_ROUNDS && inVain < ROUNDS_IN_VAIN; round++) {
        Round next = best.orBetter(Round.of(stream, host, array));
        inVain = next.isBetterThan(best) ? 0 : inVain + 1;
        best = next;
      }
      double bytesPerNano = large / best.large;
      double smallBytes = (double) large / SMALL_IN_LARGE;
      double nanosPerCopy = best.small / COPIES - smallBytes / bytesPerNano;
      return new LinkSpeed(Math.max(nanosPerCopy, LEAST_NANOS), bytesPerNano);
    }
  }

  private static long large(Device device) {
    PinnedUse pinned = device.pinned();
    long room = Math.min(device.freeBytes(), pinned.budgetBytes() - pinned.usedBytes()) / 8;
    return Math.clamp(Long.highestOneBit(Math.max(1, room)), LEAST_LARGE, MOST_LARGE);
  }

  /**
   * The device's time for one large copy, and for small ones that were all enqueued, during the
   * large one, before the first of them began.
   */
  private record Round(double large, double small) {
    Round orBetter(Round other) {
      return new Round(Math.min(large, other.large), Math.min(small, other.small));
    }

    boolean isBetterThan(Round other) {
      return large < other.large * BETTER || small < other.small * BETTER;
    }

    static Round of(Stream stream, MemorySegment host, GlobalBytes array) {
      long small = array.byteSize() / SMALL_IN_LARGE;
      try (TimedEvent begin = stream.recordTimed()) {
        stream.copy(host, array);
        try (TimedEvent between = stream.recordTimed()) {
          for (int i = 0; i < COPIES; i++) {
            stream.copy(host.asSlice(i * small, small), array.slice(i * small, small));
          }
          try (TimedEvent end = stream.recordTimed()) {
            end.await();
            return new Round(begin.nanosTo(between), between.nanosTo(end));
          }
        }
      }
    }
  }
}
