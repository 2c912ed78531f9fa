package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Route;
import dev.stretto.SourceAccess;
import dev.stretto.Stream;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.HostClock;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeadlockException;
import dev.stretto.fault.LaunchException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Small copies of ordinary memory: through small buffers, which the calling thread fills. */
class SmallCopyTest extends ContractTest {
  private static final int SIZE = 1234;

  /** What is enqueued is carried out as it is, though the call throws. */
  @Test
  void aSmallBufferIsNotFilledAgainThoughTheMarkBehindItsCopyFailed() {
    if (!machine.isVirtual()) {
      return; // a driver that is made to fail stands before the virtual one
    }
    FaultyDriver[] faulty = new FaultyDriver[1];
    try (Machine.Opened here =
            machine.open(
                driver ->
                    faulty[0] =
                        new FaultyDriver(
                            driver, DriverTap.Call.RECORD_EVENT, 1, DriverException.Kind.INVALID));
        Stream stream = here.device().stream();
        GlobalBytes first = here.device().allocateBytes(SIZE);
        GlobalBytes second = here.device().allocateBytes(SIZE)) {
      awaitSmallBuffers(here, stream, first);
      byte[] one = bytes(SIZE, 1);
      byte[] other = bytes(SIZE, 2);
      stream.copy(one, first);
      faulty[0].arm();
      assertThatThrownBy(stream::record).isInstanceOf(LaunchException.class);
      assertThat(faulty[0].hasFailed()).isTrue();
      assertThat(stream.copy(other, second).route().kind()).isEqualTo(Route.Kind.INLINE);
      assertSame(read(stream, first), one);
      assertSame(read(stream, second), other);
    }
  }

  /** They are pinned behind the program's back. */
  private static void awaitSmallBuffers(Machine.Opened here, Stream stream, GlobalBytes array) {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    byte[] data = new byte[(int) array.byteSize()];
    while (stream.copy(data, array).route().kind() != Route.Kind.INLINE) {
      assertThat(System.nanoTime()).as("small buffers are pinned in time").isLessThan(deadline);
      stream.await();
      here.settle();
    }
    stream.await();
  }

  /** A source may be a file that has yet to be read, and other streams must not wait for that. */
  @Test
  void theProgramsMemoryIsReadWithoutTheLockOfTheDriver() {
    if (!machine.isModelled()) {
      return; // that memory is being read, only a modelled clock tells
    }
    AtomicReference<Runnable> whileReading = new AtomicReference<>(() -> {});
    try (Machine.Opened here = machine.open(driver -> new Reading(driver, whileReading));
        Stream stream = here.device().stream();
        Stream other = here.device().stream();
        Arena confined = Arena.ofConfined();
        GlobalBytes array = here.device().allocateBytes(SIZE);
        GlobalBytes elsewhere = here.device().allocateBytes(1)) {
      awaitSmallBuffers(here, stream, array);
      AtomicInteger reads = new AtomicInteger();
      AtomicInteger held = new AtomicInteger();
      Thread reader = Thread.currentThread();
      Runnable looking =
          () -> {
            if (Thread.currentThread().equals(reader)) {
              reads.incrementAndGet();
              held.addAndGet(canEnqueue(other, elsewhere) ? 0 : 1);
            }
          };
      MemorySegment heap = MemorySegment.ofArray(bytes(SIZE, 3));
      MemorySegment own = confined.allocate(SIZE).copyFrom(heap);
      for (MemorySegment each : List.of(heap, own)) {
        CopyRequest request = CopyRequest.of(each, array);
        List<Runnable> ways = new ArrayList<>();
        ways.add(() -> stream.copy(each, array));
        ways.add(() -> stream.copy(each, array, SourceAccess.DURING_CALL));
        ways.add(() -> stream.copyAll(List.of(request)));
        ways.add(() -> stream.copyAll(List.of(request.reading(SourceAccess.DURING_CALL))));
        for (boolean busy : new boolean[] {false, true}) {
          for (Runnable way : ways) {
            Gate gate = busy ? gate(stream) : null;
            whileReading.set(looking);
            way.run();
            whileReading.set(() -> {}); // a seeded device stages while somebody waits
            if (gate != null) {
              gate.open();
            }
            stream.await();
          }
        }
      }
      assertSame(read(stream, array), bytes(SIZE, 3));
      assertThat(reads).hasValueGreaterThanOrEqualTo(12);
      assertThat(held).hasValue(0);
    }
  }

  private static boolean canEnqueue(Stream stream, GlobalBytes array) {
    Thread thread = Thread.ofPlatform().start(() -> stream.fill(array, (byte) 1));
    try {
      return thread.join(Duration.ofSeconds(1));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Does something just when a source has been read. */
  private static final class Reading extends DriverTap {
    private final AtomicReference<Runnable> whileReading;

    Reading(Driver driver, AtomicReference<Runnable> whileReading) {
      super(driver);
      this.whileReading = whileReading;
    }

    @Override
    void before(Call call) {}

    @Override
    HostClock clock(HostClock clock) {
      return new HostClock() {
        @Override
        public boolean isModelled() {
          return clock.isModelled();
        }

        @Override
        public long now() {
          return clock.now();
        }

        @Override
        public void set(long nanos) {
          clock.set(nanos);
        }

        @Override
        public long copyNanos(long bytes) {
          if (bytes == SIZE) {
            whileReading.get().run();
          }
          return clock.copyNanos(bytes);
        }

        @Override
        public long readNanos(long bytes) {
          return clock.readNanos(bytes);
        }

        @Override
        public long writeNanos(long bytes, int writers) {
          return clock.writeNanos(bytes, writers);
        }

        @Override
        public int cores() {
          return clock.cores();
        }
      };
    }
  }

  @Test
  void theReportOfADeadlockNamesTheCopyOnTheDriversOwnPathThatHoldsTheStream() {
    if (!machine.isSeeded()) {
      return; // elsewhere a deadlock is not seen
    }
    List<Stream> streams = new ArrayList<>();
    List<RuntimeException> seen = new ArrayList<>();
    try (Machine.Opened here = machine.open(driver -> new AwaitingInside(driver, streams, seen));
        Arena arena = Arena.ofShared();
        Stream stream = here.device().stream();
        GlobalBytes array = here.device().allocateBytes(SIZE)) {
      try (Stream callbacks = here.device().stream()) {
        callbacks.then(() -> {}).await(); // whoever held a stream last is somebody else
      }
      stream.then(() -> {}).await();
      streams.add(stream);
      stream.copy(arena.allocate(SIZE), array, Route.Kind.AWAITED_PAGEABLE).await();
      assertThat(seen).hasSize(1);
      assertThat(seen.getFirst())
          .isInstanceOf(DeadlockException.class)
          .hasMessageContaining("held back by a copy of ordinary memory on the driver's own path")
          .hasMessageNotContaining("callback");
    }
  }

  /** Awaits within a call of the driver's what can only be done after it. */
  private static final class AwaitingInside extends DriverTap {
    private final List<Stream> streams;
    private final List<RuntimeException> seen;

    AwaitingInside(Driver driver, List<Stream> streams, List<RuntimeException> seen) {
      super(driver);
      this.streams = streams;
      this.seen = seen;
    }

    @Override
    void before(Call call) {
      if (call == Call.COPY_PAGEABLE) {
        try {
          streams.getFirst().record().await();
        } catch (RuntimeException e) {
          seen.add(e);
        }
      }
    }
  }

  @Test
  void aStreamThatWasBorrowedForARefusedCopyBetweenDevicesIsUsedByTheNext() {
    if (!machine.isVirtual()) {
      return; // a driver in which something happens stands before the virtual one
    }
    AtomicReference<Runnable> whenCreated = new AtomicReference<>(() -> {});
    AtomicInteger created = new AtomicInteger();
    try (Machine.Opened pair =
        machine.openPair(driver -> new Creating(driver, created, whenCreated))) {
      Device first = pair.devices().get(0);
      Device second = pair.devices().get(1);
      try (Stream stream = first.stream();
          GlobalBytes here = first.allocateBytes(3_000_000);
          GlobalBytes there = second.allocateBytes(3_000_000);
          GlobalBytes gone = second.allocateBytes(3_000_000)) {
        whenCreated.set(gone::close);
        int before = created.get();
        assertThatThrownBy(() -> stream.copy(here, gone, Route.Kind.PEER_STAGED))
            .isInstanceOf(ClosedException.class);
        assertThat(created).hasValue(before + 1);
        whenCreated.set(() -> {});
        stream.fill(here, (byte) 5);
        stream.copy(here, there, Route.Kind.PEER_STAGED).await();
        assertThat(created).as("the borrowed stream was returned").hasValue(before + 1);
        try (Stream back = second.stream()) {
          assertThat(read(back, there)).containsOnly(5);
        }
      }
    }
  }

  /** Does something when a stream is created. */
  private static final class Creating extends DriverTap {
    private final AtomicInteger created;
    private final AtomicReference<Runnable> whenCreated;

    Creating(Driver driver, AtomicInteger created, AtomicReference<Runnable> whenCreated) {
      super(driver);
      this.created = created;
      this.whenCreated = whenCreated;
    }

    @Override
    void before(Call call) {
      if (call == Call.CREATE_STREAM) {
        created.incrementAndGet();
        whenCreated.get().run();
      }
    }
  }
}
