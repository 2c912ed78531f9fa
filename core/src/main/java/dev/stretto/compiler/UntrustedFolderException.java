package dev.stretto.compiler;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown if somebody else may have put files into a folder, or may do so. */
final class UntrustedFolderException extends IOException {
  private static final long serialVersionUID = 1L;

  UntrustedFolderException(Path folder, String why) {
    super(folder + " " + why);
  }
}
