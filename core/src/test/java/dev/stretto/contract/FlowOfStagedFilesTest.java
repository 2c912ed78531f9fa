package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.contract.DriverTap.Call;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowException;
import dev.stretto.flow.FlowPlan;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where no clock and no seed orders threads, those of staged copies read files. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlowOfStagedFilesTest {
  private static final int BYTES = 50_000_021;

  @TempDir Path folder;

  private Path file(byte[] data) throws IOException {
    return Files.write(folder.resolve("in"), data);
  }

  private static byte[] random() {
    byte[] data = new byte[BYTES];
    new SplittableRandom(1).nextBytes(data);
    return data;
  }

  private static Machine.Opened open() {
    return new Machine("virtual+real-time").open();
  }

  /** What the device keeps for staged copies stays pinned: up to 32 slots of 4 MiB. */
  private static void assertOnlySlotsArePinned(Device device) throws InterruptedException {
    for (int i = 0; i < 1000 && !areSlots(device.pinned().usedBytes()); i++) {
      Thread.sleep(10);
    }
    assertThat(device.pinned().usedBytes()).matches(FlowOfStagedFilesTest::areSlots);
  }

  private static boolean areSlots(long bytes) {
    return bytes % (4 << 20) == 0 && bytes <= 32L * (4 << 20);
  }

  @Test
  void moreChunksComeWhileTheFirstOnesWaitThanAreInFlightOtherwise() throws Exception {
    long bytes = 768L << 20;
    Path holes = folder.resolve("holes");
    try (FileChannel channel =
        FileChannel.open(holes, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), bytes - 1);
    }
    try (Machine.Opened opened = open()) {
      CountDownLatch more = new CountDownLatch(10);
      FlowReport report =
          Flow.on(opened.devices().getFirst())
              .from(Source.file(holes))
              .through(
                  (stream, chunk) -> {
                    more.countDown();
                    await(more);
                  })
              .drain()
              .start()
              .await();
      assertThat(report.bytes()).isEqualTo(bytes);
      assertThat(report.depth()).isGreaterThanOrEqualTo(10);
      int later = chunksInFlight(opened.devices().getFirst(), holes);
      assertThat(later).as("if the first chunk is done at once").isLessThan(10);
    }
  }

  private static int chunksInFlight(Device device, Path file) {
    return Flow.on(device)
        .from(Source.file(file))
        .through((stream, chunk) -> {})
        .drain()
        .start()
        .await()
        .depth();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {(2 << 20) + 256, 3 << 20, 4 << 20, 5 << 20, 17 << 20, 64 << 20})
  void aFileArrivesWhole(int chunkBytes) throws Exception {
    byte[] data = random();
    Path out = folder.resolve("out");
    try (Machine.Opened opened = open()) {
      Device device = opened.devices().getFirst();
      FlowReport report =
          Flow.on(device)
              .from(Source.file(file(data)))
              .to(Sink.file(out))
              .chunkBytes(chunkBytes)
              .start()
              .await();
      assertThat(report.bytes()).isEqualTo(BYTES);
      assertThat(report.times().readNanos()).isPositive();
      assertThat(report.times().deviceNanos()).isPositive();
      assertThat(report.times().writeNanos()).isPositive();
      assertOnlySlotsArePinned(device);
    }
    assertThat(Files.mismatch(out, file(data))).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1000, BYTES, 2L * BYTES})
  void anOldFileIsWrittenOverAndHasTheNewLength(long before) throws Exception {
    byte[] data = random();
    Path out = folder.resolve("out");
    try (Machine.Opened opened = open();
        FileChannel old =
            FileChannel.open(out, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      byte[] ones = new byte[1 << 20];
      Arrays.fill(ones, (byte) 1);
      for (long at = 0; at < before; at += ones.length) {
        int bytes = (int) Math.min(ones.length, before - at);
        assertThat(old.write(ByteBuffer.wrap(ones, 0, bytes), at)).isEqualTo(bytes);
      }
      Flow.on(opened.devices().getFirst())
          .from(Source.file(file(data)))
          .to(Sink.file(out))
          .start()
          .await();
    }
    assertThat(Files.size(out)).isEqualTo(BYTES);
    assertThat(Files.mismatch(out, file(data))).isEqualTo(-1);
  }

  /** A source larger than any disk. */
  private record Endless(long size) implements Source {
    @Override
    public boolean isPositional() {
      return true;
    }

    @Override
    public long read(long position, MemorySegment into) {
      throw new AssertionError("nothing is read");
    }

    @Override
    public void close() {}
  }

  @Test
  void aDiskWithoutRoomIsReportedAtTheStartAndAnOldFileKeepsItsBytes() throws Exception {
    byte[] data = random();
    Path out = file(data);
    try (Machine.Opened opened = open()) {
      FlowPlan plan =
          Flow.on(opened.devices().getFirst())
              .from(new Endless(1L << 50))
              .to(Sink.file(out))
              .chunkBytes(1 << 20);
      assertThatThrownBy(plan::start)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining(out + " cannot be written: " + (1L << 50) + " bytes have no room");
    }
    assertThat(Files.readAllBytes(out)).isEqualTo(data);
  }

  /** The first two chunks have memory when a flow begins; the others get theirs meanwhile. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 6})
  void aFlowForWhichThereIsLessMemoryThanPlannedGoesOnWithFewerChunksAndSaysSo(int refused)
      throws Exception {
    byte[] data = random();
    Path out = folder.resolve("out");
    FaultyDriver[] faulty = new FaultyDriver[1];
    try (Machine.Opened opened =
        new Machine("virtual+real-time")
            .open(
                driver ->
                    faulty[0] =
                        new FaultyDriver(
                            driver, Call.ALLOCATE, refused, DriverException.Kind.OUT_OF_MEMORY))) {
      FlowPlan plan =
          Flow.on(opened.device())
              .from(Source.file(file(data)))
              .through((_, _) -> {})
              .inPlace()
              .to(Sink.file(out))
              .chunkBytes(4 << 20)
              .depth(6);
      faulty[0].arm();
      FlowReport report = plan.start().await();
      assertThat(faulty[0].hasFailed()).isTrue();
      assertThat(report.depth()).isEqualTo(refused - 1);
      assertThat(report.sizing()).contains("only %d of 6 chunks in flight".formatted(refused - 1));
    }
    assertThat(Files.readAllBytes(out)).isEqualTo(data);
  }

  @Test
  void aDeviceThatIsLostWhileMoreChunksGetMemoryFailsTheFlow() throws Exception {
    FaultyDriver[] faulty = new FaultyDriver[1];
    try (Machine.Opened opened =
        new Machine("virtual+real-time")
            .open(
                driver ->
                    faulty[0] =
                        new FaultyDriver(driver, Call.ALLOCATE, 4, DriverException.Kind.LOST))) {
      FlowPlan plan =
          Flow.on(opened.device())
              .from(Source.file(file(random())))
              .through((_, _) -> {})
              .inPlace()
              .drain()
              .chunkBytes(4 << 20)
              .depth(6);
      faulty[0].arm();
      Flow flow = plan.start();
      assertThatThrownBy(flow::await).isInstanceOf(DeviceLostException.class);
    }
  }

  @Test
  void anOldFileThatIsCutOffWhileItIsWrittenFailsTheFlowWithItsName() throws Exception {
    Path in = file(random());
    Path out = Files.copy(in, folder.resolve("out"));
    try (Machine.Opened opened = open();
        FileChannel cut = FileChannel.open(out, StandardOpenOption.WRITE)) {
      Device device = opened.devices().getFirst();
      Flow flow =
          Flow.on(device)
              .from(Source.file(in))
              .through(
                  (stream, chunk) -> {
                    if (chunk.index() == 1) {
                      truncate(cut);
                    }
                  })
              .inPlace()
              .to(Sink.file(out))
              .chunkBytes(3 << 20)
              .depth(2)
              .start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining(out + " cannot be written")
          .hasMessageContaining("truncated while it was written");
      assertOnlySlotsArePinned(device);
    }
  }

  @Test
  void aFileThatIsCutOffFailsTheFlowWithItsName() throws Exception {
    Path in = file(random());
    try (Machine.Opened opened = open();
        FileChannel cut = FileChannel.open(in, StandardOpenOption.WRITE)) {
      Device device = opened.devices().getFirst();
      Flow flow =
          Flow.on(device)
              .from(Source.file(in))
              .through(
                  (stream, chunk) -> {
                    if (chunk.index() == 0) {
                      truncate(cut);
                    }
                  })
              .drain()
              .chunkBytes(3 << 20)
              .depth(2)
              .start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining(in + " was truncated while it was read")
          .hasMessageContaining("20000000");
      assertOnlySlotsArePinned(device);
    }
  }

  private static void truncate(FileChannel file) {
    try {
      FileChannel _ = file.truncate(20_000_000);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aSinkThatFailsEndsTheFlow() throws Exception {
    Path in = file(random());
    AtomicLong written = new AtomicLong();
    try (Machine.Opened opened = open()) {
      Device device = opened.devices().getFirst();
      Flow flow =
          Flow.on(device)
              .from(Source.file(in))
              .through((stream, chunk) -> {})
              .collect(
                  1,
                  (_, _) -> {
                    if (written.incrementAndGet() == 3) {
                      throw new IllegalStateException("full");
                    }
                  })
              .chunkBytes(4 << 20)
              .start();
      assertThatThrownBy(flow::await).isInstanceOf(IllegalStateException.class).hasMessage("full");
      assertOnlySlotsArePinned(device);
    }
  }

  @Test
  void aFlowThatIsCancelledLetsEverythingGo() throws Exception {
    Path in = file(random());
    try (Machine.Opened opened = open()) {
      Device device = opened.devices().getFirst();
      for (int i = 0; i < 20; i++) {
        Flow flow = Flow.on(device).from(Source.file(in)).drain().chunkBytes(4 << 20).start();
        Thread.sleep(i % 4);
        flow.cancel();
        try {
          FlowReport report = flow.await(); // it was faster
          assertThat(report.bytes()).isEqualTo(BYTES);
        } catch (CancellationException e) {
          assertThat(e).hasMessageContaining("was cancelled");
        }
      }
      assertOnlySlotsArePinned(device);
    }
  }

  @Test
  void aFileThatShrinksIsReported() throws Exception {
    Path in = file(random());
    try (Machine.Opened opened = open()) {
      Device device = opened.devices().getFirst();
      Source source = Source.file(in);
      Files.write(in, new byte[1000]);
      Flow flow = Flow.on(device).from(source).drain().chunkBytes(4 << 20).start();
      assertThatThrownBy(flow::await).hasMessageContaining("was truncated while it was read");
      assertOnlySlotsArePinned(device);
    }
  }
}
