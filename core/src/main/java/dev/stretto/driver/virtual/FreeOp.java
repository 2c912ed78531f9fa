package dev.stretto.driver.virtual;

/**
 * The point of a stream at which memory is freed. Allocations that come after it may use its bytes
 * before the free has happened; they claim them.
 */
final class FreeOp extends StreamOp {
  private final long address;
  private final long bytes;
  private final Pool pool;
  private long claimed;

  /**
   * Creates a free that has passed the checks.
   *
   * @param freed the memory
   */
  FreeOp(OpQueue stream, Allocation freed) {
    super(stream);
    this.address = freed.address();
    this.bytes = DeviceSpace.counted(freed);
    this.pool = freed.pool();
  }

  /** {@return the pool that gets the bytes} */
  Pool pool() {
    return pool;
  }

  /** {@return how many bytes no allocation has claimed} */
  long unclaimed() {
    return bytes - claimed;
  }

  /** Gives these bytes to an allocation that comes after this free. */
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
