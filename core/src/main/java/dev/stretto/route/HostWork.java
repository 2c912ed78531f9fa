package dev.stretto.route;

import dev.stretto.driver.Cooperation;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.HostClock;
import dev.stretto.settings.Settings;
import java.io.Serial;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs host-side work: the pumps' memory copies, releases that may take long, callbacks. It uses a
 * few platform threads that end when idle. On a seeded device, the work becomes tasks from which
 * the seed picks.
 */
interface HostWork {
  /** Runs a task soon. Tasks may run at the same time and in any order. */
  void submit(Runnable task);

  /** Runs a task that reads or writes a file soon: a disk holds up no other task. */
  void submitWithFiles(Runnable task);

  /** Runs a task that may block for as long as the device works, apart from all others. */
  void submitBlocking(Runnable task);

  /** {@return whether there are tasks that have no thread to run them} */
  boolean isStranded();

  /**
   * Runs the tasks that found no thread because the process can have no more threads. The caller
   * holds no lock.
   *
   * @return whether there were any
   */
  boolean runStranded();

  /** {@return the most tasks that run at the same time} */
  int width();

  /** {@return the most tasks with files that run at the same time} */
  int widthWithFiles();

  /**
   * {@return whether tasks wait for a thread}
   *
   * @param withFiles which tasks
   */
  boolean isAnyWaiting(boolean withFiles);

  /**
   * Ends the threads after all submitted tasks; called by a blocking task.
   *
   * @return whether the other tasks are over, so that none accesses memory that is about to be
   *     freed
   */
  boolean stop();

  static HostWork of(DriverDevice driver, String name) {
    Cooperation cooperation = driver.cooperation().orElse(null);
    return cooperation != null
        ? new Cooperative(cooperation, driver.clock())
        : new Threads(driver, name);
  }

  /** Tasks of a seeded device. */
  record Cooperative(Cooperation cooperation, HostClock clock) implements HostWork {
    @Override
    public void submit(Runnable task) {
      cooperation.submit(
          () -> {
            long stamp =
                clock.now(); // the task has a time of its own rather than that of the stepping
            // thread
            try {
              task.run();
            } finally {
              clock.set(stamp);
            }
          });
    }

    @Override
    public void submitWithFiles(Runnable task) {
      submit(task);
    }

    @Override
    public void submitBlocking(Runnable task) {
      submit(task);
    }

    @Override
    public boolean isStranded() {
      return false; // a step runs them
    }

    @Override
    public boolean runStranded() {
      return false;
    }

    @Override
    public int width() {
      return 4;
    }

    @Override
    public int widthWithFiles() {
      return width();
    }

    @Override
    public boolean isAnyWaiting(boolean withFiles) {
      return false;
    }

    @Override
    public boolean stop() {
      return true;
    }
  }

  /**
   * A task that runs once, even if it was accepted but its thread could not be started, and whose
   * errors are reported.
   */
  final class Guarded extends AtomicBoolean implements Runnable {
    @Serial private static final long serialVersionUID = 1;

    private final transient Runnable task;

    Guarded(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (!compareAndSet(false, true)) {
        return;
      }
      try {
        task.run();
      } catch (Throwable e) { // the pool's thread would end silently
        ProgramLog.error("a host thread's task failed", e);
      }
    }
  }

  /**
   * Platform threads. Virtual threads would copy on their carriers, of which there are only as many
   * as cores.
   */
  final class Threads implements HostWork {
    /**
     * The most pump threads. More do not feed one link faster, and the program needs some cores.
     */
    private static final int MOST = Settings.PUMPS.value().intValue();

    /** How long a pump stays awake after a task: it spins at first, and then naps. */
    private static final long AWAKE_NANOS = 500_000;

    private final int width;
    private final int widthWithFiles;
    private final ThreadPoolExecutor executor;
    private final ThreadPoolExecutor files;
    private final ExecutorService blocking;
    private final Queue<Guarded> stranded = new ConcurrentLinkedQueue<>();

    Threads(DriverDevice driver, String name) {
      this.width = Math.max(1, Math.min(MOST, driver.clock().cores() - 2));
      int threads = Math.max(1, Math.min(width, Runtime.getRuntime().availableProcessors()));
      this.executor = pool(driver, threads, "stretto-pump " + name, AWAKE_NANOS);
      this.widthWithFiles = fileThreads(driver);
      this.files = pool(driver, widthWithFiles, "stretto-file " + name, AWAKE_NANOS);
      this.blocking = pool(driver, 1, "stretto-release " + name, 0);
    }

    /**
     * A core brings 1 to 2 GB/s into the page cache, and some cores are left for all else; but a
     * disk is fast only if several threads wait for it, which need no cores meanwhile.
     */
    private static int fileThreads(DriverDevice driver) {
      int set = Settings.FILE_THREADS.value().intValue();
      return set > 0 ? set : Math.clamp(driver.clock().cores() - 2L, 8, 16);
    }

    private static ThreadPoolExecutor pool(
        DriverDevice driver, int threads, String name, long awakeNanos) {
      AtomicInteger count = new AtomicInteger();
      ThreadPoolExecutor pool =
          new ThreadPoolExecutor(
              threads,
              threads,
              1,
              TimeUnit.SECONDS,
              new SpinningQueue(awakeNanos),
              task ->
                  Thread.ofPlatform()
                      .daemon()
                      .name(name + " " + count.incrementAndGet())
                      .unstarted(() -> run(driver, task)));
      pool.allowCoreThreadTimeOut(true);
      return pool;
    }

    private static void run(DriverDevice driver, Runnable task) {
      driver.keepNear();
      if (!driver.clock().isModelled()) {
        int _ = Naps.sharpen();
      }
      task.run();
    }

    @Override
    public void submitWithFiles(Runnable task) {
      execute(files, new Guarded(task));
    }

    @Override
    public void submitBlocking(Runnable task) {
      execute(blocking, new Guarded(task));
    }

    @Override
    public void submit(Runnable task) {
      execute(executor, new Guarded(task));
    }

    private void execute(ExecutorService pool, Guarded task) {
      try {
        pool.execute(task);
      } catch (RejectedExecutionException e) {
        Thread.ofVirtual()
            .name("stretto-late")
            .start(task); // reports about a device that is closed
      } catch (OutOfMemoryError e) {
        // Virtual threads cannot be relied on either: they may find no carrier.
        stranded.add(task);
        ShortOfThreads.report("copy host memory", e);
      }
    }

    @Override
    public boolean isStranded() {
      return !stranded.isEmpty();
    }

    @Override
    public boolean runStranded() {
      Guarded task = stranded.poll();
      if (task == null) {
        return false;
      }
      for (; task != null; task = stranded.poll()) {
        task.run();
      }
      return true;
    }

    @Override
    public int width() {
      return width;
    }

    @Override
    public int widthWithFiles() {
      return widthWithFiles;
    }

    @Override
    public boolean isAnyWaiting(boolean withFiles) {
      return !(withFiles ? files : executor).getQueue().isEmpty();
    }

    @Override
    public boolean stop() {
      executor.shutdown();
      files.shutdown();
      blocking.shutdown();
      try {
        return executor.awaitTermination(1, TimeUnit.MINUTES)
            && files.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
