package dev.stretto.cli;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that appears under its name when it is complete and not before: until then it is written
 * under another name beside it.
 */
final class NewFile {
  private final TemporaryFiles files;
  private final Path target;
  private final Path path;

  private NewFile(TemporaryFiles files, Path target, Path path) {
    this.files = files;
    this.target = target;
    this.path = path;
  }

  /**
   * @param option that names the file, for messages
   * @throws CommandFailure if no file can be written there
   */
  static NewFile regular(TemporaryFiles files, String option, Path named) {
    if (Files.exists(named) && !Files.isRegularFile(named)) {
      throw new CommandFailure(option + " " + named + " is not a regular file");
    }
    return at(files, option, named);
  }

  /** The same, but what is no regular file, such as a pipe, is written directly. */
  static NewFile at(TemporaryFiles files, String option, Path named) {
    try {
      if (Files.isDirectory(named)) {
        throw new CommandFailure(option + " " + named + " is a folder");
      }
      // What a link points to is replaced, not the link.
      Path target = Files.exists(named) ? named.toRealPath() : named.toAbsolutePath();
      if (Files.exists(target) && !Files.isRegularFile(target)) {
        return new NewFile(files, target, target);
      }
      if (Files.exists(target) && !Files.isWritable(target)) {
        throw new CommandFailure(option + " " + named + " cannot be written: permission denied");
      }
      return new NewFile(files, target, files.createBeside(target));
    } catch (IOException e) {
      throw new CommandFailure(option + " " + named + " cannot be written: " + Faults.reason(e), e);
    }
  }

  /** Where to write. */
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
