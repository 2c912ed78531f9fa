package dev.stretto;

import dev.stretto.memory.GlobalBytes;
import org.jspecify.annotations.Nullable;

/** Measures how fast copies from one device to another are. */
final class PeerRate {
  private static final long BYTES = 64L << 20;
  private static final int WARM_UPS = 1;
  private static final int COPIES = 4;

  private PeerRate() {}

  static double gigabytesPerSecond(Device from, Device to) {
    try (PeerAccess _ = access(from, to);
        GlobalBytes source = from.allocateBytes(BYTES);
        GlobalBytes destination = to.allocateBytes(BYTES);
        Stream stream = from.stream("measuring of the link")) {
      stream.fill(source, (byte) 1);
      copy(stream, source, destination, WARM_UPS);
      try (TimedEvent begin = stream.recordTimed()) {
        copy(stream, source, destination, COPIES);
        try (TimedEvent end = stream.recordTimed()) {
          stream.await();
          return COPIES * BYTES / begin.nanosTo(end);
        }
      }
    }
  }

  private static void copy(Stream stream, GlobalBytes source, GlobalBytes destination, int times) {
    for (int i = 0; i < times; i++) {
      stream.copy(source, destination);
    }
  }

  /** One direction of access is enough for copies. */
  private static @Nullable PeerAccess access(Device from, Device to) {
    if (from.canAccess(to)) {
      return from.enablePeerAccess(to);
    }
    return to.canAccess(from) ? to.enablePeerAccess(from) : null;
  }
}
