package dev.stretto.flow;

import dev.stretto.driver.HostClock;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * The destination of a flow's bytes. A flow closes its sink when it ends, however it ends; bytes
 * that were written stay.
 *
 * <p>The flow calls implementations on its own threads, and several at once for different positions
 * if {@link #isPositional()}.
 */
public interface Sink extends AutoCloseable {
  /** {@return whether writes may happen at the same time and in any order} */
  boolean isPositional();

  /**
   * Writes bytes, all of them.
   *
   * @param position of the first byte; if the sink is not positional, it is where the last write
   *     ended
   * @param from the bytes to write
   */
  void write(long position, MemorySegment from);

  /**
   * Prepares for so many bytes in all, before the first of them is written. A flow that knows how
   * many there will be calls it once; a file allocates their room then. With a virtual device whose
   * work is in an order, files are not told. Does nothing by default.
   *
   * @param bytes in all; 0 or more
   * @throws FlowException if there is no room for them
   */
  default void expect(long bytes) {}

  /**
   * {@return the memory that the bytes go to, if a stream may copy there, so that they need no
   * buffer in between} Any thread may access it, and it stays open until the flow has ended.
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
   * Reports that the flow has failed or was cancelled: a write that waits for something outside
   * should return or throw soon. Then the flow ends, and closes the sink. Called at most once, on
   * another thread than the one that writes. A write that continues is interrupted after a moment;
   * one that still continues is abandoned after some seconds, and the sink is closed concurrently.
   */
  default void stop() {}

  /** Completes the writes, and releases what the sink holds. */
  @Override
  void close();

  /**
   * {@return a sink that writes a file} If the flow knows how many bytes it will write, their room
   * is allocated when it starts, so that a full disk is reported then; and several threads write,
   * through mapped memory, where the system does that well.
   *
   * @param path created; or overwritten if it exists, and cut off where the flow ended; not a pipe,
   *     which cannot be written in any order and needs a {@link #channel channel}
   * @throws FlowException if it is a folder, a pipe or a socket, or cannot be opened for writing
   */
  static Sink file(Path path) {
    return new FileSink(Objects.requireNonNull(path, "path"));
  }

  /**
   * {@return a sink that fills a segment, in place unless it is a mapped file}
   *
   * @param segment writable by any thread; not closed by the flow
   * @throws IllegalArgumentException if it is read-only, or belongs to a confined arena
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
