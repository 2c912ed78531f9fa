package dev.stretto.spark;

import dev.stretto.flow.FlowException;
import dev.stretto.flow.Source;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/**
 * The records of a file that begin in a split of it: from the last end of a record at or before its
 * begin to the last one at or before its end. So neighbours agree, whatever the records.
 */
final class SplitSource implements Source {
  private static final int PIECE_BYTES = 1 << 20;
  private static final int LOOK_BYTES = 64 << 10;

  private final Bytes bytes;
  private final long begin;
  private final long end;

  /** Reads a file at any position, from several threads. */
  private interface Bytes extends AutoCloseable {
    void read(long position, MemorySegment into);

    @Override
    void close();
  }

  private SplitSource(Bytes bytes, long begin, long end) {
    this.bytes = bytes;
    this.begin = begin;
    this.end = end;
  }

  /**
   * {@return the source of a split}
   *
   * @throws FlowException if the file does not exist here or cannot be read
   */
  static SplitSource of(FileSplit split, SparkSplitter records, Configuration hadoop) {
    Path path = new Path(split.path());
    Bytes bytes = isLocal(path) ? new LocalFile(path) : new HadoopFile(path, hadoop);
    try {
      Window window = new Window(bytes);
      long begin = recordEnd(records, window, split.begin());
      long end =
          split.end() == split.size() ? split.size() : recordEnd(records, window, split.end());
      return new SplitSource(bytes, begin, end);
    } catch (RuntimeException | Error e) {
      bytes.close();
      throw e;
    }
  }

  private static long recordEnd(SparkSplitter records, Window window, long limit) {
    long end = limit == 0 ? 0 : records.end(window::get, 0, limit);
    if (end < 0 || end > limit) {
      throw new FlowException(
          "the splitter says that a record ends at byte %d, of bytes 0 to %d"
              .formatted(end, limit));
    }
    return end;
  }

  static boolean isLocal(Path path) {
    URI uri = path.toUri();
    return uri.getScheme() == null || uri.getScheme().equals("file");
  }

  @Override
  public long size() {
    return end - begin;
  }

  @Override
  public boolean isPositional() {
    return true;
  }

  @Override
  public long read(long position, MemorySegment into) {
    long count = Math.min(into.byteSize(), size() - position);
    bytes.read(begin + position, into.asSlice(0, count));
    return count;
  }

  @Override
  public void close() {
    bytes.close();
  }

  /** Read by the core, straight into the flow's pinned buffers. */
  private record LocalFile(Source file) implements Bytes {
    LocalFile(Path path) {
      this(Source.file(java.nio.file.Path.of(path.toUri().getPath())));
    }

    @Override
    public void read(long position, MemorySegment into) {
      long _ = file.read(position, into);
    }

    @Override
    public void close() {
      file.close();
    }
  }

  /** Hadoop knows arrays only. */
  private record HadoopFile(Path path, FSDataInputStream stream) implements Bytes {
    HadoopFile(Path path, Configuration hadoop) {
      this(path, open(path, hadoop));
    }

    private static FSDataInputStream open(Path path, Configuration hadoop) {
      try {
        return path.getFileSystem(hadoop).open(path);
      } catch (IOException e) {
        throw new FlowException(path + " cannot be read: " + e.getMessage(), e);
      }
    }

    @Override
    public void read(long position, MemorySegment into) {
      byte[] piece = new byte[(int) Math.min(PIECE_BYTES, into.byteSize())];
      try {
        for (long done = 0; done < into.byteSize(); ) {
          int count = (int) Math.min(piece.length, into.byteSize() - done);
          stream.readFully(position + done, piece, 0, count);
          MemorySegment.copy(MemorySegment.ofArray(piece), 0, into, done, count);
          done += count;
        }
      } catch (IOException e) {
        throw new FlowException(
            "%s cannot be read at byte %d: %s".formatted(path, position, e.getMessage()), e);
      }
    }

    @Override
    public void close() {
      try {
        stream.close();
      } catch (IOException e) {
        throw new FlowException(path + " cannot be closed: " + e.getMessage(), e);
      }
    }
  }

  /** Single bytes, read in blocks. */
  private static final class Window {
    private final Bytes bytes;
    private final byte[] block = new byte[LOOK_BYTES];
    private long from;
    private long to;

    Window(Bytes bytes) {
      this.bytes = Objects.requireNonNull(bytes);
    }

    /** Splitters look backwards mostly, and never behind what was asked for first. */
    byte get(long position) {
      if (position < from || position >= to) {
        to = position + 1;
        from = Math.max(0, to - LOOK_BYTES);
        bytes.read(from, MemorySegment.ofArray(block).asSlice(0, to - from));
      }
      return block[(int) (position - from)];
    }
  }
}
