package dev.stretto.driver.virtual;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Something of which a device does so much a second, whoever asks: moving bytes of its memory, or
 * operations. Work that meets other work shares with it. What was fixed earlier seems to have run
 * alone, what comes later is slower, and together they take as long as on a GPU.
 */
final class SharedRate {
  /** The latest pieces of work that are remembered, more than run beside each other. */
  private static final int MOST = 64;

  private record Work(long from, long end) {}

  private final BusyTimes busy = new BusyTimes();
  private final Deque<Work> latest = new ArrayDeque<>();

  /**
   * {@return when work is done}
   *
   * @param from when it begins
   * @param nanos how long it takes alone
   */
  long end(long from, long nanos) {
    if (nanos <= 0) {
      return from;
    }
    long start = busy.reserve(from, at -> at + nanos);
    long end = start + nanos;
    if (start > from) {
      long sharing = latest.stream().filter(work -> work.from <= from && work.end > from).count();
      end = Math.min(end, from + (sharing + 1) * nanos);
    }
    latest.addLast(new Work(from, end));
    if (latest.size() > MOST) {
      latest.removeFirst();
    }
    return end;
  }
}
