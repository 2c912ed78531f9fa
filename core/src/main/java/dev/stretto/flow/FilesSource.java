package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Files one after the other. Each is open only while it is read, since there may be more of them
 * than a process may have open.
 */
final class FilesSource implements StagedSource {
  /** A file that is open, and how many read it. */
  private static final class Open {
    final FileSource file;
    int readers;

    Open(FileSource file) {
      this.file = file;
    }
  }

  /** So many files stay open although nobody reads them now. */
  private static final int MOST_IDLE = 16;

  private final List<Path> paths;

  /** Where each file ends. */
  private final long[] ends;

  private final Map<Integer, Open> open = new HashMap<>();
  private final Map<Copy, Open> brought = new ConcurrentHashMap<>();
  private boolean closed;
  private @Nullable FlowException trouble;

  FilesSource(List<Path> paths) {
    this.paths = paths;
    this.ends = new long[paths.size()];
    long end = 0;
    for (int i = 0; i < ends.length; i++) {
      try (FileSource file = new FileSource(paths.get(i))) {
        end += file.size();
      }
      ends[i] = end;
    }
  }

  /** {@return the files in a folder} */
  static FilesSource in(Path folder) {
    try (java.util.stream.Stream<Path> all = Files.list(folder)) {
      List<Path> files = new ArrayList<>();
      for (Path each : (Iterable<Path>) all.sorted()::iterator) {
        if (!Files.isHidden(each) && !Files.isDirectory(each)) {
          files.add(each);
        }
      }
      return new FilesSource(List.copyOf(files));
    } catch (IOException | UncheckedIOException e) {
      throw new FlowException(folder + " cannot be read as a folder: " + e, e);
    }
  }

  @Override
  public long size() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  @Override
  public boolean isPositional() {
    return true;
  }

  /** The first file of which the byte is one; empty files have none. */
  private int fileOf(long position) {
    int at = Arrays.binarySearch(ends, position);
    if (at < 0) {
      return -at - 1;
    }
    int next = at + 1;
    while (next < ends.length && ends[next] == position) {
      next++;
    }
    return next;
  }

  private long begin(int number) {
    return number == 0 ? 0 : ends[number - 1];
  }

  @Override
  public long partEnd(long position) {
    int number = fileOf(position);
    return number == ends.length ? Long.MAX_VALUE : ends[number];
  }

  @Override
  public long read(long position, MemorySegment into) {
    Objects.requireNonNull(into, "into");
    long done = 0;
    while (done < into.byteSize() && position + done < size()) {
      int number = fileOf(position + done);
      long bytes = Math.min(into.byteSize() - done, ends[number] - position - done);
      Open reading = take(number);
      try {
        done += reading.file.read(position + done - begin(number), into.asSlice(done, bytes));
      } finally {
        giveBack(reading);
      }
    }
    return done;
  }

  @Override
  public List<Copy> copy(Stream stream, long position, GlobalBytes to) {
    List<Copy> copies = new ArrayList<>();
    long done = 0;
    while (done < to.byteSize()) {
      int number = fileOf(position + done);
      long bytes = Math.min(to.byteSize() - done, ends[number] - position - done);
      Open reading = take(number);
      try {
        for (Copy copy :
            reading.file.copy(stream, position + done - begin(number), to.slice(done, bytes))) {
          copies.add(copy);
          brought.put(copy, reading);
          CompletableFuture<Void> _ =
              copy.toCompletableFuture().whenComplete((nothing, e) -> ended(copy, e == null));
        }
      } catch (RuntimeException e) {
        giveBack(reading);
        throw e;
      }
      done += bytes;
    }
    return copies;
  }

  /** Forgets a copy; one that has failed is kept, since it tells which file it was. */
  private void ended(Copy copy, boolean isWhole) {
    Open reading = isWhole ? brought.remove(copy) : brought.get(copy);
    if (reading != null) {
      giveBack(reading);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the same exception
  public Throwable cause(Throwable thrown) {
    for (Map.Entry<Copy, Open> each : brought.entrySet()) {
      try {
        boolean _ = each.getKey().await(Duration.ZERO);
      } catch (CopyFailedException e) {
        if (e.getCause() == thrown.getCause()) {
          return each.getValue().file.cause(thrown);
        }
      } catch (RuntimeException _) {
        // another failure, such as that of the device, is none of the file's
      }
    }
    return thrown;
  }

  private synchronized Open take(int number) {
    Open reading = open.get(number);
    if (reading == null) {
      if (closed) {
        throw new FlowException(paths.get(number) + " is read after the flow has ended");
      }
      FileSource file = new FileSource(paths.get(number));
      long size = ends[number] - begin(number);
      if (file.size() != size) {
        file.close();
        throw new FlowException(
            "%s changed after the flow began: it had %d bytes and has %d now"
                .formatted(paths.get(number), size, file.size()));
      }
      reading = new Open(file);
      open.put(number, reading);
    }
    reading.readers++;
    return reading;
  }

  private void giveBack(Open reading) {
    synchronized (this) {
      reading.readers--;
      if (!closed && (reading.readers > 0 || open.size() <= MOST_IDLE)) {
        return;
      }
    }
    close(false);
  }

  /** Closes the files that nobody reads. */
  private void close(boolean isEnd) {
    List<FileSource> idle = new ArrayList<>();
    synchronized (this) {
      closed |= isEnd;
      open.values().removeIf(each -> (isEnd || each.readers == 0) && idle.add(each.file));
    }
    for (FileSource file : idle) {
      try {
        file.close();
      } catch (FlowException e) { // it has changed, which the end of the flow tells
        synchronized (this) {
          trouble = trouble == null ? e : trouble;
        }
      }
    }
  }

  @Override
  public void close() {
    close(true);
    synchronized (this) {
      if (trouble != null) {
        throw trouble;
      }
    }
  }

  @Override
  public String toString() {
    return paths.size() + " files";
  }
}
