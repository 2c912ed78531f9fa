package dev.stretto.flow;

import java.util.List;
import java.util.Objects;

/**
 * What a flow did.
 *
 * @param bytes how many bytes it processed
 * @param bytesOut how many bytes went to the sink
 * @param chunks in how many chunks
 * @param chunkBytes the size of each chunk but the last; if chunks end where records end, the most
 * @param depth the most chunks in flight at a time over all devices, each with its own stream and
 *     buffers
 * @param pinnedBytes how much host memory was pinned for buffers
 * @param deviceBytes how much device memory was allocated for buffers
 * @param wallNanos how long it took, by {@link System#nanoTime()}
 * @param sizing how chunk size and depth were chosen, in a sentence
 * @param devices each device's part, in the order of the plan
 * @param times where the chunks were
 */
public record FlowReport(
    long bytes,
    long bytesOut,
    long chunks,
    long chunkBytes,
    int depth,
    long pinnedBytes,
    long deviceBytes,
    long wallNanos,
    String sizing,
    List<DeviceShare> devices,
    FlowTimes times) {
  /** Keeps a copy of the list. */
  public FlowReport {
    Objects.requireNonNull(sizing, "sizing");
    for (DeviceShare share : Objects.requireNonNull(devices, "devices")) {
      Objects.requireNonNull(share, "an element of devices");
    }
    devices = List.copyOf(devices);
    Objects.requireNonNull(times, "times");
  }
}
