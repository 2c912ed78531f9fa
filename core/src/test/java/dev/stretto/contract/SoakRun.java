package dev.stretto.contract;

import dev.stretto.Device;
import dev.stretto.driver.DriverDevice;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Random programs for as long as one likes, on a machine that stays open and, where there is one,
 * on virtual devices under one seed after the other: {@code SoakRun MINUTES MACHINE [SEED]}, {@code
 * SoakRun 30 cuda}, {@code SoakRun 10 virtual}. Every minute it says what is held; at the end it
 * fails if that has grown.
 */
public final class SoakRun {
  private static final long MINUTE = 60_000_000_000L;
  private static final int OPERATIONS = 150;
  private static final long HEAP_SLACK = 16L << 20;
  private static final long PROCESS_SLACK = 96L << 20;

  /** The JIT and the allocator's arenas still grow while a short run is measured. */
  private static final long WARMING_PROCESS_SLACK = 256L << 20;

  /** What a device keeps pinned for staging, at most, and a little more. */
  private static final long PINNED_MOST = 160L << 20;

  private static final long DEVICE_SLACK = 16L << 20;

  /** For how long device memory may be missing that a pool gives back late or another run uses. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Map<String, Long> counts = new TreeMap<>();
  private final Machine machine;
  private final long begin = System.nanoTime();
  private long programs;
  private long seed;

  private SoakRun(Machine machine, long seed) {
    this.machine = machine;
    this.seed = seed;
  }

  /**
   * What is held when nothing is under way; the process's memory without the heap, and without
   * pinned memory, where that is the process's own.
   */
  private record Held(
      long heap, long process, long pinned, long free, SoakThreads threads, String live) {
    @Override
    public String toString() {
      return ("heap %.1f MiB, other memory %.1f MiB, pinned %.1f MiB, device memory free %.1f MiB,"
              + " threads: %s%s")
          .formatted(mebi(heap), mebi(process), mebi(pinned), mebi(free), threads, live);
    }

    private static double mebi(long bytes) {
      return bytes / 1048576.0;
    }
  }

  /**
   * Runs.
   *
   * @param arguments minutes, machine, and the seed of the first program if it is not to be a new
   *     one
   */
  public static void main(String... arguments) {
    double minutes = Double.parseDouble(arguments[0]);
    Machine machine = new Machine(arguments[1]);
    long seed = arguments.length > 2 ? Long.parseLong(arguments[2]) : System.nanoTime() % 1_000_000;
    try {
      run(machine, seed, (long) (minutes * MINUTE));
    } catch (RuntimeException | Error e) {
      // At both ends of what is long, so that the last lines of a log show it as the first do.
      String told = told(machine, seed, e);
      System.out.print(told);
      e.printStackTrace(System.out);
      System.out.print(told);
      System.out.flush();
      System.exit(1); // what is open still may never come to its end
    }
  }

  /** {@return what went wrong and all that was its cause, a line each} */
  private static String told(Machine machine, long seed, Throwable thrown) {
    StringBuilder told =
        new StringBuilder("failed: %s, from seed %d on%n".formatted(machine, seed));
    String before = "";
    for (Throwable e : LoggedErrors.causes(thrown)) {
      told.append("%s%s%n".formatted(before, e.toString().lines().findFirst().orElse("")));
      before = "  of which a cause: ";
    }
    return told.toString();
  }

  /**
   * Runs for a while.
   *
   * @throws AssertionError if a result is wrong or something has grown
   */
  static void run(Machine machine, long seed, long nanos) {
    System.out.printf("%s, from seed %d on%n", machine, seed);
    new SoakRun(machine, seed).run(nanos);
  }

  private void run(long nanos) {
    long end = begin + nanos;
    Held last;
    try (Machine.Opened opened = machine.openPair(driver -> driver)) {
      // An eighth of the time, for the JIT and what is kept for reuse.
      programs(opened, Math.min(end, begin + nanos / 8));
      Held first = held(opened, Long.MAX_VALUE);
      System.out.printf("%5.1f min: %s%n", minutes(), first);
      do {
        programs(opened, Math.min(end, System.nanoTime() + MINUTE));
        last = held(opened, first.free());
        System.out.printf("%5.1f min: %d programs, %s%n", minutes(), programs, last);
      } while (System.nanoTime() < end);
      requireFlat(first, last, nanos < 5 * MINUTE ? WARMING_PROCESS_SLACK : PROCESS_SLACK);
      require(
          last.pinned() <= opened.devices().size() * PINNED_MOST,
          "what is pinned is for staging: " + last);
    }
    try (Machine.Opened again = machine.openPair(driver -> driver)) {
      Held after = held(again, last.free());
      System.out.printf("opened again: %s%n", after);
      require(after.pinned() == 0, "nothing is pinned: " + after);
      require(after.free() >= last.free() - DEVICE_SLACK, "device memory came back: " + after);
    }
    counts.forEach((name, count) -> System.out.printf("%,12d %s%n", count, name));
    System.out.printf(
        "%d programs, %,d operations, in %.1f minutes: every result right, nothing grown%n",
        programs, counts.values().stream().mapToLong(Long::longValue).sum(), minutes());
  }

  private double minutes() {
    return (System.nanoTime() - begin) / (double) MINUTE;
  }

  private void programs(Machine.Opened opened, long until) {
    do {
      program(opened);
      if (machine.isVirtual()) {
        try (Machine.Opened seeded =
            new Machine("virtual:h200,seed=" + seed).openPair(driver -> driver)) {
          program(seeded);
        }
      }
    } while (System.nanoTime() < until);
  }

  private void program(Machine.Opened opened) {
    List<Device> devices = opened.devices().stream().limit(2).toList();
    DriverDevice library = opened.otherLibrary();
    new SoakProgram(devices, library, seed, counts).run(OPERATIONS);
    seed++;
    programs++;
  }

  /**
   * {@return what is held now}
   *
   * @param free of how many bytes of device memory it is known that they can be free
   */
  private static Held held(Machine.Opened opened, long free) {
    opened.devices().forEach(Device::await);
    long pinned = -1;
    long before;
    do { // releases go on behind the program's back for a moment
      before = pinned;
      for (int i = 0; i < 50; i++) {
        opened.settle();
      }
      pinned = opened.devices().stream().mapToLong(device -> device.pinned().usedBytes()).sum();
    } while (pinned != before);
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    trim();
    // What a pool keeps is free to this process alone; another run that looks now would miss it.
    opened.devices().forEach(device -> device.memoryPool().trimTo(0));
    Runtime runtime = Runtime.getRuntime();
    return new Held(
        runtime.totalMemory() - runtime.freeMemory(),
        SoakTest.residentOutsideTheHeap() - (opened.device().isVirtual() ? pinned : 0),
        pinned,
        FreeMemory.soon(
            () -> opened.devices().stream().mapToLong(Device::freeBytes).sum(),
            free,
            opened.device().isVirtual() ? Duration.ZERO : PATIENCE),
        SoakThreads.now(),
        opened.device().isVirtual() ? ", " + opened.live() : "");
  }

  /** Has the C library give back what it keeps of freed memory, of which virtual devices' is. */
  @SuppressWarnings("restricted")
  private static void trim() {
    Linker linker = Linker.nativeLinker();
    linker
        .defaultLookup()
        .find("malloc_trim")
        .ifPresent(
            address -> {
              try {
                int _ =
                    (int)
                        linker
                            .downcallHandle(
                                address,
                                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG))
                            .invokeExact(0L);
              } catch (Throwable e) {
                throw new AssertionError(e);
              }
            });
  }

  private static void requireFlat(Held first, Held last, long processSlack) {
    String figures = "%n%s at first,%n%s at last".formatted(first, last);
    require(last.heap() < first.heap() + HEAP_SLACK, "the heap stays flat: " + figures);
    require(
        last.process() < first.process() + processSlack, "memory outside of it does: " + figures);
    require(last.free() > first.free() - DEVICE_SLACK, "device memory does: " + figures);
    List<String> grown = last.threads().grownSince(first.threads());
    require(grown.isEmpty(), "threads do, but for " + grown + ": " + figures);
  }

  private static void require(boolean held, String what) {
    if (!held) {
      throw new AssertionError("not so: " + what);
    }
  }
}
