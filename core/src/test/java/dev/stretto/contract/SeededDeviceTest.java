package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Awaitable;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.PinnedBuffer;
import dev.stretto.PinnedBuffers;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When a seeded device advances, and when it does not. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeededDeviceTest {
  private static final int N = 10_000;

  static List<Machine> machines() {
    return Machine.seeded();
  }

  // --- asking -----------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("machines")
  void askingAdvancesNothing(Machine machine) throws Exception {
    try (Device device = Device.open(machine.name());
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(N)) {
      MemorySegment out = pinned.allocate(N);
      TimedEvent begin = stream.recordTimed();
      stream.fill(array, (byte) 1);
      Awaitable copy = stream.copy(array, out);
      TimedEvent end = stream.recordTimed();
      for (int i = 0; i < 200; i++) {
        assertThat(begin.isDone()).isFalse();
        assertThat(copy.isDone()).isFalse();
        assertThat(stream.isIdle()).isFalse();
        assertThatThrownBy(() -> begin.nanosTo(end)).isInstanceOf(IllegalStateException.class);
      }
      Thread.sleep(50); // nor does time
      assertThat(copy.isDone()).isFalse();
      assertThat(read(out)).containsOnly(0);
      copy.await();
      assertThat(read(out)).containsOnly(1);
      begin.close();
      end.close();
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void aLoopThatOnlyAsksComesToItsEndInTheOrderOfTheSeed(Machine machine) throws Exception {
    List<List<Byte>> seen = new ArrayList<>();
    for (int pause : new int[] {0, 0, 1, 15}) {
      try (Device device = Device.open(machine.name());
          Stream stream = device.stream();
          Stream other = device.stream();
          PinnedArena pinned = device.pinnedArena();
          GlobalBytes array = device.allocateBytes(N)) {
        MemorySegment out = pinned.allocate(20);
        for (int i = 0; i < 20; i++) {
          other.fill(array, (byte) i);
          stream.copy(array.slice(i, 1), out.asSlice(i, 1));
        }
        Event last = stream.record();
        while (!last.isDone()) {
          Thread.sleep(pause);
        }
        List<Byte> bytes = new ArrayList<>();
        for (byte each : read(out)) {
          bytes.add(each);
        }
        seen.add(bytes);
        other.await();
      }
    }
    assertThat(seen).allMatch(seen.getFirst()::equals);
  }

  static List<String> everyFamily() {
    List<String> all = new ArrayList<>();
    for (String family : List.of("rotate", "quiet", "uniform", "pct1", "pct3", "pct5", "pos")) {
      for (int seed = 0; seed < 20; seed++) {
        all.add("virtual:h200,seed=%d,schedule=%s".formatted(seed, family));
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("everyFamily")
  void aLoopThatAwaitsOtherWorkUntilManyThingsAreDoneComesToItsEnd(String name) {
    try (Device device = Device.open(name);
        Stream first = device.stream("first");
        Stream second = device.stream("second");
        GlobalBytes array = device.allocateBytes(N);
        GlobalBytes other = device.allocateBytes(N)) {
      for (int i = 0; i < 100; i++) {
        first.fill(array, (byte) i);
      }
      CompletableFuture<Void> over = new CompletableFuture<>();
      first.then(() -> over.complete(null));
      while (!over.isDone()) {
        second.fill(other, (byte) 1).await();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void everyKindOfQuestionEndsALoop(Machine machine) {
    try (Device device = Device.open(machine.name());
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(N)) {
      List<Event> events = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        events.add(stream.fill(array, (byte) i));
      }
      while (!events.stream().allMatch(Event::isDone)) {
        Thread.onSpinWait();
      }
      stream.fill(array, (byte) 1);
      while (!stream.isIdle()) {
        Thread.onSpinWait();
      }
      CompletableFuture<Void> future = stream.fill(array, (byte) 2).toCompletableFuture();
      while (!future.isDone()) {
        Thread.onSpinWait();
      }
      Event timed = stream.fill(array, (byte) 3);
      while (!timed.await(Duration.ZERO)) {
        Thread.onSpinWait();
      }
      try (PinnedBuffers buffers = device.pinnedBuffers(N, 1)) {
        PinnedBuffer first = buffers.tryLease().orElseThrow();
        stream.copy(array, first.memory());
        first.close();
        Optional<PinnedBuffer> second = Optional.empty();
        while (second.isEmpty()) {
          second = buffers.tryLease();
        }
        assertThat(second.get().memory().get(JAVA_BYTE, N - 1)).isEqualTo((byte) 3);
        second.get().close();
      }
    }
  }

  // --- waiting for something else ---------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("machines")
  void aLatchThatACallbackCountsDownIsReachedAndItIsSaidWhy(Machine machine) throws Exception {
    try (LoggedErrors logged = new LoggedErrors();
        Device device = Device.open(machine.name());
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(N)) {
      for (int i = 0; i < 2; i++) {
        CountDownLatch latch = new CountDownLatch(1);
        stream.fill(array, (byte) i);
        stream.then(latch::countDown);
        if (i == 0) {
          latch.await();
        } else {
          assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        }
      }
      assertThat(logged.messages())
          .singleElement()
          .asString()
          .contains("nobody has awaited any of it")
          .contains("goes on by itself");
    }
  }

  @Test
  void aProgramThatSleepsOrComputesIsLeftAlone() throws Exception {
    try (Device device = Device.open("virtual:h200,seed=1");
        Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(N)) {
      MemorySegment out = pinned.allocate(N);
      stream.fill(array, (byte) 1);
      stream.copy(array, out);
      Thread.sleep(1500);
      long until = System.nanoTime() + 1_500_000_000;
      while (System.nanoTime() < until) {
        Thread.onSpinWait();
      }
      assertThat(read(out)).containsOnly(0);
    }
  }

  @Test
  void hundredsOfFuturesThatAreAwaitedTogetherTakeNoTime() {
    try (Device device = Device.open("virtual:h200,seed=1");
        GlobalBytes array = device.allocateBytes(N)) {
      List<Stream> streams = new ArrayList<>();
      List<CompletableFuture<?>> futures = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        Stream stream = device.stream();
        streams.add(stream);
        futures.add(stream.fill(array.slice(i, 1), (byte) i).toCompletableFuture());
      }
      long begin = System.nanoTime();
      CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).join();
      assertThat(System.nanoTime() - begin).isLessThan(10_000_000_000L);
      streams.forEach(Stream::close);
    }
  }

  @Test
  void thousandsOfStreamsThatWereClosedWithWorkTakeAsLongAsTheirWork() {
    try (Device device = Device.open("virtual:h200,seed=1");
        GlobalBytes array = device.allocateBytes(N)) {
      long begin = System.nanoTime();
      for (int i = 0; i < 20_000; i++) {
        try (Stream stream = device.stream()) {
          stream.fill(array, (byte) i);
        }
      }
      device.await();
      assertThat(System.nanoTime() - begin).isLessThan(15_000_000_000L);
    }
  }

  // --- several threads --------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("machines")
  void whatRunsInABlockingCallOfAnotherThreadIsNoDeadlock(Machine machine) throws Exception {
    DeviceKernel kernel = latchKernel();
    begun = new CountDownLatch(1);
    goOn = new CountDownLatch(1);
    try (Device device = Device.open(machine.name());
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(1 << 20);
        Arena arena = Arena.ofShared()) {
      MemorySegment source = arena.allocate(1 << 20);
      stream.launch(Grid.of(1, 1), kernel);
      Event launch = stream.record();
      FutureTask<Void> copy =
          new FutureTask<>(
              () -> stream.copy(source, array, Route.Kind.AWAITED_PAGEABLE).await(), null);
      FutureTask<Void> await = new FutureTask<>(launch::await, null);
      Thread copies = Thread.ofPlatform().start(copy);
      begun.await();
      Thread awaits = Thread.ofPlatform().start(await);
      while (awaits.isAlive() && awaits.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      goOn.countDown();
      copy.get();
      await.get();
      copies.join();
      awaits.join();
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void whoDoesNotWaitForEverLeavesAKernelToItselfThatTakesLong(Machine machine) throws Exception {
    DeviceKernel kernel = latchKernel();
    begun = new CountDownLatch(1);
    goOn = new CountDownLatch(1);
    try (Device device = Device.open(machine.name());
        Stream stream = device.stream();
        Stream other = device.stream();
        GlobalBytes array = device.allocateBytes(N)) {
      stream.launch(Grid.of(1, 1), kernel);
      assertThat(stream.await(Duration.ofMillis(1))).isFalse();
      begun.await();
      other.fill(array, (byte) 1).await();
      for (int i = 0; i < 3000; i++) {
        assertThat(stream.isIdle()).isFalse();
      }
      CompletableFuture<Void> future = stream.record().toCompletableFuture();
      assertThatThrownBy(() -> future.get(1, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      goOn.countDown();
      future.get();
      assertThat(stream.isIdle()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void aWaitOfNoLengthLeavesAKernelToItselfThatTakesLong(Machine machine) throws Exception {
    DeviceKernel kernel = latchKernel();
    begun = new CountDownLatch(1);
    goOn = new CountDownLatch(1);
    try (Device device = Device.open(machine.name());
        Stream stream = device.stream()) {
      stream.launch(Grid.of(1, 1), kernel);
      while (begun.getCount() > 0) {
        assertThat(stream.await(Duration.ZERO)).isFalse();
      }
      goOn.countDown();
      stream.await();
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void aLoopThatOnlyAsksGoesOnWhileAKernelTakesLong(Machine machine) {
    DeviceKernel kernel = latchKernel();
    begun = new CountDownLatch(1);
    goOn = new CountDownLatch(1);
    try (Device device = Device.open(machine.name());
        Stream stream = device.stream()) {
      stream.launch(Grid.of(1, 1), kernel);
      int asked = 0;
      while (!stream.isIdle()) {
        asked++;
        if (asked == 2000) {
          goOn.countDown(); // as another kernel might do it, or the program
        }
      }
      assertThat(asked).isGreaterThanOrEqualTo(2000);
    }
  }

  @Test
  void aDriverThatIsOpenedTwiceIsSteppedAsOne() {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse("h200,seed=3"));
    try (Device first = Device.openAll(driver).getFirst();
        Device second = Device.openAll(driver).getFirst();
        Stream in = first.stream();
        Stream out = second.stream();
        PinnedArena pinned = second.pinnedArena();
        GlobalBytes array = first.allocateBytes(N)) {
      MemorySegment result = pinned.allocate(N);
      for (int round = 1; round < 50; round++) {
        out.waitFor(in.fill(array, (byte) round));
        Awaitable copy = out.copy(array, result);
        in.waitFor(out.record());
        assertThat(copy.await(Duration.ofSeconds(20))).isTrue();
        assertThat(read(result)).containsOnly(round);
      }
      in.await();
    }
  }

  private static CountDownLatch begun = new CountDownLatch(0);
  private static CountDownLatch goOn = new CountDownLatch(0);

  private static DeviceKernel latchKernel() {
    KernelImage image =
        KernelImage.ofPtx(".version 8.0\n.target sm_80\n.address_size 64\n.entry any() { ret; }");
    return DeviceKernel.of(image, "any", SeededDeviceTest.class, "waitForTheLatch");
  }

  /** What the kernel does here. */
  @SuppressWarnings("unused")
  public static void waitForTheLatch(ThreadBlock block) {
    begun.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] read(MemorySegment segment) {
    return segment.toArray(JAVA_BYTE);
  }
}
