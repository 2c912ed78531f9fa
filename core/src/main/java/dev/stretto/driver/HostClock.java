package dev.stretto.driver;

/**
 * The host's time as a modelled device sees it. A device with a real clock uses {@link #REAL},
 * whose methods do nothing. A virtual device keeps a modelled time in nanoseconds for each host
 * thread, so that a timeline is the same on every run.
 *
 * <p>Work enqueued by a thread cannot begin before that thread's time. After a thread has awaited
 * something, its time is at least the time at which that happened. Host work that the model has to
 * account for (a memory copy by a pump thread, a file read) is added explicitly.
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
   * Sets the modelled time of the calling thread: forwards, or backwards if the thread takes over
   * the work of another thread.
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
   * {@return whether an event of the driver that is done has happened by the calling thread's time}
   * Without effect on any time. A modelled device may have done in reality what the program's time
   * has not come to yet. By default, for real time, it has.
   *
   * @param event the event, which has been recorded
   */
  default boolean hasPassed(long event) {
    return true;
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
   * @param writers how many threads write to the same file; together they are faster than one, but
   *     by less than their number
   */
  long writeNanos(long bytes, int writers);

  /** {@return how many cores the modelled host has} */
  int cores();
}
