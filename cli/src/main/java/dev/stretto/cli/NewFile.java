package dev.stretto.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * A file that appears under its name only when it is complete: until then it is written under
 * another name beside it.
 */
final class NewFile {
  private static final Set<PosixFilePermission> GROUP =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.GROUP_EXECUTE);

  /** The bits of a mode that give the kind of file: see stat(2). */
  private static final int TYPE = 0170000;

  private static final int PIPE = 0010000;

  private final TemporaryFiles files;
  private final Path target;
  private final Path path;

  private NewFile(TemporaryFiles files, Path target, Path path) {
    this.files = files;
    this.target = target;
    this.path = path;
  }

  /**
   * A new regular file.
   *
   * @param option the option that names the file, for messages
   * @throws CommandFailure if no file can be written there
   */
  static NewFile regular(TemporaryFiles files, String option, Path named) {
    if (Files.exists(named) && !Files.isRegularFile(named)) {
      throw new CommandFailure(option + " " + named + " is not a regular file");
    }
    return at(files, option, named);
  }

  /**
   * A new regular file; or, if the path leads to something else such as a pipe, that itself,
   * written directly.
   */
  static NewFile at(TemporaryFiles files, String option, Path named) {
    try {
      if (Files.isDirectory(named)) {
        throw new CommandFailure(option + " " + named + " is a folder");
      }
      // Replaces the file that a link points to, not the link.
      Path target = Files.exists(named) ? named.toRealPath() : named.toAbsolutePath();
      if (Files.exists(target) && !Files.isRegularFile(target)) {
        return new NewFile(files, target, target);
      }
      if (Files.exists(target) && !Files.isWritable(target)) {
        throw new CommandFailure(option + " " + named + " cannot be written: permission denied");
      }
      Path beside = files.createBeside(target);
      if (Files.exists(target)) {
        keepAccess(target, beside);
      }
      return new NewFile(files, target, beside);
    } catch (IOException e) {
      throw new CommandFailure(option + " " + named + " cannot be written: " + Faults.reason(e), e);
    }
  }

  /**
   * Copies the permissions before anything is written: users who could not read the old file must
   * not be able to read the new one.
   */
  private static void keepAccess(Path from, Path to) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    if (view == null) {
      return; // a file system without modes
    }
    PosixFileAttributes before = Files.readAttributes(from, PosixFileAttributes.class);
    PosixFileAttributes now = view.readAttributes();
    try {
      if (!now.owner().equals(before.owner())) {
        view.setOwner(before.owner());
      }
      if (!now.group().equals(before.group())) {
        view.setGroup(before.group());
      }
      view.setPermissions(before.permissions());
    } catch (FileSystemException e) {
      // The group cannot be changed, and permissions for the old group would go to another one.
      Set<PosixFilePermission> granted = EnumSet.noneOf(PosixFilePermission.class);
      granted.addAll(before.permissions());
      granted.removeAll(GROUP);
      view.setPermissions(granted);
    }
  }

  /**
   * Opens the file for text. If a pipe has no reader, the first write fails, instead of blocking
   * forever.
   */
  Writer writer() throws IOException {
    return new BufferedWriter(
        new OutputStreamWriter(stream(), StandardCharsets.UTF_8.newEncoder()));
  }

  /** The same for bytes. */
  OutputStream stream() throws IOException {
    if (!path.equals(target) || !isPipe(path)) {
      return Files.newOutputStream(path);
    }
    // While one end is open here for reading, opening the other one does not block.
    try (FileChannel _ =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return Files.newOutputStream(path, StandardOpenOption.WRITE);
    }
  }

  private static boolean isPipe(Path path) throws IOException {
    try {
      return ((int) Files.getAttribute(path, "unix:mode") & TYPE) == PIPE;
    } catch (UnsupportedOperationException e) {
      return false; // a file system without pipes
    }
  }

  /** The path to write to. */
  Path path() {
    return path;
  }

  /** Gives the file its name. */
  void complete() {
    if (path.equals(target)) {
      return;
    }
    try {
      try {
        Files.move(path, target, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(path, target, StandardCopyOption.REPLACE_EXISTING);
      }
      files.keep(path);
    } catch (IOException e) {
      throw new CommandFailure(target + " cannot be written: " + Faults.reason(e), e);
    }
  }
}
