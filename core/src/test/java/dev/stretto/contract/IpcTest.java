package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.IpcArena;
import dev.stretto.IpcEvent;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.ProcessGoneException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processes use memory and events together, whoever ends first. */
class IpcTest extends ContractTest {
  private static final int INTS = 1_000;
  private static final long MUCH = 32 << 20;

  private OtherProcess other;
  private IpcArena arena;
  private Stream stream;

  @BeforeEach
  void start() throws IOException {
    other = OtherProcess.on(machine);
    arena = device.ipcArena();
    stream = device.stream();
  }

  @AfterEach
  void end() {
    other.close();
  }

  private long sum(GlobalInts array) {
    MemorySegment host = device.pinnedArena().allocate(array.byteSize(), 64);
    stream.copy(array, host).await();
    long sum = 0;
    for (int i = 0; i < array.length(); i++) {
      sum += host.getAtIndex(ValueLayout.JAVA_INT, i);
    }
    return sum;
  }

  @Test
  void anotherProcessReadsWhatThisOneHasWrittenBeforeARecording() throws IOException {
    GlobalInts array = arena.allocate(4 * INTS, GlobalInts::of);
    IpcEvent filled = arena.event();
    stream.fill(array, 3);
    assertThat(stream.record(filled)).isEqualTo(1);
    assertThat(other.ask("open " + OtherProcess.hex(arena.handle(array)))).isEqualTo("1000 ints");
    assertThat(other.ask("openEvent " + OtherProcess.hex(arena.handle(filled))))
        .isEqualTo("opened");
    assertThat(other.ask("sum")).isEqualTo("3000");
    stream.fill(array, 4);
    assertThat(stream.record(filled)).isEqualTo(2);
    assertThat(other.ask("sum")).isEqualTo("4000");
  }

  @Test
  void whatIsStagedIsThereToo() throws IOException {
    GlobalInts array = arena.allocate(4 * INTS, GlobalInts::of);
    IpcEvent filled = arena.event();
    int[] ones = new int[INTS];
    java.util.Arrays.fill(ones, 1);
    stream.copy(MemorySegment.ofArray(ones), array);
    stream.record(filled);
    other.ask("open " + OtherProcess.hex(arena.handle(array)));
    other.ask("openEvent " + OtherProcess.hex(arena.handle(filled)));
    assertThat(other.ask("sum")).isEqualTo("1000");
  }

  @Test
  void thisProcessReadsWhatAnotherOneHasWritten() throws IOException {
    GlobalInts array = arena.open(other.askForHandle("allocate " + INTS), GlobalInts::of);
    IpcEvent filled = arena.openEvent(other.askForHandle("event"));
    assertThat(other.ask("fill 5")).isEqualTo("recorded 1");
    stream.waitFor(filled);
    assertThat(sum(array)).isEqualTo(5_000);
    assertThat(filled.recorded()).isEqualTo(1);
    assertThat(filled.happened()).isEqualTo(1);
  }

  @Test
  void manyHandOversAreEnqueuedAheadByBoth() throws IOException {
    int rounds = machine.isVirtual() ? 100 : 10_000;
    GlobalInts array = arena.allocate(4 * INTS, GlobalInts::of);
    IpcEvent filled = arena.event();
    other.ask("open " + OtherProcess.hex(arena.handle(array)));
    other.ask("openEvent " + OtherProcess.hex(arena.handle(filled)));
    IpcEvent emptied = arena.openEvent(other.askForHandle("event"));
    Thread filling =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int round = 0; round < rounds; round++) {
                    stream.waitFor(emptied, round);
                    stream.fill(array, round + 7);
                    stream.record(filled);
                    if (round % 32 == 31) {
                      stream.await();
                    }
                  }
                });
    assertThat(other.ask("answer " + rounds)).isEqualTo("all right");
    join(filling);
    stream.await();
    assertThat(filled.happened()).isEqualTo(rounds);
  }

  private static void join(Thread thread) {
    try {
      assertThat(thread.join(Duration.ofMinutes(1))).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aProcessThatIsKilledFailsTheNextWaitForItsWork() throws Exception {
    GlobalInts array = arena.open(other.askForHandle("allocate " + INTS), GlobalInts::of);
    IpcEvent filled = arena.openEvent(other.askForHandle("event"));
    stream.waitFor(filled, 1); // which is never recorded
    var copy = stream.copy(array, device.pinnedArena().allocate(4 * INTS, 64));
    assertThat(copy.await(Duration.ofMillis(100))).isFalse();
    other.kill();
    assertThatThrownBy(copy::await)
        .isInstanceOf(ProcessGoneException.class)
        .hasMessageContaining("has ended");
    assertThat(sum(array)).isNotNegative(); // it can be read all the same
  }

  @Test
  void anEndedWaitOfAnotherStreamFailsToo() throws Exception {
    IpcEvent filled = arena.openEvent(other.askForHandle("event"));
    stream.waitFor(filled, 1);
    Stream second = device.stream();
    second.waitFor(stream.record());
    var done = second.record();
    other.kill();
    assertThatThrownBy(done::await).isInstanceOf(ProcessGoneException.class);
  }

  @Test
  void aWaitEndsWhenItsEventIsClosedAndWhatHadHappenedStaysTrue() throws Exception {
    GlobalInts array = arena.open(other.askForHandle("allocate " + INTS), GlobalInts::of);
    IpcEvent filled = arena.openEvent(other.askForHandle("event"));
    other.ask("fill 4");
    stream.waitFor(filled, 1);
    var first = stream.copy(array, device.pinnedArena().allocate(4 * INTS, 64));
    stream.waitFor(filled, 2);
    var second = stream.copy(array, device.pinnedArena().allocate(4 * INTS, 64));
    first.await();
    other.ask("closeEvent");
    assertThatThrownBy(second::await)
        .isInstanceOf(ProcessGoneException.class)
        .hasMessageContaining("closed the event");
    stream.waitFor(filled, 1);
    assertThat(sum(array)).isEqualTo(4_000);
  }

  @Test
  void anEarlyWaitIsNotForgottenForALaterOne() throws Exception {
    GlobalInts array = arena.open(other.askForHandle("allocate " + INTS), GlobalInts::of);
    IpcEvent filled = arena.openEvent(other.askForHandle("event"));
    stream.waitFor(filled, 1);
    var first = stream.copy(array, device.pinnedArena().allocate(4 * INTS, 64));
    stream.waitFor(filled, 2);
    stream.copy(array, device.pinnedArena().allocate(4 * INTS, 64));
    other.kill();
    assertThatThrownBy(first::await).isInstanceOf(ProcessGoneException.class);
  }

  @Test
  void afterItsEndNothingOfAProcessCanBeOpened() throws Exception {
    byte[] memory = other.askForHandle("allocate " + INTS);
    byte[] event = other.askForHandle("event");
    other.kill();
    assertThatThrownBy(() -> arena.open(memory, GlobalInts::of))
        .isInstanceOf(ProcessGoneException.class)
        .hasMessageContaining("cannot be reached");
    assertThatThrownBy(() -> arena.openEvent(event)).isInstanceOf(ProcessGoneException.class);
  }

  @Test
  void memoryIsFreedAfterTheLastProcessHasClosedIt() throws Exception {
    other.askForHandle("event"); // it has begun
    long free = device.freeBytes();
    GlobalInts array = arena.allocate(MUCH, GlobalInts::of);
    requireTaken(free);
    other.ask("open " + OtherProcess.hex(arena.handle(array)));
    stream.fill(array, 6).await();
    array.close();
    Thread.sleep(100);
    requireTaken(free);
    assertThat(other.ask("read")).isEqualTo(Long.toString(6 * MUCH / 4));
    other.ask("close");
    awaitFree(free);
  }

  @Test
  void whatAKilledProcessHadOpenedIsGivenBack() throws Exception {
    other.askForHandle("event");
    long free = device.freeBytes();
    GlobalInts array = arena.allocate(MUCH, GlobalInts::of);
    other.ask("open " + OtherProcess.hex(arena.handle(array)));
    array.close();
    requireTaken(free);
    other.kill();
    awaitFree(free);
  }

  private void requireTaken(long before) {
    assertThat(device.freeBytes()).isLessThanOrEqualTo(before - MUCH + MUCH / 4);
  }

  /** Drivers keep a few mebibytes for other things. */
  private void awaitFree(long before) throws InterruptedException {
    long least = before - MUCH / 4;
    for (int i = 0; i < 1_000 && device.freeBytes() < least; i++) {
      Thread.sleep(10);
    }
    assertThat(device.freeBytes()).isGreaterThanOrEqualTo(least);
  }

  @Test
  void aClosedArrayCannotBeOpenedAnyMore() throws Exception {
    byte[] memory = other.askForHandle("allocate " + INTS);
    other.ask("close");
    assertThatThrownBy(() -> arena.open(memory, GlobalInts::of))
        .isInstanceOf(ProcessGoneException.class)
        .hasMessageContaining("has closed it");
  }

  @Test
  void whatIsWrongWithAHandleIsSaidBeforeAnythingIsOpened() throws Exception {
    GlobalInts own = arena.allocate(4 * INTS, GlobalInts::of);
    byte[] memory = arena.handle(own);
    IpcEvent ownEvent = arena.event();
    assertThatThrownBy(() -> arena.open(memory, GlobalInts::of))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("this process");
    assertThatThrownBy(() -> arena.open(arena.handle(ownEvent), GlobalInts::of))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an event");
    byte[] theirs = other.askForHandle("allocate 3");
    assertThatThrownBy(() -> arena.open(theirs, dev.stretto.memory.GlobalLongs::of))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("12 bytes");
    for (int i = 0; i < theirs.length; i += 7) {
      byte[] changed = theirs.clone();
      changed[i] ^= 1;
      assertThatThrownBy(() -> arena.open(changed, GlobalBytes::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no handle");
    }
    assertThatThrownBy(() -> arena.open(new byte[64], GlobalBytes::of))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> arena.handle(own.slice(1, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("slice");
    assertThatThrownBy(() -> arena.handle(device.allocateInts(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("arena.allocate");
    assertThatThrownBy(() -> arena.allocate(6, GlobalFloats::of))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> arena.allocate(0, GlobalFloats::of))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlyItsOwnProcessRecordsAnEvent() throws Exception {
    IpcEvent theirs = arena.openEvent(other.askForHandle("event"));
    assertThatThrownBy(() -> stream.record(theirs))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("recorded by that process");
    assertThatThrownBy(() -> stream.waitFor(theirs, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> arena.handle(theirs)).isInstanceOf(IllegalArgumentException.class);
    theirs.close();
    assertThatThrownBy(() -> stream.waitFor(theirs)).isInstanceOf(ClosedException.class);
  }

  @Test
  void recordingsOnSeveralStreamsHappenInTheirOrder() throws Exception {
    GlobalInts array = arena.allocate(4 * INTS, GlobalInts::of);
    IpcEvent filled = arena.event();
    other.ask("open " + OtherProcess.hex(arena.handle(array)));
    other.ask("openEvent " + OtherProcess.hex(arena.handle(filled)));
    for (int i = 0; i < 20; i++) {
      stream.fill(array, i);
      stream.record(filled);
      Stream second = device.stream();
      assertThat(second.record(filled)).isEqualTo(2 * i + 2);
      assertThat(other.ask("sum")).isEqualTo(Integer.toString(INTS * i));
      second.close();
    }
  }

  @Test
  void aClosedArenaClosesAll() throws Exception {
    GlobalInts array = arena.allocate(4 * INTS, GlobalInts::of);
    IpcEvent event = arena.event();
    GlobalInts theirs = arena.open(other.askForHandle("allocate " + INTS), GlobalInts::of);
    arena.close();
    arena.close();
    assertThat(array.isOpen()).isFalse();
    assertThat(theirs.isOpen()).isFalse();
    assertThatThrownBy(event::recorded).isInstanceOf(ClosedException.class);
    assertThatThrownBy(arena::event).isInstanceOf(ClosedException.class);
  }
}
