package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How much memory a checked order keeps: random operations on random parts of many arrays, with
 * streams and arrays that come and go, and what lies on the heap after each tenth of them.
 */
final class OrderMemory {
  private static final int STREAMS = 64;
  private static final int ARRAYS = 10_000;
  private static final int INTS = 256;
  private static final int TENTHS = 10;

  /** So many operations may be under way. */
  private static final int BACKLOG = 4_096;

  private final Device device;
  private final PrintStream out;
  private final SplittableRandom random = new SplittableRandom(1);
  private final Stream[] streams = new Stream[STREAMS];
  private final GlobalInts[] arrays = new GlobalInts[ARRAYS];
  private final MemorySegment host;

  private OrderMemory(Device device, PrintStream out) {
    this.device = device;
    this.out = out;
    this.host = device.pinnedArena().allocate((long) STREAMS * INTS * Integer.BYTES, 4096);
    Arrays.setAll(streams, _ -> device.stream());
    Arrays.setAll(arrays, _ -> device.allocateInts(INTS));
  }

  /**
   * Runs the operations and prints a table.
   *
   * @param name the name of a device, without an order
   * @param operations how many there are
   */
  static void run(String name, long operations, PrintStream out) {
    String checked = name + (name.contains(":") ? "," : ":") + "order=checked";
    try (Device device = Device.open(checked)) {
      new OrderMemory(device, out).run(operations);
    }
  }

  private void run(long operations) {
    out.printf(Locale.ROOT, "%d streams, %,d arrays%n%n", STREAMS, ARRAYS);
    out.println("| operations | MiB on the heap | ns an operation |");
    out.println("|--:|--:|--:|");
    long done = 0;
    for (int tenth = 1; tenth <= TENTHS; tenth++) {
      long begin = System.nanoTime();
      long from = done;
      for (; done < operations * tenth / TENTHS; done++) {
        operate(random.nextInt(STREAMS));
        if (done % BACKLOG == 0) {
          device.await();
        }
      }
      device.await();
      long nanos = (System.nanoTime() - begin) / Math.max(1, done - from);
      out.printf(Locale.ROOT, "| %,d | %.1f | %,d |%n", done, heap(), nanos);
    }
  }

  /** Each array, and each part of the pinned memory, is that of one stream at a time. */
  private void operate(int number) {
    Stream stream = streams[number];
    int which = number + STREAMS * random.nextInt(ARRAYS / STREAMS);
    int count = 1 + random.nextInt(INTS);
    GlobalInts part = arrays[which].slice(random.nextInt(INTS - count + 1), count);
    long at = (long) number * INTS * Integer.BYTES;
    MemorySegment pinned = host.asSlice(at, (long) count * Integer.BYTES);
    switch (random.nextInt(64)) {
      case 0 -> {
        Event event = stream.record();
        streams[(number + 1) % STREAMS].waitFor(event);
      }
      case 1 -> {
        stream.close();
        streams[number] = device.stream(); // what it still does is awaited before it begins
        device.await();
      }
      case 2 -> {
        arrays[which].close();
        device.await();
        arrays[which] = device.allocateInts(INTS);
      }
      case 3 -> stream.fill(part, 1).await();
      default -> {
        switch (random.nextInt(3)) {
          case 0 -> stream.fill(part, number);
          case 1 -> stream.copy(pinned, part);
          default -> stream.copy(part, pinned);
        }
      }
    }
  }

  /** {@return how much is reachable, after several collections} */
  private static double heap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / (double) (1 << 20);
  }
}
