package dev.stretto.misuse;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Interrupts calls that wait for long, and reports those that do not come back then. */
final class Watchdog implements AutoCloseable {
  private static final long PATIENCE = Long.getLong("stretto.fuzz.patience", 3) * 1_000_000_000L;
  private static final long HANG = 60_000_000_000L;

  /** A call that goes on. */
  static final class Running {
    private final Thread thread = Thread.currentThread();
    private final long since = System.nanoTime();
    private final Object what;
    private final long seed;
    volatile boolean interrupted;
    private boolean reported;

    private Running(Object what, long seed) {
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
  Running begin(Object what, long seed) {
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
      LockSupport.parkNanos(200_000_000);
      long now = System.nanoTime();
      for (Running call : running) {
        if (now - call.since > PATIENCE && !call.interrupted) {
          call.interrupted = true;
          findings.waited(String.valueOf(call.what));
          if (Boolean.getBoolean("stretto.fuzz.stacks")) {
            System.out.println("WAIT " + call.what + " seed " + call.seed + stacks());
          }
        }
        if (call.interrupted && running.contains(call)) {
          call.thread.interrupt();
        }
        if (now - call.since > HANG && !call.reported) {
          call.reported = true;
          findings.add(
              "hang: " + call.what, "seed " + call.seed + ", thread " + call.thread + stacks());
        }
      }
    }
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
