package dev.stretto.observe;

import java.util.List;

/**
 * A call of the program that waited, or made the driver do something that takes its time.
 *
 * @param kind what it was
 * @param name it in words
 * @param bytes the size of the memory that it handled, or 0
 * @param beginNanos when it began; by {@link System#nanoTime()}, or in the time of a model
 * @param endNanos when it ended
 * @param frames the program's frames in words, the nearest one first; none if no listener wants
 *     them
 */
public record HostCall(
    HostCallKind kind,
    String name,
    long bytes,
    long beginNanos,
    long endNanos,
    List<String> frames) {
  /** Keeps an immutable copy of the list. */
  public HostCall {
    frames = List.copyOf(frames);
  }
}
