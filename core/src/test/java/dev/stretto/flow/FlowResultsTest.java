package dev.stretto.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalLongs;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A flow may bring home a few bytes of each chunk, or nothing. */
class FlowResultsTest {
  private static final int BYTES = 250_003;
  private static final int CHUNK = 16 << 10;
  private static final Grid GRID = Grid.of(4, 64);

  @TempDir Path folder;

  static java.util.stream.Stream<String> devices() {
    return SeveralDevices.names();
  }

  @Kernel
  static void adds(ThreadBlock block, GlobalBytes in, GlobalLongs sum, long count) {
    long all = 0;
    for (long i = block.globalIndexX(); i < count; i += 256) {
      all += in.get(i);
    }
    Atomics.add(sum, 0, all);
  }

  private static void addsChunk(Stream stream, Chunk chunk) {
    stream.fill(chunk.out(), (byte) 0);
    stream.launch(GRID, FlowResultsTest::adds, chunk.in(), chunk.out().asLongs(), chunk.byteSize());
  }

  private static long sum(byte[] data, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += data[i];
    }
    return sum;
  }

  @ParameterizedTest
  @MethodSource("devices")
  void theResultOfEachChunkComesOnce(String names) throws IOException {
    byte[] data = AddOne.random(BYTES);
    Path in = Files.write(folder.resolve("in"), data);
    Map<Long, Long> sums = new ConcurrentHashMap<>();
    try (SeveralDevices devices = new SeveralDevices(names)) {
      FlowReport report =
          Flow.on(devices.all())
              .from(Source.file(in))
              .through(FlowResultsTest::addsChunk)
              .collect(
                  8,
                  (index, result) ->
                      assertThat(sums.put(index, result.get(ValueLayout.JAVA_LONG, 0))).isNull())
              .chunkBytes(CHUNK)
              .start()
              .await();
      assertThat(report.bytes()).isEqualTo(BYTES);
    }
    assertThat(sums).hasSize(16);
    sums.forEach(
        (index, sum) -> {
          int from = (int) (index * CHUNK);
          assertThat(sum).isEqualTo(sum(data, from, Math.min(BYTES, from + CHUNK)));
        });
  }

  @ParameterizedTest
  @MethodSource("devices")
  void resultsAreCombined(String names) {
    byte[] data = AddOne.random(BYTES);
    try (SeveralDevices devices = new SeveralDevices(names);
        PinnedArena pinned = devices.all().getFirst().pinnedArena();
        Arena arena = Arena.ofShared()) {
      MemorySegment in = pinned.allocate(BYTES); // so nothing but results needs buffers
      in.copyFrom(MemorySegment.ofArray(data));
      MemorySegment all = arena.allocate(8);
      Flow.on(devices.all())
          .from(Source.of(in))
          .through(FlowResultsTest::addsChunk)
          .reduce(
              all,
              (sum, each) ->
                  sum.set(
                      ValueLayout.JAVA_LONG,
                      0,
                      sum.get(ValueLayout.JAVA_LONG, 0) + each.get(ValueLayout.JAVA_LONG, 0)))
          .chunkBytes(CHUNK)
          .start()
          .await();
      assertThat(all.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(sum(data, 0, BYTES));
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void everythingCanStayOnTheDevice(String names) throws IOException {
    byte[] data = AddOne.random(BYTES);
    Path in = Files.write(folder.resolve("in"), data);
    long sum = 0;
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Map<Device, GlobalLongs> sums = new HashMap<>();
      devices.all().forEach(device -> sums.put(device, device.allocateLongs(1)));
      for (var each : sums.entrySet()) {
        try (Stream stream = each.getKey().stream()) {
          stream.fill(each.getValue(), 0).await();
        }
      }
      Flow.on(devices.all())
          .from(Source.file(in))
          .throughEach(
              device -> {
                GlobalLongs its = sums.get(device);
                return (stream, chunk) -> {
                  assertThat(chunk.out()).isEqualTo(chunk.in());
                  stream.launch(GRID, FlowResultsTest::adds, chunk.in(), its, chunk.byteSize());
                };
              })
          .drain()
          .chunkBytes(CHUNK)
          .start()
          .await();
      for (var each : sums.entrySet()) {
        long[] its = new long[1];
        try (Stream stream = each.getKey().stream()) {
          stream.copy(each.getValue(), its).await();
        }
        sum += its[0];
        each.getValue().close();
      }
    }
    assertThat(sum).isEqualTo(sum(data, 0, BYTES));
  }

  @ParameterizedTest
  @MethodSource("devices")
  void whatAResultThrowsStopsTheFlow(String names) throws IOException {
    Path in = Files.write(folder.resolve("in"), AddOne.random(BYTES));
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Flow flow =
          Flow.on(devices.all())
              .from(Source.file(in))
              .through(FlowResultsTest::addsChunk)
              .collect(
                  8,
                  (index, _) -> {
                    if (index == 5) {
                      throw new IllegalStateException("not this one");
                    }
                  })
              .chunkBytes(CHUNK)
              .start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("not this one");
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void everyByteOfChunksThatDifferInSizeIsSeenOnce(String names) throws IOException {
    byte[] data = AddOne.random(250_003);
    int chunk = 1 << 16;
    Path in = Files.write(folder.resolve("in"), data);
    Path out = folder.resolve("out");
    try (SeveralDevices devices = new SeveralDevices(names)) {
      FlowReport report =
          Flow.on(devices.all())
              .from(Source.file(in))
              .through(AddOne.STAGE)
              .to(Sink.file(out))
              .chunkBytes(chunk)
              .start()
              .await();
      assertThat(report.chunks()).isEqualTo(4);
      AtomicLong sum = new AtomicLong();
      Flow.on(devices.all())
          .from(Source.file(out))
          .through(FlowResultsTest::addsChunk)
          .collect(8, (_, result) -> sum.addAndGet(result.get(ValueLayout.JAVA_LONG, 0)))
          .chunkBytes(1 << 17)
          .start()
          .await();
      assertThat(sum.get()).isEqualTo(sum(AddOne.plusOne(data), 0, data.length));
    }
    assertThat(Files.readAllBytes(out)).isEqualTo(AddOne.plusOne(data));
  }
}
