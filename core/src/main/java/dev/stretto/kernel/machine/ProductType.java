package dev.stretto.kernel.machine;

/** What matrices of a warp group's product consist of. */
public enum ProductType {
  BF16(2),
  F16(2),
  TF32(4),
  S8(1);

  /** How many bytes of a row a product takes. */
  static final int ROW_BYTES = 32;

  private final int bytes;

  ProductType(int bytes) {
    this.bytes = bytes;
  }

  int bytes() {
    return bytes;
  }

  /** How many columns of A a product takes. */
  int depth() {
    return ROW_BYTES / bytes;
  }

  /** The number that some bits are, lowest ones first. */
  float number(int bits) {
    return switch (this) {
      case BF16 -> PackedNumbers.BF16.lower(bits);
      case F16 -> PackedNumbers.F16.lower(bits);
      case TF32 -> Float.intBitsToFloat(bits & ~0x1fff);
      case S8 -> (byte) bits;
    };
  }
}
