package dev.stretto.flow;

import dev.stretto.Device;

/**
 * One device's part in a flow.
 *
 * @param device the device
 * @param depth the most chunks that it had in flight at a time
 * @param chunks how many chunks it processed
 * @param bytes how many bytes those were
 * @param bytesPerSecond its rate while it had anything to do: copying in, the stage and copying
 *     out, without reading and writing. In modelled time if all devices of the flow are virtual. 0
 *     if it did nothing
 */
public record DeviceShare(
    Device device, int depth, long chunks, long bytes, double bytesPerSecond) {}
