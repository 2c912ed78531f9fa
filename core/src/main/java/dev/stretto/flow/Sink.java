package dev.stretto.flow;

import dev.stretto.driver.HostClock;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a flow's bytes go. A flow closes its sink when it ends, however it ends; what was written
 * stays.
 *
 * <p>Implementations are called on threads of the flow's, by several at once for different
 * positions if {@link #isPositional()}.
 */
public interface Sink extends AutoCloseable {
  /** {@return whether writes may happen at the same time and in any order} */
  boolean isPositional();

  /**
   * Writes bytes, all of them.
   *
   * @param position of the first byte; if the sink is not positional, it is where the last write
   *     ended
   * @param from what to write
   */
  void write(long position, MemorySegment from);

  /**
   * {@return where the bytes are to go, if that is pinned memory, so that they need not pass a
   * buffer}
   *
   * @param position of the first byte
   * @param bytes how many
   */
  default Optional<MemorySegment> resident(long position, long bytes) {
    return Optional.empty();
  }

  /**
   * {@return how long a write takes in the modelled time of a virtual device}
   *
   * @param clock of the device
   * @param bytes how many
   * @param writers how many threads write at the same time
   */
  default long modelledNanos(HostClock clock, long bytes, int writers) {
    Objects.requireNonNull(clock, "clock");
    return clock.writeNanos(bytes, writers);
  }

  /**
   * Says that the flow has failed or was cancelled: a write that waits for others returns or throws
   * soon. The flow ends, and closes the sink, once it does. Called once, at most, by another thread
   * than the one that writes. A write that goes on is interrupted after a moment; one that goes on
   * all the same is left behind after some seconds, and the sink is closed beside it.
   */
  default void stop() {}

  /** Finishes what was written, and lets go of what the sink holds. */
  @Override
  void close();

  /**
   * {@return a sink that writes a file}
   *
   * @param path created, or written over if it exists and cut off where the flow ended; not a pipe,
   *     which cannot be written in any order and goes through a {@link #channel channel}
   * @throws FlowException if it is a folder, a pipe or a socket, or cannot be opened for writing
   */
  static Sink file(Path path) {
    return new FileSink(Objects.requireNonNull(path, "path"));
  }

  /**
   * {@return a sink that fills a segment, in place if it is pinned}
   *
   * @param segment writable by any thread; not closed by the flow
   * @throws IllegalArgumentException if it is read-only, or belongs to a thread's confined arena
   * @throws dev.stretto.fault.ClosedException if its arena is closed
   */
  static Sink of(MemorySegment segment) {
    return new SegmentSink(Objects.requireNonNull(segment, "segment"));
  }

  /**
   * {@return a sink that writes to a channel, in order}
   *
   * @param channel blocking; closed with the flow, and as soon as the flow fails or is cancelled
   * @throws IllegalArgumentException if it does not block
   */
  static Sink channel(WritableByteChannel channel) {
    return new ChannelSink(Objects.requireNonNull(channel, "channel"));
  }
}
