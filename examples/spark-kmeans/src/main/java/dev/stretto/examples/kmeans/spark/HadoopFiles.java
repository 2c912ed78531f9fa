package dev.stretto.examples.kmeans.spark;

import dev.stretto.examples.kmeans.Opener;
import dev.stretto.examples.kmeans.PointFile;
import dev.stretto.examples.kmeans.PointFiles;
import dev.stretto.examples.kmeans.PointPart;
import dev.stretto.flow.FlowException;
import dev.stretto.flow.Source;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Files by their URIs. Those of the machine, and of mounted disks, are read past Hadoop. */
final class HadoopFiles {
  private final Configuration hadoop;

  HadoopFiles(Configuration hadoop) {
    this.hadoop = hadoop;
  }

  /**
   * {@return files, and those of folders by their names without hidden ones}
   *
   * @throws IllegalArgumentException if one cannot be read, or they are no files of such points
   */
  PointFiles list(int width, List<String> names) {
    List<PointFile> files = new ArrayList<>();
    for (String name : names) {
      Path path = new Path(name);
      try {
        FileSystem system = path.getFileSystem(hadoop);
        FileStatus status = system.getFileStatus(path);
        FileStatus[] all =
            status.isDirectory()
                ? system.listStatus(path, each -> !each.getName().matches("[._].*"))
                : new FileStatus[] {status};
        Arrays.sort(all);
        for (FileStatus each : all) {
          if (each.isFile()) {
            files.add(new PointFile(each.getPath().toString(), each.getLen()));
          }
        }
      } catch (IOException e) {
        throw new IllegalArgumentException(name + " cannot be read: " + e.getMessage(), e);
      }
    }
    return new PointFiles(width, files);
  }

  /** {@return the bytes of a part} */
  Source open(PointPart part) {
    Path path = new Path(part.name());
    URI uri = path.toUri();
    if (uri.getScheme() == null || uri.getScheme().equals("file")) {
      PointPart local = new PointPart(uri.getPath(), part.position(), part.bytes(), part.first());
      return Opener.LOCAL.open(local);
    }
    try {
      return new Remote(path, path.getFileSystem(hadoop).open(path), part.position(), part.bytes());
    } catch (IOException e) {
      throw new FlowException(path + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Hadoop knows arrays only. */
  private record Remote(Path path, FSDataInputStream stream, long first, long size)
      implements Source {
    private static final int PIECE_BYTES = 1 << 20;

    @Override
    public boolean isPositional() {
      return true;
    }

    @Override
    public long read(long position, MemorySegment into) {
      long count = Math.min(into.byteSize(), size - position);
      byte[] piece = new byte[(int) Math.min(PIECE_BYTES, count)];
      try {
        for (long done = 0; done < count; ) {
          int next = (int) Math.min(piece.length, count - done);
          stream.readFully(first + position + done, piece, 0, next);
          MemorySegment.copy(MemorySegment.ofArray(piece), 0, into, done, next);
          done += next;
        }
      } catch (IOException e) {
        throw new FlowException(
            "%s cannot be read at byte %d: %s".formatted(path, first + position, e.getMessage()),
            e);
      }
      return count;
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
}
