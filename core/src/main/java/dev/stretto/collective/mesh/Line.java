package dev.stretto.collective.mesh;

import dev.stretto.fault.PeerLostException;
import dev.stretto.fault.RankMismatchException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The two connections between this rank and another one. Over one they say what they are about to
 * do, and that they live; over the other goes what they send.
 */
public final class Line {
  private static final byte ANNOUNCES = 1;
  private static final byte FAILED = 2;
  private static final byte LEAVES = 3;
  private static final byte LIVES = 4;

  private static final int BUFFER = 1 << 13;

  /** Of a reason, in characters. */
  private static final int LONGEST = 4096;

  private final Mesh mesh;
  private final Introduction other;
  private final SocketChannel talk;
  private final SocketChannel data;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final ReentrantLock outTurn = new ReentrantLock();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();

  /** What the other rank has announced and this one has not met yet; guarded by the lock. */
  private final Deque<String> collectives = new ArrayDeque<>();

  private final Deque<String> theirSends = new ArrayDeque<>();
  private final Deque<String> theirReceives = new ArrayDeque<>();

  /** What this rank counts, and what the other one had counted when it left. */
  private final AtomicLong shares = new AtomicLong();

  private volatile long theirShares;
  private volatile boolean hasLeft;
  private volatile long heardNanos = System.nanoTime();

  Line(Mesh mesh, Introduction other, SocketChannel talk, SocketChannel data) {
    this.mesh = mesh;
    this.other = other;
    this.talk = talk;
    this.data = data;
    this.in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(talk), BUFFER));
    this.out =
        new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(talk), BUFFER));
  }

  /** {@return who is at the other end} */
  public Introduction other() {
    return other;
  }

  // --- what both are about to do
  // --------------------------------------------------------------------------------

  /** Tells the other rank what this one is about to do. */
  public void announce(Announcement announcement) {
    say(
        to -> {
          to.writeByte(ANNOUNCES);
          announcement.write(to);
        });
  }

  /**
   * Waits until the other rank takes part in an operation of all.
   *
   * @param mine what this rank takes part in
   * @throws RankMismatchException if the other one does something else
   * @throws PeerLostException if a rank is lost
   */
  public void awaitCollective(String mine) {
    lock.lock();
    try {
      while (collectives.isEmpty()) {
        if (!theirSends.isEmpty() || !theirReceives.isEmpty()) {
          throw mismatch(mine, theirs());
        }
        awaitNews(mine);
      }
      String their = collectives.remove();
      if (!their.equals(mine)) {
        throw mismatch(mine, their);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the other rank receives what this one sends.
   *
   * @param mine what this one sends
   * @param receivesToo whether it receives something from the other rank at the same time
   * @throws RankMismatchException if the other one does something else
   * @throws PeerLostException if a rank is lost
   */
  public void awaitReceiver(String mine, boolean receivesToo) {
    awaitPartner("send of " + mine, mine, theirReceives, receivesToo ? null : theirSends);
  }

  /**
   * Waits until the other rank sends what this one receives.
   *
   * @param mine what this one receives
   * @param sendsToo whether it sends something to the other rank at the same time
   * @throws RankMismatchException if the other one does something else
   * @throws PeerLostException if a rank is lost
   */
  public void awaitSender(String mine, boolean sendsToo) {
    awaitPartner("recv of " + mine, mine, theirSends, sendsToo ? null : theirReceives);
  }

  private void awaitPartner(
      String title, String mine, Deque<String> wanted, @Nullable Deque<String> alike) {
    lock.lock();
    try {
      while (wanted.isEmpty()) {
        if (!collectives.isEmpty()) {
          throw mismatch(title, collectives.element());
        }
        if (alike != null && !alike.isEmpty()) {
          throw new RankMismatchException(
              "%s and %s would wait for each other forever: %s here, and %s there; put the sends and receives of a rank into one group(…)"
                  .formatted(mesh.own().title(), other.title(), title, theirs()));
        }
        awaitNews(title);
      }
      String their = wanted.remove();
      if (!their.equals(mine)) {
        throw mismatch(title, (title.startsWith("send") ? "recv of " : "send of ") + their);
      }
    } finally {
      lock.unlock();
    }
  }

  private String theirs() {
    return !theirSends.isEmpty()
        ? "send of " + theirSends.element()
        : "recv of " + theirReceives.element();
  }

  private RankMismatchException mismatch(String mine, String their) {
    return new RankMismatchException(
        "the ranks of a communicator do not agree: %s has called %s, and %s %s; all ranks have to make the same calls in the same order"
            .formatted(mesh.own().title(), mine, other.title(), their));
  }

  /** Called with the lock held. */
  @SuppressWarnings("WaitNotInLoop") // the callers loop
  private void awaitNews(String during) {
    RuntimeException failure = mesh.failure();
    if (failure != null) {
      throw mesh.again(failure);
    }
    if (hasLeft) {
      throw leftEarly(during);
    }
    news.awaitUninterruptibly();
  }

  private PeerLostException leftEarly(String during) {
    return new PeerLostException(
        other.rank(),
        "%s has closed its communicator, and %s waits for it in %s: close a communicator when all ranks have made all calls"
            .formatted(other.title(), mesh.own().title(), during));
  }

  /**
   * Counts what both ranks have to take part in and do not announce to each other: each call of all
   * ranks, and each array that is sent or received.
   *
   * @param count how much more, or less if it was refused
   * @throws PeerLostException if the other one has left before; then nothing is counted
   */
  public void shares(int count) {
    long all = shares.addAndGet(count);
    if (count > 0 && hasLeft && all > theirShares) {
      long _ = shares.addAndGet(-count);
      throw leftEarly("a call");
    }
  }

  // --- what goes over
  // -------------------------------------------------------------------------------------------

  /** Sends bytes. Returns when they have left, not when they have arrived. */
  public void send(ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        int _ = data.write(bytes);
      }
    } catch (IOException e) {
      throw mesh.lost(this, e);
    }
  }

  /** Fills a buffer with bytes that the other rank sends. */
  public void receive(ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        if (data.read(bytes) < 0) {
          throw new EOFException("the connection has ended");
        }
      }
    } catch (IOException e) {
      throw mesh.lost(this, e);
    }
  }

  // --- whether the other one lives
  // ------------------------------------------------------------------------------

  /** Hears what the other rank says, until it says no more. */
  void listen() {
    try {
      while (true) {
        byte what = in.readByte();
        heardNanos = System.nanoTime();
        switch (what) {
          case ANNOUNCES -> note(Announcement.read(in));
          case LIVES -> {}
          case LEAVES -> {
            theirShares = in.readLong();
            hasLeft = true;
            wake();
            endTalk();
            if (shares.get() > theirShares) {
              mesh.fail(leftEarly("an operation that is under way"));
            }
          }
          case FAILED -> mesh.failed(in.readInt(), in.readUTF());
          default -> throw new IOException("an unknown message: " + what);
        }
      }
    } catch (IOException e) {
      if (!hasLeft) {
        mesh.ended(this, e);
      }
    }
  }

  private void note(Announcement announcement) {
    lock.lock();
    try {
      if (!announcement.collective().isEmpty()) {
        collectives.add(announcement.collective());
      }
      theirSends.addAll(announcement.sends());
      theirReceives.addAll(announcement.receives());
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void wake() {
    lock.lock();
    try {
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  long silentNanos() {
    return hasLeft ? 0 : System.nanoTime() - heardNanos;
  }

  void live() {
    say(to -> to.writeByte(LIVES));
  }

  /**
   * Says why no rank can go on, and ends what is sent and received.
   *
   * @param rank the one that found it out
   */
  void fail(int rank, String why) {
    say(
        to -> {
          to.writeByte(FAILED);
          to.writeInt(rank);
          to.writeUTF(why.substring(0, Math.min(why.length(), LONGEST)));
        });
    endTalk();
    end(data);
    wake();
  }

  /** Says that this rank needs the other one no more. */
  void leave() {
    say(
        to -> {
          to.writeByte(LEAVES);
          to.writeLong(shares.get());
        });
    endTalk();
  }

  private void endTalk() {
    outTurn.lock();
    try {
      SocketChannel _ = talk.shutdownOutput();
    } catch (IOException _) { // it has ended
      return;
    } finally {
      outTurn.unlock();
    }
  }

  @FunctionalInterface
  private interface Message {
    void write(DataOutputStream to) throws IOException;
  }

  /** Says something. A listener at the other end tells this one if nobody hears it. */
  private void say(Message message) {
    outTurn.lock();
    try {
      message.write(out);
      out.flush();
    } catch (IOException _) { // listen() finds out why
      return;
    } finally {
      outTurn.unlock();
    }
  }

  void close() {
    end(talk);
    end(data);
    wake();
  }

  private static void end(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException _) { // nothing goes over it any more
      return;
    }
  }
}
