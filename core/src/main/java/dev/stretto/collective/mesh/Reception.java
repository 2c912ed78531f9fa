package dev.stretto.collective.mesh;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Where guests arrive who know the secret. */
final class Reception implements AutoCloseable {
  private static final SecureRandom SECRETS = new SecureRandom();
  private static final int BACKLOG = 1024;

  /** How long one address may take to answer. */
  private static final int CONNECT_MILLIS = 3_000;

  /** How long who answers may take to say something: a collection of garbage may pause it. */
  private static final int WORD_MILLIS = 10_000;

  private static final byte WELCOME = 1;

  /** Takes a guest who has said the secret. */
  @FunctionalInterface
  interface Host {
    /** Takes the connection, and closes it in the end. */
    void receive(SocketChannel guest) throws IOException;
  }

  private final ServerSocketChannel server;
  private final Invitation invitation;
  private final Host host;

  private Reception(ServerSocketChannel server, Invitation invitation, Host host) {
    this.server = server;
    this.invitation = invitation;
    this.host = host;
  }

  /**
   * Opens a reception.
   *
   * @param address the address or host name that others are told, or nothing for all of this
   *     machine
   * @param name of its threads
   * @param host takes the guests, each on a thread of its own
   */
  static Reception open(String address, String name, Host host) {
    try {
      ServerSocketChannel server = ServerSocketChannel.open();
      server.bind(
          address.isEmpty() ? new InetSocketAddress(0) : new InetSocketAddress(address, 0),
          BACKLOG);
      int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
      Reception made =
          new Reception(
              server,
              new Invitation(
                  SECRETS.nextLong(), HostAddresses.machine(), HostAddresses.of(address), port),
              host);
      Thread _ = Thread.ofVirtual().name(name).start(() -> made.accept(name));
      return made;
    } catch (IOException | IllegalArgumentException e) {
      throw new UncheckedIOException(
          "no socket could be opened at "
              + (address.isEmpty() ? "any address of this machine" : "'" + address + "'"),
          e instanceof IOException io ? io : new IOException(e));
    }
  }

  Invitation invitation() {
    return invitation;
  }

  private void accept(String name) {
    while (server.isOpen()) {
      try {
        SocketChannel guest = server.accept();
        Thread _ = Thread.ofVirtual().name(name + "-guest").start(() -> greet(guest));
      } catch (IOException _) { // closed, or one guest's trouble
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private void greet(SocketChannel guest) {
    try {
      guest.socket().setSoTimeout(WORD_MILLIS); // strangers come, too, and may say nothing
      DataInputStream in = new DataInputStream(guest.socket().getInputStream());
      if (in.readLong() != invitation.secret()) {
        guest.close();
        return;
      }
      guest.socket().setSoTimeout(0);
      guest.setOption(StandardSocketOptions.TCP_NODELAY, true);
      int _ = guest.write(ByteBuffer.wrap(new byte[] {WELCOME}));
      host.receive(guest);
    } catch (IOException _) { // the guest has gone
      close(guest);
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException _) { // it is of no use any more
      return;
    }
  }

  /**
   * {@return a connection to the process that has sent an invitation}
   *
   * @param millis how long an address may be silent that takes the connection; from 3 to 10 seconds
   *     count. Another program may have the port, and say nothing for ever
   */
  static SocketChannel visit(Invitation invitation, int millis) throws IOException {
    List<String> addresses = new ArrayList<>(invitation.addresses());
    if (invitation.machine().equals(HostAddresses.machine())) {
      addresses = addresses.reversed(); // the loopback first
    }
    IOException trouble = new IOException("no address");
    for (String address : addresses) {
      SocketChannel channel = SocketChannel.open();
      try {
        channel.socket().connect(new InetSocketAddress(address, invitation.port()), CONNECT_MILLIS);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        int _ = channel.write(ByteBuffer.allocate(Long.BYTES).putLong(invitation.secret()).flip());
        channel.socket().setSoTimeout(Math.clamp(millis, CONNECT_MILLIS, WORD_MILLIS));
        if (channel.socket().getInputStream().read() == WELCOME) {
          channel.socket().setSoTimeout(0);
          return channel;
        }
        trouble.addSuppressed(new IOException(address + " is somebody else"));
      } catch (IOException e) {
        trouble.addSuppressed(new IOException(address + ": " + e.getMessage(), e));
      }
      close(channel);
    }
    StringBuilder why = new StringBuilder();
    for (Throwable each : trouble.getSuppressed()) {
      why.append(why.isEmpty() ? "" : "; ").append(each.getMessage());
    }
    throw new IOException("port " + invitation.port() + " answers at no address (" + why + ")");
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException _) { // nobody can come any more
      return;
    }
  }
}
