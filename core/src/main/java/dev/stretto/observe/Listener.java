package dev.stretto.observe;

import dev.stretto.route.OpenStream;
import dev.stretto.route.TimedMark;

/** Hears of every operation of a device's streams: what stands between them and an observer. */
public interface Listener {
  /**
   * An operation was enqueued.
   *
   * @param stream where
   * @param work what
   * @param begin reached when all before it is done; the listener closes it
   * @param end reached when it is done; the listener closes it
   * @param hostNanos when, by {@link System#nanoTime()}
   */
  void enqueued(OpenStream stream, Work work, TimedMark begin, TimedMark end, long hostNanos);

  /**
   * An operation was enqueued whose end could not be marked.
   *
   * @param stream where
   * @param work what
   * @param cause why the mark was refused
   */
  void missed(OpenStream stream, Work work, RuntimeException cause);

  /** {@return the program's observer, for messages} */
  @Override
  String toString();
}
