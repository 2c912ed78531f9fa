package dev.stretto.driver.virtual;

import org.jspecify.annotations.Nullable;

/** An event. Guarded by the platform's lock. */
final class Event {
  private final PrimaryContext context;
  private final long handle;
  private final boolean timed;
  private @Nullable RecordOp recording;

  Event(PrimaryContext context, long handle, boolean timed) {
    this.context = context;
    this.handle = handle;
    this.timed = timed;
  }

  PrimaryContext context() {
    return context;
  }

  long handle() {
    return handle;
  }

  boolean isTimed() {
    return timed;
  }

  /** {@return the recording that the event stands for, or null if it was never recorded} */
  @Nullable RecordOp recording() {
    return recording;
  }

  /** Makes the event stand for another recording; existing waits keep waiting for the old one. */
  void standFor(RecordOp newRecording) {
    recording = newRecording;
  }

  boolean isDone() {
    return recording == null || recording.done;
  }

  /** {@return when the event happens on the modelled device, as far as that is known} */
  long nanos(String call) {
    RecordOp recorded = recording;
    if (recorded == null) {
      throw CudaResult.INVALID_HANDLE.of(
          call, "event " + DeviceSpace.name(handle) + " was never recorded");
    }
    return context.platform().agenda().endNanos(recorded.moment());
  }
}
