package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Observer;
import dev.stretto.driver.HostClock;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.FlowTimes;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.flow.Stage;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.KernelReference;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whichever part of a flow is made the slowest is named as what bounds it. */
class PartTest {
  private static final long BYTES = 64L << 20;
  private static final int CHUNK = 1 << 20;

  /** So long a thread has a chunk that is slow: many times as long as the link. */
  private static final long SLOW_NANOS = 2_000_000;

  private static final KernelMethod.Of2<GlobalBytes, Long> TOUCHES = PartTest::touches;

  @Kernel
  static void touches(ThreadBlock block, GlobalBytes bytes, long count) {
    long i = block.globalIndexX();
    if (i < count) {
      bytes.set(i, (byte) 1);
    }
  }

  private record Reading(long nanos) implements Source {
    @Override
    public long size() {
      return BYTES;
    }

    @Override
    public boolean isPositional() {
      return true;
    }

    @Override
    public long read(long position, MemorySegment into) {
      return into.byteSize();
    }

    @Override
    public long modelledNanos(HostClock clock, long bytes) {
      return nanos;
    }

    @Override
    public void close() {}
  }

  private record Writing(long nanos) implements Sink {
    @Override
    public boolean isPositional() {
      return true;
    }

    @Override
    public void write(long position, MemorySegment from) {}

    @Override
    public long modelledNanos(HostClock clock, long bytes, int writers) {
      return nanos;
    }

    @Override
    public void close() {}
  }

  private static Part bound(long readNanos, Stage stage, long writeNanos) {
    try (Device device = Device.open("virtual:h200");
        Timeline timeline = Timeline.record(device)) {
      FlowReport report =
          Flow.on(device)
              .from(new Reading(readNanos))
              .through(stage)
              .to(new Writing(writeNanos))
              .inPlace()
              .chunkBytes(CHUNK)
              .start()
              .await();
      List<Span> spans = timeline.spans();
      List<Part> parts = Part.of(report, spans, _ -> 0);
      assertThat(parts).allSatisfy(part -> assertThat(part.busy()).isBetween(0.0, 1.0));
      return Part.bound(parts);
    }
  }

  @Test
  void slowReadingIsNamed() {
    Part bound = bound(SLOW_NANOS, (_, _) -> {}, 1);
    assertThat(bound.name()).isEqualTo("reading");
    assertThat(bound.busy()).isGreaterThan(0.8);
  }

  @Test
  void slowWritingIsNamed() {
    Part bound = bound(1, (_, _) -> {}, SLOW_NANOS);
    assertThat(bound.name()).isEqualTo("writing");
    assertThat(bound.busy()).isGreaterThan(0.8);
  }

  @Test
  void aSlowLinkIsNamed() {
    Part bound = bound(1, (_, _) -> {}, 1);
    assertThat(bound.name()).startsWith("copy");
    assertThat(bound.busy()).isGreaterThan(0.8);
    assertThat(bound.bytesPerSecond() / 1e9).isBetween(40.0, 60.0);
  }

  @Test
  void slowKernelsAreNamed() {
    DeviceKernel kernel =
        KernelReference.of(TOUCHES).compile(List.of(), 9, 0).withOperationsPerThread(1_000_000);
    Part bound =
        bound(
            1,
            (stream, chunk) ->
                stream.launch(
                    Grid.covering(chunk.byteSize(), 256), kernel, chunk.in(), chunk.byteSize()),
            1);
    assertThat(bound.name()).isEqualTo("kernels");
    assertThat(bound.busy()).isGreaterThan(0.8);
  }

  /** As threads feed it, such a copy is under way nearly all the time, whatever they wait for. */
  @Test
  void aStagedCopyDoesNotBoundWhatItsThreadsAreSlowAt() {
    long nanos = 1_000_000_000;
    FlowTimes times = new FlowTimes(nanos, 0, 2 * nanos, 0, 0, 7 * nanos, 10, 10);
    FlowReport report =
        new FlowReport(8_000_000_000L, 0, 1, 1, 1, 0, 0, nanos, "as asked", List.of(), times);
    List<Span> spans =
        List.of(
            new Span(Observer.Kind.HOST_TO_DEVICE, "in", 1, 1, 1, false, 0, 0, nanos),
            new Span(Observer.Kind.DEVICE_TO_HOST, "out", 1, 2, 1, false, 0, 0, nanos));
    List<Part> parts = Part.of(report, spans, _ -> 50e9);
    Part bound = Part.bound(parts);
    assertThat(bound.name()).isEqualTo("writing");
    assertThat(bound.busy()).isEqualTo(0.7);
    assertThat(parts)
        .filteredOn(part -> part.name().startsWith("copy"))
        .hasSize(2)
        .allSatisfy(
            copy -> {
              assertThat(copy.bytesPerSecond()).isEqualTo(50e9);
              assertThat(copy.busy()).isEqualTo(0.16);
            });
  }
}
