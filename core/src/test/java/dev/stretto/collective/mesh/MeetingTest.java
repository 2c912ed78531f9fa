package dev.stretto.collective.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.fault.DeadlineExceededException;
import dev.stretto.fault.PeerLostException;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What meetings hold of this process, whether they end or not. */
@Timeout(60)
class MeetingTest {
  private static final String HERE = "127.0.0.1";

  private static Mesh await(Invitation meeting, int size, int millis) {
    return new Joining(meeting, 0, size, Duration.ofMillis(millis))
        .await(
            HERE,
            own -> new Introduction(0, size, 1, "a device", "", 0, "", "", own),
            Duration.ofSeconds(10),
            _ -> {});
  }

  @Test
  void meetingsToWhichNotAllComeShareOneSocketAndGoOnWhenAnotherEnds() throws Exception {
    Invitation open = Meeting.open(HERE);
    for (int i = 0; i < 20; i++) {
      Invitation late = Meeting.open(HERE);
      assertThat(late.port()).isEqualTo(open.port());
      assertThatThrownBy(() -> await(late, 2, 1)).isInstanceOf(DeadlineExceededException.class);
      Invitation met = Meeting.open(HERE);
      await(met, 1, 30_000).close();
      assertThatThrownBy(() -> await(met, 1, 1000))
          .isInstanceOf(PeerLostException.class)
          .hasMessageContaining("have all ranks met");
    }
    await(open, 1, 30_000).close();
  }

  @Test
  void aSocketIsKeptForAsLongAsAnybodyIsExpected() throws Exception {
    String alone = "127.0.0.2"; // where no other test meets
    Invitation first = Meeting.open(alone);
    Invitation second = Meeting.open(alone);
    await(first, 1, 30_000).close();
    new Socket(alone, second.port()).close();
    await(second, 1, 30_000).close();
    assertThatThrownBy(() -> new Socket(alone, second.port()).close())
        .isInstanceOf(ConnectException.class);
    await(Meeting.open(alone), 1, 30_000).close();
  }

  @Test
  void aRankThatWaitsNoLongerMayComeAgainAtOnce() throws IOException {
    Invitation meeting = Meeting.open(HERE);
    try (SocketChannel late = Reception.visit(meeting, 1000)) {
      DataOutputStream out = new DataOutputStream(late.socket().getOutputStream());
      new Introduction(0, 2, 1, "a device", "", 0, "", "", meeting).write(out);
      out.writeByte(Meeting.WHO);
      assertThat(late.socket().getInputStream().read()).isEqualTo(Meeting.PRESENT);
      // Its connection is open still, as it may be for the meeting when the rank has closed it.
      assertThatThrownBy(() -> await(meeting, 2, 1)).isInstanceOf(DeadlineExceededException.class);
    }
    await(meeting, 1, 30_000).close();
  }
}
