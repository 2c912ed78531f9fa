package dev.stretto.spark;

import java.util.Objects;

/**
 * Some rows of a {@code Dataset} on the device.
 *
 * @param rows how many
 * @param in the columns that the stage reads
 * @param out the columns that it writes
 */
public record ColumnChunk(long rows, ColumnArrays in, ColumnArrays out) {
  /** Refuses nulls. */
  public ColumnChunk {
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(out, "out");
  }
}
