package dev.stretto.examples.kmeans.spark;

import dev.stretto.examples.kmeans.State;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A folder of states, one file for each iteration that was kept. A file appears whole: it is
 * written under another name, and renamed. The last two stay.
 */
final class Checkpoints {
  private static final String PREFIX = "iteration-";
  private static final int KEPT = 2;

  private final Path folder;
  private final FileSystem files;

  Checkpoints(String folder, Configuration hadoop) {
    this.folder = new Path(folder);
    try {
      files = this.folder.getFileSystem(hadoop);
    } catch (IOException e) {
      throw failure("used", e);
    }
  }

  private UncheckedIOException failure(String what, IOException e) {
    return new UncheckedIOException(
        "checkpoints in %s cannot be %s: %s".formatted(folder, what, e.getMessage()), e);
  }

  /** {@return the number of the last iteration that was kept; empty if none was} */
  OptionalInt newest() {
    try {
      return Arrays.stream(numbers()).max();
    } catch (IOException e) {
      throw failure("listed", e);
    }
  }

  private int[] numbers() throws IOException {
    if (!files.exists(folder)) {
      return new int[0];
    }
    FileStatus[] kept = files.listStatus(folder, each -> each.getName().matches(PREFIX + "\\d{9}"));
    return Arrays.stream(kept)
        .mapToInt(each -> Integer.parseInt(each.getPath().getName().substring(PREFIX.length())))
        .toArray();
  }

  private Path path(int iteration) {
    return new Path(folder, "%s%09d".formatted(PREFIX, iteration));
  }

  /**
   * {@return the state after an iteration that was kept}
   *
   * @throws IllegalArgumentException if it is damaged
   */
  State read(int iteration) {
    Path path = path(iteration);
    try (FSDataInputStream in = files.open(path)) {
      return State.of(in.readAllBytes(), path.toString());
    } catch (IOException e) {
      throw failure("read", e);
    }
  }

  /** Keeps a state, and removes what is older than the one before. */
  void write(State state) {
    Path path = path(state.iteration());
    Path part = new Path(folder, "." + path.getName() + "-" + UUID.randomUUID());
    try {
      try (OutputStream out = files.create(part, false)) {
        out.write(state.toBytes());
      }
      if (!files.rename(part, path)) {
        boolean _ = files.delete(part, false); // a stage before has kept the same state
        if (!files.exists(path)) {
          throw new IOException(part + " cannot be renamed to " + path);
        }
      }
      int[] numbers = Arrays.stream(numbers()).sorted().toArray();
      for (int i = 0; i < numbers.length - KEPT; i++) {
        boolean _ = files.delete(path(numbers[i]), false);
      }
    } catch (IOException e) {
      throw failure("written", e);
    }
  }
}
