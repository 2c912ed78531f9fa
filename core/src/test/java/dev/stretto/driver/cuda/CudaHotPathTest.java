package dev.stretto.driver.cuda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls that a pipeline makes for every chunk leave nothing for the garbage collector. */
class CudaHotPathTest extends OnFakeCuda {
  private static final int CALLS = 20_000;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private long stream;
  private long event;
  private long memory;

  @BeforeEach
  void prepare() {
    stream = device.createStream(0);
    event = device.createEvent(false);
    memory = device.allocate(64);
    fake.set("log", 0);
  }

  @Test
  void copiesDoNotAllocate() {
    assertThat(
            bytesPerCall(() -> device.copy(memory, memory, 64, CopyKind.DEVICE_TO_DEVICE, stream)))
        .isLessThan(1);
  }

  @Test
  void copiesBetweenDevicesDoNotAllocate() {
    DriverDevice other = driver.open(1);
    long there = other.allocate(64);
    assertThat(bytesPerCall(() -> device.copyPeer(there, other, memory, device, 64, stream)))
        .isLessThan(1);
    other.close();
  }

  @Test
  void rowCopiesDoNotAllocate() {
    assertThat(
            bytesPerCall(
                () ->
                    device.copy2D(memory, 16, memory, 16, 8, 4, CopyKind.DEVICE_TO_DEVICE, stream)))
        .isLessThan(1);
  }

  @Test
  void fillsDoNotAllocate() {
    assertThat(bytesPerCall(() -> device.fill(memory, 7, 4, 16, stream))).isLessThan(1);
  }

  @Test
  void launchesDoNotAllocate() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment none = arena.allocate(8);
      long module = device.loadModule(".entry idle".getBytes(UTF_8));
      long function = device.function(module, "idle", NoTwin.INSTANCE);
      LaunchShape shape = LaunchShape.of(1, 1, 1, 1, 1, 1, 0);
      LaunchShape clusters = new LaunchShape(2, 1, 1, 1, 1, 1, 2, 1, 1, 0);
      LaunchShape overlapping = new LaunchShape(2, 1, 1, 1, 1, 1, 1, 1, 1, 0, false, true);
      assertThat(bytesPerCall(() -> device.launch(function, overlapping, stream, none, none)))
          .isLessThan(1);
      assertThat(bytesPerCall(() -> device.launch(function, clusters, stream, none, none)))
          .isLessThan(1);
      assertThat(bytesPerCall(() -> device.launch(function, shape, stream, none, none)))
          .isLessThan(1);
    }
  }

  @Test
  void eventsDoNotAllocate() {
    boolean[] done = new boolean[1];
    assertThat(
            bytesPerCall(
                () -> {
                  device.recordEvent(event, stream);
                  device.waitEvent(stream, event);
                  done[0] = device.isDone(event);
                }))
        .isLessThan(1);
    assertThat(done).containsExactly(true);
  }

  private double bytesPerCall(Runnable call) {
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
    return (double) (threads.getCurrentThreadAllocatedBytes() - before) / CALLS;
  }
}
