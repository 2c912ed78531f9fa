package dev.stretto.flow;

import java.nio.channels.Channel;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.locks.LockSupport;

/**
 * Ensures that a channel moves bytes: a channel that does not block would be called again and
 * again, and one that moves nothing would be called forever.
 */
final class ChannelPace {
  /** How long a channel may keep returning without having moved anything. */
  private static final long MOST_IDLE_NANOS = 1_000_000_000;

  private static final long MOST_PAUSE_NANOS = 1_000_000;

  private final String end;
  private volatile boolean stopped;
  private long idleSince;
  private int idle;

  /**
   * @param end source or sink
   */
  ChannelPace(String end) {
    this.end = end;
  }

  /** Refuses a channel that does not block. */
  static void requireBlocking(String end, Channel channel) {
    if (isNonBlocking(channel)) {
      throw new IllegalArgumentException(notBlocking(end, channel));
    }
  }

  private static boolean isNonBlocking(Channel channel) {
    return channel instanceof SelectableChannel selectable && !selectable.isBlocking();
  }

  private static String notBlocking(String end, Channel channel) {
    return "a flow's "
        + end
        + " cannot be "
        + channel
        + ", which does not block: call configureBlocking(true) on it";
  }

  /** Marks the beginning of a chunk's transfer. */
  void begin() {
    idle = 0;
  }

  /** Makes a thread that waits for the channel return. */
  void stop() {
    stopped = true;
  }

  /**
   * Checks a call of the channel after it has returned.
   *
   * @param told how many bytes the channel reports as moved
   * @param moved how many it has actually moved
   * @param position how many it has moved in total
   */
  void moved(Channel channel, int told, int moved, long position) {
    if (stopped) {
      throw new FlowException("the " + end + " channel was stopped after " + position + " bytes");
    }
    if (told != moved) {
      throw new FlowException(
          "the %s channel %s reports %d bytes as moved, but has moved %d of its buffer"
              .formatted(end, channel, told, moved));
    }
    if (moved > 0) {
      idle = 0;
    } else {
      pause(channel, position);
    }
  }

  private void pause(Channel channel, long position) {
    if (isNonBlocking(channel)) {
      throw new FlowException(notBlocking(end, channel));
    }
    if (idle++ == 0) {
      idleSince = System.nanoTime();
    } else if (System.nanoTime() - idleSince > MOST_IDLE_NANOS) {
      throw new FlowException(
          ("the %s channel %s has moved nothing after byte %d in %d calls within a "
                  + "second: it must block until it moves a byte")
              .formatted(end, channel, position, idle));
    }
    LockSupport.parkNanos(this, Math.min(MOST_PAUSE_NANOS, 1_000L << Math.min(idle, 10)));
  }
}
