package dev.stretto.misuse;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Interrupts calls that wait for long, and reports those that do not come back then. */
final class Watchdog implements AutoCloseable {
  /** What waits for as long as the program lends no buffer back, by its promise. */
  private static final String MAY_WAIT = "PinnedBuffers.awaitLease";

  private static final long PATIENCE = 500_000_000L;

  /** For so long no call does nothing at all, whatever else the machine does. */
  private static final long HANG = 30_000_000_000L;

  /** For so long no call is busy, though it pin a million buffers on a machine with other work. */
  private static final long BUSY = 10 * HANG;

  /** So much of a processor's time is something. */
  private static final long SOMETHING = 10_000_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** A call that goes on. */
  static final class Running {
    private final Thread thread = Thread.currentThread();
    private final long since = System.nanoTime();
    private final String what;
    private final long seed;
    volatile boolean interrupted;
    private boolean reported;
    private long processorNanos;
    private long idleSince = since;

    private final Supplier<String> told;

    private Running(String what, long seed, Supplier<String> told) {
      this.what = what;
      this.seed = seed;
      this.told = told;
    }

    /** Whether it has done nothing for long, or anything for too long. */
    private boolean hangs(long now) {
      long spent = THREADS.getThreadCpuTime(thread.threadId()) - processorNanos;
      if (spent > SOMETHING) {
        processorNanos += spent;
        idleSince = now;
      }
      return now - idleSince > HANG || now - since > BUSY;
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

  /** A call begins on this thread. If it does not end, the report has this text too. */
  Running begin(String what, long seed, Supplier<String> told) {
    Running call = new Running(what, seed, told);
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
        boolean hangs = call.hangs(now);
        if ((mayWait ? now - call.since > PATIENCE : hangs) && !call.interrupted) {
          call.interrupted = true;
          findings.waited(call.what);
          if (!mayWait) {
            report(call);
          }
        }
        if (hangs && !call.reported) {
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
    findings.add(
        "hang: " + call.what,
        "seed %d, thread %s\n%s%s\n%s"
            .formatted(call.seed, call.thread, call.told.get(), stacks(), virtualThreads()));
  }

  private static String stacks() {
    StringBuilder text = new StringBuilder();
    for (ThreadInfo info : THREADS.dumpAllThreads(true, true, Integer.MAX_VALUE)) {
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

  /** The stacks of all threads, virtual ones too, which the other way does not tell. */
  private static String virtualThreads() {
    try {
      Path folder = Files.createTempDirectory("stretto-threads");
      Path file = folder.resolve("threads.txt");
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
      String text = Files.readString(file);
      Files.delete(file);
      Files.delete(folder);
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
