package dev.stretto.driver.virtual;

/**
 * The moment at which memory is freed in the order of a stream. Allocations that come after it may
 * count on its bytes before it has happened; who does claims them.
 */
final class FreeOp extends Op {
  private final long address;
  private final long bytes;
  private long claimed;

  /**
   * A free that was found legal.
   *
   * @param bytes what the memory counts as
   */
  FreeOp(OpQueue stream, long address, long bytes) {
    super(stream);
    this.address = address;
    this.bytes = bytes;
  }

  /** {@return bytes that nobody has claimed} */
  long unclaimed() {
    return bytes - claimed;
  }

  /** Gives these bytes to an allocation that comes after this. */
  void claim(long count) {
    claimed += count;
  }

  @Override
  DeviceEngine engine() {
    return DeviceEngine.NONE;
  }

  @Override
  long length() {
    return 1;
  }

  @Override
  void run(long from, long to) {}

  @Override
  void happen() {
    context().memory().freeInOrder(address, claimed);
  }

  @Override
  String describe() {
    return "free of the memory at " + DeviceSpace.name(address);
  }
}
