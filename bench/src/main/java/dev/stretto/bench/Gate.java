package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import java.util.List;

/** Delays jobs until they are all enqueued, and then measures their device time. */
final class Gate {
  private static final long HOLD_NANOS = 1_000_000;
  private static final long LONGEST_HOLD_NANOS = 1L << 30;

  /**
   * A job to measure.
   *
   * @param stream a stream of its own
   * @param enqueue enqueues it there
   */
  record Job(Stream stream, Runnable enqueue) {}

  private Gate() {}

  /**
   * Nanoseconds from the common start of jobs to the end of the last one. The first job's device
   * measures the time: its stream is delayed until everything is enqueued, and the others wait for
   * it.
   */
  static double nanos(Job... jobs) {
    List<Job> all = List.of(jobs);
    for (long hold = HOLD_NANOS; hold < LONGEST_HOLD_NANOS; hold *= 2) {
      double nanos = nanos(all, hold);
      if (nanos >= 0) {
        return nanos;
      }
    }
    throw new IllegalStateException("the jobs could not be enqueued before they began");
  }

  /** Negative if the gate was open before everything was enqueued. */
  private static double nanos(List<Job> jobs, long hold) {
    Stream clock = jobs.getFirst().stream();
    clock.launch(Grid.of(1, 1), Gate::spin, hold);
    try (TimedEvent start = clock.recordTimed()) {
      for (Job job : jobs) {
        if (job.stream() != clock) {
          job.stream().waitFor(start);
        }
        job.enqueue().run();
      }
      for (Job job : jobs) {
        if (job.stream() != clock) {
          clock.waitFor(job.stream().record());
        }
      }
      try (TimedEvent end = clock.recordTimed()) {
        // In modelled time, the host's work in the meantime does not count.
        boolean held = !start.isDone() || isModelled(clock.device());
        end.await();
        return held ? start.nanosTo(end) : -1;
      }
    }
  }

  static boolean isModelled(Device device) {
    return device.hostClock().isModelled();
  }

  @Kernel
  static void spin(ThreadBlock block, long nanos) {
    long start = block.globalTimer();
    while (block.globalTimer() - start < nanos) {}
  }
}
