package dev.stretto.bindings;

/**
 * How a library does a job.
 *
 * @param name such as {@code plain} or {@code expert}
 * @param threads of the host that work on it
 * @param work the job
 */
record Way<T>(String name, int threads, T work) {
  static final String PLAIN = "plain";
  static final String EXPERT = "expert";
}
