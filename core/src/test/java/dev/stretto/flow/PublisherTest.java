package dev.stretto.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow.Publisher;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Flows that publish, and flows that read from publishers; see also ReactiveStreamsTest. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublisherTest {
  private static final int CHUNK = 16 << 10;
  private static final int BYTES = 20 * CHUNK + 77;

  static java.util.stream.Stream<String> devices() {
    return FlowTest.devices();
  }

  /** Asks for as many chunks as it is told to. */
  private static class Collector implements Subscriber<ByteBuffer> {
    final List<ByteBuffer> chunks = new CopyOnWriteArrayList<>();
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch over = new CountDownLatch(1);
    volatile Subscription subscription;
    volatile Throwable failure;
    volatile boolean complete;

    @Override
    public void onSubscribe(Subscription from) {
      subscription = from;
      begun.countDown();
    }

    @Override
    public void onNext(ByteBuffer chunk) {
      chunks.add(chunk);
    }

    @Override
    public void onError(Throwable cause) {
      failure = cause;
      over.countDown();
    }

    @Override
    public void onComplete() {
      complete = true;
      over.countDown();
    }

    byte[] bytes() {
      ByteBuffer all = ByteBuffer.allocate(chunks.stream().mapToInt(ByteBuffer::remaining).sum());
      chunks.forEach(chunk -> all.put(chunk.duplicate()));
      return all.array();
    }

    void await(int count) throws InterruptedException {
      long deadline = System.nanoTime() + 20_000_000_000L;
      while (chunks.size() < count) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        Thread.sleep(1);
      }
    }
  }

  private static FlowPlan plan(Device device, Source source) {
    return Flow.on(device).from(source).through(AddOne.STAGE).chunkBytes(CHUNK).depth(3);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void chunksComeInOrderAsManyAsWereRequested(String name) throws Exception {
    byte[] data = AddOne.random(BYTES);
    AtomicLong readTo = new AtomicLong();
    Source source =
        new Source() {
          @Override
          public long size() {
            return data.length;
          }

          @Override
          public boolean isPositional() {
            return true;
          }

          @Override
          public long read(long position, MemorySegment into) {
            readTo.accumulateAndGet(position + into.byteSize(), Math::max);
            return Source.of(MemorySegment.ofArray(data)).read(position, into);
          }

          @Override
          public void close() {
            readTo.set(-1);
          }
        };
    Collector collector = new Collector();
    try (Device device = Device.open(name);
        var executor = Executors.newSingleThreadExecutor()) {
      plan(device, source).publish(executor).subscribe(collector);
      collector.begun.await();
      collector.subscription.request(2);
      collector.await(2);
      Thread.sleep(50);
      assertThat(collector.chunks).hasSize(2);
      // What was delivered, what waits in the slots, and the write that a slot was freed by.
      assertThat(readTo.get()).isLessThanOrEqualTo((2 + 3 + 1) * (long) CHUNK);
      collector.subscription.request(Long.MAX_VALUE);
      assertThat(collector.over.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(collector.failure).isNull();
      assertThat(collector.complete).isTrue();
      assertThat(readTo).hasValue(-1); // closed before completion is told
    }
    assertThat(collector.chunks).hasSize(21);
    assertThat(collector.bytes()).isEqualTo(AddOne.plusOne(data));
  }

  @ParameterizedTest
  @MethodSource("devices")
  void cancellingReleasesEverything(String name) throws Exception {
    try (Device device = Device.open(name)) {
      AtomicBoolean closed = new AtomicBoolean();
      Collector collector = new Collector();
      long free = device.freeBytes();
      plan(device, endless(closed)).publish(Runnable::run).subscribe(collector);
      collector.begun.await();
      collector.subscription.request(5);
      collector.await(5);
      collector.subscription.cancel();
      collector.subscription.cancel();
      collector.subscription.request(1);
      eventually(closed::get);
      eventually(
          () -> {
            try (dev.stretto.Stream stream = device.stream()) {
              stream.record().await(); // a seeded device advances only while somebody waits
            }
            return device.freeBytes() == free && device.pinned().usedBytes() == 0;
          });
      assertThat(collector.chunks).hasSize(5);
      assertThat(collector.complete).isFalse();
      assertThat(collector.failure).isNull();
    }
  }

  private static Source endless(AtomicBoolean closed) {
    return new EndlessSource(1L << 40) {
      @Override
      public void close() {
        closed.set(true);
      }
    };
  }

  private static void eventually(java.util.function.BooleanSupplier happened)
      throws InterruptedException {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (!happened.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(2);
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void whatFailsInTheFlowIsSignalledThoughNothingIsRequested(String name) throws Exception {
    AtomicInteger enqueued = new AtomicInteger();
    Collector collector = new Collector();
    try (Device device = Device.open(name)) {
      Flow.on(device)
          .from(Source.of(MemorySegment.ofArray(new byte[BYTES])))
          .through(
              (stream, chunk) -> {
                if (enqueued.incrementAndGet() == 2) {
                  throw new ArithmeticException("as planned");
                }
              })
          .chunkBytes(CHUNK)
          .depth(3)
          .publish(Runnable::run)
          .subscribe(collector);
      assertThat(collector.over.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(collector.failure).isInstanceOf(ArithmeticException.class);
      assertThat(collector.chunks).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aSubscriberThatThrowsAndAnExecutorThatRefusesCountAsCancelling(String name)
      throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    AtomicBoolean closedToo = new AtomicBoolean();
    try (Device device = Device.open(name)) {
      plan(device, endless(closed))
          .publish(Runnable::run)
          .subscribe(
              new Collector() {
                @Override
                public void onSubscribe(Subscription from) {
                  from.request(3);
                }

                @Override
                public void onNext(ByteBuffer chunk) {
                  throw new IllegalStateException("as planned");
                }
              });
      eventually(closed::get);
      Executor refusing =
          task -> {
            throw new java.util.concurrent.RejectedExecutionException("as planned");
          };
      plan(device, endless(closedToo)).publish(refusing).subscribe(new Collector());
      eventually(closedToo::get);
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aFlowReadsFromAPublisherThatHasToWaitForIt(String name) {
    byte[] data = AddOne.random(BYTES);
    byte[] result = new byte[BYTES];
    AtomicInteger outstanding = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    // A buffer for each request, of many sizes, empty ones among them, on a thread of its own.
    Publisher<ByteBuffer> publisher =
        subscriber ->
            subscriber.onSubscribe(
                new Subscription() {
                  private final java.util.concurrent.ExecutorService on =
                      Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
                  private int position;
                  private int number;

                  @Override
                  public void request(long n) {
                    most.accumulateAndGet(outstanding.addAndGet((int) n), Math::max);
                    try {
                      for (long i = 0; i < n; i++) {
                        on.execute(this::deliver);
                      }
                    } catch (java.util.concurrent.RejectedExecutionException _) {
                      // A request that comes when all is delivered asks for nothing.
                    }
                  }

                  private void deliver() {
                    if (position > data.length) {
                      return;
                    }
                    int bytes = Math.min(data.length - position, number++ * 997 % 5000);
                    outstanding.decrementAndGet();
                    ByteBuffer buffer = ByteBuffer.wrap(data, position, bytes);
                    subscriber.onNext(number % 2 == 0 ? buffer.asReadOnlyBuffer() : buffer);
                    position += bytes;
                    if (position == data.length) {
                      position++;
                      subscriber.onComplete();
                      on.shutdown();
                    }
                  }

                  @Override
                  public void cancel() {
                    on.shutdown();
                  }
                });
    try (Device device = Device.open(name)) {
      FlowReport report =
          plan(device, Source.publisher(publisher))
              .to(Sink.of(MemorySegment.ofArray(result)))
              .start()
              .await();
      assertThat(report.bytes()).isEqualTo(BYTES);
    }
    assertThat(result).isEqualTo(AddOne.plusOne(data));
    assertThat(most.get()).isLessThanOrEqualTo(PublisherSource.AHEAD);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aPublisherThatFailsFailsTheFlow(String name) {
    try (Device device = Device.open(name);
        SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>()) {
      Flow flow =
          plan(device, Source.publisher(publisher))
              .to(Sink.of(MemorySegment.ofArray(new byte[9])))
              .start();
      // Once it is subscribed to, which on a seeded device happens while somebody waits.
      Thread failing =
          Thread.startVirtualThread(
              () -> {
                while (!publisher.hasSubscribers()) {
                  java.util.concurrent.locks.LockSupport.parkNanos(100_000);
                }
                publisher.closeExceptionally(new java.io.IOException("as planned"));
              });
      assertThatThrownBy(flow::await)
          .isInstanceOf(FlowException.class)
          .hasMessageContaining("the publisher failed after 0 bytes")
          .hasCauseInstanceOf(java.io.IOException.class);
      assertThat(failing).isNotNull();
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void cancellingAFlowThatWaitsForAPublisherEndsItAndTheSubscription(String name) throws Exception {
    AtomicBoolean cancelled = new AtomicBoolean();
    CountDownLatch subscribed = new CountDownLatch(1);
    Publisher<ByteBuffer> silent =
        subscriber -> {
          subscriber.onSubscribe(
              new Subscription() {
                @Override
                public void request(long n) {}

                @Override
                public void cancel() {
                  cancelled.set(true);
                }
              });
          subscribed.countDown();
        };
    try (Device device = Device.open(name)) {
      Flow flow =
          plan(device, Source.publisher(silent))
              .to(Sink.of(MemorySegment.ofArray(new byte[9])))
              .start();
      Thread cancelling =
          Thread.startVirtualThread(
              () -> {
                try {
                  subscribed.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                flow.cancel();
              });
      assertThatThrownBy(flow::await).isInstanceOf(CancellationException.class);
      cancelling.join();
      eventually(cancelled::get);
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aFlowMayReadWhatAnotherPublishes(String name) {
    byte[] data = AddOne.random(BYTES);
    byte[] result = new byte[BYTES];
    try (Device first = Device.open(name);
        Device second = Device.open("virtual")) {
      Publisher<ByteBuffer> published =
          plan(first, Source.of(MemorySegment.ofArray(data))).publish(Runnable::run);
      plan(second, Source.publisher(published))
          .to(Sink.of(MemorySegment.ofArray(result)))
          .start()
          .await();
    }
    assertThat(result).isEqualTo(AddOne.plusOne(AddOne.plusOne(data)));
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aPlanThatCannotBePublishedIsRefused(String name) {
    List<String> refused = new ArrayList<>();
    try (Device device = Device.open(name)) {
      Source source = Source.of(MemorySegment.ofArray(new byte[10]));
      Sink sink = Sink.of(MemorySegment.ofArray(new byte[10]));
      for (FlowPlan plan :
          Arrays.asList(
              Flow.on(device),
              Flow.on(device).from(source).to(sink),
              Flow.on(device).from(source).chunkBytes(100),
              Flow.on(device).from(source).chunkBytes(1L << 31))) {
        assertThatThrownBy(() -> plan.publish(Runnable::run))
            .isInstanceOfAny(IllegalStateException.class, IllegalArgumentException.class)
            .satisfies(e -> refused.add(e.getMessage()));
      }
    }
    assertThat(refused)
        .containsExactly(
            "a flow that is published needs a source, and no sink: its subscriber takes the place"
                + " of one",
            "a flow that is published needs a source, and no sink: its subscriber takes the place"
                + " of one",
            "chunks of 100 bytes are not a multiple of the granularity, 256",
            "chunks of 2147483648 bytes do not fit into buffers of at most 2147483647");
  }
}
