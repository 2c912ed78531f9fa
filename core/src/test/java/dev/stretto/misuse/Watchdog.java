package dev.stretto.misuse;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Interrupts calls that wait for long, and reports those that do not come back then. */
final class Watchdog implements AutoCloseable {
  /** What waits for as long as the program lends no buffer back, by its promise. */
  private static final String MAY_WAIT = "PinnedBuffers.awaitLease";

  private static final long PATIENCE = 500_000_000L;

  /** A right machine that does many other things is never as slow as that. */
  private static final long HANG = 30_000_000_000L;

  /** A call that goes on. */
  static final class Running {
    private final Thread thread = Thread.currentThread();
    private final long since = System.nanoTime();
    private final String what;
    private final long seed;
    volatile boolean interrupted;
    private boolean reported;

    private Running(String what, long seed) {
      this.what = what;
      this.seed = seed;
    }
  }

  private final Set<Running> running = ConcurrentHashMap.newKeySet();
  private final Findings findings;
  private final Thread thread = new Thread(this::watch, "misuse watchdog");
  private volatile boolean closed;

  Watchdog(Findings findings) {
    this.findings = findings;
    thread.setDaemon(true);
    thread.start();
  }

  /** Says that a call begins on this thread. */
  Running begin(String what, long seed) {
    Running call = new Running(what, seed);
    running.add(call);
    return call;
  }

  /** Says that it has ended. */
  void end(Running call) {
    running.remove(call);
  }

  private void watch() {
    while (!closed) {
      LockSupport.parkNanos(100_000_000);
      long now = System.nanoTime();
      for (Running call : running) {
        boolean mayWait = call.what.equals(MAY_WAIT);
        if (now - call.since > (mayWait ? PATIENCE : HANG) && !call.interrupted) {
          call.interrupted = true;
          findings.waited(call.what);
          if (!mayWait) {
            report(call);
          }
        }
        if (now - call.since > 2 * HANG && !call.reported) {
          report(call);
        }
        if (call.interrupted && running.contains(call)) {
          call.thread.interrupt();
        }
      }
    }
  }

  private void report(Running call) {
    call.reported = true;
    findings.add("hang: " + call.what, "seed " + call.seed + ", thread " + call.thread + stacks());
  }

  private static String stacks() {
    StringBuilder text = new StringBuilder();
    for (ThreadInfo info :
        ManagementFactory.getThreadMXBean().dumpAllThreads(true, true, Integer.MAX_VALUE)) {
      text.append('\n').append(info.getThreadName()).append(' ').append(info.getThreadState());
      if (info.getLockOwnerName() != null) {
        text.append(", ").append(info.getLockName()).append(" of ").append(info.getLockOwnerName());
      }
      for (StackTraceElement frame : info.getStackTrace()) {
        text.append("\n    at ").append(frame);
      }
    }
    return text.toString();
  }

  @Override
  public void close() {
    closed = true;
  }
}
