package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Device;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowException;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * Sockets, named pipes, files with holes, and files in memory: the bytes arrive, or the flow fails
 * and says why.
 */
@OnEveryDriver
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlowOfUnusualEndsTest {
  private static final int BYTES = 3_000_017;
  private static final int CHUNK = 256 << 10;

  @Parameter Machine machine;
  @TempDir Path folder;

  private Machine.Opened opened;
  private Device device;

  @BeforeEach
  void open() {
    opened = machine.open();
    device = opened.devices().getFirst();
  }

  @AfterEach
  void close() {
    opened.close();
  }

  private static byte[] random(int bytes) {
    byte[] data = new byte[bytes];
    new SplittableRandom(5).nextBytes(data);
    return data;
  }

  private Flow flow(Source source, Sink sink) {
    return Flow.on(device).from(source).to(sink).chunkBytes(CHUNK).start();
  }

  /** The pool that everybody shares may have a single thread. */
  private static void beside(Runnable body) {
    Thread.ofPlatform().daemon().start(body);
  }

  // --- sockets ------------------------------------------------------------------------------

  /** Both ends of a connection. */
  private record Connection(SocketChannel ours, SocketChannel theirs) implements AutoCloseable {
    static Connection tcp() throws IOException {
      return of(
          StandardProtocolFamily.INET, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    static Connection unix(Path path) throws IOException {
      return of(StandardProtocolFamily.UNIX, UnixDomainSocketAddress.of(path));
    }

    private static Connection of(StandardProtocolFamily family, SocketAddress at)
        throws IOException {
      try (ServerSocketChannel server = ServerSocketChannel.open(family)) {
        server.bind(at);
        SocketChannel ours = SocketChannel.open(server.getLocalAddress());
        return new Connection(ours, server.accept());
      }
    }

    @Override
    public void close() throws IOException {
      ours.close();
      theirs.close();
    }
  }

  private static CompletableFuture<Void> sending(SocketChannel to, byte[] data, int piece) {
    return CompletableFuture.runAsync(
        () -> {
          try (to) {
            for (int at = 0; at < data.length; at += piece) {
              ByteBuffer part = ByteBuffer.wrap(data, at, Math.min(piece, data.length - at));
              while (part.hasRemaining()) {
                int _ = to.write(part);
              }
            }
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        FlowOfUnusualEndsTest::beside);
  }

  private static CompletableFuture<byte[]> receiving(SocketChannel from, int most) {
    return CompletableFuture.supplyAsync(
        () -> {
          ByteBuffer all = ByteBuffer.allocate(most);
          try {
            while (from.read(all) >= 0) {
              assertThat(all.hasRemaining()).isTrue();
            }
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          return Arrays.copyOf(all.array(), all.position());
        },
        FlowOfUnusualEndsTest::beside);
  }

  private void assertFromSocketToSocket(Connection in, Connection out) throws Exception {
    byte[] data = random(BYTES);
    try (in;
        out) {
      CompletableFuture<Void> sent = sending(in.theirs, data, 10_007);
      CompletableFuture<byte[]> received = receiving(out.theirs, BYTES + 1);
      FlowReport report = flow(Source.channel(in.ours), Sink.channel(out.ours)).await();
      sent.join();
      assertThat(report.bytes()).isEqualTo(BYTES);
      assertThat(received.join()).isEqualTo(data);
    }
  }

  @Test
  void whatComesFromASocketGoesToASocketWhole() throws Exception {
    assertFromSocketToSocket(Connection.tcp(), Connection.tcp());
  }

  @Test
  void socketsOfTheSystemItselfAreAlike() throws Exception {
    assertFromSocketToSocket(
        Connection.unix(folder.resolve("in")), Connection.unix(folder.resolve("out")));
  }

  /** A closed connection with this option is reset, rather than ended. */
  private static void reset(SocketChannel end) throws IOException {
    end.setOption(StandardSocketOptions.SO_LINGER, 0);
    end.close();
  }

  private static CompletableFuture<Void> resetAfterSomeBytes(SocketChannel end) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            int _ = end.read(ByteBuffer.allocate(1000));
            reset(end);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        FlowOfUnusualEndsTest::beside);
  }

  @Test
  void aSenderThatIsGoneFailsTheFlowAndDoesNotLookLikeTheEnd() throws Exception {
    Path out = folder.resolve("out");
    try (Connection in = Connection.tcp()) {
      Flow flow = flow(Source.channel(in.ours), Sink.file(out));
      int _ = in.theirs.write(ByteBuffer.wrap(random(100_000)));
      reset(in.theirs);
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining("the source channel failed after ")
          .hasMessageContaining("reset");
    }
    assertReleased();
  }

  @Test
  void aReceiverThatIsGoneFailsTheFlow() throws Exception {
    byte[] data = random(20 * BYTES);
    try (Connection out = Connection.tcp()) {
      Flow flow =
          flow(Source.file(Files.write(folder.resolve("in"), data)), Sink.channel(out.ours));
      // A seeded device goes on only while somebody waits.
      CompletableFuture<Void> gone = resetAfterSomeBytes(out.theirs);
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining("the sink channel failed after ")
          .hasMessageMatching("(?s).*(reset|Broken pipe).*");
      gone.join();
    }
    assertReleased();
  }

  /** A receiver that reads nothing yet holds the flow back, which keeps no more than its slots. */
  @Test
  void aSlowReceiverHoldsTheFlowBack() throws Exception {
    byte[] data = random(20 * BYTES);
    try (Connection out = Connection.unix(folder.resolve("out"))) {
      Source source = Source.file(Files.write(folder.resolve("in"), data));
      Flow flow = flow(source, Sink.channel(out.ours));
      long before = -1;
      while (before != flow.progress().bytesDone()) {
        before = flow.progress().bytesDone();
        Thread.sleep(200);
      }
      assertThat(before).isLessThan(data.length);
      CompletableFuture<byte[]> received = receiving(out.theirs, data.length + 1);
      assertThat(flow.await().bytes()).isEqualTo(data.length);
      assertThat(received.join()).isEqualTo(data);
    }
  }

  @Test
  void aFlowThatWaitsForASenderCanBeCancelled() throws Exception {
    try (Connection in = Connection.tcp()) {
      Flow flow = flow(Source.channel(in.ours), Sink.file(folder.resolve("out")));
      int _ = in.theirs.write(ByteBuffer.wrap(random(100_000)));
      flow.cancel();
      assertThatThrownBy(flow::await).isInstanceOf(CancellationException.class);
      assertThat(in.ours.isOpen()).isFalse();
    }
    assertReleased();
  }

  /** The slots of staged copies stay pinned, which are of 4 MiB. */
  private void assertReleased() throws InterruptedException {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (device.pinned().usedBytes() % (4 << 20) != 0 && System.nanoTime() < deadline) {
      boolean _ = device.await(Duration.ofMillis(1));
    }
    assertThat(device.pinned().usedBytes() % (4 << 20)).isZero();
  }

  // --- pipes --------------------------------------------------------------------------------

  @Test
  void aNamedPipeIsReadAndWrittenAsAChannel() throws Exception {
    Path in = fifo("in");
    Path out = fifo("out");
    byte[] data = random(BYTES);
    CompletableFuture<Void> sent =
        CompletableFuture.runAsync(
            () -> {
              try {
                Path _ = Files.write(in, data, StandardOpenOption.WRITE);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            },
            FlowOfUnusualEndsTest::beside);
    CompletableFuture<byte[]> received =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.readAllBytes(out);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            },
            FlowOfUnusualEndsTest::beside);
    FlowReport report =
        flow(
                Source.channel(FileChannel.open(in)),
                Sink.channel(FileChannel.open(out, StandardOpenOption.WRITE)))
            .await();
    sent.join();
    assertThat(report.bytes()).isEqualTo(BYTES);
    assertThat(received.join()).isEqualTo(data);
  }

  private Path fifo(String name) throws Exception {
    Path path = folder.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
    return path;
  }

  // --- files --------------------------------------------------------------------------------

  /** A file of holes, with a few bytes between them. */
  private Path sparse(String name, long length, long... written) throws IOException {
    Path path = folder.resolve(name);
    try (FileChannel file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE,
            StandardOpenOption.WRITE)) {
      int _ = file.write(ByteBuffer.wrap(new byte[] {9}), length - 1);
      for (long at : written) {
        int _ = file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), at);
      }
    }
    return path;
  }

  @Test
  void holesOfAFileAreZeros() throws Exception {
    int length = 40_000_003;
    Path in = sparse("in", length, 0, 4095, 1 << 20, 17_000_001);
    Path out = folder.resolve("out");
    assertThat(flow(Source.file(in), Sink.file(out)).await().bytes()).isEqualTo(length);
    assertThat(Files.readAllBytes(out)).isEqualTo(Files.readAllBytes(in));
  }

  @Test
  void aFileWithHolesIsWrittenOver() throws Exception {
    byte[] data = random(BYTES);
    Path in = Files.write(folder.resolve("in"), data);
    Path out = sparse("out", 3L * BYTES, 12, BYTES + 5);
    assertThat(flow(Source.file(in), Sink.file(out)).await().bytes()).isEqualTo(BYTES);
    assertThat(Files.readAllBytes(out)).isEqualTo(data);
  }

  /** Such a file system knows no way past the cache. */
  @Test
  void filesInMemoryAreReadAndWritten() throws Exception {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(memory), "there is no file system in memory");
    byte[] data = random(10 * BYTES);
    Path in = Files.createTempFile(memory, "stretto", "in");
    Path out = Files.createTempFile(memory, "stretto", "out");
    try {
      Path _ = Files.write(in, data);
      assertThat(flow(Source.file(in), Sink.file(out)).await().bytes()).isEqualTo(data.length);
      assertThat(Files.readAllBytes(out)).isEqualTo(data);
    } finally {
      Files.delete(in);
      Files.delete(out);
    }
  }

  @Test
  void aFullDeviceBehindAChannelFailsTheFlow() throws Exception {
    Path in = Files.write(folder.resolve("in"), random(BYTES));
    FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE);
    Flow flow = flow(Source.file(in), Sink.channel(full));
    assertThatThrownBy(flow::await)
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("the sink channel failed after 0 bytes")
        .hasMessageContaining("No space left on device");
    assertThat(full.isOpen()).isFalse();
    assertReleased();
  }

  @Test
  void aFileThatGrowsMeanwhileIsReportedWithBothLengths() throws Exception {
    Path in = Files.write(folder.resolve("in"), random(BYTES));
    Source source = Source.file(in);
    Path _ = Files.write(in, new byte[5], StandardOpenOption.APPEND);
    Flow flow = flow(source, Sink.file(folder.resolve("out")));
    assertThatThrownBy(flow::await)
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("changed while it was read")
        .hasMessageContaining(String.valueOf(BYTES))
        .hasMessageContaining(String.valueOf(BYTES + 5));
  }
}
