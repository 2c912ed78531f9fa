package dev.stretto.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Very many virtual threads, each of which copies in, launches, copies out, awaits and checks its
 * result, on a few streams. All of them wait at once; then the benchmark counts how often a carrier
 * was pinned, and compares the process's memory before and after.
 */
final class ManyThreads {
  private static final int STREAMS = 32;
  private static final int WORDS = 16;
  private static final long BYTES = 4L * WORDS;
  private static final long MAY_GROW = 64L << 20;

  private final Device device;
  private final Report report;
  private final int threads;
  private final int rounds;
  private final List<Stream> streams = new ArrayList<>();

  ManyThreads(Device device, Report report, int threads, int rounds) {
    this.device = device;
    this.report = report;
    this.threads = threads;
    this.rounds = rounds;
  }

  /** The memory of the process. */
  private record Memory(long resident, long heap, long onDevice, long pinned) {}

  /**
   * Runs all rounds.
   *
   * @return whether every result was right, no carrier was pinned, and memory did not grow
   */
  boolean run() {
    try (PinnedArena arena = device.pinnedArena();
        GlobalInts there = device.allocateInts((long) threads * WORDS)) {
      MemorySegment in = arena.allocate(threads * BYTES, BYTES);
      MemorySegment out = arena.allocate(threads * BYTES, BYTES);
      for (int i = 0; i < STREAMS; i++) {
        streams.add(device.stream());
      }
      loadClasses(in, out, there);
      boolean good = true;
      Memory first = null;
      // The first round loads classes that only many threads need; a thread that waits for a class
      // pins its carrier.
      for (int round = 0; round <= rounds; round++) {
        Memory before = memory();
        out.fill((byte) -1);
        long begin = System.nanoTime();
        Path recorded = Files.createTempFile("many-threads", ".jfr");
        int wrong;
        List<String> pins;
        try {
          wrong = round(in, out, there, recorded);
          pins = pins(recorded);
        } finally {
          Files.delete(recorded);
        }
        long nanos = System.nanoTime() - begin;
        Memory after = memory();
        tell(round, nanos, wrong, pins, before, after);
        good &= wrong == 0 && (pins.isEmpty() || round == 0);
        if (first == null) {
          first = after; // what the first round has created stays: compiled code, threads, slots
        } else {
          good &= isFlat(first, after);
        }
      }
      return good;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      streams.forEach(Stream::close);
    }
  }

  private int round(MemorySegment in, MemorySegment out, GlobalInts there, Path file)
      throws IOException {
    ConcurrentLinkedQueue<Throwable> troubles = new ConcurrentLinkedQueue<>();
    CountDownLatch over = new CountDownLatch(threads);
    try (Recording recording = new Recording()) {
      recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO);
      recording.start();
      for (int i = 0; i < threads; i++) {
        int number = i;
        Thread.ofVirtual()
            .name("many-threads")
            .start(
                () -> {
                  try {
                    work(number, in, out, there);
                  } catch (Throwable e) {
                    troubles.add(e);
                  } finally {
                    over.countDown();
                  }
                });
      }
      over.await();
      recording.stop();
      recording.dump(file);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    troubles.stream().limit(3).forEach(trouble -> report.error("many-threads", trouble.toString()));
    return troubles.size();
  }

  /**
   * Loads classes beforehand: the JDK pins a carrier while its thread waits for a class that
   * another thread loads.
   */
  private void loadClasses(MemorySegment in, MemorySegment out, GlobalInts there) {
    try {
      for (int i = 0; i < 2; i++) {
        Thread.startVirtualThread(() -> work(0, in, out, there)).join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void work(int number, MemorySegment in, MemorySegment out, GlobalInts there) {
    MemorySegment from = in.asSlice(number * BYTES, BYTES);
    MemorySegment to = out.asSlice(number * BYTES, BYTES);
    GlobalInts mine = there.slice((long) number * WORDS, WORDS);
    for (int i = 0; i < WORDS; i++) {
      from.setAtIndex(JAVA_INT, i, number ^ i << 24);
    }
    Stream stream = streams.get(number % STREAMS);
    stream.copy(from, mine);
    stream.launch(Grid.of(1, WORDS), ManyThreads::mix, mine, number);
    stream.copy(mine, to).await();
    for (int i = 0; i < WORDS; i++) {
      int found = to.getAtIndex(JAVA_INT, i);
      int expected = mixed(number ^ i << 24, number);
      if (found != expected) {
        throw new IllegalStateException(
            "word %d of thread %d is %08x, not %08x".formatted(i, number, found, expected));
      }
    }
  }

  @Kernel(maxThreads = WORDS)
  static void mix(ThreadBlock block, GlobalInts words, int number) {
    int i = block.threadIndexX();
    words.set(i, mixed(words.get(i), number));
  }

  private static int mixed(int word, int number) {
    return (word ^ word >>> 15) * 0x2c1b3c6d + number;
  }

  // --- counters
  // --------------------------------------------------------------------------------------------------------

  /** {@return the reason and the place of each pinning of a carrier} */
  private static List<String> pins(Path file) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
        .filter(ManyThreads::isOurs)
        .map(ManyThreads::describe)
        .toList();
  }

  private static String describe(RecordedEvent pinned) {
    String reason = pinned.hasField("pinnedReason") ? pinned.getString("pinnedReason") : "";
    List<RecordedFrame> frames =
        pinned.getStackTrace() == null ? List.of() : pinned.getStackTrace().getFrames();
    String place =
        frames.stream()
            .map(frame -> frame.getMethod().getType().getName() + ":" + frame.getLineNumber())
            .filter(frame -> frame.startsWith("dev.stretto."))
            .findFirst()
            .orElse("");
    return (reason + " at " + place).replaceAll("[^ -~]|[\"\\\\]", "_");
  }

  private static boolean isOurs(RecordedEvent event) {
    return event.getThread() == null || !event.getThread().getJavaName().startsWith("JFR");
  }

  private Memory memory() {
    device.await();
    long heap = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      LockSupport.parkNanos(
          100_000_000); // threads that have just ended are released in the meantime
      Runtime runtime = Runtime.getRuntime();
      heap = Math.min(heap, runtime.totalMemory() - runtime.freeMemory());
    }
    return new Memory(resident(), heap, device.freeBytes(), device.pinned().usedBytes());
  }

  private static long resident() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .findFirst()
              .orElse(0)
          << 10;
    } catch (IOException e) {
      return 0; // not on this system
    }
  }

  /** The heap may keep its pages, so resident memory may be as much as after the first round. */
  private static boolean isFlat(Memory first, Memory now) {
    return now.heap <= first.heap + MAY_GROW
        && now.resident <= first.resident + first.resident / 4 + MAY_GROW
        && now.onDevice >= first.onDevice
        && now.pinned <= first.pinned;
  }

  private void tell(
      int round, long nanos, int wrong, List<String> pins, Memory before, Memory after) {
    report.note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"many-threads\",\"round\":%d,\"threads\":%d,\"streams\":%d,\"seconds\":%.3f,"
                + "\"wrong\":%d,\"pinned\":%d,\"residentBytesBefore\":%d,\"residentBytesAfter\":%d,"
                + "\"heapBytesBefore\":%d,\"heapBytesAfter\":%d,\"freeDeviceBytesBefore\":%d,"
                + "\"freeDeviceBytesAfter\":%d%s}",
            round,
            threads,
            STREAMS,
            nanos * 1e-9,
            wrong,
            pins.size(),
            before.resident,
            after.resident,
            before.heap,
            after.heap,
            before.onDevice,
            after.onDevice,
            pins.isEmpty()
                ? ""
                : pins.stream()
                    .distinct()
                    .collect(Collectors.joining("\",\"", ",\"pinnedBy\":[\"", "\"]"))));
  }
}
