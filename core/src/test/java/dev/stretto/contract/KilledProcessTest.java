package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Awaitable;
import dev.stretto.IpcArena;
import dev.stretto.IpcEvent;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.fault.ProcessGoneException;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Of two processes that hand work over to each other all the time, one is killed at any moment:
 * what the other one has been told is right, or it gets an exception, and nothing is left behind.
 */
class KilledProcessTest extends ContractTest {
  private static final int TRIALS = Sample.of("stretto.killed", 1, 3);
  private static final int INTS = 100_000;
  private static final int MOST_ROUNDS = 1_000_000;

  private final SplittableRandom random = new SplittableRandom(42);

  private void eachTrial(Trial trial) throws Exception {
    for (int i = 0; i < TRIALS; i++) {
      int millis = 1 + random.nextInt(400);
      OtherProcess other = OtherProcess.on(machine);
      long files = files();
      try (IpcArena arena = device.ipcArena();
          Stream stream = device.stream()) {
        Thread killer =
            new Thread(
                () -> {
                  try {
                    Thread.sleep(millis);
                    other.kill();
                  } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                  }
                });
        long rounds = trial.run(arena, stream, other, killer);
        assertThat(rounds).as("killed after %d ms", millis).isNotNegative();
        killer.join();
      }
      awaitFiles(files, millis);
      assertThat(device.allocateInts(4).isOpen()).isTrue(); // the device goes on
    }
  }

  @FunctionalInterface
  private interface Trial {
    /** Hands over until the other one is killed; returns how often it did. */
    long run(IpcArena arena, Stream stream, OtherProcess other, Thread killer) throws IOException;
  }

  @Test
  void theOneThatSums() throws Exception {
    eachTrial(
        (arena, stream, other, killer) -> {
          GlobalInts array = arena.allocate(4 * INTS, GlobalInts::of);
          IpcEvent filled = arena.event();
          other.ask("open " + OtherProcess.hex(arena.handle(array)));
          other.ask("openEvent " + OtherProcess.hex(arena.handle(filled)));
          IpcEvent emptied = arena.openEvent(other.askForHandle("event"));
          other.tell("answer " + MOST_ROUNDS);
          killer.start();
          for (int round = 0; ; round++) {
            try {
              stream.waitFor(emptied, round);
              stream.fill(array, round + 7);
              stream.record(filled);
              requireDone(stream, emptied, round);
            } catch (ProcessGoneException e) {
              return round;
            }
          }
        });
  }

  @Test
  void theOneThatFills() throws Exception {
    MemorySegment host = device.pinnedArena().allocate(4 * INTS, 64);
    eachTrial(
        (arena, stream, other, killer) -> {
          GlobalInts array = arena.open(other.askForHandle("allocate " + INTS), GlobalInts::of);
          IpcEvent filled = arena.openEvent(other.askForHandle("event"));
          IpcEvent emptied = arena.event();
          other.ask("openEvent " + OtherProcess.hex(arena.handle(emptied)));
          other.tell("bring " + MOST_ROUNDS);
          killer.start();
          for (int round = 0; ; round++) {
            try {
              stream.waitFor(filled, round + 1);
              requireDone(stream.copy(array, host), filled, round + 1);
            } catch (ProcessGoneException e) {
              return round;
            }
            for (int i = 0; i < INTS; i += 97) {
              assertThat(host.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(round + 7);
            }
            stream.record(emptied);
          }
        });
  }

  @Test
  void theOneWhosePoolIsUsed() throws Exception {
    eachTrial(
        (arena, stream, other, killer) -> {
          killer.start();
          try {
            IpcEvent filled = arena.openEvent(other.askForHandle("event"));
            for (int round = 1; ; round++) {
              try (GlobalInts array =
                  arena.open(other.askForHandle("allocatePooled " + INTS), GlobalInts::of)) {
                other.ask("fill " + round);
                stream.waitFor(filled, round);
                int[] result = new int[INTS];
                stream.copy(array, result).await(Duration.ofSeconds(20));
                assertThat(result).containsOnly(round);
              }
              other.ask("close");
            }
          } catch (ProcessGoneException | IOException | OtherProcess.EndedError e) {
            return 1; // told by the memory, by the event or by the pipe
          }
        });
  }

  private static void requireDone(Awaitable work, IpcEvent event, long number) {
    assertThat(work.await(Duration.ofSeconds(20)))
        .as(
            () ->
                "recording %d of %d, %d have happened"
                    .formatted(number, event.recorded(), event.happened()))
        .isTrue();
  }

  /** What nobody had opened yet when its process was killed goes with the next that is shared. */
  private void awaitFiles(long files, int millis) throws Exception {
    for (int i = 0; i < 500 && files() > files; i++) {
      Thread.sleep(10);
      try (IpcArena next = device.ipcArena()) {
        var _ = next.event();
      }
    }
    assertThat(files()).as("killed after %d ms", millis).isLessThanOrEqualTo(files);
  }

  /** How many files of shared memory there are. */
  private static long files() throws IOException {
    long files = 0;
    for (Path folder :
        new Path[] {Path.of("/dev/shm"), Path.of(System.getProperty("java.io.tmpdir"))}) {
      if (Files.isDirectory(folder)) {
        try (var all = Files.list(folder)) {
          files +=
              all.filter(file -> file.getFileName().toString().startsWith("stretto-shared-"))
                  .count();
        }
      }
    }
    return files;
  }
}
