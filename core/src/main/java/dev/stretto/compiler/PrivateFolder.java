package dev.stretto.compiler;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A folder that only its user can enter, held open: whatever happens to the path in the meantime,
 * files are those of this very folder. Links are not followed, neither to the folder nor within it.
 */
final class PrivateFolder implements AutoCloseable {
  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);
  private static final FileAttribute<?> FOLDER = PosixFilePermissions.asFileAttribute(OWNERS);
  private static final FileAttribute<?> FILE =
      PosixFilePermissions.asFileAttribute(
          EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
  private static final String ASIDE = ".tmp";

  /** The user who runs this process, in the form in which files name their owners. */
  private static final class User {
    static final @Nullable UserPrincipal EFFECTIVE = find();

    /** The second number, the effective user: a program may run with the rights of another user. */
    private static @Nullable UserPrincipal find() {
      try {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
          if (line.startsWith("Uid:")) {
            String id = line.split("\\s+", -1)[2];
            return FileSystems.getDefault()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(id);
          }
        }
      } catch (IOException | UnsupportedOperationException e) {
        return null; // then no folder is trusted, and the store says so
      }
      return null;
    }
  }

  private final SecureDirectoryStream<Path> folder;

  private PrivateFolder(SecureDirectoryStream<Path> folder) {
    this.folder = folder;
  }

  /**
   * Opens a folder, and makes it if it does not exist.
   *
   * @param path absolute
   * @param ours selects the files that belong here. If others may read the folder, it is closed to
   *     them provided that it holds nothing else
   * @throws UntrustedFolderException if somebody else could have put files there, or may do so
   * @throws IOException if it cannot be made or opened
   */
  static PrivateFolder open(Path path, Predicate<String> ours) throws IOException {
    Path parent = path.getParent();
    Path name = path.getFileName();
    if (!path.isAbsolute() || parent == null || name == null) {
      throw new UntrustedFolderException(path, "is not an absolute path of a folder");
    }
    try (SecureDirectoryStream<Path> above = make(parent, path)) {
      PosixFileAttributes at =
          above
              .getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes();
      if (!at.isDirectory()) { // opening a pipe would block
        throw new UntrustedFolderException(
            path, at.isSymbolicLink() ? "is a link" : "is not a folder");
      }
      SecureDirectoryStream<Path> opened =
          above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
      try {
        requirePrivate(opened, path, ours);
        return new PrivateFolder(opened);
      } catch (IOException | RuntimeException e) {
        opened.close();
        throw e;
      }
    } catch (UnsupportedOperationException e) {
      throw new UntrustedFolderException(path, "is on a file system whose files have no owners");
    }
  }

  @SuppressWarnings("StreamResourceLeak") // the caller closes it
  private static SecureDirectoryStream<Path> make(Path parent, Path path) throws IOException {
    if (!Files.isDirectory(parent)) {
      Files.createDirectories(parent, FOLDER);
    }
    try {
      Files.createDirectory(path, FOLDER);
    } catch (FileAlreadyExistsException e) {
      // It exists already. Its mode is checked later.
    }
    if (Files.newDirectoryStream(parent) instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    throw new UntrustedFolderException(
        path, "is on a file system whose folders cannot be held open");
  }

  private static void requirePrivate(
      SecureDirectoryStream<Path> folder, Path path, Predicate<String> ours) throws IOException {
    PosixFileAttributeView view = folder.getFileAttributeView(PosixFileAttributeView.class);
    PosixFileAttributes is = view.readAttributes();
    UserPrincipal user = User.EFFECTIVE;
    if (user == null) {
      throw new UntrustedFolderException(
          path, "may belong to anyone: /proc does not say who runs this process");
    }
    if (!is.owner().equals(user)) {
      throw new UntrustedFolderException(
          path, "belongs to " + is.owner().getName() + ", not to the user of this process");
    }
    Set<PosixFilePermission> permissions = is.permissions();
    if (OWNERS.containsAll(permissions)) {
      return;
    }
    String mode = PosixFilePermissions.toString(permissions);
    if (isWritable(permissions)) {
      throw new UntrustedFolderException(path, "is writable by others (" + mode + ")");
    }
    for (Path file : folder) {
      if (!ours.test(file.getFileName().toString())) {
        throw new UntrustedFolderException(
            path,
            "is open to others ("
                + mode
                + ") and holds other files, such as "
                + file.getFileName());
      }
    }
    Set<PosixFilePermission> kept = EnumSet.copyOf(permissions);
    kept.retainAll(OWNERS);
    view.setPermissions(kept);
  }

  /**
   * The content of a file, or nothing if there is no acceptable one: it must be a regular file of
   * this user that others may not write.
   *
   * @param most the most bytes that it may have
   * @param secret whether only its owner may be able to read it
   */
  Optional<byte[]> read(String name, int most, boolean secret) throws IOException {
    Path file = Path.of(name);
    PosixFileAttributes is;
    try {
      is = view(file).readAttributes();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    if (!is.isRegularFile()
        || is.size() > most
        || !is.owner().equals(User.EFFECTIVE)
        || (secret ? !OWNERS.containsAll(is.permissions()) : isWritable(is.permissions()))) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) is.size());
    try (SeekableByteChannel channel =
        folder.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // until it is full, or the file ends
      }
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    return bytes.hasRemaining() ? Optional.empty() : Optional.of(bytes.array());
  }

  private static boolean isWritable(Set<PosixFilePermission> permissions) {
    return permissions.contains(PosixFilePermission.GROUP_WRITE)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE);
  }

  /**
   * Writes a file that only its owner may read. Others see either all of it or its previous
   * content.
   */
  void write(String name, byte[] content) throws IOException {
    byte[] random = new byte[8];
    ThreadLocalRandom.current().nextBytes(random);
    Path aside = Path.of("new-" + HexFormat.of().formatHex(random) + ASIDE);
    Set<StandardOpenOption> fresh =
        EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    boolean moved = false;
    try {
      try (SeekableByteChannel channel = folder.newByteChannel(aside, fresh, FILE)) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      }
      folder.move(aside, folder, Path.of(name));
      moved = true;
    } finally {
      if (!moved) {
        delete(aside);
      }
    }
  }

  /** A file of the folder. */
  record Held(String name, long modifiedMillis) {}

  /** Whether a name is that of a file being written, perhaps by a process that has ended. */
  static boolean isAside(String name) {
    return name.startsWith("new") && name.endsWith(ASIDE);
  }

  /** All files that exist now. */
  List<Held> files() throws IOException {
    List<Held> all = new ArrayList<>();
    // Opened again, since an open folder can be listed only once.
    try (SecureDirectoryStream<Path> list =
        folder.newDirectoryStream(Path.of("."), LinkOption.NOFOLLOW_LINKS)) {
      for (Path file : list) {
        Path name = file.getFileName();
        try {
          all.add(
              new Held(name.toString(), view(name).readAttributes().lastModifiedTime().toMillis()));
        } catch (NoSuchFileException e) {
          // Another process has just deleted it.
        }
      }
    }
    return all;
  }

  /** Deletes a file if it exists. */
  void delete(String name) throws IOException {
    delete(Path.of(name));
  }

  private void delete(Path name) throws IOException {
    try {
      folder.deleteFile(name);
    } catch (NoSuchFileException e) {
      // It is gone, as intended.
    }
  }

  private PosixFileAttributeView view(Path name) throws FileSystemException {
    PosixFileAttributeView view =
        folder.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view == null) {
      throw new FileSystemException(name.toString(), null, "has no owner");
    }
    return view;
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
