package dev.stretto.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.fault.ClosedException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be an end of a flow is refused where it is named, in words. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlowRefusalTest {
  @TempDir Path folder;

  // --- nulls and nonsense
  // ---------------------------------------------------------------------------------------------------------

  record Call(String named, Runnable call) {
    @Override
    public String toString() {
      return named;
    }
  }

  @SuppressWarnings("DataFlowIssue")
  static Stream<Call> callsWithNull() {
    Device device = Device.open("virtual"); // closed with the process
    FlowPlan plan = Flow.on(device);
    List<Device> devices = new ArrayList<>();
    devices.add(null);
    return Stream.of(
        new Call("path", () -> Source.file(null)),
        new Call("segment", () -> Source.of(null)),
        new Call("channel", () -> Source.channel(null)),
        new Call("publisher", () -> Source.publisher(null)),
        new Call("path", () -> Sink.file(null)),
        new Call("segment", () -> Sink.of(null)),
        new Call("channel", () -> Sink.channel(null)),
        new Call("device", () -> Flow.on((Device) null)),
        new Call("devices", () -> Flow.on((List<Device>) null)),
        new Call("device of a flow", () -> Flow.on(devices)),
        new Call("source", () -> plan.from(null)),
        new Call("sink", () -> plan.to(null)),
        new Call("stage", () -> plan.through(null)),
        new Call("stages", () -> plan.throughEach(null)),
        new Call("stage", () -> plan.through(null, most -> most)),
        new Call("most", () -> plan.through((stream, chunk, size) -> {}, null)),
        new Call("stages", () -> plan.throughEach(null, most -> most)),
        new Call("most", () -> plan.throughEach(each -> (stream, chunk, size) -> {}, null)),
        new Call("records", () -> plan.split(null)),
        new Call("place", () -> plan.onPlaced(null)),
        new Call("path", () -> Source.file(null, 0)),
        new Call("path", () -> Source.file(null, 0, 0)),
        new Call("path", () -> Source.folder(null)),
        new Call("paths", () -> Source.files(null)),
        new Call("a path", () -> Source.files(Collections.singletonList(null))),
        new Call("sources", () -> Source.zip(null, 1)),
        new Call("a source", () -> Source.zip(Collections.singletonList(null), 1)),
        new Call("rowBytes", () -> Source.zip(List.of(), (long[]) null)),
        new Call("sources", () -> Source.decoded(null, encoded -> encoded)),
        new Call("a source", () -> Source.decoded(Collections.singletonList(null), each -> each)),
        new Call("decoder", () -> Source.decoded(List.of(), null)),
        new Call("progress", () -> plan.onProgress(null)),
        new Call("executor", () -> plan.publish(null)),
        new Call("in", () -> new Chunk(0, 0, 0, 0, null, null)),
        new Call(
            "sizing",
            () -> new FlowReport(0, 0, 0, 0, 0, 0, 0, 0, null, List.of(), FlowTimes.NONE)),
        new Call("devices", () -> new FlowReport(0, 0, 0, 0, 0, 0, 0, 0, "", null, FlowTimes.NONE)),
        new Call("times", () -> new FlowReport(0, 0, 0, 0, 0, 0, 0, 0, "", List.of(), null)));
  }

  @ParameterizedTest
  @MethodSource("callsWithNull")
  void aNullIsRefusedAtTheCallAndNamed(Call call) {
    assertThatThrownBy(call.call::run)
        .isInstanceOf(NullPointerException.class)
        .hasMessage(call.named);
  }

  @Test
  void aPlanWhoseStagesGiveNullIsRefusedAndClosesItsEnds() {
    try (Device device = Device.open("virtual")) {
      CountingSink sink = new CountingSink();
      FlowPlan plan =
          Flow.on(device).from(new EndlessSource(10)).throughEach(each -> null).to(sink);
      assertThatThrownBy(plan::start)
          .isInstanceOf(NullPointerException.class)
          .hasMessage("stage of " + device.name());
      assertThat(sink.closed).hasValue(1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-2, Long.MIN_VALUE})
  void aSourceOfLessThanNothingIsRefused(long size) {
    try (Device device = Device.open("virtual")) {
      FlowPlan plan = Flow.on(device).from(new EndlessSource(size)).to(new CountingSink());
      assertThatThrownBy(plan::start)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a source of " + size + " bytes");
    }
  }

  @Test
  void aSourceOfAsManyBytesAsThereAreIsNotTakenForAnEmptyOne() {
    try (Device device = Device.open("virtual")) {
      Flow flow =
          Flow.on(device)
              .from(new EndlessSource(Long.MAX_VALUE))
              .to(new CountingSink())
              .chunkBytes(1 << 20)
              .start();
      flow.cancel();
      assertThatThrownBy(flow::await).hasMessageContaining("cancelled after");
    }
  }

  @Test
  void anEndThatSaysNullOfItsMemoryIsTold() {
    try (Device device = Device.open("virtual")) {
      Source source =
          new EndlessSource(10) {
            @Override
            @SuppressWarnings({"NullOptional", "OptionalAssignedToNull"})
            public Optional<MemorySegment> resident(long position, long bytes) {
              return null;
            }
          };
      FlowPlan plan = Flow.on(device).from(source).to(new CountingSink());
      assertThatThrownBy(plan::start).hasMessage("the result of the source's resident()");
    }
  }

  // --- memory
  // ---------------------------------------------------------------------------------------------------------------------

  @Test
  void memoryOfAConfinedArenaIsRefused() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(100);
      assertThatThrownBy(() -> Source.of(segment))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a segment of 100 bytes of a confined arena cannot be a source");
      assertThatThrownBy(() -> Sink.of(segment))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a segment of 100 bytes of a confined arena cannot be a sink");
    }
  }

  @Test
  void memoryThatIsClosedIsRefused() {
    Arena arena = Arena.ofShared();
    MemorySegment segment = arena.allocate(100);
    arena.close();
    assertThatThrownBy(() -> Source.of(segment)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> Sink.of(segment)).isInstanceOf(ClosedException.class);
  }

  @Test
  void memoryThatIsClosedMeanwhileFailsTheFlowInWords() {
    try (Device device = Device.open("virtual:h200,seed=1")) {
      Arena arena = Arena.ofShared();
      Flow flow =
          Flow.on(device)
              .from(Source.of(arena.allocate(100_000)))
              .to(new CountingSink())
              .chunkBytes(10_000)
              .granularity(1)
              .start();
      arena.close();
      assertThatThrownBy(flow::await)
          .isInstanceOf(ClosedException.class)
          .hasMessageContaining("the arena of a flow's source of 100000 bytes is closed");
    }
  }

  static Stream<String> devices() {
    return Stream.of("virtual", "virtual:h200,seed=1");
  }

  private MemorySegment truncated(Arena arena) throws IOException {
    Path file = Files.write(folder.resolve("mapped"), new byte[1 << 20]);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
      channel.truncate(10);
      return mapped;
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aMappedSourceThatWasTruncatedIsTold(String name) throws IOException {
    try (Device device = Device.open(name);
        Arena arena = Arena.ofShared()) {
      Flow flow =
          Flow.on(device)
              .from(Source.of(truncated(arena)))
              .to(new CountingSink())
              .chunkBytes(64 << 10)
              .start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining("the mapped file that is a flow's source of 1048576 bytes");
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aMappedSinkThatWasTruncatedIsTold(String name) throws IOException {
    try (Device device = Device.open(name);
        Arena arena = Arena.ofShared()) {
      Flow flow =
          Flow.on(device)
              .from(new EndlessSource(1 << 20))
              .to(Sink.of(truncated(arena)))
              .chunkBytes(64 << 10)
              .start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining("the mapped file that is a flow's sink of 1048576 bytes");
    }
  }

  // --- files
  // -------------------------------------------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(strings = {"/dev/zero", "/dev/null", "/dev/urandom"})
  void aDeviceFileIsNoSource(String path) {
    assertThatThrownBy(() -> Source.file(Path.of(path)))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining(path + " is a device, whose length is unknown")
        .hasMessageContaining("Source.channel");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/proc/self/status", "/proc/version", "/proc/cpuinfo"})
  void aFileThatIsMadeWhenItIsReadIsNoSource(String path) {
    assertThatThrownBy(() -> Source.file(Path.of(path)))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining(path + " reports a length of 0 bytes, but has content")
        .hasMessageContaining("Source.channel");
  }

  @Test
  void whatIsNoRegularFileCanBeReadThroughAChannel() throws IOException {
    Path out = folder.resolve("out");
    try (Device device = Device.open("virtual")) {
      FileChannel channel = FileChannel.open(Path.of("/proc/version"));
      Flow.on(device).from(Source.channel(channel)).to(Sink.file(out)).start().await();
    }
    assertThat(Files.readString(out)).isEqualTo(Files.readString(Path.of("/proc/version")));
  }

  @Test
  void aFolderIsNeitherASourceNorASink() {
    assertThatThrownBy(() -> Source.file(folder))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("is a folder");
    assertThatThrownBy(() -> Sink.file(folder))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("is a folder");
  }

  @Test
  void aPipeIsNeitherASourceNorASinkAndIsNotWaitedFor() throws Exception {
    Path pipe = folder.resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assertThat(made.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(() -> Source.file(pipe))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("is a pipe");
    assertThatThrownBy(() -> Sink.file(pipe))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("is a pipe")
        .hasMessageContaining("Sink.channel");
  }

  @Test
  void aLinkToARegularFileIsASource() throws IOException {
    Path file = Files.write(folder.resolve("in"), new byte[100]);
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    Source source = Source.file(link);
    assertThat(source.size()).isEqualTo(100);
    source.close();
  }
}
