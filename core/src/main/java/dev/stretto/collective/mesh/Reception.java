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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Where guests arrive who know a secret. */
final class Reception implements AutoCloseable {
  private static final SecureRandom SECRETS = new SecureRandom();
  private static final int BACKLOG = 1024;

  /** How long one address may take to answer. */
  private static final int CONNECT_MILLIS = 3_000;

  /** How long who answers may take to say something: a collection of garbage may pause it. */
  private static final int WORD_MILLIS = 10_000;

  private static final byte WELCOME = 1;

  /** Takes a guest who has said its secret. */
  @FunctionalInterface
  interface Host {
    /** Takes the connection, and closes it in the end. */
    void receive(SocketChannel guest) throws IOException;
  }

  private final String address;
  private final ServerSocketChannel server;

  /** Who is asked for, by what one has to say. */
  private final Map<Long, Host> hosts = new ConcurrentHashMap<>();

  private Reception(String address, ServerSocketChannel server) {
    this.address = address;
    this.server = server;
  }

  /**
   * Opens a reception.
   *
   * @param address the address or host name that others are told, or nothing for all of this
   *     machine
   * @param name of its threads
   */
  static Reception open(String address, String name) {
    try {
      Reception made = new Reception(address, listening(address));
      Thread _ = Thread.ofVirtual().name(name).start(() -> made.accept(name));
      return made;
    } catch (IOException | IllegalArgumentException e) {
      throw new UncheckedIOException(
          "no socket could be opened at "
              + (address.isEmpty() ? "any address of this machine" : "'" + address + "'"),
          e instanceof IOException io ? io : new IOException(e));
    }
  }

  private static ServerSocketChannel listening(String address) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      return server.bind(
          address.isEmpty() ? new InetSocketAddress(0) : new InetSocketAddress(address, 0),
          BACKLOG);
    } catch (IOException | IllegalArgumentException e) {
      server.close(); // nothing else would
      throw e;
    }
  }

  /**
   * {@return an invitation to somebody here}
   *
   * @param host takes the guests, each on a thread of its own
   */
  Invitation invite(Host host) {
    Invitation invitation =
        new Invitation(
            SECRETS.nextLong(),
            HostAddresses.machine(),
            HostAddresses.of(address),
            server.socket().getLocalPort());
    hosts.put(invitation.secret(), host);
    return invitation;
  }

  /**
   * {@return whether nobody is expected any more, now that an invitation is not valid any more}
   *
   * @param invitation with which nobody is let in from now on
   */
  boolean withdraw(Invitation invitation) {
    hosts.remove(invitation.secret());
    return hosts.isEmpty();
  }

  private void accept(String name) {
    while (server.isOpen()) {
      try {
        SocketChannel guest = server.accept();
        Thread _ = Thread.ofVirtual().name(name + "-guest").start(() -> greet(guest));
      } catch (Throwable _) { // closed, or one guest's trouble; others are expected, too
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private void greet(SocketChannel guest) {
    try {
      guest.socket().setSoTimeout(WORD_MILLIS); // strangers come, too, and may say nothing
      DataInputStream in = new DataInputStream(guest.socket().getInputStream());
      Host host = hosts.get(in.readLong());
      if (host == null) {
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
