package dev.stretto.flow;

import java.util.List;
import java.util.Objects;

/**
 * What a flow did.
 *
 * @param bytes went through
 * @param chunks were they
 * @param chunkBytes had each but the last
 * @param depth so many at a time over all devices, each with a stream and buffers of its own
 * @param pinnedBytes of host memory were pinned for buffers
 * @param deviceBytes of device memory were allocated for buffers
 * @param wallNanos it took, by {@link System#nanoTime()}
 * @param sizing how chunk size and depth were chosen, in a sentence
 * @param devices what each device did, in the order in which they were given
 */
public record FlowReport(
    long bytes,
    long chunks,
    long chunkBytes,
    int depth,
    long pinnedBytes,
    long deviceBytes,
    long wallNanos,
    String sizing,
    List<DeviceShare> devices) {
  /** Keeps a copy of the list. */
  public FlowReport {
    Objects.requireNonNull(sizing, "sizing");
    for (DeviceShare share : Objects.requireNonNull(devices, "devices")) {
      Objects.requireNonNull(share, "an element of devices");
    }
    devices = List.copyOf(devices);
  }

  /**
   * Creates a report that says nothing of devices.
   *
   * @param bytes as above
   * @param chunks as above
   * @param chunkBytes as above
   * @param depth as above
   * @param pinnedBytes as above
   * @param deviceBytes as above
   * @param wallNanos as above
   * @param sizing as above
   */
  public FlowReport(
      long bytes,
      long chunks,
      long chunkBytes,
      int depth,
      long pinnedBytes,
      long deviceBytes,
      long wallNanos,
      String sizing) {
    this(bytes, chunks, chunkBytes, depth, pinnedBytes, deviceBytes, wallNanos, sizing, List.of());
  }
}
