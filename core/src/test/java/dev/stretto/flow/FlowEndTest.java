package dev.stretto.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Sample;
import dev.stretto.contract.LoggedErrors;
import dev.stretto.driver.HostClock;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeadlockException;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A flow ends, whatever the program's own code throws or does in it, and at whatever moment it is
 * cancelled: the failure is told, both ends are closed once, and nothing is left on the device.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlowEndTest {
  private static final int CHUNK = 10_000;
  private static final int CHUNKS = 12;

  /** Every call that a flow makes of the program's code. */
  enum Place {
    SIZE,
    SOURCE_POSITIONAL,
    SOURCE_RESIDENT,
    READ,
    LATER_READ,
    READ_NANOS,
    SOURCE_CLOSE,
    SINK_POSITIONAL,
    SINK_RESIDENT,
    WRITE,
    LATER_WRITE,
    WRITE_NANOS,
    SINK_CLOSE,
    STAGES,
    STAGE,
    LATER_STAGE,
    PROGRESS,
  }

  private static final List<Supplier<Throwable>> THROWN =
      List.of(
          () -> new IllegalStateException("planned"),
          () -> new IOException("planned"),
          () -> new InterruptedException("planned"),
          () -> new OutOfMemoryError("planned"),
          () -> new StackOverflowError("planned"),
          () -> new CancellationException("planned"));

  static Stream<String> devices() {
    return Stream.of(
            "virtual",
            "virtual:h200x2,seed=3",
            "virtual:h200,seed=1",
            "virtual:h200,seed=2",
            "virtual:h200x2")
        .limit(Sample.of(2, 5));
  }

  static Stream<Arguments> placesOnDevices() {
    return devices()
        .flatMap(device -> Stream.of(Place.values()).map(place -> Arguments.of(device, place)));
  }

  /** Opens all devices of a name. */
  private static List<Device> open(String name) {
    return Device.openAll(name);
  }

  // --- what is thrown
  // -------------------------------------------------------------------------------------------------------------

  /** Throws at one place. */
  private static final class Thrower {
    private final Place place;
    private final Throwable thrown;
    private final AtomicInteger sourceClosed = new AtomicInteger();
    private final AtomicInteger sinkClosed = new AtomicInteger();

    Thrower(Place place, Throwable thrown) {
      this.place = place;
      this.thrown = thrown;
    }

    void at(Place here) {
      if (here == place) {
        throw sneaky(thrown);
      }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> RuntimeException sneaky(Throwable thrown) throws T {
      throw (T) thrown;
    }

    Source source() {
      return new EndlessSource((long) CHUNK * CHUNKS) {
        @Override
        public long size() {
          at(Place.SIZE);
          return super.size();
        }

        @Override
        public boolean isPositional() {
          at(Place.SOURCE_POSITIONAL);
          return true;
        }

        @Override
        public Optional<MemorySegment> resident(long position, long bytes) {
          at(Place.SOURCE_RESIDENT);
          return Optional.empty();
        }

        @Override
        public long read(long position, MemorySegment into) {
          at(Place.READ);
          if (position > CHUNK * 5) {
            at(Place.LATER_READ);
          }
          return super.read(position, into);
        }

        @Override
        public long modelledNanos(HostClock clock, long bytes) {
          at(Place.READ_NANOS);
          return 10;
        }

        @Override
        public void close() {
          sourceClosed.incrementAndGet();
          at(Place.SOURCE_CLOSE);
        }
      };
    }

    Sink sink() {
      return new CountingSink() {
        @Override
        public boolean isPositional() {
          at(Place.SINK_POSITIONAL);
          return super.isPositional();
        }

        @Override
        public Optional<MemorySegment> resident(long position, long bytes) {
          at(Place.SINK_RESIDENT);
          return Optional.empty();
        }

        @Override
        public void write(long position, MemorySegment from) {
          at(Place.WRITE);
          if (position > CHUNK * 5) {
            at(Place.LATER_WRITE);
          }
          super.write(position, from);
        }

        @Override
        public long modelledNanos(HostClock clock, long bytes, int writers) {
          at(Place.WRITE_NANOS);
          return 10;
        }

        @Override
        public void close() {
          sinkClosed.incrementAndGet();
          at(Place.SINK_CLOSE);
        }
      };
    }

    void stage(dev.stretto.Stream stream, Chunk chunk) {
      at(Place.STAGE);
      if (chunk.index() > 5) {
        at(Place.LATER_STAGE);
      }
      AddOne.STAGE.enqueue(stream, chunk);
    }
  }

  @ParameterizedTest
  @MethodSource("placesOnDevices")
  void whateverTheProgramThrowsEndsTheFlowAndIsTold(String name, Place place) {
    List<Device> devices = open(name);
    try {
      for (Supplier<Throwable> each : THROWN) {
        Thrower thrower = new Thrower(place, each.get());
        Throwable told =
            catchThrowable(
                () ->
                    Flow.on(devices)
                        .from(thrower.source())
                        .throughEach(
                            device -> {
                              thrower.at(Place.STAGES);
                              return thrower::stage;
                            })
                        .to(thrower.sink())
                        .chunkBytes(CHUNK)
                        .granularity(1)
                        .onProgress(progress -> thrower.at(Place.PROGRESS))
                        .start()
                        .await());
        assertThat(told).as(place + " " + thrower.thrown).isNotNull();
        assertThat(LoggedErrors.causes(told)).contains(thrower.thrown);
        assertThat(told).isInstanceOfAny(RuntimeException.class, Error.class);
        assertThat(thrower.sourceClosed).hasValue(1);
        assertThat(thrower.sinkClosed).hasValue(1);
        devices.forEach(FlowEndTest::assertReleased);
      }
    } finally {
      devices.forEach(Device::close);
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void whatIsNoBytesAtAllIsTold(String name) {
    for (long told : new long[] {-1, Long.MIN_VALUE, CHUNK + 1, Long.MAX_VALUE}) {
      List<Device> devices = open(name);
      Source source =
          new EndlessSource((long) CHUNK * CHUNKS) {
            @Override
            public long read(long position, MemorySegment into) {
              return told;
            }
          };
      try (Flow flow = start(devices, source, new CountingSink())) {
        assertThatThrownBy(flow::await)
            .isInstanceOf(FlowException.class)
            .hasMessageContaining("reports " + told + " bytes read");
      }
      devices.forEach(Device::close);
    }
  }

  private static Flow start(List<Device> devices, Source source, Sink sink) {
    return Flow.on(devices).from(source).to(sink).chunkBytes(CHUNK).granularity(1).start();
  }

  // --- cancelling
  // -----------------------------------------------------------------------------------------------------------------

  /** Begins something that waits for ever, unless it is stopped. */
  private static final class Waiting {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch never = new CountDownLatch(1);

    void forEver() {
      begun.countDown();
      try {
        never.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  /** A flow of which something waits, and what says that it does. */
  record Stuck(FlowPlan plan, CountDownLatch begun) {}

  /** What waits. */
  enum Wait {
    PIPE_SOURCE {
      @Override
      Stuck on(List<Device> devices) throws IOException {
        Pipe pipe = Pipe.open(); // whose other end nobody closes
        return stuck(devices, Source.channel(pipe.source()), new CountingSink());
      }
    },
    STREAM_SOURCE {
      @Override
      Stuck on(List<Device> devices) throws IOException {
        PipedInputStream in = new PipedInputStream(new PipedOutputStream());
        return stuck(devices, Source.channel(Channels.newChannel(in)), new CountingSink());
      }
    },
    PIPE_SINK {
      @Override
      Stuck on(List<Device> devices) throws IOException {
        Pipe pipe = Pipe.open(); // which holds less than the flow writes
        return stuck(devices, new EndlessSource(10_000_000), Sink.channel(pipe.sink()));
      }
    },
    CHANNEL_THAT_KNOWS_NO_INTERRUPT {
      @Override
      Stuck on(List<Device> devices) {
        Waiting waiting = new Waiting();
        ReadableByteChannel channel =
            new ReadableByteChannel() {
              @Override
              public int read(ByteBuffer into) {
                waiting.begun.countDown();
                boolean interrupted = false;
                while (true) {
                  try {
                    waiting.never.await();
                    break;
                  } catch (InterruptedException e) {
                    interrupted = true;
                  }
                }
                if (interrupted) {
                  Thread.currentThread().interrupt();
                }
                return -1;
              }

              @Override
              public boolean isOpen() {
                return waiting.never.getCount() > 0;
              }

              @Override
              public void close() {
                waiting.never.countDown();
              }
            };
        return new Stuck(plan(devices, Source.channel(channel), new CountingSink()), waiting.begun);
      }
    },
    READ {
      @Override
      Stuck on(List<Device> devices) {
        Waiting waiting = new Waiting();
        Source source =
            new EndlessSource(Long.MAX_VALUE) {
              @Override
              public long read(long position, MemorySegment into) {
                if (position > 5 * CHUNK) {
                  waiting.forEver();
                }
                return super.read(position, into);
              }
            };
        return new Stuck(plan(devices, source, new CountingSink()), waiting.begun);
      }
    },
    WRITE {
      @Override
      Stuck on(List<Device> devices) {
        Waiting waiting = new Waiting();
        Sink sink =
            new CountingSink() {
              @Override
              public void write(long position, MemorySegment from) {
                waiting.forEver();
              }
            };
        return new Stuck(plan(devices, new EndlessSource(Long.MAX_VALUE), sink), waiting.begun);
      }
    },
    STAGE {
      @Override
      Stuck on(List<Device> devices) {
        Waiting waiting = new Waiting();
        return new Stuck(
            plan(devices, new EndlessSource(Long.MAX_VALUE), new CountingSink())
                .through((stream, chunk) -> waiting.forEver()),
            waiting.begun);
      }
    },
    PROGRESS {
      @Override
      Stuck on(List<Device> devices) {
        Waiting waiting = new Waiting();
        return new Stuck(
            plan(devices, new EndlessSource(Long.MAX_VALUE), new CountingSink())
                .onProgress(progress -> waiting.forEver()),
            waiting.begun);
      }
    },
    CLOSE {
      @Override
      Stuck on(List<Device> devices) {
        Waiting waiting = new Waiting();
        Sink sink =
            new CountingSink() {
              @Override
              public void close() {
                waiting.forEver();
              }
            };
        return new Stuck(plan(devices, new EndlessSource(5 * CHUNK), sink), waiting.begun);
      }
    },
    PUBLISHER {
      @Override
      Stuck on(List<Device> devices) {
        CountDownLatch begun = new CountDownLatch(1);
        return new Stuck(
            plan(devices, Source.publisher(subscriber -> begun.countDown()), new CountingSink()),
            begun);
      }
    };

    abstract Stuck on(List<Device> devices) throws IOException;

    private static Stuck stuck(List<Device> devices, Source source, Sink sink) {
      return new Stuck(plan(devices, source, sink), new CountDownLatch(0));
    }

    private static FlowPlan plan(List<Device> devices, Source source, Sink sink) {
      return Flow.on(devices).from(source).to(sink).chunkBytes(CHUNK).granularity(1);
    }
  }

  static Stream<Arguments> waitsOnDevices() {
    return devices()
        .flatMap(device -> Stream.of(Wait.values()).map(wait -> Arguments.of(device, wait)));
  }

  @ParameterizedTest
  @MethodSource("waitsOnDevices")
  void cancellingEndsAFlowOfWhichAnythingWaits(String name, Wait wait) throws Exception {
    List<Device> devices = open(name);
    Stuck stuck = wait.on(devices);
    Flow flow = stuck.plan.start();
    CompletableFuture<Throwable> end =
        CompletableFuture.supplyAsync(() -> catchThrowable(flow::await), FlowEndTest::onAThread);
    assertThat(stuck.begun.await(20, TimeUnit.SECONDS)).isTrue();
    flow.cancel();
    assertThat(end.get(10, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
    assertThat(flow.isDone()).isTrue();
    flow.close(); // is harmless
    devices.forEach(FlowEndTest::assertReleased);
    devices.forEach(Device::close);
  }

  private static void onAThread(Runnable task) {
    Thread.ofPlatform().daemon().start(task);
  }

  @ParameterizedTest
  @EnumSource(
      value = Wait.class,
      names = {"READ", "PIPE_SOURCE", "PUBLISHER"})
  void closingTheDeviceEndsAFlowOfWhichAnythingWaits(Wait wait) throws Exception {
    List<Device> devices = open("virtual");
    Stuck stuck = wait.on(devices);
    Flow flow = stuck.plan.start();
    assertThat(stuck.begun.await(20, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<FlowReport> end = flow.toCompletableFuture();
    devices.getFirst().close();
    assertThatThrownBy(() -> end.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining("was closed while a flow used it");
  }

  /** It cannot be stopped: the flow ends without it, and gives its memory back when it returns. */
  @ParameterizedTest
  @MethodSource("devices")
  void aReadThatNeverReturnsIsLeftBehind(String name) throws Exception {
    List<Device> devices = open(name);
    AtomicInteger stop = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    Source source =
        new EndlessSource(Long.MAX_VALUE) {
          @Override
          public long read(long position, MemorySegment into) {
            begun.countDown();
            while (stop.get() == 0) {
              Thread.onSpinWait();
            }
            return super.read(position, into);
          }

          @Override
          public boolean isPositional() {
            return false;
          }
        };
    Flow flow = start(devices, source, new CountingSink());
    CompletableFuture<Throwable> end =
        CompletableFuture.supplyAsync(() -> catchThrowable(flow::await), FlowEndTest::onAThread);
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    flow.cancel();
    Throwable told = end.get(30, TimeUnit.SECONDS);
    assertThat(told).isInstanceOf(CancellationException.class);
    assertThat(told.getSuppressed())
        .anyMatch(each -> each.getMessage().contains("has not returned 5 s after it was stopped"));
    stop.set(1);
    devices.forEach(FlowEndTest::assertReleased);
    devices.forEach(Device::close);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void cancellingAtAnyMomentEndsTheFlowAndLeavesNothing(String name) {
    Random random = new Random(name.hashCode());
    List<Device> devices = open(name);
    for (int i = 0; i < 60; i++) {
      long nanos = random.nextInt(3_000_000);
      CountingSink sink = new CountingSink();
      Flow flow = start(devices, new EndlessSource((long) CHUNK * 40), sink);
      Thread canceller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    long until = System.nanoTime() + nanos;
                    while (System.nanoTime() < until) {
                      Thread.onSpinWait();
                    }
                    flow.cancel();
                  });
      try {
        assertThat(flow.await().bytes()).isEqualTo(CHUNK * 40L);
      } catch (CancellationException e) {
        assertThat(e).hasMessageContaining("cancelled after");
      }
      join(canceller);
      assertThat(sink.closed).hasValue(1);
      devices.forEach(FlowEndTest::assertReleased);
    }
    devices.forEach(Device::close);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Pinned memory that is the sink is the program's again when the flow is over. */
  @ParameterizedTest
  @MethodSource("devices")
  void nothingIsWrittenIntoPinnedMemoryAfterTheEnd(String name) {
    List<Device> devices = open(name);
    try (PinnedArena arena = devices.getFirst().pinnedArena()) {
      MemorySegment out = arena.allocate(4_000_000);
      for (int i = 0; i < 30; i++) {
        Flow flow =
            Flow.on(devices)
                .from(new EndlessSource(4_000_000))
                .through(AddOne.STAGE)
                .to(Sink.of(out))
                .chunkBytes(100_000)
                .granularity(1)
                .start();
        int turns = i * 1000;
        for (int turn = 0; turn < turns; turn++) {
          Thread.onSpinWait();
        }
        flow.cancel();
        flow.close();
        out.fill((byte) 77);
        devices.forEach(device -> device.await());
        assertThat(out.mismatch(Arena.ofAuto().allocate(4_000_000).fill((byte) 77))).isEqualTo(-1);
      }
    }
    devices.forEach(Device::close);
  }

  // --- channels
  // -------------------------------------------------------------------------------------------------------------------

  @Test
  void aChannelThatDoesNotBlockIsRefused() throws IOException {
    Pipe pipe = Pipe.open();
    pipe.source().configureBlocking(false);
    pipe.sink().configureBlocking(false);
    assertThatThrownBy(() -> Source.channel(pipe.source()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("configureBlocking(true)");
    assertThatThrownBy(() -> Sink.channel(pipe.sink()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("configureBlocking(true)");
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aChannelThatIsMadeNotToBlockLaterFailsTheFlow(String name) throws IOException {
    List<Device> devices = open(name);
    Pipe pipe = Pipe.open();
    Source source = Source.channel(pipe.source());
    pipe.source().configureBlocking(false);
    try (Flow flow = start(devices, source, new CountingSink())) {
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining("configureBlocking(true)");
    }
    devices.forEach(Device::close);
  }

  private record Idle(int told) implements ReadableByteChannel, WritableByteChannel {
    @Override
    public int read(ByteBuffer into) {
      return told;
    }

    @Override
    public int write(ByteBuffer from) {
      return told;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aChannelThatMovesNothingFailsTheFlow(String name) {
    List<Device> devices = open(name);
    for (int told : new int[] {0, 5}) {
      try (Flow flow = start(devices, Source.channel(new Idle(told)), new CountingSink())) {
        assertThatThrownBy(flow::await)
            .isInstanceOf(FlowException.class)
            .hasMessageContaining("the source channel Idle[told=" + told + "]");
      }
      try (Flow flow = start(devices, new EndlessSource(50_000), Sink.channel(new Idle(told)))) {
        assertThatThrownBy(flow::await)
            .isInstanceOf(FlowException.class)
            .hasMessageContaining("the sink channel Idle[told=" + told + "]");
      }
    }
    devices.forEach(Device::close);
  }

  // --- waits within
  // ---------------------------------------------------------------------------------------------------------------

  static Stream<Arguments> ownWaits() {
    return devices()
        .flatMap(
            device ->
                Stream.<Consumer<dev.stretto.Stream>>of(
                        dev.stretto.Stream::await,
                        stream -> stream.record().await(),
                        stream -> stream.toCompletableFuture().join(),
                        stream -> stream.device().await(),
                        stream -> assertThat(stream.await(Duration.ofHours(1))).isTrue())
                    .map(wait -> Arguments.of(device, wait)));
  }

  @ParameterizedTest
  @MethodSource("ownWaits")
  void aStageThatAwaitsItsStreamIsRefused(String name, Consumer<dev.stretto.Stream> wait) {
    List<Device> devices = open(name);
    Flow flow =
        Flow.on(devices)
            .from(new EndlessSource(100_000))
            .through((stream, chunk) -> wait.accept(stream))
            .to(new CountingSink())
            .chunkBytes(CHUNK)
            .granularity(1)
            .start();
    assertThatThrownBy(flow::await)
        .isInstanceOf(DeadlockException.class)
        .hasMessageContaining("can never happen")
        .hasMessageContaining("a flow's stage enqueues the work for its chunk and returns");
    devices.forEach(FlowEndTest::assertReleased);
    devices.forEach(Device::close);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aStageMayAwaitWhatDoesNotDependOnIt(String name) {
    List<Device> devices = open(name);
    try (Flow flow =
        Flow.on(devices)
            .from(new EndlessSource(100_000))
            .through(
                (stream, chunk) -> {
                  try (dev.stretto.Stream other = stream.device().stream();
                      GlobalBytes table = stream.device().allocateBytes(100)) {
                    other.copy(new byte[100], table).await();
                  }
                  AddOne.STAGE.enqueue(stream, chunk);
                })
            .to(new CountingSink())
            .chunkBytes(CHUNK)
            .granularity(1)
            .start()) {
      assertThat(flow.await().bytes()).isEqualTo(100_000);
    }
    devices.forEach(Device::close);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void whatRunsInAFlowCannotAwaitThatFlow(String name) {
    List<Consumer<Flow>> waits =
        List.of(Flow::await, Flow::close, flow -> flow.toCompletableFuture().join());
    for (Consumer<Flow> wait : waits) {
      List<Device> devices = open(name);
      CompletableFuture<Flow> started = new CompletableFuture<>();
      Flow flow =
          Flow.on(devices)
              .from(new EndlessSource(100_000))
              .to(new CountingSink())
              .chunkBytes(CHUNK)
              .granularity(1)
              .onProgress(progress -> wait.accept(started.join()))
              .start();
      started.complete(flow);
      assertThatThrownBy(flow::await)
          .isInstanceOf(DeadlockException.class)
          .hasMessageContaining("a flow cannot end before the stage");
      devices.forEach(Device::close);
    }
  }

  // --- seeded devices
  // -------------------------------------------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource(
      value = Wait.class,
      names = {"CLOSE"},
      mode = EnumSource.Mode.EXCLUDE)
  void aFlowThatWaitsHoldsUpNoOtherWaitOnASeededDevice(Wait wait) throws IOException {
    for (int seed = 0; seed < Sample.of(3, 10); seed++) {
      List<Device> devices = open("virtual:h200,seed=" + seed);
      Flow flow = wait.on(devices).plan.start();
      awaitSomethingElse(devices.getFirst());
      flow.cancel();
      assertThatThrownBy(flow::await).isInstanceOf(CancellationException.class);
      devices.forEach(Device::close);
    }
  }

  @Test
  void aPublishedFlowWithoutRequestsHoldsUpNoOtherWaitOnASeededDevice() {
    for (int seed = 0; seed < 20; seed++) {
      try (Device device = Device.open("virtual:h200,seed=" + seed)) {
        AtomicReference<java.util.concurrent.Flow.Subscription> subscription =
            new AtomicReference<>();
        Flow.on(device)
            .from(new EndlessSource(1_000_000))
            .chunkBytes(CHUNK)
            .granularity(1)
            .publish(Runnable::run)
            .subscribe(new Idler(subscription));
        awaitSomethingElse(device);
        subscription.get().cancel();
      }
    }
  }

  private static void awaitSomethingElse(Device device) {
    try (dev.stretto.Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(1000)) {
      byte[] back = new byte[1000];
      for (int i = 0; i < 5; i++) {
        stream.fill(array, (byte) i);
        assertThat(stream.copy(array, back).await(Duration.ofSeconds(10))).isTrue();
        assertThat(back).containsOnly(i);
      }
    }
  }

  private record Idler(AtomicReference<java.util.concurrent.Flow.Subscription> subscription)
      implements java.util.concurrent.Flow.Subscriber<ByteBuffer> {
    @Override
    public void onSubscribe(java.util.concurrent.Flow.Subscription given) {
      subscription.set(given);
    }

    @Override
    public void onNext(ByteBuffer chunk) {}

    @Override
    public void onError(Throwable cause) {}

    @Override
    public void onComplete() {}
  }

  @ParameterizedTest
  @MethodSource("devices")
  void theFutureOfAFlowNeedsNobodyElseToWait(String name)
      throws ExecutionException, InterruptedException, TimeoutException {
    List<Device> devices = open(name);
    Flow flow = start(devices, new EndlessSource(100_000), new CountingSink());
    assertThat(flow.toCompletableFuture().get(20, TimeUnit.SECONDS).bytes()).isEqualTo(100_000);
    assertThat(flow.toCompletableFuture().join().bytes()).isEqualTo(100_000);
    devices.forEach(Device::close);
  }

  // --- closing
  // --------------------------------------------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("devices")
  void closingAwaitsTheFlow(String name) {
    List<Device> devices = open(name);
    CountingSink sink = new CountingSink();
    try (Flow flow = start(devices, new EndlessSource(500_000), sink)) {
      assertThat(flow.progress().bytesTotal()).isEqualTo(500_000);
    }
    assertThat(sink.bytes).hasValue(500_000);
    devices.forEach(Device::close);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void closingThrowsWhatNobodyHasHeard(String name) {
    List<Device> devices = open(name);
    Thrower thrower = new Thrower(Place.READ, new IllegalStateException("planned"));
    Flow flow = start(devices, thrower.source(), thrower.sink());
    assertThatThrownBy(flow::close).isSameAs(thrower.thrown);
    flow.close(); // was told
    Flow heard = start(devices, thrower.source(), thrower.sink());
    assertThatThrownBy(
            () -> {
              try (heard) {
                heard.await();
              }
            })
        .isSameAs(thrower.thrown)
        .hasNoSuppressedExceptions();
    devices.forEach(Device::close);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void anInterruptWhileClosingCancelsTheFlow(String name) {
    List<Device> devices = open(name);
    Flow flow = start(devices, new EndlessSource(Long.MAX_VALUE), new CountingSink());
    Thread.currentThread().interrupt();
    assertThatThrownBy(flow::close).hasMessageContaining("interrupted while closing a flow");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(flow.isDone()).isTrue();
    devices.forEach(FlowEndTest::assertReleased);
    devices.forEach(Device::close);
  }

  private static void assertReleased(Device device) {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (device.pinned().usedBytes() > 0 && System.nanoTime() < deadline) {
      device.await(Duration.ofMillis(1));
      Thread.onSpinWait();
    }
    assertThat(device.pinned().usedBytes()).isZero();
  }
}
