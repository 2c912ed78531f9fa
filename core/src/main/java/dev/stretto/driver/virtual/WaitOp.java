package dev.stretto.driver.virtual;

/**
 * A stream's wait for one recording of an event. If the recording is dropped because its device is
 * lost, the wait is over, as in CUDA: code that needs to know why has to ask that device.
 */
final class WaitOp extends StreamOp {
  private final long event;
  private final RecordOp recording;

  WaitOp(OpQueue stream, long event, RecordOp recording) {
    super(stream);
    this.event = event;
    this.recording = recording;
    after().add(recording);
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
    return "wait for event "
        + DeviceSpace.name(event)
        + " recorded on "
        + recording.stream().name();
  }
}
