package dev.stretto.driver.cuda;

import dev.stretto.driver.DriverDevice;

/** Streams and events of one device. */
final class Streams {
  private static final int BLOCKING = 0;
  private static final int NON_BLOCKING = 1;
  private static final int DISABLE_TIMING = 2;
  private static final double NANOS_PER_MILLISECOND = 1e6;

  private final Context context;
  private final Health health;
  private final Priorities priorities;

  Streams(Context context, Health health, Priorities priorities) {
    this.context = context;
    this.health = health;
    this.priorities = priorities;
  }

  long create(int priority) {
    return create(NON_BLOCKING, priority);
  }

  long createBlocking(int priority) {
    return create(BLOCKING, priority);
  }

  private long create(int flags, int priority) {
    health.require();
    int known = priorities.clamp(priority);
    return context.obtain(
        scratch -> StreamCalls.create(scratch.at(Scratch.OUT), flags, known),
        code -> health.failure(code, "cuStreamCreateWithPriority", "priority " + known));
  }

  void destroy(long stream) {
    requireStream(stream);
    if (isDefault(stream)) {
      throw health.invalid("a default stream cannot be destroyed");
    }
    check(StreamCalls.destroy(stream), "cuStreamDestroy");
  }

  /** Refuses a stream of another context, which would not take this context's work. */
  void checkForeign(long stream) {
    requireStream(stream);
    if (isDefault(stream)) {
      throw health.invalid("stream " + stream + " is a default stream");
    }
    long owner =
        context.obtain(
            scratch -> StreamCalls.context(stream, scratch.at(Scratch.OUT)),
            code -> health.failure(code, "cuStreamGetCtx", "stream 0x" + Long.toHexString(stream)));
    if (owner != context.handle()) {
      throw health.invalid(
          "stream 0x%x belongs to context 0x%x, not to the device's primary context 0x%x"
              .formatted(stream, owner, context.handle()));
    }
  }

  boolean waitsForLegacyStream(long stream) {
    requireStream(stream);
    long flags =
        context.obtain(
            scratch -> {
              // CUDA writes four bytes, but eight are read.
              scratch.write(Scratch.OUT, 0);
              return StreamCalls.flags(stream, scratch.at(Scratch.OUT));
            },
            code ->
                health.failure(code, "cuStreamGetFlags", "stream 0x" + Long.toHexString(stream)));
    return (flags & NON_BLOCKING) == 0;
  }

  long createEvent(boolean timed) {
    health.require();
    int flags = timed ? 0 : DISABLE_TIMING;
    return context.obtain(
        scratch -> StreamCalls.createEvent(scratch.at(Scratch.OUT), flags),
        code -> health.failure(code, "cuEventCreate", ""));
  }

  void destroyEvent(long event) {
    requireEvent(event);
    check(StreamCalls.destroyEvent(event), "cuEventDestroy");
  }

  void record(long event, long stream) {
    requireEvent(event);
    requireStream(stream);
    if (isDefault(stream)) {
      context.run(
          _ -> StreamCalls.record(event, stream),
          code -> health.failure(code, "cuEventRecord", "default stream " + stream));
    } else {
      check(StreamCalls.record(event, stream), "cuEventRecord");
    }
  }

  void waitEvent(long stream, long event) {
    requireEvent(event);
    requireStream(stream);
    if (isDefault(stream)) {
      context.run(
          _ -> StreamCalls.waitEvent(stream, event, 0),
          code -> health.failure(code, "cuStreamWaitEvent", "default stream " + stream));
    } else {
      check(StreamCalls.waitEvent(stream, event, 0), "cuStreamWaitEvent");
    }
  }

  boolean isDone(long event) {
    requireEvent(event);
    int result = StreamCalls.query(event);
    if (result == CudaError.NOT_READY) {
      return false;
    }
    check(result, "cuEventQuery");
    return true;
  }

  boolean isIdle(long stream) {
    requireStream(stream);
    int result = StreamCalls.queryStream(stream);
    if (result == CudaError.NOT_READY) {
      return false;
    }
    check(result, "cuStreamQuery");
    return true;
  }

  void awaitEvent(long event) {
    requireEvent(event);
    check(StreamCalls.awaitEvent(event), "cuEventSynchronize");
  }

  double elapsedNanos(long start, long end) {
    requireEvent(start);
    requireEvent(end);
    Scratch scratch = Scratch.borrow();
    try {
      check(StreamCalls.elapsed(scratch.at(Scratch.OUT), start, end), "cuEventElapsedTime");
      return Float.intBitsToFloat((int) scratch.read(Scratch.OUT)) * NANOS_PER_MILLISECOND;
    } finally {
      scratch.giveBack();
    }
  }

  private static boolean isDefault(long stream) {
    return stream == DriverDevice.LEGACY_STREAM || stream == DriverDevice.PER_THREAD_STREAM;
  }

  private void requireStream(long stream) {
    health.require(stream, "stream");
  }

  private void requireEvent(long event) {
    health.require(event, "event");
  }

  private void check(int result, String call) {
    if (result != 0) {
      throw health.failure(result, call, "");
    }
  }
}
