package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Pinned host memory as one launch sees it. What the launch stores reaches the host only when it is
 * published, and what the host writes meanwhile reaches the launch only when that asks for it: as
 * late as CUDA allows.
 */
final class HostWindow {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private final MemorySegment host;
  private final MemorySegment seen;

  /** What was seen when either side last learned of the other. */
  private final MemorySegment common;

  HostWindow(MemorySegment host) {
    this.host = host;
    Arena arena = Arena.ofAuto();
    this.seen = arena.allocate(host.byteSize(), 64).copyFrom(host);
    this.common = arena.allocate(host.byteSize(), 64).copyFrom(host);
  }

  /** The memory as plain accesses of the launch see it. */
  MemorySegment seen() {
    return seen;
  }

  /** Makes what the launch has stored visible to the host. */
  void publish() {
    long at = differing(seen, common, 0);
    while (at < seen.byteSize()) {
      byte stored = seen.get(BYTE, at);
      host.set(BYTE, at, stored);
      common.set(BYTE, at, stored);
      at = differing(seen, common, at + 1);
    }
  }

  /** Makes what the host has written visible to the launch, but for what that has stored itself. */
  void update() {
    long at = differing(host, common, 0);
    while (at < host.byteSize()) {
      byte written = host.get(BYTE, at);
      if (seen.get(BYTE, at) == common.get(BYTE, at)) {
        seen.set(BYTE, at, written);
      }
      common.set(BYTE, at, written);
      at = differing(host, common, at + 1);
    }
  }

  private static long differing(MemorySegment a, MemorySegment b, long from) {
    long end = a.byteSize();
    if (from >= end) {
      return end;
    }
    long first = MemorySegment.mismatch(a, from, end, b, from, end);
    return first < 0 ? end : from + first;
  }

  /** {@return the window from a byte on} */
  KernelTwin.HostWindow from(long offset) {
    return new KernelTwin.HostWindow() {
      @Override
      public MemorySegment host() {
        return host.asSlice(offset);
      }

      @Override
      public void publish() {
        HostWindow.this.publish();
      }

      @Override
      public void update() {
        HostWindow.this.update();
      }

      @Override
      public void looks(long at, int bytes) {
        MemorySegment.copy(host, offset + at, seen, offset + at, bytes);
        MemorySegment.copy(host, offset + at, common, offset + at, bytes);
      }
    };
  }
}
