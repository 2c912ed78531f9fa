package dev.stretto.flow;

import dev.stretto.driver.HostClock;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Flow.Publisher;

/**
 * The origin of a flow's bytes. The caller opens a source; the flow closes it when it ends, however
 * it ends.
 *
 * <p>The flow calls implementations on its own threads, and several at once for different positions
 * if {@link #isPositional()}.
 */
public interface Source extends AutoCloseable {
  /** {@return how many bytes there are, or -1 if that is known only at the end} */
  long size();

  /** {@return whether reads may happen at the same time and in any order} */
  boolean isPositional();

  /**
   * Reads bytes. Fills {@code into} unless the source ends first.
   *
   * @param position of the first byte; if the source is not positional, it is where the last read
   *     ended
   * @param into the destination
   * @return how many bytes were read; fewer than requested only at the end
   */
  long read(long position, MemorySegment into);

  /**
   * {@return the memory that holds the bytes, if a stream may copy it, so that they need not be
   * read into a buffer first} Any thread may access it, and it stays open until the flow has ended.
   *
   * @param position of the first byte
   * @param bytes how many
   */
  default Optional<MemorySegment> resident(long position, long bytes) {
    return Optional.empty();
  }

  /**
   * Says where a part of the source ends, such as one of several files. No record goes on beyond
   * it, and a flow that {@linkplain FlowPlan#split does not cut records} ends a chunk there.
   *
   * @param position of a byte; if the source is not positional, it has been read
   * @return the first end of a part after the position, if it is known by now; otherwise {@link
   *     Long#MAX_VALUE}
   */
  default long partEnd(long position) {
    return Long.MAX_VALUE;
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
   * Reports that the flow has failed or was cancelled: a read that waits for something outside
   * should return or throw soon. Then the flow ends, and closes the source. Called at most once, on
   * another thread than the one that reads. A read that continues is interrupted after a moment;
   * one that still continues is abandoned after some seconds, and the source is closed
   * concurrently.
   */
  default void stop() {}

  /** Makes the checks that are possible only at the end, and releases what the source holds. */
  @Override
  void close();

  /**
   * {@return the bytes of a file} Its length must not change. On Linux, what the page cache does
   * not have is read past it, and does not enter it.
   *
   * @param path an existing regular file; other readable files, such as a device, a pipe or a file
   *     of {@code /proc}, do not report their length, and need a {@link #channel channel}
   * @throws FlowException if it does not exist, is not a regular file, or cannot be opened
   */
  static Source file(Path path) {
    return new FileSource(Objects.requireNonNull(path, "path"));
  }

  /**
   * {@return the bytes of a file from a position on, as if it began there} For a file whose header
   * is read by other means.
   *
   * @param path an existing regular file
   * @param position of the first byte
   * @throws FlowException if it does not exist, is not a regular file, cannot be opened, or ends
   *     before the position
   * @throws IllegalArgumentException if the position is negative
   */
  static Source file(Path path, long position) {
    return new FileSource(Objects.requireNonNull(path, "path"), position);
  }

  /**
   * {@return so many bytes of a file from a position on} For a file that several processes share.
   *
   * @param path an existing regular file
   * @param position of the first byte
   * @param bytes how many
   * @throws FlowException if it does not exist, is not a regular file, cannot be opened, or has
   *     fewer bytes from the position on
   * @throws IllegalArgumentException if the position or the number is negative
   */
  static Source file(Path path, long position, long bytes) {
    return FileSource.part(Objects.requireNonNull(path, "path"), position, bytes);
  }

  /**
   * {@return the bytes of several files, one after the other} They are opened when they are read,
   * so there may be many. Their lengths must not change. A flow that {@linkplain FlowPlan#split
   * does not cut records} takes the end of a file for the end of a record.
   *
   * @param paths of existing regular files; of none, there are 0 bytes
   * @throws FlowException if one does not exist, is not a regular file, or cannot be opened
   */
  static Source files(List<Path> paths) {
    Objects.requireNonNull(paths, "paths");
    for (Path path : paths) {
      Objects.requireNonNull(path, "a path");
    }
    return new FilesSource(List.copyOf(paths));
  }

  /**
   * {@return the bytes of the regular files in a folder, by their names, one file after the other}
   * As {@link #files}; folders in the folder are left out, and so are hidden files.
   *
   * @param path an existing folder
   * @throws FlowException if it is not a folder, or cannot be read, or a file in it cannot
   */
  static Source folder(Path path) {
    return FilesSource.in(Objects.requireNonNull(path, "path"));
  }

  /**
   * {@return several sources row by row, such as files that each hold a column}
   *
   * @param sources files, mapped files or other memory, with as many rows each; closed with the
   *     flow
   * @param rowBytes how many bytes a row of each has, 1 or more
   * @throws IllegalArgumentException if there is no source, the sources are not as many as the row
   *     sizes, one cannot be read at any position, has a part of a row, or has more rows than
   *     another
   */
  static ZippedSource zip(List<Source> sources, long... rowBytes) {
    Objects.requireNonNull(sources, "sources");
    for (Source source : sources) {
      Objects.requireNonNull(source, "a source");
    }
    return new ZippedSource(sources, Objects.requireNonNull(rowBytes, "rowBytes"));
  }

  /**
   * {@return what a decoder makes of sources, one after the other, such as the content of
   * compressed files} Each source is decoded by a thread of its own, several of them at the same
   * time, a little ahead of the flow. For gzip, {@code GZIPInputStream::new} decodes; for zstd, the
   * input stream of a library.
   *
   * @param sources closed with the flow
   * @param decoder makes the stream that decodes
   */
  static Source decoded(List<Source> sources, Decoder decoder) {
    Objects.requireNonNull(sources, "sources");
    for (Source source : sources) {
      Objects.requireNonNull(source, "a source");
    }
    return new DecodedSource(List.copyOf(sources), Objects.requireNonNull(decoder, "decoder"));
  }

  /**
   * {@return the bytes of a segment; for an array, use {@code MemorySegment.ofArray}}
   *
   * <p>Memory is copied in place: pinned memory directly, other memory as any stream copies it, in
   * pieces through the device's pinned slots. A mapped file is read into pinned buffers by the
   * flow's threads, unless all of the segment is pinned, by {@link
   * dev.stretto.Device#register(MemorySegment, java.lang.foreign.Arena)}: then it is copied
   * directly.
   *
   * @param segment readable by any thread; not closed by the flow
   * @throws IllegalArgumentException if it belongs to a confined arena
   * @throws dev.stretto.fault.ClosedException if its arena is closed
   */
  static Source of(MemorySegment segment) {
    return new SegmentSource(Objects.requireNonNull(segment, "segment"));
  }

  /**
   * {@return the bytes that a channel delivers until it ends}
   *
   * @param channel blocking; closed with the flow, and as soon as the flow fails or is cancelled
   * @throws IllegalArgumentException if it does not block
   */
  static Source channel(ReadableByteChannel channel) {
    return new ChannelSource(Objects.requireNonNull(channel, "channel"));
  }

  /**
   * {@return the bytes that a publisher delivers until it completes} The flow subscribes when it
   * begins to read. A few buffers are requested ahead, then one for each that was read, so a
   * publisher that is faster than the flow has to wait. If the publisher signals an error, the flow
   * fails with a {@link FlowException} that has the error as its cause; if the flow fails or is
   * cancelled, it cancels the subscription.
   *
   * @param publisher of bytes, in buffers of any sizes, which belong to the flow once delivered
   */
  static Source publisher(Publisher<? extends ByteBuffer> publisher) {
    return new PublisherSource(Objects.requireNonNull(publisher, "publisher"));
  }
}
