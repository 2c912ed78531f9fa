package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** Pinned memory that is reused, since pinning a gibibyte takes a third of a second. */
final class HostMemory implements AutoCloseable {
  private static final int ALIGNMENT = 4096;

  private record Kind(Device device, long bytes) {}

  private final Map<Device, PinnedArena> arenas = new HashMap<>();
  private final Map<Kind, ArrayDeque<MemorySegment>> idle = new HashMap<>();

  /** Memory that copies to and from a device access directly. */
  MemorySegment take(Device device, long bytes) {
    MemorySegment used = idle(device, bytes).pollFirst();
    return used != null
        ? used
        : arenas.computeIfAbsent(device, Device::pinnedArena).allocate(bytes, ALIGNMENT);
  }

  void giveBack(Device device, MemorySegment segment) {
    idle(device, segment.byteSize()).addFirst(segment);
  }

  private ArrayDeque<MemorySegment> idle(Device device, long bytes) {
    return idle.computeIfAbsent(new Kind(device, bytes), _ -> new ArrayDeque<>());
  }

  @Override
  public void close() {
    arenas.values().forEach(PinnedArena::close);
  }
}
