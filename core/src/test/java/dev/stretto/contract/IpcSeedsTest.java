package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.IpcArena;
import dev.stretto.IpcEvent;
import dev.stretto.LimitedPool;
import dev.stretto.PinnedArena;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Two processes hand work over to each other, each in many orders of its own. */
class IpcSeedsTest {
  private static final int SEEDS = Sample.of("stretto.seeds", 10, 200);
  private static final int INTS = 3_000;
  private static final int ROUNDS = 8;

  @Test
  void whatIsHandedOverIsComplete() throws IOException {
    try (OtherProcess other = OtherProcess.on(new Machine("virtual"))) {
      for (int seed = 1; seed <= SEEDS; seed++) {
        String name = "virtual:h200,order=checked,seed=";
        other.ask("machine " + name + (1_000 + seed));
        try (Device device = Device.open(name + seed);
            IpcArena arena = device.ipcArena();
            PinnedArena pinned = device.pinnedArena();
            Stream stream = device.stream()) {
          boolean isFilledHere = seed % 2 == 0;
          if (isFilledHere) {
            fill(arena, stream, other, name + seed);
          } else {
            sum(arena, stream, pinned, other, name + seed);
          }
        }
      }
    }
  }

  @Test
  void whatLiesInPoolsIsHandedOverAndFreedOnce() throws IOException {
    try (OtherProcess other = OtherProcess.on(new Machine("virtual"))) {
      for (int seed = 1; seed <= SEEDS; seed++) {
        String name = "virtual:h200,order=checked,seed=";
        other.ask("machine " + name + (2_000 + seed));
        try (Device device = Device.open(name + seed);
            IpcArena arena = device.ipcArena();
            Stream stream = device.stream();
            Stream second = device.stream()) {
          LimitedPool pool = arena.memoryPool(1 << 20);
          IpcEvent filled = arena.event();
          other.ask("openEvent " + OtherProcess.hex(arena.handle(filled)));
          for (int round = 1; round <= 3; round++) {
            GlobalInts array = stream.allocateInts(pool, INTS);
            second.waitFor(stream.record());
            second.fill(array, round);
            second.record(filled);
            other.ask("open " + OtherProcess.hex(arena.handle(array)));
            array.close(); // its free waits for the other process
            GlobalInts next = stream.allocateInts(pool, INTS);
            stream.fill(next, 99);
            second.await();
            assertThat(other.ask("sum"))
                .as("%s%d", name, seed)
                .isEqualTo(Integer.toString(INTS * round));
            next.close();
            other.ask("close");
          }
          stream.await();
          second.await();
        }
      }
    }
  }

  private static void fill(IpcArena arena, Stream stream, OtherProcess other, String name)
      throws IOException {
    GlobalInts array = arena.allocate(4 * INTS, GlobalInts::of);
    IpcEvent filled = arena.event();
    other.ask("open " + OtherProcess.hex(arena.handle(array)));
    other.ask("openEvent " + OtherProcess.hex(arena.handle(filled)));
    IpcEvent emptied = arena.openEvent(other.askForHandle("event"));
    for (int round = 0; round < ROUNDS; round++) {
      stream.waitFor(emptied, round);
      stream.fill(array, round + 7);
      stream.record(filled);
    }
    assertThat(other.ask("answer " + ROUNDS)).as(name).isEqualTo("all right");
    stream.await();
  }

  private static void sum(
      IpcArena arena, Stream stream, PinnedArena pinned, OtherProcess other, String name)
      throws IOException {
    GlobalInts array = arena.open(other.askForHandle("allocate " + INTS), GlobalInts::of);
    IpcEvent filled = arena.openEvent(other.askForHandle("event"));
    IpcEvent emptied = arena.event();
    other.ask("openEvent " + OtherProcess.hex(arena.handle(emptied)));
    MemorySegment[] hosts = new MemorySegment[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      hosts[round] = pinned.allocate(4 * INTS, 64);
      stream.waitFor(filled, round + 1);
      stream.copy(array, hosts[round]);
      stream.record(emptied);
    }
    assertThat(other.ask("bring " + ROUNDS)).as(name).isEqualTo("all right");
    stream.await();
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < INTS; i += 499) {
        assertThat(hosts[round].getAtIndex(ValueLayout.JAVA_INT, i))
            .as("%s, round %d", name, round)
            .isEqualTo(round + 7);
      }
    }
  }
}
