package dev.stretto.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Opens files for flows. */
public final class HostFiles {
  private static final HostFiles HERE = new HostFiles(LinuxCalls.here().orElse(null));

  private final @Nullable FileCalls calls;

  private HostFiles(@Nullable FileCalls calls) {
    this.calls = calls;
  }

  /** {@return the files of this system} */
  public static HostFiles here() {
    return HERE;
  }

  /** {@return the files of this system, with calls of a test} */
  static HostFiles with(FileCalls calls) {
    return new HostFiles(calls);
  }

  /** {@return the calls of this system, if it has them} */
  Optional<FileCalls> calls() {
    return Optional.ofNullable(calls);
  }

  /**
   * {@return a file that several threads read}
   *
   * @throws IOException if it cannot be read
   */
  public FileChannel openToRead(Path path) throws IOException {
    FileCalls calls = callsFor(path);
    int number = calls == null ? -1 : calls.openToRead(path.toString());
    if (calls == null || number < 0) {
      return FileChannel.open(path, StandardOpenOption.READ); // or it says why not
    }
    Descriptor descriptor = new Descriptor(calls, number);
    try {
      FileChannel plain = FileChannel.open(Path.of(link(number)), StandardOpenOption.READ);
      return new ReadableFile(plain, calls, descriptor, link(number));
    } catch (IOException | UnsupportedOperationException e) { // without /proc, or not mapped
      descriptor.close();
      return FileChannel.open(path, StandardOpenOption.READ);
    }
  }

  /**
   * {@return a file that several threads write, made if there is none} It is not truncated.
   *
   * @throws IOException if it cannot be written
   */
  public FileChannel openToWrite(Path path) throws IOException {
    FileChannel made = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    FileCalls calls = callsFor(path);
    int number = calls == null ? -1 : calls.openToWrite(path.toString());
    if (calls == null || number < 0) {
      return made;
    }
    try {
      FileChannel plain =
          FileChannel.open(
              Path.of(link(number)), StandardOpenOption.READ, StandardOpenOption.WRITE);
      made.close();
      return new WritableFile(plain, calls, new Descriptor(calls, number), path);
    } catch (IOException e) { // without /proc
      int _ = calls.close(number);
      return made;
    }
  }

  private @Nullable FileCalls callsFor(Path path) {
    return path.getFileSystem().equals(FileSystems.getDefault()) ? calls : null;
  }

  /** {@return a path to the file that a descriptor is of, whatever its name leads to by now} */
  private static String link(int number) {
    return "/proc/self/fd/" + number;
  }
}
