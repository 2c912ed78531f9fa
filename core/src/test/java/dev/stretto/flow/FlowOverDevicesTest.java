package dev.stretto.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.driver.HostClock;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.StrettoException;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.ThreadBlock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a flow over several devices promises, whoever they are and under several seeds. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlowOverDevicesTest {
  /** So much shared memory that a multiprocessor holds one block. */
  private static final int ALONE_BYTES = 120 << 10;

  private static final String NAMES = "dev.stretto.flow.SeveralDevices#names";
  private static final String SEVERAL = "dev.stretto.flow.SeveralDevices#several";
  private static final int BYTES = 1_000_003;
  private static final int CHUNK = 20_000;

  @TempDir Path folder;

  /** Adds one to every byte, after work that is as much for each chunk as chance wills. */
  private static final Stage OF_ANY_COST =
      (stream, chunk) -> {
        int fills = new SplittableRandom(chunk.index()).nextInt(30);
        for (int i = 0; i < fills; i++) {
          stream.fill(chunk.out(), (byte) i);
        }
        AddOne.STAGE.enqueue(stream, chunk);
      };

  private static ReadableByteChannel channel(byte[] data) {
    return Channels.newChannel(new ByteArrayInputStream(data));
  }

  private static FlowPlan small(FlowPlan plan) {
    return plan.chunkBytes(CHUNK).granularity(1);
  }

  // --- the bytes
  // ----------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource(NAMES)
  void bytesComeOutInOrderWhateverTheChunksCost(String names) {
    byte[] data = AddOne.random(BYTES);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SeveralDevices devices = new SeveralDevices(names)) {
      FlowReport report =
          small(Flow.on(devices.all()))
              .from(Source.channel(channel(data)))
              .through(OF_ANY_COST)
              .to(Sink.channel(Channels.newChannel(out)))
              .start()
              .await();
      assertThat(report.bytes()).isEqualTo(BYTES);
      assertThat(out.toByteArray()).isEqualTo(AddOne.plusOne(data));
      devices.assertUsableAndFree();
    }
  }

  @ParameterizedTest
  @MethodSource(NAMES)
  void aFileComesOutOfTheOtherEndWhole(String names) throws IOException {
    byte[] data = AddOne.random(BYTES);
    Path in = Files.write(folder.resolve("in"), data);
    Path out = folder.resolve("out");
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Flow.on(devices.all())
          .from(Source.file(in))
          .through(OF_ANY_COST)
          .to(Sink.file(out))
          .start()
          .await();
    }
    assertThat(Files.readAllBytes(out)).isEqualTo(AddOne.plusOne(data));
  }

  @ParameterizedTest
  @MethodSource(NAMES)
  void memoryThatOneOfTheDriversPinnedGoesThroughAllOfThem(String names) {
    byte[] data = AddOne.random(BYTES);
    try (SeveralDevices devices = new SeveralDevices(names);
        PinnedArena arena = devices.all().getFirst().pinnedArena()) {
      MemorySegment in = arena.allocateFrom(ValueLayout.JAVA_BYTE, data);
      MemorySegment out = arena.allocate(BYTES);
      FlowReport report =
          small(Flow.on(devices.all()))
              .from(Source.of(in))
              .through(OF_ANY_COST)
              .to(Sink.of(out))
              .start()
              .await();
      assertThat(report.pinnedBytes()).isZero();
      assertThat(out.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(AddOne.plusOne(data));
    }
  }

  @ParameterizedTest
  @MethodSource(NAMES)
  void anEmptySourceMakesAnEmptySink(String names) {
    CountingSink sink = new CountingSink();
    try (SeveralDevices devices = new SeveralDevices(names)) {
      FlowReport report =
          Flow.on(devices.all()).from(new EndlessSource(0)).to(sink).start().await();
      assertThat(report.chunks()).isZero();
      assertThat(report.devices()).allMatch(share -> share.bytesPerSecond() == 0);
    }
    assertThat(sink.closed.get()).isEqualTo(1);
  }

  // --- who gets how much
  // ---------------------------------------------------------------------------

  /** Costs no modelled time, so that the devices alone say how fast a flow is. */
  private static Source free(long bytes) {
    return new EndlessSource(bytes) {
      @Override
      public long modelledNanos(HostClock clock, long read) {
        return 0;
      }
    };
  }

  private static CountingSink freeSink(boolean positional) {
    return new CountingSink() {
      @Override
      public boolean isPositional() {
        return positional;
      }

      @Override
      public long modelledNanos(HostClock clock, long bytes, int writers) {
        return 0;
      }
    };
  }

  private static final List<String> FAST_AND_SLOW =
      List.of(
          "virtual:h200 virtual:a100",
          "virtual:a100 virtual:h200",
          "virtual:h200,seed=1,schedule=uniform virtual:a100,seed=2,schedule=uniform",
          "virtual:h200,seed=3,schedule=uniform virtual:a100,seed=5,schedule=uniform",
          "virtual:h200 virtual:a100,seed=5,schedule=uniform",
          "virtual:h200,seed=6,schedule=uniform virtual:a100");

  static List<String> fastAndSlow() {
    return FAST_AND_SLOW;
  }

  private static double ratio(FlowReport report, String one) {
    DeviceShare first = share(report, one);
    DeviceShare second =
        report.devices().stream().filter(share -> !share.equals(first)).findFirst().orElseThrow();
    assertThat(first.chunks() + second.chunks()).isEqualTo(report.chunks());
    assertThat(first.bytes() + second.bytes()).isEqualTo(report.bytes());
    return (double) first.bytes() / second.bytes();
  }

  private static DeviceShare share(FlowReport report, String product) {
    return report.devices().stream()
        .filter(share -> share.device().properties().name().contains(product))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("fastAndSlow")
  void aDeviceThatIsTwiceAsFastGetsTwiceTheChunks(String names) {
    long bytes = 160L << 20;
    for (boolean positional : new boolean[] {true, false}) {
      try (SeveralDevices devices = new SeveralDevices(names)) {
        Device fast = devices.all().get(names.indexOf("h200") < names.indexOf("a100") ? 0 : 1);
        long begin = fast.hostClock().now();
        FlowReport report =
            Flow.on(devices.all())
                .from(free(bytes))
                .to(freeSink(positional))
                .chunkBytes(512 << 10)
                .depth(8)
                .start()
                .await();
        // 512 KiB at 50.9 and 23.5 GB/s in each direction, and 2.5 µs of each engine.
        assertThat(share(report, "H200").bytesPerSecond()).isBetween(39e9, 43e9);
        assertThat(share(report, "A100").bytesPerSecond()).isBetween(20e9, 22e9);
        assertThat(ratio(report, "H200")).isBetween(1.75, 2.25);
        double seconds = (fast.hostClock().now() - begin) / 1e9;
        assertThat(bytes / seconds).as("bytes per second together").isGreaterThan(56e9);
      }
    }
  }

  /** Holds a multiprocessor for so many times 10 microseconds. */
  @Kernel
  static void hold(ThreadBlock block, int times) {
    for (int i = 0; i < times; i++) {
      Ptx.nanosleep(10_000);
    }
  }

  @ParameterizedTest
  @MethodSource("fastAndSlow")
  void dealingFollowsTheSpeedOfTheStageAndNotOfTheLink(String names) {
    try (SeveralDevices devices = new SeveralDevices(names)) {
      FlowReport report =
          Flow.on(devices.all())
              .from(free(60L << 20))
              .throughEach(
                  device -> {
                    int times = device.properties().name().contains("H200") ? 9 : 3;
                    Grid whole = Grid.of(device.properties().multiprocessors(), 1);
                    return (stream, chunk) ->
                        stream.launch(
                            whole.withSharedBytes(ALONE_BYTES), FlowOverDevicesTest::hold, times);
                  })
              .to(freeSink(true))
              .chunkBytes(256 << 10)
              .depth(6)
              .start()
              .await();
      double fast = 90;
      double slow = 30;
      assertThat(1 / ratio(report, "H200")).isBetween(0.85 * fast / slow, 1.15 * fast / slow);
    }
  }

  @ParameterizedTest
  @MethodSource("fastAndSlow")
  void chunksBeforeAnythingWasMeasuredAreSharedByTheSpeedOfTheLinks(String names) {
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Map<Long, Device> owners = new ConcurrentHashMap<>();
      FlowReport report =
          Flow.on(devices.all())
              .from(free(18 << 20))
              .through((stream, chunk) -> owners.put(chunk.index(), stream.device()))
              .inPlace()
              .to(freeSink(true))
              .start()
              .await();
      assertThat(report.chunks()).isLessThan(40);
      // Later ones follow what each device has finished by then, which chance decides too.
      Device fast = share(report, "H200").device();
      assertThat(owned(owners, fast, 0, 9)).isBetween(5L, 7L);
    }
  }

  private static Stage slower(Device slow, int until) {
    return (stream, chunk) -> {
      int fills = stream.device().equals(slow) && chunk.index() < until ? 300 : 100;
      for (int i = 0; i < fills; i++) {
        stream.fill(chunk.out(), (byte) i);
      }
    };
  }

  private static FlowReport shared(List<Device> devices, Stage stage, Map<Long, Device> owners) {
    return Flow.on(devices)
        .from(free(300L * (64 << 10)))
        .through(
            (stream, chunk) -> {
              owners.put(chunk.index(), stream.device());
              stage.enqueue(stream, chunk);
            })
        .to(freeSink(true))
        .chunkBytes(64 << 10)
        .depth(4)
        .start()
        .await();
  }

  private static long owned(Map<Long, Device> owners, Device owner, long from, long to) {
    return owners.entrySet().stream()
        .filter(it -> it.getKey() >= from && it.getKey() < to && it.getValue().equals(owner))
        .count();
  }

  static List<String> twoEqual() {
    return List.of("virtual:h200x2", "virtual:h200x2,seed=1", "virtual:h200x2,seed=2");
  }

  @ParameterizedTest
  @MethodSource("twoEqual")
  void aLoadedDeviceGetsFewerChunksAndMoreWhenTheLoadIsGone(String names) {
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Map<Long, Device> owners = new ConcurrentHashMap<>();
      shared(devices.all(), slower(devices.last(), 150), owners);
      assertThat(owned(owners, devices.last(), 0, 150)).isBetween(28L, 50L);
      assertThat(owned(owners, devices.last(), 180, 300)).isBetween(48L, 72L);
    }
  }

  @ParameterizedTest
  @MethodSource("twoEqual")
  void nobodyWaitsAtTheEndForADeviceThatIsMuchSlower(String names) {
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Device slow = devices.last();
      Map<Long, Device> owners = new ConcurrentHashMap<>();
      long begin = slow.hostClock().now();
      shared(
          devices.all(),
          (stream, chunk) -> {
            int fills = stream.device().equals(slow) ? 2000 : 100;
            for (int i = 0; i < fills; i++) {
              stream.fill(chunk.out(), (byte) i);
            }
          },
          owners);
      double fastAlone = 300 * 100 * (1_500 + (64 << 10) / 3600.0);
      assertThat((double) slow.hostClock().now() - begin).isLessThan(1.04 * fastAlone);
      assertThat(owned(owners, slow, 0, 300)).isBetween(4L, 16L);
      assertThat(owned(owners, slow, 290, 300)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource(SEVERAL)
  void noDeviceStarvesAtTheStart(String names) {
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Map<Long, Device> owners = new ConcurrentHashMap<>();
      small(Flow.on(devices.all()))
          .from(new EndlessSource(4L * CHUNK * devices.all().size()))
          .through((stream, chunk) -> owners.put(chunk.index(), stream.device()))
          .to(new CountingSink())
          .inPlace()
          .start()
          .await();
      assertThat(owners.values()).containsAll(devices.all());
    }
  }

  // --- bounds
  // --------------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource(NAMES)
  void noMoreChunksAreUnderWayThanTheDepthsOfAllDevicesSay(String names) {
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
    try (SeveralDevices devices = new SeveralDevices(names)) {
      int count = devices.all().size();
      FlowReport report =
          small(Flow.on(devices.all())).from(source).to(sink).depth(3).start().await();
      assertThat(most.get()).isBetween(1, 3 * count);
      assertThat(report.depth()).isEqualTo(3 * count);
      assertThat(report.pinnedBytes()).isEqualTo(3L * count * CHUNK);
      assertThat(report.deviceBytes()).isEqualTo(3L * count * CHUNK);
      assertThat(report.devices()).extracting(DeviceShare::depth).containsOnly(3);
      assertThat(report.devices())
          .extracting(DeviceShare::device)
          .containsExactlyElementsOf(devices.all());
      assertThat(report.devices().stream().mapToLong(DeviceShare::chunks).sum())
          .isEqualTo(report.chunks())
          .isEqualTo(100);
    }
  }

  @Test
  void aDeviceIsNotFurtherAheadOfAnotherThanItsSlotsLetItBeWhereOrderMatters()
      throws InterruptedException {
    AtomicInteger read = new AtomicInteger();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] data = AddOne.random(100 * CHUNK);
    CountDownLatch gate = new CountDownLatch(1);
    try (SeveralDevices devices = new SeveralDevices("virtual:h200 virtual:a100")) {
      Flow flow =
          small(Flow.on(devices.all()))
              .from(Source.channel(channel(data)))
              .through(
                  (stream, chunk) -> {
                    read.incrementAndGet();
                    if (stream.device().equals(devices.last())) {
                      stream.then(() -> pass(gate));
                    }
                    AddOne.STAGE.enqueue(stream, chunk);
                  })
              .to(Sink.channel(Channels.newChannel(out)))
              .depth(5)
              .start();
      while (read.get() < 2) {
        Thread.sleep(5);
      }
      Thread.sleep(100);
      assertThat(read.get()).isLessThanOrEqualTo(10);
      gate.countDown();
      flow.await();
    }
    assertThat(out.toByteArray()).isEqualTo(AddOne.plusOne(data));
  }

  private static void pass(CountDownLatch gate) {
    try {
      assertThat(gate.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void chunksAreAsSmallAsTheDeviceWithTheLeastMemoryNeedsThem() throws IOException {
    Path in = Files.write(folder.resolve("in"), AddOne.random(24 << 20));
    Path out = folder.resolve("out");
    try (SeveralDevices devices = new SeveralDevices("virtual:h200 virtual:a100,memory=4194304")) {
      FlowReport report =
          Flow.on(devices.all()).from(Source.file(in)).to(Sink.file(out)).start().await();
      DeviceShare small = report.devices().getLast();
      assertThat(small.chunks()).isPositive();
      assertThat(small.depth() * report.chunkBytes()).isLessThanOrEqualTo(4 << 20);
      assertThat(report.sizing()).contains("the smallest of the chunk sizes", "a copy costs");
    }
    assertThat(out).hasSameBinaryContentAs(in);
  }

  // --- stages
  // --------------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource(NAMES)
  void aStageIsMadeForEachDeviceAndGetsItsChunks(String names) {
    try (SeveralDevices devices = new SeveralDevices(names)) {
      List<Device> made = new ArrayList<>();
      ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
      Map<Integer, Device> slots = new ConcurrentHashMap<>();
      small(Flow.on(devices.all()))
          .from(new EndlessSource(BYTES))
          .throughEach(
              device -> {
                made.add(device);
                return (stream, chunk) -> {
                  Device owner = slots.computeIfAbsent(chunk.slot(), slot -> device);
                  if (stream.device() != device
                      || owner != device
                      || Device.of(chunk.in()) != device
                      || Device.of(chunk.out()) != device) {
                    wrong.add(chunk + " on " + stream);
                  }
                  AddOne.STAGE.enqueue(stream, chunk);
                };
              })
          .to(new CountingSink())
          .depth(2)
          .start()
          .await();
      assertThat(made).containsExactlyElementsOf(devices.all());
      assertThat(wrong).isEmpty();
      assertThat(slots.keySet()).allMatch(slot -> slot < 2 * devices.all().size());
    }
  }

  @Test
  void aStageThatCannotBeMadeIsToldAndNothingIsHeld() {
    CountingSink sink = new CountingSink();
    try (SeveralDevices devices = new SeveralDevices("virtual:h200x2")) {
      FlowPlan plan =
          Flow.on(devices.all())
              .from(new EndlessSource(BYTES))
              .throughEach(
                  device -> {
                    throw new IllegalStateException("no table for " + device.name());
                  })
              .to(sink);
      assertThatThrownBy(plan::start).hasMessage("no table for " + devices.all().getFirst().name());
      assertThat(sink.closed.get()).isEqualTo(1);
      devices.assertUsableAndFree();
    }
  }

  // --- what goes wrong
  // -----------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource(SEVERAL)
  void aStageThatFailsOnOneDeviceStopsTheFlowAndLeavesAllDevicesUsable(String names) {
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Flow flow =
          small(Flow.on(devices.all()))
              .from(new EndlessSource(1 << 22))
              .through(
                  (stream, chunk) -> {
                    if (stream.device() == devices.last() && chunk.index() > 9) {
                      throw new IllegalStateException("no kernel on the last device");
                    }
                    AddOne.STAGE.enqueue(stream, chunk);
                  })
              .to(new CountingSink())
              .start();
      assertThatThrownBy(flow::await).hasMessage("no kernel on the last device");
      devices.assertUsableAndFree();
    }
  }

  @ParameterizedTest
  @MethodSource(SEVERAL)
  void aFailingSinkStopsTheFlowAndItsCauseSurfaces(String names) {
    CountingSink sink =
        new CountingSink() {
          @Override
          public void write(long position, MemorySegment from) {
            if (position >= 400_000) {
              throw new FlowException("the tape is full");
            }
            super.write(position, from);
          }

          @Override
          public boolean isPositional() {
            return false;
          }
        };
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Flow flow = small(Flow.on(devices.all())).from(new EndlessSource(1 << 20)).to(sink).start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessage("the tape is full");
      assertThat(sink.bytes.get()).isEqualTo(400_000);
      assertThat(sink.closed.get()).isEqualTo(1);
      devices.assertUsableAndFree();
    }
  }

  @ParameterizedTest
  @MethodSource(SEVERAL)
  void aFailingSourceStopsTheFlowAndKeepsWhatWasWritten(String names) {
    CountingSink sink = new CountingSink();
    Source source =
        new EndlessSource(1 << 20) {
          @Override
          public long read(long position, MemorySegment into) {
            if (position >= 800_000) {
              throw new IllegalStateException("the tape is torn");
            }
            return super.read(position, into);
          }
        };
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Flow flow = small(Flow.on(devices.all())).from(source).to(sink).depth(2).start();
      assertThatThrownBy(flow::await).hasMessage("the tape is torn");
      assertThat(sink.bytes.get()).isEqualTo(flow.progress().bytesDone()).isPositive();
      assertThat(sink.closed.get()).isEqualTo(1);
      devices.assertUsableAndFree();
    }
  }

  @ParameterizedTest
  @MethodSource(SEVERAL)
  void cancellingStopsTheFlow(String names) {
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Flow[] started = new Flow[1];
      started[0] =
          small(Flow.on(devices.all()))
              .from(new EndlessSource(Long.MAX_VALUE / 2))
              .to(new CountingSink())
              .onProgress(
                  progress -> {
                    if (progress.bytesDone() > 400_000 && started[0] != null) {
                      started[0].cancel();
                    }
                  })
              .start();
      assertThatThrownBy(started[0]::await)
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining("cancelled after");
      devices.assertUsableAndFree();
    }
  }

  @ParameterizedTest
  @MethodSource(NAMES)
  void aDeviceThatIsClosedFailsTheFlowAndLeavesTheOthersUsable(String names) {
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Flow flow =
          small(Flow.on(devices.all()))
              .from(new EndlessSource(Long.MAX_VALUE / 2))
              .through(AddOne.STAGE)
              .to(new CountingSink())
              .onProgress(
                  progress -> {
                    synchronized (devices) {
                      if (progress.bytesDone() > 400_000 && devices.last().isOpen()) {
                        devices.last().close();
                      }
                    }
                  })
              .start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(ClosedException.class)
          .hasMessageContaining("closed");
      devices.assertUsableAndFree();
    }
  }

  @ParameterizedTest
  @MethodSource(NAMES)
  void aDeviceThatIsLostFailsTheFlowAndLeavesThoseOfOtherDriversUsable(String names) {
    if (names.startsWith("cuda")) {
      return; // a GPU that is lost stays so for the whole process
    }
    try (SeveralDevices devices = new SeveralDevices(names)) {
      Flow flow =
          small(Flow.on(devices.all()))
              .from(new EndlessSource(Long.MAX_VALUE / 2))
              .through(
                  (stream, chunk) -> {
                    boolean faulty = stream.device() == devices.last() && chunk.index() > 20;
                    long bytes = chunk.byteSize() + (faulty ? 1000 : 0);
                    stream.launch(
                        Grid.covering(bytes, 256), AddOne.ADD_ONE, chunk.in(), chunk.out(), bytes);
                  })
              .to(new CountingSink())
              .start();
      assertThatThrownBy(flow::await)
          .isInstanceOf(DeviceLostException.class)
          .hasMessageContaining(devices.last().name());
      assertThat(devices.last().isLost()).isTrue();
      devices.assertUsableAndFree();
    }
  }

  @ParameterizedTest
  @MethodSource(NAMES)
  void pinnedMemoryThatIsClosedMeanwhileFailsTheFlow(String names) {
    try (SeveralDevices devices = new SeveralDevices(names);
        PinnedArena in = devices.all().getFirst().pinnedArena()) {
      PinnedArena out = devices.last().pinnedArena();
      Flow flow =
          small(Flow.on(devices.all()))
              .depth(4)
              .from(Source.of(in.allocate(100 * CHUNK)))
              .through(AddOne.STAGE)
              .to(Sink.of(out.allocate(100 * CHUNK)))
              .onProgress(
                  progress -> {
                    synchronized (out) {
                      if (progress.bytesDone() > 400_000 && out.scope().isAlive()) {
                        out.close();
                      }
                    }
                  })
              .start();
      assertThatThrownBy(flow::await).isInstanceOf(StrettoException.class);
    }
  }

  @Test
  void aDeviceThatIsClosedAlreadyIsToldAtTheStartAndTheOthersHoldNothing() {
    CountingSink sink = new CountingSink();
    try (SeveralDevices devices = new SeveralDevices("virtual:h200x3")) {
      devices.last().close();
      FlowPlan plan = small(Flow.on(devices.all())).from(new EndlessSource(BYTES)).to(sink);
      assertThatThrownBy(plan::start).isInstanceOf(ClosedException.class);
      assertThat(sink.closed.get()).isEqualTo(1);
      devices.assertUsableAndFree();
    }
  }

  @Test
  void aFlowThatFindsNoRoomOnOneDeviceHoldsNothingOnTheOthers() {
    CountingSink sink = new CountingSink();
    try (SeveralDevices devices = new SeveralDevices("virtual:h200 virtual:a100,memory=1048576")) {
      FlowPlan plan =
          Flow.on(devices.all())
              .from(new EndlessSource(1 << 30))
              .to(sink)
              .chunkBytes(256 << 10)
              .depth(8);
      assertThatThrownBy(plan::start).isInstanceOf(OutOfDeviceMemoryException.class);
      assertThat(sink.closed.get()).isEqualTo(1);
      devices.assertUsableAndFree();
    }
  }

  @Test
  void noDeviceOrOneTwiceIsRefused() {
    try (Device device = Device.open("virtual")) {
      assertThatThrownBy(() -> Flow.on(List.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a flow without a device");
      assertThatThrownBy(() -> Flow.on(List.of(device, device)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is listed twice");
    }
  }
}
