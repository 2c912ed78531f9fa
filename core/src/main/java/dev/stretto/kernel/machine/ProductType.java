package dev.stretto.kernel.machine;

/** The type of the elements in the matrices of a warp group's product. */
public enum ProductType {
  BF16(2),
  F16(2),
  TF32(4),
  S8(1),
  E4M3(1),
  E5M2(1);

  /** The number of bytes of a row that one product takes. */
  static final int ROW_BYTES = 32;

  private final int bytes;

  ProductType(int bytes) {
    this.bytes = bytes;
  }

  int bytes() {
    return bytes;
  }

  /** The number of columns of A that one product takes. */
  int depth() {
    return ROW_BYTES / bytes;
  }

  /** The number that the lowest bits stand for. */
  float number(int bits) {
    return switch (this) {
      case BF16 -> PackedNumbers.BF16.lower(bits);
      case F16 -> PackedNumbers.F16.lower(bits);
      case TF32 -> Float.intBitsToFloat(bits & ~0x1fff);
      case S8 -> (byte) bits;
      case E4M3 -> PackedBytes.E4M3.number(bits, 0);
      case E5M2 -> PackedBytes.E5M2.number(bits, 0);
    };
  }
}
