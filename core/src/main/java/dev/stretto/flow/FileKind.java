package dev.stretto.flow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** The kind of file that a path leads to. */
enum FileKind {
  /** A regular file. */
  REGULAR("a regular file"),
  /** A folder. */
  FOLDER("a folder"),
  /** A pipe: opening it waits for the other end. */
  PIPE("a pipe"),
  /** A socket. */
  SOCKET("a socket"),
  /** A device, or anything else. */
  DEVICE("a device");

  private static final int TYPE_BITS = 0xF000;
  private static final int PIPE_BITS = 0x1000;
  private static final int SOCKET_BITS = 0xC000;

  private final String words;

  FileKind(String words) {
    this.words = words;
  }

  /**
   * {@return the kind of file that a path leads to, following links} Does not open it.
   *
   * @throws NoSuchFileException if there is nothing
   */
  static FileKind of(Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    if (attributes.isRegularFile()) {
      return REGULAR;
    }
    if (attributes.isDirectory()) {
      return FOLDER;
    }
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return DEVICE;
    }
    int mode = (Integer) Files.getAttribute(path, "unix:mode", new LinkOption[0]);
    return switch (mode & TYPE_BITS) {
      case PIPE_BITS -> PIPE;
      case SOCKET_BITS -> SOCKET;
      default -> DEVICE;
    };
  }

  @Override
  public String toString() {
    return words;
  }
}
