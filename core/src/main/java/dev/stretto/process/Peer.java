package dev.stretto.process;

import dev.stretto.fault.NoSharingException;
import dev.stretto.fault.ProcessGoneException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Another process that shares something with this one. All that is opened of it goes over one
 * connection, which ends when the last of it is closed.
 */
public final class Peer {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long the end of a process takes at most; of one with much memory, seconds. */
  private static final Duration ENDING = Duration.ofMinutes(1);

  private static final long SHORTEST_PAUSE_NANOS = 100_000;
  private static final long LONGEST_PAUSE_NANOS = 20_000_000;

  private static final SecureRandom MESSAGES = new SecureRandom();
  private static final Map<String, Peer> PEERS = new HashMap<>();

  private final String socket;
  private final long process;
  private final SocketChannel channel;

  /** Nothing goes over this one: it ends when either process does. */
  private final SocketChannel life;

  /** Held by virtual threads only, so that no interrupt of the program's closes the channel. */
  private final ReentrantLock turn = new ReentrantLock();

  /** How much is opened; guarded by {@link #PEERS}. */
  private int uses;

  /** What runs when the process ends; guarded by itself. */
  private final List<Runnable> whenGone = new ArrayList<>();

  private volatile boolean isGone;

  private Peer(String socket, long process, SocketChannel channel, SocketChannel life) {
    this.socket = socket;
    this.process = process;
    this.channel = channel;
    this.life = life;
  }

  /** What opening something has brought: the process, and what opens it at the driver. */
  public static final class Opened {
    private final Peer peer;
    private final byte[] opens;

    private Opened(Peer peer, byte[] opens) {
      this.peer = peer;
      this.opens = opens;
    }

    /** {@return the process} */
    public Peer peer() {
      return peer;
    }

    /** {@return what opens it at the driver} */
    public byte[] opens() {
      return opens.clone();
    }
  }

  /**
   * Opens something of another process.
   *
   * @throws ProcessGoneException if the process has ended, or no longer shares it
   */
  public static Opened open(ShareHandle handle) {
    Peer peer = of(handle);
    try {
      byte[] opens = peer.call(() -> peer.open(handle.number(), handle.secret()));
      if (opens.length == 0) {
        throw new ProcessGoneException(
            handle.process(),
            "process %d shares %s no longer: it has closed it"
                .formatted(handle.process(), handle.kind().words()));
      }
      return new Opened(peer, opens);
    } catch (RuntimeException e) {
      peer.letGo();
      throw e;
    }
  }

  /**
   * {@return the file descriptor of something that is open, or {@link Descriptors#NONE} if none is
   * needed} The caller closes it.
   *
   * @throws ProcessGoneException if the process has ended
   * @throws NoSharingException if none can be passed on
   */
  public int descriptor(ShareHandle handle) {
    long message = MESSAGES.nextLong() | 1;
    Path arrives = Wire.receiver(Path.of(socket), message);
    return call(
        () -> {
          try (Descriptors.Receiver receiver = receiver(arrives, handle)) {
            Wire.send(channel, Wire.request(Wire.DESCRIPTOR, handle.number(), handle.secret()));
            Wire.send(channel, ByteBuffer.allocate(Long.BYTES).putLong(message).flip());
            byte verdict = Wire.receive(channel, 1).get();
            if (verdict == Wire.NONE) {
              return Descriptors.NONE;
            }
            if (verdict == Wire.NO || receiver == null) {
              throw notPassed(handle, new IOException("it could not be sent"));
            }
            return received(receiver, message, handle);
          }
        });
  }

  private Descriptors.@Nullable Receiver receiver(Path arrives, ShareHandle handle) {
    if (!Descriptors.canPass()) {
      return null;
    }
    try {
      return new Descriptors.Receiver(arrives);
    } catch (IOException e) {
      throw notPassed(handle, e);
    }
  }

  private int received(Descriptors.Receiver receiver, long message, ShareHandle handle) {
    try {
      return receiver.receive(message);
    } catch (IOException e) {
      throw notPassed(handle, e);
    }
  }

  private NoSharingException notPassed(ShareHandle handle, IOException why) {
    return new NoSharingException(
        "process %d could not pass on the file descriptor of %s: %s; both processes need Linux, the same user, and the folder of %s"
            .formatted(process, handle.kind().words(), why.getMessage(), socket),
        why);
  }

  private static Peer of(ShareHandle handle) {
    synchronized (PEERS) {
      Peer known = PEERS.get(handle.socket());
      if (known == null || known.isGone) {
        known = new Peer(handle.socket(), handle.process(), connect(handle), connect(handle));
        PEERS.put(handle.socket(), known);
        Thread _ = Thread.ofVirtual().name("stretto-peer-watch").start(known::watch);
      }
      known.uses++;
      return known;
    }
  }

  private static SocketChannel connect(ShareHandle handle) {
    SocketChannel channel = null;
    try {
      channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      boolean _ = channel.connect(UnixDomainSocketAddress.of(handle.socket()));
      return channel;
    } catch (IOException | IllegalArgumentException e) {
      closeQuietly(channel);
      throw new ProcessGoneException(
          handle.process(),
          "process %d cannot be reached, which shares %s: it has ended, or has another folder for temporary files (%s)"
              .formatted(handle.process(), handle.kind().words(), handle.socket()),
          e);
    }
  }

  /** Waits for the end of the process. */
  private void watch() {
    try {
      Wire.receive(life, 1);
    } catch (ClosedChannelException _) { // by this process, which uses nothing of it any more
      return;
    } catch (IOException _) {
      ends();
      Endpoint.deleteWhatIsLeft(Path.of(socket));
    }
  }

  /**
   * Tells that the process is gone, and goes on to do so for a while: its sockets close while its
   * threads still end one by one, and its device does what was enqueued until the last one has.
   */
  private void ends() {
    isGone = true;
    long start = System.nanoTime();
    long pause = SHORTEST_PAUSE_NANOS;
    while (tell() && System.nanoTime() - start < ENDING.toNanos()) {
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
  }

  /** {@return whether anybody wants to know} */
  private boolean tell() {
    synchronized (whenGone) {
      whenGone.forEach(Runnable::run);
      return !whenGone.isEmpty();
    }
  }

  /**
   * Has an action run when the process ends, as often as it takes; it is no longer once {@link
   * #forget} has returned.
   */
  public void whenGone(Runnable action) {
    synchronized (whenGone) {
      whenGone.add(action);
      if (isGone) {
        action.run();
      }
    }
  }

  /** Undoes {@link #whenGone}. */
  public void forget(Runnable action) {
    synchronized (whenGone) {
      whenGone.remove(action);
    }
  }

  /** {@return the number of the process} */
  public long process() {
    return process;
  }

  /** Ends one use. Does not block. */
  public void close(ShareHandle handle) {
    Thread _ =
        Thread.ofVirtual()
            .name("stretto-peer-close")
            .start(
                () -> {
                  turn.lock();
                  try {
                    Wire.send(channel, Wire.request(Wire.CLOSE, handle.number(), handle.secret()));
                  } catch (IOException _) { // it has ended, and uses nothing any more
                    isGone = true;
                  } finally {
                    turn.unlock();
                    letGo();
                  }
                });
  }

  private void letGo() {
    synchronized (PEERS) {
      uses--;
      if (uses == 0) {
        PEERS.remove(socket, this);
        closeQuietly(channel);
        closeQuietly(life);
      }
    }
  }

  private byte[] open(long number, long secret) throws IOException {
    Wire.send(channel, Wire.request(Wire.OPEN, number, secret));
    if (Wire.receive(channel, 1).get() == Wire.NO) {
      return new byte[0];
    }
    byte[] opens = new byte[Wire.receive(channel, Integer.BYTES).getInt()];
    Wire.receive(channel, opens.length).get(opens);
    return opens;
  }

  /** Talks on a thread of our own, and waits for it however often the caller is interrupted. */
  private <T> T call(Callable<T> talk) {
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              turn.lock();
              try {
                return talk.call();
              } finally {
                turn.unlock();
              }
            });
    Thread _ = Thread.ofVirtual().name("stretto-peer").start(task);
    try {
      return result(task);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof NoSharingException refused) {
        throw refused;
      }
      throw new ProcessGoneException(process, "process " + process + " has ended", e);
    } catch (TimeoutException e) {
      throw new ProcessGoneException(
          process,
          "process %d does not answer within %d s: it is stopped, or has ended"
              .formatted(process, PATIENCE.toSeconds()),
          e);
    }
  }

  private static <T> T result(FutureTask<T> task) throws ExecutionException, TimeoutException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void closeQuietly(@Nullable SocketChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException _) { // nothing can be done about it
      return;
    }
  }
}
