package dev.stretto.contract;

import dev.stretto.Awaitable;
import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.driver.DriverDevice;
import dev.stretto.fault.StrettoException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * A program that does each thing that a program can do with a device, in steps that each make and
 * close what they need. A step ends at its first exception, closing in flight what it has; if there
 * is none, what it has computed has to be right.
 */
public final class EveryOperation {
  static final int SIZE = 40_000; // more than is copied inline

  private static final Duration LONG = Duration.ofSeconds(20);

  final Device device;
  final List<Device> devices;
  final Supplier<DriverDevice> library;
  private final boolean kernelsRun;
  private final List<Throwable> seen = new ArrayList<>();
  private String step = "";

  /** What may be done of the program, and may go wrong. */
  interface Step {
    void run() throws Exception;
  }

  /**
   * Prepares the program.
   *
   * @param devices on the first of which it runs, and between the first two
   * @param library opens the first one as another library in the process has it
   * @param kernelsRun whether kernels leave results, and are not only taken
   */
  public EveryOperation(List<Device> devices, Supplier<DriverDevice> library, boolean kernelsRun) {
    this.devices = devices;
    this.device = devices.getFirst();
    this.library = library;
    this.kernelsRun = kernelsRun;
  }

  /** {@return what was thrown at the program, in this order} */
  public List<Throwable> seen() {
    return seen;
  }

  /** Does everything once. */
  public void run() {
    new CopySteps(this).run();
    new OrderSteps(this).run();
    new GraphSteps(this).run();
    if (devices.size() > 1) {
      new PeerSteps(this).run();
    }
  }

  void step(String name, Step body) {
    step = name;
    try {
      body.run();
    } catch (StrettoException e) {
      seen.add(e);
    } catch (CompletionException | IllegalArgumentException | IllegalStateException e) {
      if (!(e.getCause() instanceof StrettoException)) {
        throw new AssertionError("step " + name + " threw " + e + ", after " + seen, e);
      }
      seen.add(e);
    } catch (Exception e) {
      throw new AssertionError("step " + name + " threw what is not Stretto's, after " + seen, e);
    } catch (AssertionError e) {
      throw new AssertionError("step " + name + ", after " + seen + ": " + e.getMessage(), e);
    }
  }

  // --- what steps are made of -------------------------------------------------------------------

  void await(Awaitable work) {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (!work.await(Duration.ofSeconds(1))) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(work + " of step " + step + " never comes to its end");
      }
    }
  }

  /**
   * What an operation of the host uses behind a stream's back, as an arena that staging reads, is
   * there until it has run: declared after that memory, this waits when the step ends.
   */
  Settled settled(Stream stream) {
    return () -> await(stream);
  }

  /** Waits when it is closed. */
  interface Settled extends AutoCloseable {
    @Override
    void close();
  }

  static byte[] bytes(int length, long number) {
    byte[] bytes = new byte[length];
    new SplittableRandom(number).nextBytes(bytes);
    return bytes;
  }

  void check(byte[] found, byte[] expected) {
    int at = Arrays.mismatch(found, expected);
    if (at >= 0) {
      throw new AssertionError(
          "byte %d of %d is %02x, not %02x"
              .formatted(at, expected.length, at < found.length ? found[at] : -1, expected[at]));
    }
  }

  void check(MemorySegment found, byte[] expected) {
    check(found.toArray(ValueLayout.JAVA_BYTE), expected);
  }

  void check(boolean held, String what) {
    if (!held) {
      throw new AssertionError(what);
    }
  }

  /** Compares what a kernel has computed, where kernels run. */
  void checkComputed(int[] found, int expected) {
    if (kernelsRun && Arrays.stream(found).anyMatch(value -> value != expected)) {
      throw new AssertionError(
          "a kernel left %s, not %d everywhere"
              .formatted(Arrays.toString(Arrays.copyOf(found, 8)), expected));
    }
  }
}
