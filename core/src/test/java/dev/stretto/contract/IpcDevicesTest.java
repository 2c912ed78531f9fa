package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Device;
import dev.stretto.IpcArena;
import dev.stretto.IpcEvent;
import dev.stretto.PeerAccess;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a process has on one device goes to another device of another process. */
class IpcDevicesTest extends ContractTest {
  private static final int INTS = 100_000;

  private OtherProcess process;
  private Device second;

  @Override
  Machine machine() {
    return machine.isVirtual()
        ? new Machine(
            machine.isSeeded() ? machine.name().replace("h200", "h200x2") : "virtual:h200x2")
        : machine;
  }

  @Override
  Machine.Opened opened() {
    return machine.isVirtual() ? machine().open() : machine.openPair(UnaryOperator.identity());
  }

  @BeforeEach
  void start() throws IOException {
    assumeTrue(opened.devices().size() > 1, "there is one device only");
    second = opened.devices().get(1);
    process = OtherProcess.on(machine());
  }

  @AfterEach
  void end() {
    if (process != null) {
      process.close();
    }
  }

  private void bring(String allocate, boolean isAccessFirst) throws IOException {
    try (IpcArena arena = device.ipcArena();
        Stream here = device.stream();
        Stream there = second.stream();
        GlobalInts copy = second.allocateInts(INTS)) {
      PeerAccess access = isAccessFirst ? second.enablePeerAccess(device) : null;
      GlobalInts theirs = arena.open(process.askForHandle(allocate + " " + INTS), GlobalInts::of);
      access = access == null ? second.enablePeerAccess(device) : access;
      IpcEvent filled = arena.openEvent(process.askForHandle("event"));
      for (int round = 1; round <= 3; round++) {
        process.ask("fill " + round);
        here.waitFor(filled);
        there.waitFor(here.record());
        there.copy(theirs, copy);
        int[] result = new int[INTS];
        there.copy(copy, result).await();
        assertThat(result).containsOnly(round);
      }
      access.close();
      theirs.close();
    }
  }

  @Test
  void memoryThatIsOpenedFirst() throws IOException {
    bring("allocate", false);
  }

  @Test
  void memoryThatIsOpenedLater() throws IOException {
    bring("allocate", true);
  }

  @Test
  void memoryOfAPoolThatIsOpenedFirst() throws IOException {
    bring("allocatePooled", false);
  }

  @Test
  void memoryOfAPoolThatIsOpenedLater() throws IOException {
    bring("allocatePooled", true);
  }
}
