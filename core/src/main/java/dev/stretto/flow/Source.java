package dev.stretto.flow;

import dev.stretto.driver.HostClock;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Flow.Publisher;

/**
 * Where a flow's bytes come from. A flow opens no source and closes it when the flow ends, however
 * it ends.
 *
 * <p>Implementations are called on threads of the flow's, by several at once for different
 * positions if {@link #isPositional()}.
 */
public interface Source extends AutoCloseable {
  /** {@return how many bytes there are, or -1 if that is known only at the end} */
  long size();

  /** {@return whether reads may happen at the same time and in any order} */
  boolean isPositional();

  /**
   * Reads bytes. Fills {@code into} unless the source ends before.
   *
   * @param position of the first byte; if the source is not positional, it is where the last read
   *     ended
   * @param into where to
   * @return how many bytes were read; less than asked for only at the end
   */
  long read(long position, MemorySegment into);

  /**
   * {@return the bytes themselves, if they lie in pinned memory, so that they need not be read into
   * a buffer first}
   *
   * @param position of the first byte
   * @param bytes how many
   */
  default Optional<MemorySegment> resident(long position, long bytes) {
    return Optional.empty();
  }

  /**
   * {@return how long a read takes in the modelled time of a virtual device}
   *
   * @param clock of the device
   * @param bytes how many
   */
  default long modelledNanos(HostClock clock, long bytes) {
    Objects.requireNonNull(clock, "clock");
    return clock.readNanos(bytes);
  }

  /**
   * Says that the flow has failed or was cancelled: a read that waits for others returns or throws
   * soon. The flow ends, and closes the source, once it does. Called once, at most, by another
   * thread than the one that reads. A read that goes on is interrupted after a moment; one that
   * goes on all the same is left behind after some seconds, and the source is closed beside it.
   */
  default void stop() {}

  /** Checks what can be checked at the end only, and lets go of what the source holds. */
  @Override
  void close();

  /**
   * {@return the bytes of a file} It must stay as long as it is.
   *
   * @param path an existing regular file; what else can be read, such as a device, a pipe or a file
   *     of {@code /proc}, says nothing of its length, and goes through a {@link #channel channel}
   * @throws FlowException if it does not exist, is no regular file, or cannot be opened
   */
  static Source file(Path path) {
    return new FileSource(Objects.requireNonNull(path, "path"));
  }

  /**
   * {@return the bytes of a segment; of an array through {@code MemorySegment.ofArray}}
   *
   * <p>Pinned memory is copied from where it lies. Other memory is read into pinned buffers by the
   * flow's threads.
   *
   * @param segment readable by any thread; not closed by the flow
   * @throws IllegalArgumentException if it belongs to a thread's confined arena
   * @throws dev.stretto.fault.ClosedException if its arena is closed
   */
  static Source of(MemorySegment segment) {
    return new SegmentSource(Objects.requireNonNull(segment, "segment"));
  }

  /**
   * {@return what a channel delivers until it ends}
   *
   * @param channel blocking; closed with the flow, and as soon as the flow fails or is cancelled
   * @throws IllegalArgumentException if it does not block
   */
  static Source channel(ReadableByteChannel channel) {
    return new ChannelSource(Objects.requireNonNull(channel, "channel"));
  }

  /**
   * {@return what a publisher delivers until it completes} It is subscribed to when the flow begins
   * to read. A few buffers are requested ahead, then one for each that was read, so that a
   * publisher that is faster than the flow has to wait. If it signals an error, the flow fails with
   * a {@link FlowException} whose cause is that; if the flow fails or is cancelled, so is the
   * subscription.
   *
   * @param publisher of bytes, in buffers of any sizes, which are the flow's once delivered
   */
  static Source publisher(Publisher<? extends ByteBuffer> publisher) {
    return new PublisherSource(Objects.requireNonNull(publisher, "publisher"));
  }
}
