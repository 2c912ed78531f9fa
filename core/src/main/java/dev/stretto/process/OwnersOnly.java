package dev.stretto.process;

import java.nio.file.FileSystems;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that no other user may open, where the system can say so at their creation. */
final class OwnersOnly {
  private OwnersOnly() {}

  /**
   * {@return the attributes of a new file or folder}
   *
   * @param permissions in the form {@code rwx------}
   */
  static FileAttribute<?>[] attributes(String permissions) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
