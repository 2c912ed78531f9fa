package dev.stretto.driver;

/**
 * The host's time as a modelled device sees it. A device whose clock is real has {@link #REAL}, on
 * which everything is a no-op; a virtual device keeps one modelled time for each host thread, in
 * nanoseconds, so that a timeline is the same on every run.
 *
 * <p>Work enqueued by a thread cannot begin before that thread's time. A thread that has awaited
 * something is at least at the time at which it happened. Host work that a model has to account for
 * (a memory copy by a pump thread, a file read) is spent explicitly.
 */
public interface HostClock {
  /** The clock of devices that run in real time. */
  HostClock REAL =
      new HostClock() {
        @Override
        public boolean isModelled() {
          return false;
        }

        @Override
        public long now() {
          return 0;
        }

        @Override
        public void set(long nanos) {}

        @Override
        public long copyNanos(long bytes) {
          return 0;
        }

        @Override
        public long readNanos(long bytes) {
          return 0;
        }

        @Override
        public long writeNanos(long bytes, int writers) {
          return 0;
        }

        @Override
        public int cores() {
          return Runtime.getRuntime().availableProcessors();
        }
      };

  /** {@return whether time is modelled} */
  boolean isModelled();

  /** {@return the modelled time of the calling thread} */
  long now();

  /**
   * Sets the modelled time of the calling thread, forwards or (for a thread that takes up the work
   * of another) backwards.
   *
   * @param nanos the new time
   */
  void set(long nanos);

  /**
   * Moves the calling thread's time forward to this time, never backwards.
   *
   * @param nanos the earliest new time
   */
  default void atLeast(long nanos) {
    if (isModelled() && nanos > now()) {
      set(nanos);
    }
  }

  /**
   * {@return how long one host thread takes to copy this many bytes between ordinary and pinned
   * memory}
   *
   * @param bytes how many
   */
  long copyNanos(long bytes);

  /**
   * {@return how long one host thread takes to read this many bytes of a page-cached file}
   *
   * @param bytes how many
   */
  long readNanos(long bytes);

  /**
   * {@return how long one host thread takes to write this many bytes of a file into the page cache}
   *
   * @param bytes how many
   * @param writers how many threads write to the same file: file systems let them do so one at a
   *     time, for the most part
   */
  long writeNanos(long bytes, int writers);

  /** {@return how many cores the modelled host has} */
  int cores();
}
