package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;

/**
 * A part of the contract: what every driver has to keep. Each test gets a device of its own, which
 * has to hold nothing any more once it is closed.
 */
@OnEveryDriver
@ExtendWith(Rerun.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ContractTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @Parameter Machine machine;

  Machine.Opened opened;
  Device device;

  @BeforeEach
  void open() {
    opened = opened();
    device = opened.device();
  }

  @AfterEach
  void close() {
    opened.close();
  }

  /** {@return the devices of {@link #machine()}; tests of two devices say so here} */
  Machine.Opened opened() {
    return machine().open();
  }

  /** {@return what to open; tests of special machines say so here} */
  Machine machine() {
    return machine;
  }

  // --- data -------------------------------------------------------------------------------------

  /**
   * {@return bytes that depend on a number and differ from poison, from zero and among each other}
   */
  static byte[] bytes(int length, long number) {
    byte[] bytes = new byte[length];
    new SplittableRandom(number).nextBytes(bytes);
    return bytes;
  }

  /** {@return new pinned memory with these bytes} */
  static MemorySegment pinned(PinnedArena arena, byte[] bytes) {
    return arena.allocate(bytes.length, 64).copyFrom(MemorySegment.ofArray(bytes));
  }

  /** {@return what device memory holds once all that was enqueued on a stream is done} */
  static byte[] read(Stream stream, GlobalArray array) {
    byte[] bytes = new byte[Math.toIntExact(array.byteSize())];
    stream.copy(array, MemorySegment.ofArray(bytes)).await();
    return bytes;
  }

  /** {@return an array on the device with these bytes} */
  GlobalBytes onDevice(Stream stream, byte[] bytes) {
    GlobalBytes array = device.allocateBytes(bytes.length);
    stream.copy(bytes.clone(), array).await();
    return array;
  }

  static byte[] read(MemorySegment segment) {
    return segment.toArray(JAVA_BYTE);
  }

  /** Compares quickly, and says where the first difference is. */
  static void assertSame(byte[] actual, byte[] expected) {
    assertThat(actual).hasSameSizeAs(expected);
    int at = java.util.Arrays.mismatch(actual, expected);
    if (at >= 0) {
      throw new AssertionError(
          "byte %d of %d is %02x, not %02x".formatted(at, actual.length, actual[at], expected[at]));
    }
  }

  /** {@return another GPU than the test's own, or a virtual device if there is none} */
  Device anotherGpu() {
    return Device.all().stream()
        .filter(each -> each.driver().equals("cuda"))
        .filter(each -> each.ordinal() != device.properties().ordinal())
        .findFirst()
        .map(each -> Device.open("cuda:" + each.ordinal()))
        .orElseGet(() -> Device.open("virtual"));
  }

  // --- time -------------------------------------------------------------------------------------

  /**
   * Waits for something that happens behind the program's back; on a seeded device it does so now.
   */
  void eventually(String what, BooleanSupplier happened) {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (!happened.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "still not so after %d s: %s (%d bytes are free)"
                .formatted(LONG.toSeconds(), what, device.freeBytes()));
      }
      opened.settle();
      if (!machine.isSeeded()) {
        LockSupport.parkNanos(100_000); // whoever brings it about needs the driver's lock too
      }
    }
  }

  /**
   * Holds a stream back until the gate is opened. On a seeded device, where only waiting advances
   * anything, it holds nothing: there the seed decides what happens when.
   */
  Gate gate(Stream stream) {
    Gate gate = new Gate(machine.isSeeded());
    stream.then(gate::pass);
    return gate;
  }

  /** What holds a stream back. */
  static final class Gate implements AutoCloseable {
    private final CountDownLatch opened = new CountDownLatch(1);
    private final boolean ajar;

    private Gate(boolean ajar) {
      this.ajar = ajar;
    }

    private void pass() {
      try {
        if (!ajar && !opened.await(30, TimeUnit.SECONDS)) {
          throw new IllegalStateException("nobody opened the gate");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /** {@return whether the stream is held back for certain} */
    boolean isShut() {
      return !ajar && opened.getCount() > 0;
    }

    /** Lets the stream go on. */
    void open() {
      opened.countDown();
    }

    @Override
    public void close() {
      open();
    }
  }
}
