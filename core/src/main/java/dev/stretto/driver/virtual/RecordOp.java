package dev.stretto.driver.virtual;

/**
 * One recording of an event: the snapshot to which later waits refer, even if the event is recorded
 * again or destroyed.
 */
final class RecordOp extends StreamOp {
  private final long event;

  RecordOp(OpQueue stream, long event) {
    super(stream);
    this.event = event;
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
  String describe() {
    return "record of event " + DeviceSpace.name(event);
  }
}
