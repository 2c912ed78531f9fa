package dev.stretto.process;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file that processes map. The process that made it holds a lock on it as long as it lives, so
 * that whoever comes later can delete what it left behind.
 */
public final class SharedFile {
  private static final String PREFIX = "stretto-shared-";
  private static final String EARLY_PREFIX = "new-" + PREFIX;

  /** Longer than it takes from the making of a file to its lock. */
  private static final Duration EARLY = Duration.ofMinutes(1);

  /** Memory that can be pinned, where there is such a folder; but containers have little of it. */
  private static final Path MEMORY = Path.of("/dev/shm");

  /** What is to be deleted when this process ends in order. */
  private static final Set<Path> LEFT = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(SharedFile::deleteAll, "stretto-shared-end"));
  }

  private final Path path;
  private final FileChannel channel;
  private final Arena arena;
  private final MemorySegment memory;
  private final boolean isOwn;

  private SharedFile(Path path, FileChannel channel, long bytes, boolean isOwn) throws IOException {
    this.path = path;
    this.channel = channel;
    this.isOwn = isOwn;
    this.arena = Arena.ofShared();
    this.memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
  }

  private static void deleteAll() {
    LEFT.forEach(SharedFile::delete);
  }

  private static void delete(Path path) {
    try {
      boolean _ = Files.deleteIfExists(path);
    } catch (IOException _) { // it is swept later
      return;
    }
  }

  /** {@return a new file of zeros, of any size} */
  public static SharedFile create(long bytes) throws IOException {
    return create(temporary(), bytes);
  }

  /** {@return a new small file of zeros that can be pinned} */
  public static SharedFile createPinnable(long bytes) throws IOException {
    return create(Files.isWritable(MEMORY) ? MEMORY : temporary(), bytes);
  }

  private static SharedFile create(Path folder, long bytes) throws IOException {
    sweep();
    String name = PREFIX + ProcessHandle.current().pid() + "-" + UUID.randomUUID();
    Path early = folder.resolve("new-" + name);
    FileChannel channel =
        FileChannel.open(
            early,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            OwnersOnly.attributes("rw-------"));
    Path path = folder.resolve(name);
    try {
      if (channel.tryLock() == null) {
        throw new IOException("nobody else can have locked " + early);
      }
      // From now on the name says that the file is locked while its process lives.
      Path _ = Files.move(early, path, StandardCopyOption.ATOMIC_MOVE);
      LEFT.add(path);
      return new SharedFile(path, channel, bytes, true);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      channel.close();
      boolean _ = Files.deleteIfExists(early);
      boolean _ = Files.deleteIfExists(path);
      throw e;
    }
  }

  /** {@return a file of another process} */
  public static SharedFile open(Path path, long bytes) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (channel.size() < bytes) {
        throw new IOException(path + " has " + channel.size() + " bytes, not " + bytes);
      }
      return new SharedFile(path, channel, bytes, false);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      channel.close();
      throw e;
    }
  }

  /** {@return whether this process made a file} */
  public static boolean isOfThisProcess(Path path) {
    return name(path).startsWith(PREFIX + ProcessHandle.current().pid() + "-");
  }

  /** {@return whether a path is that of such a file, in its place} */
  public static boolean isOne(Path path) {
    Path folder = path.getParent();
    return name(path).startsWith(PREFIX) && (temporary().equals(folder) || MEMORY.equals(folder));
  }

  private static String name(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().normalize();
  }

  /** {@return where it is} */
  public Path path() {
    return path;
  }

  /** {@return its bytes; valid until it is closed} */
  public MemorySegment memory() {
    return memory;
  }

  /** {@return whether this process made it} */
  public boolean isOwn() {
    return isOwn;
  }

  private static boolean isUnlocked(FileChannel channel) {
    try (FileLock lock = channel.tryLock()) {
      return lock != null;
    } catch (OverlappingFileLockException _) {
      return false; // this process has it
    } catch (IOException _) {
      return false;
    }
  }

  /** Ends its use here. Its process deletes it, and if that has ended, whoever uses it last. */
  public void close() {
    arena.close();
    try {
      if (isOwn || isUnlocked(channel)) {
        boolean _ = Files.deleteIfExists(path);
        LEFT.remove(path);
      }
      channel.close();
    } catch (IOException _) { // it is swept later
      return;
    }
  }

  /** Deletes the files of processes that have ended. */
  private static void sweep() throws IOException {
    Instant early = Instant.now().minus(EARLY);
    for (Path folder : Set.of(MEMORY, temporary())) {
      if (!Files.isDirectory(folder)) {
        continue;
      }
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + PREFIX + "*")) {
        for (Path file : files) {
          String name = name(file);
          if (name.startsWith(PREFIX)
              ? !isOfThisProcess(file)
              : name.startsWith(EARLY_PREFIX) && isOlder(file, early)) {
            sweepOne(file);
          }
        }
      }
    }
  }

  private static boolean isOlder(Path file, Instant than) {
    try {
      return Files.getLastModifiedTime(file).toInstant().isBefore(than);
    } catch (IOException _) { // it is gone
      return false;
    }
  }

  private static void sweepOne(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      if (isUnlocked(channel)) {
        boolean _ = Files.deleteIfExists(file);
      }
    } catch (IOException _) { // another user's, or just deleted
      return;
    }
  }
}
