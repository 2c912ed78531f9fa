package dev.stretto.collective;

/**
 * How a {@link Communicator} makes one number of those of all ranks: NCCL's {@code ncclRedOp_t}.
 *
 * <p>Integers wrap around. With {@link Transport#TCP} floats are combined in the order of the
 * ranks, so the result is the same in each run, and 16-bit floats are combined as floats and
 * rounded once. With {@link Transport#NCCL} the order is the library's.
 */
public enum Reduction {
  /** The sum. */
  SUM("sum"),

  /** The product. */
  PRODUCT("product"),

  /** The greatest. */
  MAX("maximum"),

  /** The least. */
  MIN("minimum"),

  /** The sum, divided by the number of ranks; of integers without its fraction. */
  AVERAGE("average");

  private final String words;

  Reduction(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
