package dev.stretto.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalLongs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A chunk may pass several stages, and stages may make more or fewer bytes of it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlowStagesTest {
  private static final int BYTES = 200_003;
  private static final int CHUNK = 16 << 10;
  private static final Grid ONE = Grid.of(1, 1);

  @TempDir Path folder;

  static java.util.stream.Stream<String> devices() {
    return SeveralDevices.names();
  }

  static java.util.stream.Stream<String> oneDevice() {
    return java.util.stream.Stream.of("virtual:h200", "virtual:h200,seed=3", "virtual:h200,seed=4");
  }

  @Kernel
  static void adds(ThreadBlock block, GlobalBytes in, GlobalBytes out, int summand, long count) {
    long i = block.globalIndexX();
    if (i < count) {
      out.set(i, (byte) (in.get(i) + summand));
    }
  }

  @Kernel
  static void keepsOdd(
      ThreadBlock block, GlobalBytes in, GlobalBytes out, GlobalLongs size, long count) {
    long kept = 0;
    for (long i = 0; i < count; i++) {
      if ((in.get(i) & 1) == 1) {
        out.set(kept++, in.get(i));
      }
    }
    size.set(0, kept);
  }

  @Kernel
  static void doubles(
      ThreadBlock block, GlobalBytes in, GlobalBytes out, GlobalLongs size, long count) {
    long i = block.globalIndexX();
    if (i < count) {
      out.set(2 * i, in.get(i));
      out.set(2 * i + 1, in.get(i));
      long _ = Atomics.add(size, 0, 2);
    }
  }

  @Kernel
  static void sumsUp(
      ThreadBlock block, GlobalBytes in, GlobalBytes out, GlobalLongs sum, long count) {
    long all = sum.get(0);
    for (long i = 0; i < count; i++) {
      all += in.get(i);
      out.set(i, (byte) all);
    }
    sum.set(0, all);
  }

  private static Stage adding(int summand) {
    return (stream, chunk) ->
        stream.launch(
            Grid.covering(chunk.byteSize(), 128),
            FlowStagesTest::adds,
            chunk.in(),
            chunk.out(),
            summand,
            chunk.byteSize());
  }

  private static void keepOdd(Stream stream, Chunk chunk, GlobalLongs size) {
    stream.launch(ONE, FlowStagesTest::keepsOdd, chunk.in(), chunk.out(), size, chunk.byteSize());
  }

  private static void twice(Stream stream, Chunk chunk, GlobalLongs size) {
    stream.launch(
        Grid.covering(chunk.byteSize(), 128),
        FlowStagesTest::doubles,
        chunk.in(),
        chunk.out(),
        size,
        chunk.byteSize());
  }

  private static byte[] plus(byte[] data, int summand) {
    byte[] sum = new byte[data.length];
    for (int i = 0; i < data.length; i++) {
      sum[i] = (byte) (data[i] + summand);
    }
    return sum;
  }

  private static byte[] oddTwice(byte[] data) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte each : data) {
      if ((each & 1) == 1) {
        out.write(each);
        out.write(each);
      }
    }
    return out.toByteArray();
  }

  @ParameterizedTest
  @MethodSource("devices")
  void eachStageReadsWhatTheOneBeforeHasWritten(String names) throws IOException {
    byte[] data = AddOne.random(BYTES);
    Path out = folder.resolve("out");
    for (int stages = 1; stages <= 4; stages++) {
      for (boolean inPlace : new boolean[] {false, true}) {
        try (SeveralDevices devices = new SeveralDevices(names)) {
          FlowPlan plan = Flow.on(devices.all()).from(Source.of(MemorySegment.ofArray(data)));
          for (int i = 0; i < stages; i++) {
            plan.through(adding(1 << i));
          }
          if (inPlace) {
            plan.inPlace();
          }
          plan.to(Sink.file(out)).chunkBytes(CHUNK).start().await();
        }
        assertThat(Files.readAllBytes(out)).isEqualTo(plus(data, (1 << stages) - 1));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void whatResizingStagesLeaveFollowsEachOtherAndItsPlacesAreTold(String names) throws IOException {
    byte[] data = AddOne.random(BYTES);
    byte[] expected = oddTwice(data);
    Path in = Files.write(folder.resolve("in"), data);
    Path out = folder.resolve("out");
    byte[] memory = new byte[2 * BYTES];
    ByteArrayOutputStream channel = new ByteArrayOutputStream();
    List<Sink> sinks =
        List.of(
            Sink.file(out),
            Sink.of(MemorySegment.ofArray(memory)),
            Sink.channel(Channels.newChannel(channel)));
    for (Sink sink : sinks) {
      List<ChunkPlace> places = new ArrayList<>();
      try (SeveralDevices devices = new SeveralDevices(names)) {
        FlowReport report =
            Flow.on(devices.all())
                .from(Source.file(in))
                .through(FlowStagesTest::keepOdd, most -> most)
                .through(adding(0))
                .through(FlowStagesTest::twice, most -> 2 * most)
                .to(sink)
                .onPlaced(places::add)
                .chunkBytes(CHUNK)
                .start()
                .await();
        assertThat(report.bytes()).isEqualTo(BYTES);
        assertThat(report.bytesOut()).isEqualTo(expected.length);
      }
      assertPlaces(places, data);
    }
    assertThat(Files.readAllBytes(out)).isEqualTo(expected);
    assertThat(memory).startsWith(expected);
    assertThat(channel.toByteArray()).isEqualTo(expected);
  }

  private static void assertPlaces(List<ChunkPlace> places, byte[] data) {
    assertThat(places).hasSize(Math.ceilDiv(BYTES, CHUNK));
    long end = 0;
    for (int i = 0; i < places.size(); i++) {
      ChunkPlace place = places.get(i);
      int from = i * CHUNK;
      byte[] part = Arrays.copyOfRange(data, from, Math.min(BYTES, from + CHUNK));
      long size = oddTwice(part).length;
      assertThat(place).isEqualTo(new ChunkPlace(i, from, part.length, end, size));
      end += size;
    }
  }

  @ParameterizedTest
  @MethodSource("oneDevice")
  void chunksOfWhichNothingIsLeftAreLeftOut(String name) throws IOException {
    byte[] data = new byte[BYTES];
    data[3 * CHUNK] = 1; // in the fourth chunk only
    Path out = folder.resolve("out");
    AtomicInteger calls = new AtomicInteger();
    try (SeveralDevices devices = new SeveralDevices(name)) {
      Flow.on(devices.all())
          .from(Source.of(MemorySegment.ofArray(data)))
          .through(FlowStagesTest::keepOdd, most -> most)
          .through(
              (stream, chunk) -> {
                calls.incrementAndGet();
                adding(1).enqueue(stream, chunk);
              })
          .inOrder()
          .to(Sink.file(out))
          .chunkBytes(CHUNK)
          .start()
          .await();
    }
    assertThat(Files.readAllBytes(out)).containsExactly(2);
    assertThat(calls).hasValue(1);
  }

  @ParameterizedTest
  @MethodSource("oneDevice")
  void aStageInOrderCarriesASumFromChunkToChunk(String name) throws IOException {
    byte[] data = AddOne.random(BYTES);
    byte[] expected = new byte[BYTES];
    int sum = 0;
    for (int i = 0; i < BYTES; i++) {
      sum += data[i] + 1;
      expected[i] = (byte) sum;
    }
    Path in = Files.write(folder.resolve("in"), data);
    Path out = folder.resolve("out");
    try (SeveralDevices devices = new SeveralDevices(name)) {
      List<Long> order = new ArrayList<>();
      GlobalLongs carried = devices.last().allocateLongs(1);
      try (Stream stream = devices.last().stream()) {
        stream.fill(carried, 0).await();
      }
      Flow.on(devices.all())
          .from(Source.file(in))
          .through(adding(1))
          .through(
              (stream, chunk) -> {
                order.add(chunk.index());
                stream.launch(
                    ONE,
                    FlowStagesTest::sumsUp,
                    chunk.in(),
                    chunk.out(),
                    carried,
                    chunk.byteSize());
              })
          .inOrder()
          .to(Sink.file(out))
          .chunkBytes(CHUNK)
          .start()
          .await();
      assertThat(order).isSorted().hasSize(Math.ceilDiv(BYTES, CHUNK));
      carried.close();
    }
    assertThat(Files.readAllBytes(out)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, CHUNK + 1, Long.MAX_VALUE})
  void aSizeBeyondTheRoomFailsTheFlow(long size) {
    try (SeveralDevices devices = new SeveralDevices("virtual:h200")) {
      Flow flow =
          Flow.on(devices.all())
              .from(Source.of(MemorySegment.ofArray(new byte[BYTES])))
              .through((stream, chunk, made) -> stream.fill(made, size), most -> most)
              .to(Sink.of(MemorySegment.ofArray(new byte[BYTES])))
              .chunkBytes(CHUNK)
              .start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining("has made " + size + " bytes of chunk ")
          .hasMessageMatching(".* 0 to (" + CHUNK + "|" + BYTES % CHUNK + ")"); // of any chunk
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -5})
  void aStageThatMakesNothingAtMostIsRefused(long most) {
    try (SeveralDevices devices = new SeveralDevices("virtual:h200")) {
      FlowPlan plan =
          Flow.on(devices.all())
              .from(Source.of(MemorySegment.ofArray(new byte[BYTES])))
              .through(FlowStagesTest::keepOdd, bytes -> most)
              .drain();
      assertThatThrownBy(plan::start)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at most " + most + " bytes");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void resultsWithoutAStageThatMakesThemAreRefused(boolean isResized) {
    try (SeveralDevices devices = new SeveralDevices("virtual:h200")) {
      FlowPlan plan =
          Flow.on(devices.all())
              .from(Source.of(MemorySegment.ofArray(new byte[BYTES])))
              .collect(8, (index, result) -> {});
      if (isResized) {
        plan.through(FlowStagesTest::keepOdd, bytes -> bytes);
      }
      assertThatThrownBy(plan::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("results of 8 bytes are collected, but no stage makes them");
      assertThatThrownBy(() -> Flow.on(devices.all()).inOrder())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("call through first");
    }
  }
}
