package dev.stretto.kernels;

import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/** The bits of an array's elements as integers of the same size. */
final class Views {
  private Views() {}

  static GlobalInts asInts(GlobalArray array) {
    return GlobalInts.of(array.allocation())
        .slice(array.byteOffset() / Integer.BYTES, array.length());
  }

  static GlobalLongs asLongs(GlobalArray array) {
    return GlobalLongs.of(array.allocation())
        .slice(array.byteOffset() / Long.BYTES, array.length());
  }
}
