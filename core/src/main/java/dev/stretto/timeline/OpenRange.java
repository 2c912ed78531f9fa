package dev.stretto.timeline;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A range of the program that somebody hears of. */
final class OpenRange implements Trace.Range {
  private final String name;
  private final Thread thread = Thread.currentThread();
  private final List<Recordings> recordings;
  private final long[] begun;
  private final @Nullable Runnable endForProfiler;
  private final AtomicBoolean ended = new AtomicBoolean();

  OpenRange(String name, List<Recordings> recordings, @Nullable Nvtx profiler) {
    this.name = name;
    this.recordings = recordings;
    this.endForProfiler = profiler == null ? null : profiler.begin(name);
    // Drivers may have clocks of their own.
    this.begun = recordings.stream().mapToLong(Recordings::hostNanos).toArray();
  }

  @Override
  public void close() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    for (int i = 0; i < begun.length; i++) {
      recordings.get(i).range(name, thread, begun[i]);
    }
    if (endForProfiler != null) {
      endForProfiler.run();
    }
  }
}
