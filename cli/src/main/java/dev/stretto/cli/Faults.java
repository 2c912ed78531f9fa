package dev.stretto.cli;

import dev.stretto.fault.StrettoException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Describes a failure in one line. */
final class Faults {
  private Faults() {}

  /** The line for an exception that ended a command. */
  static String line(Throwable trouble) {
    if (trouble instanceof CommandFailure || trouble instanceof StrettoException) {
      return firstLine(trouble);
    }
    if (trouble instanceof UncheckedIOException unchecked && unchecked.getCause() != null) {
      return line(unchecked.getCause());
    }
    if (trouble instanceof FileSystemException file && file.getFile() != null) {
      return file.getFile() + ": " + reason(file);
    }
    if (trouble instanceof IOException io) {
      return reason(io);
    }
    if (trouble instanceof OutOfMemoryError) {
      return "out of memory: " + firstLine(trouble);
    }
    if (trouble instanceof IllegalArgumentException) {
      return firstLine(trouble);
    }
    return trouble.getClass().getSimpleName() + ": " + firstLine(trouble);
  }

  /** Why a file operation failed, without the file's name. */
  static String reason(IOException trouble) {
    return switch (trouble) {
      case NoSuchFileException missing -> "no such file or folder";
      case AccessDeniedException denied -> "permission denied";
      case FileAlreadyExistsException exists -> "it already exists";
      case EOFException end -> "it ends too early";
      case FileSystemException file when file.getReason() != null -> file.getReason();
      default -> firstLine(trouble);
    };
  }

  private static String firstLine(Throwable trouble) {
    String message = trouble.getMessage();
    if (message == null || message.isBlank()) {
      return trouble.getClass().getSimpleName();
    }
    return message.strip().lines().findFirst().orElse(message);
  }
}
