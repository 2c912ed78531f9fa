package dev.stretto.bench.beside;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of a program. Its streams wait until everything is enqueued, so that the host's calls are
 * not part of its time.
 */
final class Start implements AutoCloseable {
  private static final long HOLD_NANOS = 2_000_000;
  private static final long LONGEST_HOLD_NANOS = 1L << 28;

  /** What is timed. */
  interface Program {
    /** Enqueues it on streams that begin together; returns those for which the time ends. */
    List<Stream> enqueue(Start start);
  }

  private final Device device;
  private final Stream clock;
  private final TimedEvent begin;
  private final List<Stream> streams = new ArrayList<>();

  private Start(Device device, long holdNanos) {
    this.device = device;
    this.clock = device.stream();
    clock.launch(Grid.of(1, 1), BesideKernels::spin, holdNanos);
    this.begin = clock.recordTimed();
  }

  /** {@return a stream that begins with the program} */
  Stream stream(int priority) {
    Stream made = device.stream(priority);
    streams.add(made);
    made.waitFor(begin);
    return made;
  }

  /** {@return such a stream of the lowest priority} */
  Stream stream() {
    return stream(0);
  }

  /** {@return so many streams that begin with the program} */
  List<Stream> streams(int count) {
    List<Stream> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(stream());
    }
    return made;
  }

  /** {@return how many nanoseconds a program takes} */
  static double nanos(Device device, Program program) {
    for (long hold = HOLD_NANOS; hold <= LONGEST_HOLD_NANOS; hold *= 2) {
      try (Start start = new Start(device, hold)) {
        double nanos = start.nanos(program);
        if (nanos >= 0) {
          return nanos;
        }
      }
    }
    throw new IllegalStateException("the program could not be enqueued before it began");
  }

  /** Negative if it began before all was enqueued. */
  private double nanos(Program program) {
    for (Stream last : program.enqueue(this)) {
      clock.waitFor(last.record());
    }
    try (TimedEvent end = clock.recordTimed()) {
      // In modelled time, the work of the host counts as modelled, not as it is.
      boolean held = !begin.isDone() || device.hostClock().isModelled();
      end.await();
      device.await();
      return held ? begin.nanosTo(end) : -1;
    }
  }

  @Override
  public void close() {
    begin.close();
    streams.forEach(Stream::close);
    clock.close();
  }
}
