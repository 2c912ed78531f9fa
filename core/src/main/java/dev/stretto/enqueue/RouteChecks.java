package dev.stretto.enqueue;

import dev.stretto.fault.RouteException;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Refuses a requested way that a copy cannot take, with the reason. */
final class RouteChecks {
  private RouteChecks() {}

  static PinnedBlock requirePinned(@Nullable PinnedBlock pinned, MemorySegment host) {
    if (pinned == null) {
      throw new RouteException(
          "a DIRECT copy needs pinned host memory, and these "
              + host.byteSize()
              + " bytes are not: allocate them in device.pinnedArena(), or pin them with"
              + " device.register()");
    }
    return pinned;
  }

  static void requirePageable(@Nullable PinnedBlock pinned, MemorySegment host) {
    if (!host.isNative()) {
      throw new RouteException(
          "the driver's pageable path cannot read or write a Java array, because the garbage"
              + " collector moves it: use native memory, or STAGED");
    }
    if (pinned != null) {
      throw new RouteException(
          "these "
              + host.byteSize()
              + " bytes are pinned, so the driver copies them directly: the pageable path is for"
              + " pageable memory");
    }
  }

  static RouteException impossible(Way way, String direction) {
    return new RouteException("a copy " + direction + " cannot go " + way);
  }
}
