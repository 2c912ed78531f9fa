package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Registration;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * That long use needs no more memory than short use: on the Java heap, in the process, pinned, and
 * on the device. The long versions have the tag {@code soak}; the system properties {@code
 * stretto.soak.operations}, {@code stretto.soak.rounds} and {@code stretto.soak.devices} say how
 * long they are.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SoakTest extends ContractTest {
  private static final long OPERATIONS = Long.getLong("stretto.soak.operations", 10_000_000);
  private static final long ROUNDS = Long.getLong("stretto.soak.rounds", 100_000);

  /**
   * At most so many rounds of opening a device on a GPU, which takes about 0.1 s to make a primary
   * context and to take it down again: a hundred thousand would take hours.
   */
  private static final long DEVICES = Long.getLong("stretto.soak.devices", 1_000);

  private static final long HEAP_SLACK = 4 << 20;
  private static final long DEVICE_SLACK = 8 << 20;
  private static final long PROCESS_SLACK = 64 << 20;

  /** The JIT and the allocator's arenas still grow while a short run is measured. */
  private static final long WARMING_PROCESS_SLACK = 256 << 20;

  private static final Pattern MAPPING = Pattern.compile("([0-9a-f]+)-[0-9a-f]+ ");
  private static final Pattern ADDRESS = Pattern.compile("0x([0-9a-f]{8,})");

  @Test
  void aHundredThousandSmallOperationsLeaveNothingBehind() {
    operations(100_000, WARMING_PROCESS_SLACK);
  }

  @Test
  @Soak
  void tenMillionSmallOperationsLeaveNothingBehind() {
    operations(OPERATIONS, PROCESS_SLACK);
  }

  @Test
  void aThousandRoundsOfOpeningAndClosingEverythingLeaveNothingBehind() {
    rounds(1_000, WARMING_PROCESS_SLACK);
  }

  @Test
  @Soak
  void aHundredThousandRoundsOfOpeningAndClosingEverythingLeaveNothingBehind() {
    rounds(ROUNDS, PROCESS_SLACK);
  }

  @Test
  void randomProgramsOfEveryOperationLeaveNothingBehind() {
    if (!machine.isSeeded()) {
      SoakRun.run(machine, 1, Sample.of(2, 6) * 1_000_000_000L);
    }
  }

  @Test
  @Soak
  void halfAnHourOfRandomProgramsOfEveryOperationLeavesNothingBehind() {
    if (!machine.isSeeded()) {
      SoakRun.run(machine, System.nanoTime() % 1_000_000, 30 * 60_000_000_000L);
    }
  }

  @Test
  void roundsOfOpeningAndClosingADeviceLeaveNothingBehind() {
    devices(Sample.of(300, 1_000), WARMING_PROCESS_SLACK);
  }

  @Test
  @Soak
  void manyRoundsOfOpeningAndClosingADeviceLeaveNothingBehind() {
    devices(machine.isVirtual() ? ROUNDS : Math.min(ROUNDS, DEVICES), PROCESS_SLACK);
  }

  private void operations(long count, long processSlack) {
    if (machine.isSeeded()) {
      return; // a schedule makes no difference to what is kept
    }
    try (Stream one = device.stream();
        Stream two = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalInts array = device.allocateInts(1024)) {
      MemorySegment host = pinned.allocate(4096);
      int[] heap = new int[16];
      Launch launch = device.prepare(Grid.of(1, 32), Kernels.ADD, array, 1, 32);
      one.copy(MemorySegment.ofArray(heap), array.slice(32, 16)).await();
      // Staging pins more buffers when copies have to wait for one, and how soon they do depends on
      // the machine's load: it has to make do with what it has.
      device.pinnedBudget(device.pinned().usedBytes());
      soak(
          count,
          processSlack,
          i -> {
            switch ((int) (i % 10)) {
              case 0 -> one.copy(host.asSlice(0, 64), array.slice(0, 16));
              case 1 -> one.copy(array.slice(0, 16), host.asSlice(64, 64));
              case 2 -> one.launch(Grid.of(1, 32), Kernels.ADD, array, 1, 32);
              case 3 -> two.waitFor(one.record());
              case 4 -> two.launch(launch.set(1, (int) i));
              case 5 -> two.fill(array.slice(0, 8), 1);
              case 6 -> two.copy(array.slice(0, 16), array.slice(16, 16));
              case 7 -> one.waitFor(two.record());
              case 8 -> one.copy(MemorySegment.ofArray(heap), array.slice(32, 16));
              default -> {
                try (TimedEvent event = one.recordTimed()) {
                  two.waitFor(event);
                }
              }
            }
            if (i % 1000 == 999) {
              device.await();
            }
          });
    }
  }

  private void rounds(long count, long processSlack) {
    if (machine.isSeeded()) {
      return;
    }
    try (Stream used = device.stream();
        GlobalInts array = device.allocateInts(1024)) {
      soak(
          count,
          processSlack,
          i -> {
            Stream stream = device.stream();
            GlobalInts mine = device.allocateInts(1024);
            PinnedArena pinned = device.pinnedArena();
            Arena arena = Arena.ofShared();
            MemorySegment host = pinned.allocate(4096);
            MemorySegment plain = arena.allocate(4096, 4096);
            Registration registration = device.register(plain, arena);
            TimedEvent event = stream.recordTimed();
            stream.copy(host, mine);
            used.waitFor(event);
            used.copy(plain, array);
            stream.close();
            mine.close();
            pinned.close();
            event.close();
            registration.close();
            arena.close(); // awaits that the memory is unpinned
            if (i % 100 == 99) {
              device.await();
            }
          });
    }
  }

  private void devices(long count, long processSlack) {
    if (machine.isSeeded()) {
      return;
    }
    soak(
        count,
        processSlack,
        i -> {
          try (Machine.Opened again = machine.open()) {
            again.device().pinnedBudget(5 << 20); // pinning would take most of the time
            try (Stream stream = again.device().stream();
                GlobalInts array = again.device().allocateInts(100)) {
              stream.fill(array, (int) i);
              stream.copy(array, new int[100]);
            }
          }
        });
  }

  /**
   * Repeats something, and compares what is held after a tenth of it with what is held at its end.
   */
  private void soak(long count, long processSlack, LongConsumer body) {
    for (long i = 0; i < count / 10; i++) {
      body.accept(i);
    }
    Held before = held();
    for (long i = count / 10; i < count; i++) {
      body.accept(i);
    }
    Held after = held();
    assertThat(after.heap()).as("heap after %s", before).isLessThan(before.heap() + HEAP_SLACK);
    assertThat(after.process())
        .as("resident memory outside the heap after %s", before)
        .isLessThan(before.process() + processSlack);
    assertThat(after.pinned()).as("pinned after %s", before).isEqualTo(before.pinned());
    // A driver takes its own memory in steps of two mebibytes, now and then.
    assertThat(after.free())
        .as("free device memory after %s", before)
        .isGreaterThan(before.free() - DEVICE_SLACK);
    assertThat(after.live()).as("live objects").isEqualTo(before.live());
    assertThat(after.threads().grownSince(before.threads()))
        .as("kinds of threads that have grown beyond their pools")
        .isEmpty();
  }

  private record Held(
      long heap, long process, long pinned, long free, String live, SoakThreads threads) {}

  private String varying() {
    return machine.keptStreams() == 0 ? "(pinned|events)=\\d+" : "(pinned|events|streams)=\\d+";
  }

  private Held held() {
    device.await();
    long pinned = awaitStable();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return new Held(
        runtime.totalMemory() - runtime.freeMemory(),
        residentOutsideTheHeap(),
        pinned,
        device.freeBytes(),
        machine.isVirtual() ? opened.live().toString().replaceAll(varying(), "") : "",
        SoakThreads.now());
  }

  /** Releases go on behind the program's back for a moment. */
  private long awaitStable() {
    Device now = device;
    long last = -1;
    for (int same = 0; same < 5; ) {
      long used = now.pinned().usedBytes();
      same = used == last ? same + 1 : 0;
      last = used;
      opened.settle();
    }
    return last;
  }

  /**
   * {@return what of the process is in memory, without the Java heap, which is looked at by itself}
   */
  static long residentOutsideTheHeap() {
    long[] heap = heapAddresses();
    long kibibytes = 0;
    boolean outside = true;
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
        Matcher mapping = MAPPING.matcher(line);
        if (mapping.lookingAt()) {
          long begin = Long.parseUnsignedLong(mapping.group(1), 16);
          outside = begin < heap[0] || begin >= heap[1];
        } else if (outside && line.startsWith("Rss:")) {
          kibibytes += Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return kibibytes * 1024;
  }

  /** {@return the first address of the heap and the one behind its last, as the JVM tells them} */
  private static long[] heapAddresses() {
    try {
      String info =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "gcHeapInfo",
                      null,
                      null);
      long[] addresses =
          ADDRESS
              .matcher(info.lines().filter(l -> !l.contains("etaspace")).toList().toString())
              .results()
              .mapToLong(found -> Long.parseUnsignedLong(found.group(1), 16))
              .sorted()
              .toArray();
      return new long[] {addresses[0], addresses[addresses.length - 1]};
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }
}
