package dev.stretto.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Where this process answers others. It begins when something is shared for the first time. */
public final class Endpoint {
  private static final String PREFIX = "stretto-";

  /** The file that a process has locked as long as it lives. */
  private static final String ALIVE = "alive";

  /** A socket's path may have 107 bytes; in {@code /tmp} ours has far fewer. */
  private static final int LONGEST_PATH = 100;

  private static final int TRIES = 20;
  private static final long BETWEEN_TRIES_NANOS = 5_000_000;

  private static final Path SHORT_FOLDER = Path.of("/tmp");

  private static @Nullable Endpoint ofProcess;

  /**
   * One thing that is shared.
   *
   * @param secret what others have to know
   */
  private record Entry(Shared shared, long secret) {}

  private final Map<Long, Entry> entries = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final SecureRandom secrets = new SecureRandom();
  private final Path folder;
  private final Path socket;
  private final ServerSocketChannel server;

  /** Held while the process lives, so that others know when what it left behind is of no use. */
  @SuppressWarnings("unused")
  private final FileLock life;

  private Endpoint() throws IOException {
    Path parent = parent();
    sweep(parent);
    folder =
        Files.createTempDirectory(
            parent,
            PREFIX + ProcessHandle.current().pid() + "-",
            OwnersOnly.attributes("rwx------"));
    socket = folder.resolve("socket");
    // It is locked before it gets its name: what others find, they may delete if it is not locked.
    Path early = folder.resolve("new");
    FileChannel alive =
        FileChannel.open(early, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    life = alive.lock();
    Path _ = Files.move(early, folder.resolve(ALIVE), StandardCopyOption.ATOMIC_MOVE);
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder), "stretto-endpoint-end"));
    Thread _ = Thread.ofVirtual().name("stretto-endpoint").start(this::accept);
  }

  /** {@return the endpoint of this process} */
  public static synchronized Endpoint ofProcess() {
    Endpoint known = ofProcess;
    if (known == null) {
      try {
        known = new Endpoint();
      } catch (IOException e) {
        throw new UncheckedIOException(
            "this process cannot be reached by others: it can make no socket in " + parent(), e);
      }
      ofProcess = known;
    }
    return known;
  }

  private static Path parent() {
    Path usual = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().normalize();
    boolean isLong = usual.toString().length() + 40 > LONGEST_PATH;
    return isLong && Files.isWritable(SHORT_FOLDER) ? SHORT_FOLDER : usual;
  }

  /**
   * {@return the handle by which others open something}
   *
   * @param bytes of memory; 0 for an event
   * @param device names the device among those of the machine
   */
  public ShareHandle share(Shared shared, ShareHandle.Kind kind, long bytes, String device) {
    long number = numbers.incrementAndGet();
    long secret = secrets.nextLong();
    entries.put(number, new Entry(shared, secret));
    return new ShareHandle(
        kind, ProcessHandle.current().pid(), number, secret, bytes, device, socket.toString());
  }

  /** Ends what {@link #share} began: nobody can open it any more. */
  public void end(ShareHandle handle) {
    entries.remove(handle.number());
  }

  private void accept() {
    while (true) {
      try {
        SocketChannel channel = server.accept();
        Thread _ = Thread.ofVirtual().name("stretto-endpoint-peer").start(() -> serve(channel));
      } catch (ClosedChannelException _) {
        return;
      } catch (IOException _) { // of one peer: the next one may come
        LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
      }
    }
  }

  /** Answers one connection until it ends, and then ends what the other process still uses. */
  private void serve(SocketChannel channel) {
    Map<Long, Deque<Shared>> used = new HashMap<>();
    try (channel) {
      while (true) {
        ByteBuffer request = Wire.receive(channel, Wire.REQUEST_BYTES);
        byte what = request.get();
        long number = request.getLong();
        Entry entry = entries.get(number);
        boolean isKnown = entry != null && entry.secret == request.getLong();
        Shared shared = isKnown && entry != null ? entry.shared : null;
        switch (what) {
          case Wire.OPEN -> Wire.send(channel, open(shared, number, used));
          case Wire.CLOSE -> close(used.get(number));
          case Wire.DESCRIPTOR -> {
            long message = Wire.receive(channel, Long.BYTES).getLong();
            Wire.send(channel, pass(used.get(number), message));
          }
          default -> throw new IOException("an unknown request: " + what);
        }
      }
    } catch (IOException _) { // the other process has ended, or is done
      return;
    } finally {
      used.values().forEach(uses -> uses.forEach(Shared::closed));
    }
  }

  private static ByteBuffer open(
      @Nullable Shared shared, long number, Map<Long, Deque<Shared>> used) {
    byte[] opens = shared == null ? null : shared.opened();
    if (shared == null || opens == null) {
      return ByteBuffer.allocate(1).put(Wire.NO).flip();
    }
    used.computeIfAbsent(number, _ -> new ArrayDeque<>()).add(shared);
    return ByteBuffer.allocate(1 + Integer.BYTES + opens.length)
        .put(Wire.YES)
        .putInt(opens.length)
        .put(opens)
        .flip();
  }

  /** Passes on the descriptor of what the other process has opened. */
  private ByteBuffer pass(@Nullable Deque<Shared> uses, long message) {
    Shared shared = uses == null ? null : uses.peek();
    byte verdict = Wire.NO;
    if (shared != null) {
      int descriptor = shared.descriptor();
      verdict = descriptor == Descriptors.NONE ? Wire.NONE : pass(descriptor, message);
    }
    return ByteBuffer.allocate(1).put(verdict).flip();
  }

  private byte pass(int descriptor, long message) {
    try {
      Descriptors.send(descriptor, Wire.receiver(socket, message), message);
      return Wire.YES;
    } catch (IOException _) { // the other process tells that nothing has come
      return Wire.NO;
    }
  }

  private static void close(@Nullable Deque<Shared> uses) {
    Shared shared = uses == null ? null : uses.poll();
    if (shared != null) {
      shared.closed();
    }
  }

  /** Deletes what processes have left that are no more. */
  private static void sweep(Path parent) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "[0-9]*")) {
      for (Path folder : folders) {
        if (Files.isDirectory(folder) && isLeft(folder)) {
          delete(folder);
        }
      }
    }
  }

  /**
   * Deletes what a process has left that has just ended. Its locks end at about the same time as
   * its sockets.
   *
   * @param socket where it answered
   */
  static void deleteWhatIsLeft(Path socket) {
    Path folder = socket.getParent();
    for (int i = 0; i < TRIES && folder != null && Files.exists(folder); i++) {
      if (isLeft(folder)) {
        delete(folder);
        return;
      }
      LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
    }
  }

  private static boolean isLeft(Path folder) {
    Path alive = folder.resolve(ALIVE);
    if (folder.getFileName().toString().startsWith(PREFIX + ProcessHandle.current().pid() + "-")) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(alive, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock != null;
    } catch (OverlappingFileLockException _) { // another thread here looks at it
      return false;
    } catch (IOException _) { // another user's, or one that is being made or deleted
      return false;
    }
  }

  private static void delete(Path folder) {
    try {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
        for (Path file : files) {
          boolean _ = Files.deleteIfExists(file);
        }
      }
      boolean _ = Files.deleteIfExists(folder);
    } catch (IOException _) { // whoever comes next tries again
      return;
    }
  }
}
