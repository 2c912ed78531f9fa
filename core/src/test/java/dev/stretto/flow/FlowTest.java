package dev.stretto.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a flow promises, on every device of this machine and under several seeds. */
class FlowTest {
  private static final int BYTES = 1_000_003;

  @TempDir Path folder;

  static Stream<String> devices() {
    List<String> names = new ArrayList<>(List.of("virtual"));
    for (int seed = 0; seed < 5; seed++) {
      names.add("virtual:h200,seed=" + seed);
    }
    Device.all().stream()
        .filter(properties -> properties.driver().equals("cuda"))
        .findFirst()
        .ifPresent(properties -> names.add("cuda:0"));
    return names.stream();
  }

  private Path file(byte[] data) throws IOException {
    return Files.write(folder.resolve("in"), data);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aFileComesOutOfTheOtherEndInOrder(String name) throws IOException {
    byte[] data = AddOne.random(BYTES);
    Path in = file(data);
    Path out = folder.resolve("out");
    try (Device device = Device.open(name)) {
      FlowReport report =
          Flow.on(device)
              .from(Source.file(in))
              .through(AddOne.STAGE)
              .to(Sink.file(out))
              .chunkBytes(64 << 10)
              .start()
              .await();
      assertThat(report.bytes()).isEqualTo(BYTES);
      assertThat(report.chunks()).isEqualTo(16);
    }
    assertThat(Files.readAllBytes(out)).isEqualTo(AddOne.plusOne(data));
  }

  @ParameterizedTest
  @MethodSource("devices")
  void chunkSizeAndDepthChooseThemselves(String name) throws IOException {
    byte[] data = AddOne.random(BYTES);
    Path out = folder.resolve("out");
    try (Device device = Device.open(name)) {
      FlowReport report =
          Flow.on(device)
              .from(Source.file(file(data)))
              .through(AddOne.STAGE)
              .to(Sink.file(out))
              .start()
              .await();
      assertThat(report.chunkBytes()).isGreaterThanOrEqualTo(256 << 10);
      assertThat(report.sizing()).contains("a copy costs");
    }
    assertThat(Files.readAllBytes(out)).isEqualTo(AddOne.plusOne(data));
  }

  @ParameterizedTest
  @MethodSource("devices")
  void channelsAreReadAndWrittenInOrder(String name) {
    byte[] data = AddOne.random(BYTES);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Device device = Device.open(name)) {
      FlowReport report =
          Flow.on(device)
              .from(Source.channel(Channels.newChannel(new ByteArrayInputStream(data))))
              .through(AddOne.STAGE)
              .to(Sink.channel(Channels.newChannel(out)))
              .chunkBytes(100 << 10)
              .granularity(1)
              .start()
              .await();
      assertThat(report.bytes()).isEqualTo(BYTES);
    }
    assertThat(out.toByteArray()).isEqualTo(AddOne.plusOne(data));
  }

  @ParameterizedTest
  @MethodSource("devices")
  void pinnedMemoryIsCopiedFromWhereItLies(String name) {
    byte[] data = AddOne.random(BYTES);
    try (Device device = Device.open(name);
        PinnedArena arena = device.pinnedArena()) {
      MemorySegment in = arena.allocateFrom(ValueLayout.JAVA_BYTE, data);
      MemorySegment out = arena.allocate(BYTES);
      FlowReport report =
          Flow.on(device)
              .from(Source.of(in))
              .through(AddOne.STAGE)
              .inPlace()
              .to(Sink.of(out))
              .chunkBytes(64 << 10)
              .start()
              .await();
      assertThat(report.pinnedBytes()).isZero();
      assertThat(out.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(AddOne.plusOne(data));
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void arraysGoThroughBuffers(String name) {
    byte[] data = AddOne.random(BYTES);
    byte[] out = new byte[BYTES];
    try (Device device = Device.open(name)) {
      Flow.on(device)
          .from(Source.of(MemorySegment.ofArray(data)))
          .through(AddOne.STAGE)
          .to(Sink.of(MemorySegment.ofArray(out)))
          .chunkBytes(64 << 10)
          .start()
          .await();
    }
    assertThat(out).isEqualTo(AddOne.plusOne(data));
  }

  @Test
  void whatIsLargerThanDeviceMemoryGoesThrough() throws IOException {
    byte[] data = AddOne.random(24 << 20);
    Path out = folder.resolve("out");
    try (Device device = Device.open("virtual:h200,memory=4194304")) {
      FlowReport report =
          Flow.on(device).from(Source.file(file(data))).to(Sink.file(out)).start().await();
      assertThat(report.deviceBytes()).isLessThanOrEqualTo(4 << 20);
    }
    assertThat(out).hasSameBinaryContentAs(folder.resolve("in"));
  }

  @Test
  void aSmallBudgetOfPinnedMemoryMakesLessDepth() throws IOException {
    byte[] data = AddOne.random(8 << 20);
    Path out = folder.resolve("out");
    try (Device device = Device.open("virtual")) {
      device.pinnedBudget(9 << 20);
      FlowReport report =
          Flow.on(device).from(Source.file(file(data))).to(Sink.file(out)).start().await();
      assertThat(report.pinnedBytes()).isLessThanOrEqualTo(9 << 20);
    }
    assertThat(out).hasSameBinaryContentAs(folder.resolve("in"));
  }

  @ParameterizedTest
  @MethodSource("devices")
  void anEmptySourceMakesAnEmptySink(String name) throws IOException {
    Path out = folder.resolve("out");
    try (Device device = Device.open(name)) {
      FlowReport report =
          Flow.on(device)
              .from(Source.file(file(new byte[0])))
              .through(AddOne.STAGE)
              .to(Sink.file(out))
              .start()
              .await();
      assertThat(report.chunks()).isZero();
    }
    assertThat(out).isEmptyFile();
  }

  @ParameterizedTest
  @MethodSource("devices")
  void noMoreChunksAreUnderWayThanTheDepthSays(String name) {
    AtomicInteger under = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Source source =
        new EndlessSource(2_000_000) {
          @Override
          public long read(long position, MemorySegment into) {
            most.accumulateAndGet(under.incrementAndGet(), Math::max);
            return super.read(position, into);
          }
        };
    Sink sink =
        new CountingSink() {
          @Override
          public void write(long position, MemorySegment from) {
            super.write(position, from);
            under.decrementAndGet();
          }
        };
    try (Device device = Device.open(name)) {
      Flow.on(device)
          .from(source)
          .to(sink)
          .chunkBytes(10_000)
          .granularity(1)
          .depth(3)
          .start()
          .await();
    }
    assertThat(most.get()).isBetween(1, 3);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aFailingSinkStopsTheFlowAndItsCauseSurfaces(String name) throws IOException {
    try (Device device = Device.open(name)) {
      Flow flow =
          Flow.on(device)
              .from(Source.file(file(AddOne.random(BYTES))))
              .through(AddOne.STAGE)
              .to(Sink.file(Path.of("/dev/full")))
              .chunkBytes(64 << 10)
              .start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining("/dev/full")
          .hasMessageContaining("No space left on device");
      assertReleased(device);
    }
  }

  /** Notes how many bytes it is told to expect, and refuses to be told after the first of them. */
  private static final class ExpectingSink extends CountingSink {
    private final List<Long> expected = new CopyOnWriteArrayList<>();

    @Override
    public void expect(long bytes) {
      assertThat(this.bytes).hasValue(0);
      expected.add(bytes);
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aSinkIsToldOnceHowManyBytesWillComeIfThatIsKnown(String name) throws IOException {
    byte[] data = AddOne.random(BYTES);
    try (Device device = Device.open(name)) {
      ExpectingSink known = new ExpectingSink();
      FlowReport _ = Flow.on(device).from(Source.file(file(data))).to(known).start().await();
      assertThat(known.expected).containsExactly((long) BYTES);
      assertThat(known.bytes).hasValue(BYTES);
      ExpectingSink unknown = new ExpectingSink();
      Source channel = Source.channel(Channels.newChannel(new ByteArrayInputStream(data)));
      FlowReport _ = Flow.on(device).from(channel).to(unknown).start().await();
      assertThat(unknown.expected).isEmpty();
      assertThat(unknown.bytes).hasValue(BYTES);
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aFailingSourceStopsTheFlowAndKeepsWhatWasWritten(String name) {
    CountingSink sink = new CountingSink();
    Source source =
        new EndlessSource(1 << 20) {
          @Override
          public long read(long position, MemorySegment into) {
            if (position >= 600_000) {
              throw new IllegalStateException("the tape is torn");
            }
            return super.read(position, into);
          }

          @Override
          public boolean isPositional() {
            return false;
          }
        };
    try (Device device = Device.open(name)) {
      Flow flow =
          Flow.on(device)
              .from(source)
              .through(AddOne.STAGE)
              .to(sink)
              .chunkBytes(20_000)
              .granularity(1)
              .depth(2)
              .start();
      assertThatThrownBy(flow::await).hasMessage("the tape is torn");
      assertThat(sink.bytes.get()).isEqualTo(flow.progress().bytesDone()).isPositive();
      assertThat(sink.closed.get()).isEqualTo(1);
      assertReleased(device);
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aFailingStageStopsTheFlow(String name) {
    try (Device device = Device.open(name)) {
      Flow flow =
          Flow.on(device)
              .from(new EndlessSource(1 << 20))
              .through(
                  (stream, chunk) -> {
                    if (chunk.index() == 7) {
                      throw new IllegalStateException("no kernel for chunk 7");
                    }
                    AddOne.STAGE.enqueue(stream, chunk);
                  })
              .to(new CountingSink())
              .chunkBytes(20_000)
              .granularity(1)
              .start();
      assertThatThrownBy(flow::await).hasMessage("no kernel for chunk 7");
      assertReleased(device);
    }
  }

  @Test
  void aFaultingKernelStopsTheFlowWithTheLossOfTheDevice() {
    try (Device device = Device.open("virtual")) {
      Flow flow =
          Flow.on(device)
              .from(new EndlessSource(1 << 20))
              .through(
                  (stream, chunk) -> {
                    long tooMany = chunk.byteSize() + (chunk.index() == 5 ? 1 : 0);
                    stream.launch(
                        Grid.covering(tooMany, 256),
                        AddOne.ADD_ONE,
                        chunk.in(),
                        chunk.out(),
                        tooMany);
                  })
              .to(new CountingSink())
              .chunkBytes(20_000 / 256 * 256)
              .start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(dev.stretto.fault.DeviceLostException.class)
          .hasMessageContaining("addOne");
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void cancellingStopsTheFlow(String name) {
    try (Device device = Device.open(name)) {
      Flow[] started = new Flow[1];
      Flow flow =
          Flow.on(device)
              .from(new EndlessSource(Long.MAX_VALUE / 2))
              .to(new CountingSink())
              .chunkBytes(20_000)
              .granularity(1)
              .onProgress(
                  progress -> {
                    if (progress.bytesDone() > 200_000 && started[0] != null) {
                      started[0].cancel();
                    }
                  })
              .start();
      started[0] = flow;
      assertThatThrownBy(flow::await)
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining("cancelled after");
      assertReleased(device);
    }
  }

  @Test
  void aFileThatWasTruncatedMeanwhileIsTold() throws IOException {
    Path in = file(AddOne.random(BYTES));
    try (Device device = Device.open("virtual")) {
      Source source = Source.file(in);
      Files.write(in, new byte[10], StandardOpenOption.TRUNCATE_EXISTING);
      Flow flow = Flow.on(device).from(source).to(new CountingSink()).start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining("was truncated while it was read: it had " + BYTES);
    }
  }

  @Test
  void aFileThatGrewMeanwhileIsTold() throws IOException {
    Path in = file(AddOne.random(BYTES));
    try (Device device = Device.open("virtual")) {
      Source source = Source.file(in);
      Files.write(in, new byte[10], StandardOpenOption.APPEND);
      CountingSink sink = new CountingSink();
      Flow flow = Flow.on(device).from(source).to(sink).start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining("it had " + BYTES + " bytes and has " + (BYTES + 10));
      assertThat(sink.bytes.get()).isEqualTo(BYTES);
    }
  }

  @Test
  void aLongerFileThatIsWrittenOverIsCutOff() throws IOException {
    Path out = Files.write(folder.resolve("out"), new byte[3 * BYTES]);
    try (Device device = Device.open("virtual")) {
      Flow.on(device)
          .from(Source.file(file(AddOne.random(BYTES))))
          .to(Sink.file(out))
          .start()
          .await();
    }
    assertThat(out).hasSameBinaryContentAs(folder.resolve("in"));
  }

  @Test
  void aMissingFileIsToldAtOnce() {
    assertThatThrownBy(() -> Source.file(folder.resolve("nowhere")))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("nowhere does not exist");
  }

  @Test
  void aSinkThatIsTooSmallIsToldWithTheNumbers() {
    try (Device device = Device.open("virtual")) {
      Flow flow =
          Flow.on(device)
              .from(new EndlessSource(1000))
              .to(Sink.of(MemorySegment.ofArray(new byte[999])))
              .start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining("1000 bytes are to be written into a segment of 999");
    }
  }

  @Test
  void wrongSizesAreRefused() {
    try (Device device = Device.open("virtual")) {
      FlowPlan plan = Flow.on(device);
      assertThatThrownBy(() -> plan.chunkBytes(0)).hasMessageContaining("a chunk of 0 bytes");
      assertThatThrownBy(() -> plan.depth(65)).hasMessageContaining("a depth of 65 chunks");
      assertThatThrownBy(() -> plan.granularity(0)).hasMessageContaining("a granularity of 0");
      assertThatThrownBy(plan::start).isInstanceOf(IllegalStateException.class);
      plan.from(new EndlessSource(1)).to(new CountingSink()).chunkBytes(1000).granularity(64);
      assertThatThrownBy(plan::start).hasMessageContaining("not a multiple of the granularity, 64");
    }
  }

  @Test
  void onAVirtualDeviceTheFlowOverlapsInModelledTime() {
    try (Device device = Device.open("virtual:h200,seed=1");
        PinnedArena arena = device.pinnedArena()) {
      long bytes = 16 << 20;
      MemorySegment in = arena.allocate(bytes);
      MemorySegment out = arena.allocate(bytes);
      long begin = device.hostClock().now();
      Flow.on(device).from(Source.of(in)).to(Sink.of(out)).chunkBytes(1 << 20).start().await();
      double seconds = (device.hostClock().now() - begin) / 1e9;
      double oneAfterTheOther = 2 * bytes / 55e9;
      assertThat(seconds).isLessThan(0.75 * oneAfterTheOther);
    }
  }

  /**
   * What the flow pinned is given back. A GPU keeps the slots through which its threads have read
   * files.
   */
  private static void assertReleased(Device device) {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (pinnedBesidesSlots(device) > 0 && System.nanoTime() < deadline) {
      device.await(java.time.Duration.ofMillis(1));
      Thread.onSpinWait();
    }
    assertThat(pinnedBesidesSlots(device)).isZero();
  }

  private static long pinnedBesidesSlots(Device device) {
    long used = device.pinned().usedBytes();
    return device.name().startsWith("cuda") ? used % (4 << 20) : used;
  }
}
