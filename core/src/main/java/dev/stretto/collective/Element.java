package dev.stretto.collective;

import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;

/** The type of an array's elements, and NCCL's number for it. */
enum Element {
  BYTES("bytes", Byte.BYTES, 0),
  /** NCCL has no such type: it moves them as bytes, and does not add them. */
  SHORTS("shorts", Short.BYTES, -1),
  INTS("ints", Integer.BYTES, 2),
  LONGS("longs", Long.BYTES, 4),
  HALFS("halfs", Short.BYTES, 6),
  FLOATS("floats", Float.BYTES, 7),
  DOUBLES("doubles", Double.BYTES, 8),
  BFLOATS("bfloats", Short.BYTES, 9);

  private final String words;
  private final int bytes;
  private final int nccl;

  Element(String words, int bytes, int nccl) {
    this.words = words;
    this.bytes = bytes;
    this.nccl = nccl;
  }

  static Element of(GlobalArray array) {
    return switch (array) {
      case GlobalBytes _ -> BYTES;
      case GlobalShorts _ -> SHORTS;
      case GlobalInts _ -> INTS;
      case GlobalLongs _ -> LONGS;
      case GlobalHalfs _ -> HALFS;
      case GlobalFloats _ -> FLOATS;
      case GlobalDoubles _ -> DOUBLES;
      case GlobalBfloats _ -> BFLOATS;
    };
  }

  String words() {
    return words;
  }

  int bytes() {
    return bytes;
  }

  boolean isAddedByNccl() {
    return nccl >= 0;
  }

  /** {@return the number of the type as which NCCL moves or adds such elements} */
  int nccl() {
    return Math.max(nccl, 0);
  }

  /** {@return how many elements of that type an array has} */
  long ncclCount(GlobalArray array) {
    return nccl >= 0 ? array.length() : array.byteSize();
  }
}
