package dev.stretto.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskDeviceTest {
  private static final long MEMORY = 64 << 20;

  private final Device device = Device.open("virtual:h200,memory=" + MEMORY);
  private final OpenedDevice opened = OpenedDevice.of("0", device);

  private TaskDevice task(String name, Duration wait) {
    return new TaskDevice(opened, name, 0.5, HostMemory.WITHOUT_ACCOUNT, wait);
  }

  @AfterEach
  void close() {
    device.close();
  }

  @Test
  void aTaskWaitsForTheMemoryOfAnotherOne() throws Exception {
    TaskDevice first = task("task 1", Duration.ofSeconds(60));
    TaskDevice second = task("task 2", Duration.ofSeconds(60));
    GlobalBytes all = device.allocateBytes(48 << 20);
    CompletableFuture<Long> waits =
        CompletableFuture.supplyAsync(
            () ->
                second
                    .allocate(() -> second.stream().allocateBytes(second.memory(), 24 << 20))
                    .length());
    Thread.sleep(200);
    assertThat(waits).isNotDone();
    all.close();
    assertThat(first.end()).isNull();
    assertThat(waits.get(20, TimeUnit.SECONDS)).isEqualTo(24 << 20);
    assertThat(second.end()).isNull();
  }

  @Test
  void aWaitForMemoryEndsWithTheNumbers() {
    TaskDevice _ = task("task 1", Duration.ofSeconds(60));
    TaskDevice second = task("task 2", Duration.ofMillis(100));
    GlobalBytes _ = device.allocateBytes(48 << 20);
    assertThatThrownBy(
            () -> second.allocate(() -> second.stream().allocateBytes(second.memory(), 24 << 20)))
        .isInstanceOf(TaskMemoryException.class)
        .hasCauseInstanceOf(OutOfDeviceMemoryException.class)
        .hasMessageContaining("has 16777216 bytes free; this task may have 33554432")
        .hasMessageContaining("1 other tasks did not release enough within 0 s")
        .hasMessageContaining("spark.stretto.memoryWait");
  }

  @Test
  void aTaskThatIsAloneDoesNotWaitForMemory() {
    TaskDevice only = task("task 1", Duration.ofDays(1));
    assertThatThrownBy(() -> only.allocate(() -> device.allocateBytes(MEMORY + 1)))
        .isInstanceOf(TaskMemoryException.class)
        .hasMessageContaining("no other task uses the device");
  }

  @Test
  void theEndAwaitsWhatIsEnqueuedAlsoIfTheThreadIsInterrupted() {
    TaskDevice task = task("task 1", Duration.ZERO);
    CountDownLatch go = new CountDownLatch(1);
    Stream stream = task.stream();
    Event done;
    try (Arena ofSpark = Arena.ofShared()) {
      MemorySegment page = ofSpark.allocate(1 << 20);
      stream.then(
          () -> {
            try {
              go.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      stream.copy(page, device.allocateBytes(1 << 20));
      done = stream.record();
      Thread.currentThread().interrupt();
      CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS).execute(go::countDown);
      assertThat(done.isDone()).isFalse();
      assertThat(task.end()).isNull();
      assertThat(done.isDone()).isTrue(); // before Spark frees its page
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(stream.isOpen()).isFalse();
    assertThat(opened.tasks()).isZero();
  }

  @Test
  void afterItsEndATaskHasNothing() {
    TaskDevice task = task("task 7", Duration.ZERO);
    GlobalFloats array = task.stream().allocateFloats(task.memory(), 100);
    MemorySegment pinned = task.pinned().allocate(100);
    assertThat(task.end()).isNull();
    assertThat(task.end()).isNull();
    assertThat(pinned.scope().isAlive()).isFalse();
    assertThatThrownBy(task::device)
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining("task 7 has ended");
    assertThatThrownBy(task::newStream).isInstanceOf(ClosedException.class);
    array.close();
    device.await();
    assertThat(device.freeBytes()).isEqualTo(MEMORY);
  }

  @Test
  void aFailureThatNobodyHasAwaitedIsTold() {
    TaskDevice task = task("task 1", Duration.ZERO);
    task.stream().launch(Grid.of(1, 1), Numbers::writesBeyond, device.allocateFloats(1));
    assertThat(task.end()).isInstanceOf(DeviceLostException.class);
    assertThat(opened.isUsable()).isFalse();
  }
}
