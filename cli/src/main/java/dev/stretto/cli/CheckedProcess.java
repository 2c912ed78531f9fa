package dev.stretto.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A command that runs as a child of this process, and ends with it. */
final class CheckedProcess implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long POLL_MILLIS = 10;

  private @Nullable Process process;
  private boolean closed;

  /**
   * Starts it, unless this process is already ending.
   *
   * @return the process
   * @throws IOException if it cannot be run
   */
  synchronized Process start(ProcessBuilder builder) throws IOException {
    if (closed) {
      throw new IOException("this process is already ending");
    }
    Process started = builder.start();
    process = started;
    return started;
  }

  @Override
  public void close() {
    end();
  }

  /**
   * Asks the command, and the processes that it has started, to end; kills them after some seconds.
   * If the command has ended by itself, processes that it left running stay.
   */
  synchronized void end() {
    closed = true;
    Process started = process;
    if (started == null || !started.isAlive()) {
      return;
    }
    List<ProcessHandle> all = new ArrayList<>(started.descendants().toList());
    all.add(started.toHandle());
    all.forEach(ProcessHandle::destroy);
    long start = System.nanoTime();
    try {
      while (all.stream().anyMatch(ProcessHandle::isAlive)
          && System.nanoTime() - start < PATIENCE_NANOS) {
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the wait is over
    }
    all.forEach(ProcessHandle::destroyForcibly);
  }
}
