package dev.stretto.flow;

import dev.stretto.driver.HostClock;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
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
    return clock.writeNanos(bytes, writers);
  }

  /**
   * Says that the flow has failed or was cancelled: a write that waits for others returns or throws
   * soon. The flow ends, and closes the sink, once it does.
   */
  default void stop() {}

  /** Finishes what was written, and lets go of what the sink holds. */
  @Override
  void close();

  /**
   * {@return a sink that writes a file}
   *
   * @param path created, or written over if it exists and cut off where the flow ended
   * @throws FlowException if it cannot be opened for writing
   */
  static Sink file(Path path) {
    return new FileSink(path);
  }

  /**
   * {@return a sink that fills a segment, in place if it is pinned}
   *
   * @param segment writable by any thread; not closed by the flow
   */
  static Sink of(MemorySegment segment) {
    return new SegmentSink(segment);
  }

  /**
   * {@return a sink that writes to a channel, in order}
   *
   * @param channel blocking; closed with the flow
   */
  static Sink channel(WritableByteChannel channel) {
    return new ChannelSink(channel);
  }
}
