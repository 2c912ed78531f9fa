package dev.stretto.collective.mesh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections between one rank and the others, while they come. */
final class Arrivals {
  private static final int TALK = 0;
  private static final int DATA = 1;
  private static final int BYTES = 2 * Integer.BYTES;

  private final int rank;
  private final @Nullable SocketChannel[][] channels;
  private final CountDownLatch missing;

  /** Guarded by this. */
  private boolean isClosed;

  Arrivals(int rank, int size) {
    this.rank = rank;
    this.channels = new SocketChannel[size][2];
    this.missing = new CountDownLatch(2 * (size - 1));
  }

  /** Takes a connection that another rank has made. */
  void receive(SocketChannel channel) throws IOException {
    ByteBuffer who = ByteBuffer.allocate(BYTES);
    while (who.hasRemaining()) {
      if (channel.read(who) < 0) {
        throw new IOException("a rank has gone again");
      }
    }
    int from = who.flip().getInt();
    int kind = who.getInt();
    if (from <= rank || from >= channels.length || (kind != TALK && kind != DATA)) {
      throw new IOException("connection %d of rank %d".formatted(kind, from));
    }
    put(from, kind, channel);
  }

  /**
   * Makes the connections to a rank before this one.
   *
   * @param millis how long it may be silent
   */
  void visit(Introduction other, int millis) throws IOException {
    for (int kind : new int[] {TALK, DATA}) {
      SocketChannel channel = Reception.visit(other.invitation(), millis);
      put(other.rank(), kind, channel);
      int _ = channel.write(ByteBuffer.allocate(BYTES).putInt(rank).putInt(kind).flip());
    }
  }

  private synchronized void put(int other, int kind, SocketChannel channel) throws IOException {
    if (isClosed) {
      channel.close();
      throw new IOException("this rank has given up");
    }
    if (channels[other][kind] != null) {
      channel.close();
      throw new IOException("connection %d of rank %d came twice".formatted(kind, other));
    }
    channels[other][kind] = channel;
    missing.countDown();
  }

  /**
   * {@return whether all have come}
   *
   * @throws InterruptedException if the thread is interrupted
   */
  boolean await(long nanos) throws InterruptedException {
    return missing.await(nanos, TimeUnit.NANOSECONDS);
  }

  /** {@return the first rank of which a connection is missing} */
  synchronized int firstMissing() {
    for (int i = 0; i < channels.length; i++) {
      if (i != rank && (channels[i][TALK] == null || channels[i][DATA] == null)) {
        return i;
      }
    }
    return rank;
  }

  synchronized SocketChannel talk(int other) {
    return Objects.requireNonNull(channels[other][TALK]);
  }

  synchronized SocketChannel data(int other) {
    return Objects.requireNonNull(channels[other][DATA]);
  }

  synchronized void close() {
    isClosed = true;
    for (SocketChannel[] pair : channels) {
      for (SocketChannel channel : pair) {
        close(channel);
      }
    }
  }

  private static void close(@Nullable SocketChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException _) { // it was of no use
        return;
      }
    }
  }
}
