package dev.stretto.flow;

import dev.stretto.memory.GlobalBytes;
import java.util.Objects;

/**
 * A part of a flow's bytes, on the device that it was assigned to: the device of the stream and of
 * the chunk's memory.
 *
 * @param index 0 for the first
 * @param position of its first byte in the whole
 * @param byteSize how many bytes it has, as they enter the stage: the same for all chunks but the
 *     last, unless the plan {@linkplain FlowPlan#split cuts at records} or a stage before changes
 *     the size
 * @param slot 0 to depth - 1, where depth counts the slots of all devices: chunks of one slot
 *     follow each other on one device and share their memory, so a prepared launch may be kept for
 *     each slot
 * @param in the chunk's bytes
 * @param out where the result goes; the same as {@code in} if the flow works in place
 */
public record Chunk(
    long index, long position, long byteSize, int slot, GlobalBytes in, GlobalBytes out) {
  /** Refuses nulls. */
  public Chunk {
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(out, "out");
  }
}
