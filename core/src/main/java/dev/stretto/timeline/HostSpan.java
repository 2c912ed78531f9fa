package dev.stretto.timeline;

import java.util.List;
import java.util.Objects;

/**
 * What a thread of the program did meanwhile: it waited, made the driver do something that takes
 * its time, or was within a {@linkplain Trace#range range} of the program. Times are by the clock
 * of the timeline's spans; it may begin before zero.
 *
 * @param kind what it did
 * @param name it in words, or the name of the range
 * @param device the number of the device in its timeline; {@link #NO_DEVICE} for a range
 * @param deviceName the name of the device; empty for a range
 * @param thread the thread's number
 * @param threadName the thread's name; {@value #VIRTUAL} for virtual threads
 * @param bytes the size of the memory that was handled, else 0
 * @param frames the program's frames, the nearest one first, such as {@code
 *     com.acme.Scorer.score(Scorer.java:42)}; none if no lines are recorded ({@link
 *     Timeline#withLines()})
 * @param startNanos when it began
 * @param endNanos when it ended
 */
public record HostSpan(
    Kind kind,
    String name,
    int device,
    String deviceName,
    long thread,
    String threadName,
    long bytes,
    List<String> frames,
    long startNanos,
    long endNanos) {
  /** The number of no device. */
  public static final int NO_DEVICE = -1;

  /** The name that all virtual threads have here. */
  static final String VIRTUAL = "virtual threads";

  /** What a thread did. */
  public enum Kind {
    /** It awaited an operation, a stream or a device. */
    WAIT,
    /** It pinned host memory. */
    PINNING,
    /** It unpinned host memory, or waited until that was possible. */
    UNPINNING,
    /** It allocated device memory by a call that may make the device wait. */
    ALLOCATION,
    /** It compiled and loaded a kernel. */
    KERNEL_LOADING,
    /** It gave a device access to another one. */
    PEER_ACCESS,
    /** It was within a range of the program. */
    RANGE
  }

  /** Refuses null, and keeps an immutable copy of the list. */
  public HostSpan {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(deviceName, "deviceName");
    Objects.requireNonNull(threadName, "threadName");
    Objects.requireNonNull(frames, "frames");
    frames.forEach(frame -> Objects.requireNonNull(frame, "an element of frames"));
    frames = List.copyOf(frames);
  }

  static HostSpan of(
      Kind kind,
      String name,
      int device,
      String deviceName,
      Thread thread,
      long bytes,
      List<String> frames,
      long startNanos,
      long endNanos) {
    String named = thread.isVirtual() ? VIRTUAL : thread.getName();
    return new HostSpan(
        kind,
        name,
        device,
        deviceName,
        thread.threadId(),
        named,
        bytes,
        frames,
        startNanos,
        Math.max(startNanos, endNanos));
  }

  /** {@return the line of the program; empty if it is not known} */
  public String place() {
    return frames.isEmpty() ? "" : frames.getFirst();
  }

  /** {@return how long it took, in nanoseconds} */
  public long nanos() {
    return endNanos - startNanos;
  }

  HostSpan shifted(long nanos) {
    return new HostSpan(
        kind,
        name,
        device,
        deviceName,
        thread,
        threadName,
        bytes,
        frames,
        startNanos + nanos,
        endNanos + nanos);
  }
}
