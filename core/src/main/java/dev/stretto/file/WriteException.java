package dev.stretto.file;

import java.io.IOException;
import java.io.Serial;

/** Thrown when bytes could not be written to a {@link WritableFile}. */
public final class WriteException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  WriteException(String message, Throwable cause) {
    super(message, cause);
  }
}
