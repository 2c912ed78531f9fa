package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Awaitable;
import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device that is slower than the program: who looks at its streams, how often, and in turn. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaBacklogTest {
  private static final int STREAMS = 5;
  private static final int COPIES = 3_000; // more than the driver may be given of a stream

  private FakeCuda fake;

  @BeforeEach
  void reset() {
    fake = FakeCuda.reset();
  }

  /** Each copy passes a byte on that the copy before has brought: none may be early. */
  @Test
  void whatIsHeldBackReachesTheDriverInTheOrderOfItsStreamAndWhoeverAwaitsItIsTold()
      throws InterruptedException {
    fake.set("log", 0);
    Queue<Throwable> trouble = new ConcurrentLinkedQueue<>();
    List<Stream> streams = new ArrayList<>();
    List<GlobalBytes> arrays = new ArrayList<>();
    List<Thread> waiting = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(1);
    try (Device device = Device.openAll(fake.driver()).getFirst()) {
      for (int s = 0; s < STREAMS; s++) {
        streams.add(device.stream());
        arrays.add(device.allocateBytes(COPIES + 1));
        streams.get(s).fill(arrays.get(s).slice(0, 1), (byte) (s + 1));
      }
      fake.set("notReady", Integer.MAX_VALUE);
      for (int i = 0; i < COPIES; i++) {
        for (int s = 0; s < STREAMS; s++) {
          GlobalBytes array = arrays.get(s);
          Copy copy = streams.get(s).copy(array.slice(i, 1), array.slice(i + 1, 1));
          if (random.nextInt(20) == 0) {
            waiting.add(awaiting(copy, trouble));
          }
        }
      }
      assertThat(streams).allMatch(stream -> !stream.isIdle());
      while (waiting.stream().anyMatch(Thread::isAlive)) {
        fake.set("notReady", random.nextInt(100)); // so many questions are answered with no
        Thread.sleep(0, 100_000);
      }
      fake.set("notReady", 0);
      for (int s = 0; s < STREAMS; s++) {
        byte[] out = new byte[COPIES + 1];
        streams.get(s).copy(arrays.get(s), out).await();
        assertThat(out).containsOnly(s + 1);
      }
    }
    assertThat(trouble).isEmpty();
  }

  static void idle(ThreadBlock block) {}

  private static Launch prepare(Device device) {
    return device.prepare(
        Grid.of(1, 1),
        DeviceKernel.of(KernelImage.ofPtx(".entry idle"), "idle", CudaBacklogTest.class, "idle"));
  }

  /** Launches have no marks of their own: somebody has to look when a share becomes smaller. */
  @Test
  void streamsThatAreOpenedMeanwhileTakeRoomButStopNobody() throws InterruptedException {
    fake.set("log", 0);
    Queue<Throwable> trouble = new ConcurrentLinkedQueue<>();
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < 20; round++) {
      try (Device device = Device.openAll(fake.driver()).getFirst()) {
        Launch launch = prepare(device);
        Stream stream = device.stream();
        fake.set("notReady", Integer.MAX_VALUE);
        for (int i = 0; i < 20_000; i++) {
          stream.launch(launch);
        }
        Thread waiting = awaiting(stream, trouble);
        fake.set("notReady", 0);
        Thread.sleep(0, random.nextInt(999_999));
        for (int others = 0; others < 60; others++) {
          Stream _ = device.stream();
        }
        waiting.join();
      }
    }
    assertThat(trouble).isEmpty();
  }

  @Test
  void aDeviceThatIsLostWhileOperationsAreHandedOverIsNoLongerWatched() throws Exception {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 20; round++) {
      fake = FakeCuda.reset();
      fake.set("log", 0);
      try (Device device = Device.openAll(fake.driver()).getFirst()) {
        Launch launch = prepare(device);
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(100);
        fake.set("notReady", Integer.MAX_VALUE);
        for (int i = 0; i < 1_000; i++) {
          stream.fill(array, (byte) i); // with a mark behind it
          stream.launch(launch);
        }
        Queue<Throwable> told = new ConcurrentLinkedQueue<>();
        Thread waiting = awaiting(stream, told);
        fake.failLater("cuLaunchKernel", 700, random.nextInt(250));
        fake.set("notReady", 0);
        waiting.join();
        assertThat(told).hasOnlyElementsOfType(DeviceLostException.class).hasSize(1);
        while (isWatching(device)) {
          Thread.sleep(1);
        }
      }
    }
  }

  @Test
  void aDeviceThatIsLostByBeingAskedForAMarkIsNotWatched() throws Exception {
    for (int round = 0; round < 5; round++) {
      fake = FakeCuda.reset();
      try (Device device = Device.openAll(fake.driver()).getFirst()) {
        Launch launch = prepare(device);
        Stream stream = device.stream();
        fake.set("notReady", Integer.MAX_VALUE);
        stream.launch(launch); // has no mark
        fake.failNext("cuEventRecord", 700);
        Queue<Throwable> told = new ConcurrentLinkedQueue<>();
        awaiting(stream, told).join();
        assertThat(told).hasOnlyElementsOfType(DeviceLostException.class).hasSize(1);
        while (isWatching(device)) {
          Thread.sleep(1);
        }
      }
    }
  }

  /** Whether a thread looks again and again, or will in some microseconds. */
  private static boolean isWatching(Device device) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("stretto-watch " + device.name()))
        .map(Thread::getState)
        .anyMatch(state -> state != Thread.State.WAITING && state != Thread.State.TERMINATED);
  }

  private static Thread awaiting(Awaitable work, Queue<Throwable> trouble) {
    return Thread.startVirtualThread(
        () -> {
          try {
            work.await();
          } catch (Throwable e) {
            trouble.add(e);
          }
        });
  }

  @Test
  void anEventIsAskedAboutOnceIfItIsTheOnlyOneAndDone() {
    try (Device device = Device.openAll(fake.driver()).getFirst();
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(100)) {
      for (int i = 0; i < 3; i++) {
        Event _ = stream.fill(array, (byte) i);
        Event recorded = stream.record();
        List<String> _ = fake.calls();
        assertThat(recorded.await(Duration.ofSeconds(10))).isTrue();
        assertThat(fake.calls()).filteredOn(call -> call.contains("cuEventQuery")).hasSize(1);
      }
    }
  }
}
