package dev.stretto;

import dev.stretto.diagnosis.tally.Places;
import dev.stretto.jfr.Flight;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.StreamQueue;
import org.jspecify.annotations.Nullable;

/** A thread that waits, while somebody wants to know. */
final class Wait {
  private final Device device;
  private final @Nullable StreamQueue queue;
  private final long sequence;
  private final boolean really;
  private final boolean alone;
  private final Flight.@Nullable Timed flight;
  private final long begun = System.nanoTime();

  private Wait(
      Device device, @Nullable StreamQueue queue, long sequence, boolean really, boolean alone) {
    this.device = device;
    this.queue = queue;
    this.sequence = sequence;
    this.really = really;
    this.alone = alone;
    this.flight =
        Flight.wantsWaits()
            ? Flight.wait(
                device.name(),
                queue == null ? 0 : queue.handle(),
                queue == null ? "" : queue.name().text(),
                sequence)
            : null;
  }

  /** A point of a stream is about to be awaited; null if nobody is to be told. */
  static @Nullable Wait begin(Stream stream, long sequence) {
    if (!stream.device().observers().wantWaits()) {
      return null;
    }
    StreamQueue queue = stream.queue();
    boolean really = !InFlight.isReached(queue, sequence);
    return new Wait(stream.device(), queue, sequence, really, really && !InFlight.besides(queue));
  }

  /** All of a device is about to be awaited; null if nobody is to be told. */
  static @Nullable Wait begin(Device device) {
    if (!device.observers().wantWaits()) {
      return null;
    }
    int busy = InFlight.streams(device.engine());
    return new Wait(device, null, 0, busy > 0, busy == 1);
  }

  /** The wait is over. */
  static void end(@Nullable Wait wait, boolean done) {
    if (wait != null) {
      wait.end(done);
    }
  }

  private void end(boolean done) {
    Observers observers = device.observers();
    if (flight != null) {
      flight.end(done);
    }
    observers.writeFlights();
    device
        .engine()
        .finishIfClosed(); // what the Flight Recorder has enqueued may be all that is left
    if (!really || !done || observers.witnesses().isEmpty()) {
      return;
    }
    long nanos = System.nanoTime() - begun;
    DeviceRuntime engine = device.engine();
    StackTraceElement place = Places.caller();
    for (SynchronizationDetector witness : observers.witnesses()) {
      boolean last =
          queue == null ? !InFlight.any(engine) : witness.isNothingBehind(queue, sequence);
      witness.awaited(place, alone && last, nanos);
    }
  }
}
