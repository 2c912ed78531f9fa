package dev.stretto.driver.virtual;

/**
 * The point of a stream at which memory is allocated. Its address and its share of the device's
 * bytes are fixed when it is enqueued.
 */
final class AllocateOp extends StreamOp {
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
