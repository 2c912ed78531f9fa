package dev.stretto.flow;

import dev.stretto.Device;

/**
 * What one device did of a flow.
 *
 * @param device which device
 * @param depth chunks that it had under way at a time, at most
 * @param chunks went through it
 * @param bytes were they
 * @param bytesPerSecond it did while it had anything to do: copying in, the stage and copying out,
 *     without reading and writing. In modelled time if all devices of the flow are virtual. 0 if it
 *     did nothing
 */
public record DeviceShare(
    Device device, int depth, long chunks, long bytes, double bytesPerSecond) {}
