package dev.stretto.bench.meeting;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.driver.ValueCondition;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/**
 * What {@code bench/cpp/meeting.cu} measures, through Stretto, as a table with the same rows: the
 * barrier of a whole grid, kernels that read and write pinned memory, a doorbell, and numbers from
 * stream to stream.
 */
public final class Meeting {
  private static final int ROUNDS = 3;
  private static final int SYNCS = 10_000;
  private static final int RINGS = 10_000;
  private static final int VALUES = 2000;
  private static final int WARM = 10;
  private static final VarHandle INT = JAVA_INT.varHandle();

  private final Device device;
  private final long bytes;
  private final PrintStream out;

  private Meeting(Device device, long bytes, PrintStream out) {
    this.device = device;
    this.bytes = bytes;
    this.out = out;
  }

  /**
   * Measures, and prints the table.
   *
   * @param name the device
   * @param bytes of pinned memory that kernels read and write
   */
  public static void run(String name, long bytes, PrintStream out) {
    try (Device device = Device.open(name)) {
      out.printf(Locale.ROOT, "| %s | worst of %d |%n|---|--:|%n", device.name(), ROUNDS);
      Meeting meeting = new Meeting(device, bytes, out);
      int all = device.properties().multiprocessors();
      for (int blocks = all; blocks <= 2 * all; blocks += all) {
        for (int threads = 256; threads <= 1024; threads += 768) {
          meeting.barriers(blocks, threads);
        }
      }
      meeting.mapped();
      meeting.doorbell();
      meeting.values();
    }
  }

  private void row(String what, double value, String unit) {
    out.printf(Locale.ROOT, "| %s | %.2f %s |%n", what, value, unit);
  }

  /** The worst of some rounds, after one that does not count. */
  private static double worst(DoubleSupplier round) {
    return worst(1, round);
  }

  /** The same after several, in which the JVM compiles what the host does in each. */
  private static double worst(int before, DoubleSupplier round) {
    for (int i = 0; i < before; i++) {
      double _ = round.getAsDouble();
    }
    double most = 0;
    for (int i = 0; i < ROUNDS; i++) {
      most = Math.max(most, round.getAsDouble());
    }
    return most;
  }

  private static double nanos(Stream stream, Runnable work) {
    try (TimedEvent begin = stream.recordTimed()) {
      work.run();
      try (TimedEvent end = stream.recordTimed()) {
        end.await();
        return begin.nanosTo(end);
      }
    }
  }

  private void barriers(int blocks, int threads) {
    try (Stream stream = device.stream()) {
      Launch launch =
          device.prepare(Grid.of(blocks, threads).cooperative(), MeetingKernels::syncs, SYNCS);
      double each = worst(() -> nanos(stream, () -> stream.launch(launch)) / SYNCS / 1000);
      row("grid.sync() of %d blocks of %d".formatted(blocks, threads), each, "us");
    }
  }

  private void mapped() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalFloats result = device.allocateFloats(1)) {
      MemorySegment host = arena.allocate(bytes, 4096);
      GlobalFloats view = device.view(host, GlobalFloats::of);
      Launch reads = device.prepare(Grid.of(1056, 256), MeetingKernels::reads, view, result);
      Launch writes = device.prepare(Grid.of(1056, 256), MeetingKernels::writes, view);
      row("a kernel reads pinned memory", rate(stream, reads), "GB/s");
      row("a kernel writes pinned memory", rate(stream, writes), "GB/s");
    }
  }

  private double rate(Stream stream, Launch launch) {
    return bytes / worst(() -> nanos(stream, () -> stream.launch(launch)));
  }

  private void doorbell() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena()) {
      MemorySegment words = arena.allocate(4096, 4096);
      GlobalInts view = device.view(words, GlobalInts::of);
      Launch launch = device.prepare(Grid.of(1, 1), MeetingKernels::answers, view, RINGS);
      double each =
          worst(
              WARM,
              () -> {
                INT.setRelease(words, 0L, 0);
                INT.setRelease(words, 512L, 0);
                stream.launch(launch);
                long begin = System.nanoTime();
                for (int i = 1; i <= RINGS; i++) {
                  int number = i;
                  INT.setRelease(words, 0L, i);
                  stream.awaitUntil(() -> (int) INT.getAcquire(words, 512L) >= number);
                }
                double nanos = System.nanoTime() - begin;
                stream.await();
                return nanos / RINGS / 1000;
              });
      row("a doorbell, there and back", each, "us");
    }
  }

  private void values() {
    try (Stream one = device.stream();
        Stream other = device.stream();
        GlobalInts numbers = device.allocateSignals(2)) {
      one.fill(numbers, 0).await();
      int[] last = {0};
      double each =
          worst(
              WARM,
              () -> {
                long begin = System.nanoTime();
                for (int i = 0; i < VALUES; i++) {
                  int number = ++last[0];
                  one.writeValue(numbers, 0, number);
                  other.waitValue(numbers, 0, number, ValueCondition.AT_LEAST);
                  other.writeValue(numbers, 1, number);
                  one.waitValue(numbers, 1, number, ValueCondition.AT_LEAST);
                }
                one.await();
                other.await();
                return (System.nanoTime() - begin) / 2000.0 / VALUES;
              });
      row("a value from stream to stream", each, "us");
    }
  }
}
