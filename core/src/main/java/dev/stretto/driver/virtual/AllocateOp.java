package dev.stretto.driver.virtual;

/**
 * The moment at which memory is allocated in the order of a stream. Its address and its place among
 * the device's bytes are settled when it is enqueued.
 */
final class AllocateOp extends Op {
  private final long address;
  private final long bytes;

  AllocateOp(OpQueue stream, long address, long bytes) {
    super(stream);
    this.address = address;
    this.bytes = bytes;
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
    context().memory().arrive(address);
  }

  @Override
  String describe() {
    return "allocation of %d bytes at %s".formatted(bytes, DeviceSpace.name(address));
  }
}
