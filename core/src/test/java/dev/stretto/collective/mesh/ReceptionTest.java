package dev.stretto.collective.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is let in, and how long anybody waits for those who say nothing. */
@Timeout(60)
class ReceptionTest {
  private static Invitation to(ServerSocket server) {
    String address = server.getInetAddress().getHostAddress();
    return new Invitation(1, "a machine", List.of(address), server.getLocalPort());
  }

  private static ServerSocket stranger() throws IOException {
    return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  private static void echo(SocketChannel guest) throws IOException {
    try (guest) {
      ByteBuffer word = ByteBuffer.allocate(1);
      int _ = guest.read(word);
      int _ = guest.write(word.flip());
    }
  }

  @Test
  void aProgramThatHasThePortAndSaysNothingIsNotWaitedForForEver() throws IOException {
    try (ServerSocket silent = stranger()) {
      FutureTask<SocketChannel> visit =
          new FutureTask<>(() -> Reception.visit(to(silent), 1)); // ends with the server, too
      Thread _ = Thread.ofVirtual().start(visit);
      assertThatThrownBy(() -> visit.get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(IOException.class)
          .hasMessageContaining("answers at no address");
    }
  }

  @Test
  void aProgramThatHasThePortAndSaysSomethingElseIsSomebodyElse() throws IOException {
    try (ServerSocket talking = stranger()) {
      Thread _ =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (Socket guest = talking.accept()) {
                      guest
                          .getOutputStream()
                          .write("220 ready\r\n".getBytes(StandardCharsets.US_ASCII));
                      int _ = guest.getInputStream().read();
                    } catch (IOException _) { // the guest has gone
                      return;
                    }
                  });
      assertThatThrownBy(() -> Reception.visit(to(talking), 1000))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is somebody else");
    }
  }

  @Test
  void aGuestWhoSaysNothingIsSentAwayAndOneWhoKnowsTheSecretStays() throws IOException {
    try (Reception reception = Reception.open("", "reception-test")) {
      letIn(reception.invite(ReceptionTest::echo));
    }
  }

  private static void letIn(Invitation invitation) throws IOException {
    try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), invitation.port());
        Socket wrong = new Socket(InetAddress.getLoopbackAddress(), invitation.port());
        SocketChannel right = Reception.visit(invitation, 1000)) {
      new DataOutputStream(wrong.getOutputStream()).writeLong(~invitation.secret());
      assertThat(wrong.getInputStream().read()).isEqualTo(-1);
      silent.setSoTimeout(30_000);
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
      int _ = right.write(ByteBuffer.wrap(new byte[] {42}));
      assertThat(right.socket().getInputStream().read()).isEqualTo(42);
    }
  }

  @Test
  void guestsOfOneReceptionReachWhoHasInvitedThem() throws IOException {
    try (Reception reception = Reception.open("", "reception-test")) {
      Invitation first = reception.invite(ReceptionTest::echo);
      Invitation second = reception.invite(guest -> guest.write(ByteBuffer.wrap(new byte[] {7})));
      assertThat(first.port()).isEqualTo(second.port());
      try (SocketChannel guest = Reception.visit(second, 1000)) {
        assertThat(guest.socket().getInputStream().read()).isEqualTo(7);
      }
      assertThat(reception.withdraw(second)).isFalse();
      assertThatThrownBy(() -> Reception.visit(second, 1000))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is somebody else");
      try (SocketChannel guest = Reception.visit(first, 1000)) {
        assertThat(guest.write(ByteBuffer.wrap(new byte[] {42}))).isEqualTo(1);
        assertThat(guest.socket().getInputStream().read()).isEqualTo(42);
      }
      assertThat(reception.withdraw(first)).isTrue();
    }
  }

  @Test
  void anAddressOfAnotherMachineIsRefusedAndKeepsNoSocket() {
    long before = openFiles();
    for (int i = 0; i < 200; i++) {
      assertThatThrownBy(() -> Reception.open("192.0.2.77", "reception-test"))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("'192.0.2.77'");
    }
    assertThat(openFiles() - before).isLessThan(100);
  }

  private static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }
}
