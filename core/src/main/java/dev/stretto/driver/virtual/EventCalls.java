package dev.stretto.driver.virtual;

/** The calls that concern events. */
final class EventCalls {
  private final PrimaryContext context;
  private final Platform platform;
  private final Submission submission;

  EventCalls(PrimaryContext context, Submission submission) {
    this.context = context;
    this.platform = context.platform();
    this.submission = submission;
  }

  long create(boolean timed) {
    long handle = platform.nextHandle();
    platform.events().put(handle, new Event(context, handle, timed));
    return handle;
  }

  void destroy(long handle) {
    own("cuEventDestroy", handle);
    platform.events().remove(handle);
  }

  void record(long handle, long stream) {
    platform.lock().lock();
    try {
      Event event = own("cuEventRecord", handle);
      event.standFor(
          submission.submit("cuEventRecord", stream, queue -> new RecordOp(queue, handle)));
    } finally {
      platform.lock().unlock();
    }
  }

  void makeWait(long stream, long handle) {
    platform.lock().lock();
    try {
      context.checkAlive("cuStreamWaitEvent");
      context.streams().get("cuStreamWaitEvent", stream);
      Event event = any("cuStreamWaitEvent", handle);
      event.context().checkAlive("cuStreamWaitEvent");
      RecordOp recording = event.recording();
      if (recording != null) {
        submission.submit(
            "cuStreamWaitEvent", stream, queue -> new WaitOp(queue, handle, recording));
      }
    } finally {
      platform.lock().unlock();
    }
  }

  /**
   * Does not advance the caller's time, because the layers above ask about many events at any time.
   */
  boolean isDone(long handle) {
    platform.lock().lock();
    try {
      context.checkAlive("cuEventQuery");
      platform.scheduler().asked();
      Event event = any("cuEventQuery", handle);
      event.context().checkAlive("cuEventQuery");
      return event.isDone();
    } finally {
      platform.lock().unlock();
    }
  }

  void await(long handle) {
    platform.lock().lock();
    try {
      context.checkAlive("cuEventSynchronize");
      Event event = any("cuEventSynchronize", handle);
      RecordOp recording = event.recording();
      if (recording == null) {
        return;
      }
      platform.scheduler().await("cuEventSynchronize", () -> recording.done || context.isLost());
      context.checkAlive("cuEventSynchronize");
      event.context().checkAlive("cuEventSynchronize");
      long end = platform.agenda().endNanos(recording.moment());
      if (end > platform.clock().now()) {
        platform.clock().set(end + platform.model().wakeUpNanos());
      }
    } finally {
      platform.lock().unlock();
    }
  }

  double elapsedNanos(long start, long end) {
    return timed(end) - (double) timed(start);
  }

  long nanos(long handle) {
    return any("eventNanos", handle).nanos("eventNanos");
  }

  private long timed(long handle) {
    Event event = any("cuEventElapsedTime", handle);
    if (!event.isTimed()) {
      throw CudaResult.INVALID_HANDLE.of(
          "cuEventElapsedTime",
          "event " + DeviceSpace.name(handle) + " was created without timing");
    }
    if (!event.isDone()) {
      throw CudaResult.NOT_READY.of(
          "cuEventElapsedTime", "event " + DeviceSpace.name(handle) + " is not done yet");
    }
    return event.nanos("cuEventElapsedTime");
  }

  Event any(String call, long handle) {
    Event event = platform.events().get(handle);
    if (event == null) {
      throw CudaResult.INVALID_HANDLE.of(
          call,
          "there is no event %s; it was destroyed or never created"
              .formatted(DeviceSpace.name(handle)));
    }
    return event;
  }

  Event own(String call, long handle) {
    Event event = any(call, handle);
    if (event.context() != context) {
      throw CudaResult.INVALID_HANDLE.of(
          call,
          "event %s belongs to virtual device %d, not to device %d"
              .formatted(DeviceSpace.name(handle), event.context().ordinal(), context.ordinal()));
    }
    return event;
  }
}
