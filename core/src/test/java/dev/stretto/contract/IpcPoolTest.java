package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.IpcArena;
import dev.stretto.IpcEvent;
import dev.stretto.LimitedPool;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.NoSharingException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.ProcessGoneException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processes use memory out of a pool of one of them, whoever ends first. */
class IpcPoolTest extends ContractTest {
  private static final int INTS = 1_000;
  private static final long PIECE = 64L << 20;

  /** The JVM opens a few files when it likes. */
  private static final int SLACK = 8;

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
  void anotherProcessReadsWhatLiesInAPoolOfThisOne() throws IOException {
    LimitedPool pool = arena.memoryPool(PIECE);
    IpcEvent filled = arena.event();
    other.ask("openEvent " + OtherProcess.hex(arena.handle(filled)));
    for (int i = 1; i <= 5; i++) {
      GlobalInts array = stream.allocateInts(pool, INTS);
      stream.fill(array, i);
      stream.record(filled);
      byte[] handle = arena.handle(array);
      assertThat(arena.handle(array)).isEqualTo(handle);
      assertThat(other.ask("open " + OtherProcess.hex(handle))).isEqualTo("1000 ints");
      assertThat(other.ask("sum")).isEqualTo(Integer.toString(1_000 * i));
      assertThat(other.ask("close")).isEqualTo("closed");
      array.close();
    }
    pool.close();
  }

  @Test
  void thisProcessReadsAndWritesWhatLiesInAPoolOfAnother() throws IOException {
    IpcEvent filled = arena.openEvent(other.askForHandle("event"));
    List<GlobalInts> arrays = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      arrays.add(arena.open(other.askForHandle("allocatePooled " + INTS), GlobalInts::of));
      assertThat(other.ask("fill " + i)).isEqualTo("recorded " + i);
    }
    stream.waitFor(filled);
    for (int i = 1; i <= 5; i++) {
      assertThat(sum(arrays.get(i - 1))).isEqualTo(1_000L * i);
    }
    stream.fill(arrays.getLast(), 9).await();
    assertThat(other.ask("read")).isEqualTo("9000");
  }

  @Test
  void anArrayIsFreedAfterTheLastProcessHasClosedIt() throws Exception {
    other.askForHandle("event"); // it has begun
    long free = device.freeBytes();
    LimitedPool pool = arena.memoryPool(PIECE);
    GlobalInts array = stream.allocateInts(pool, 8 << 20);
    stream.fill(array, 6).await();
    other.ask("open " + OtherProcess.hex(arena.handle(array)));
    array.close();
    pool.close();
    stream.await();
    Thread.sleep(50);
    assertThat(other.ask("read")).isEqualTo(Long.toString(6L * (8 << 20)));
    other.ask("close");
    eventually("the memory is free", () -> device.freeBytes() >= free - PIECE / 4);
  }

  @Test
  void itsPoolHasTheMemoryBackWhenTheOthersHaveClosedIt() throws Exception {
    LimitedPool pool = arena.memoryPool(PIECE);
    GlobalInts array = stream.allocateInts(pool, 1 << 20);
    other.ask("open " + OtherProcess.hex(arena.handle(array)));
    array.close();
    stream.await();
    Thread.sleep(50);
    assertThat(pool.use().usedBytes()).isGreaterThanOrEqualTo(4L << 20);
    other.ask("close");
    eventually(
        "the array is freed",
        () -> {
          stream.await();
          return pool.use().usedBytes() == 0;
        });
  }

  @Test
  void whatAKilledProcessHadOpenedIsFreed() throws Exception {
    LimitedPool pool = arena.memoryPool(PIECE);
    GlobalInts array = stream.allocateInts(pool, 1 << 20);
    other.ask("open " + OtherProcess.hex(arena.handle(array)));
    array.close();
    other.kill();
    eventually(
        "the array is freed",
        () -> {
          stream.await();
          return pool.use().usedBytes() == 0;
        });
  }

  @Test
  void theMemoryOfAKilledProcessCanStillBeRead() throws Exception {
    GlobalInts array = arena.open(other.askForHandle("allocatePooled " + INTS), GlobalInts::of);
    IpcEvent filled = arena.openEvent(other.askForHandle("event"));
    byte[] second = other.askForHandle("allocatePooled " + INTS);
    GlobalInts again = arena.open(second, GlobalInts::of);
    other.ask("fill 7");
    stream.waitFor(filled);
    assertThat(sum(again)).isEqualTo(7_000);
    other.kill();
    assertThat(sum(again)).isEqualTo(7_000);
    stream.waitFor(filled, 2);
    var copy = stream.copy(array, device.pinnedArena().allocate(4 * INTS, 64));
    assertThatThrownBy(copy::await).isInstanceOf(ProcessGoneException.class);
    assertThatThrownBy(() -> arena.open(second, GlobalInts::of))
        .isInstanceOf(ProcessGoneException.class);
    array.close();
    again.close();
  }

  @Test
  void arraysOutliveTheirPoolForOthersToo() throws Exception {
    byte[] handle = other.askForHandle("allocatePooled " + INTS);
    other.askForHandle("event");
    other.ask("fill 3");
    assertThat(other.ask("read")).isEqualTo("3000");
    other.ask("closePool");
    GlobalInts array = arena.open(handle, GlobalInts::of);
    assertThat(sum(array)).isEqualTo(3_000);
    other.ask("close");
    assertThat(sum(array)).isEqualTo(3_000);
    array.close();
    assertThatThrownBy(() -> arena.open(handle, GlobalInts::of))
        .isInstanceOf(ProcessGoneException.class)
        .hasMessageContaining("has closed it");
  }

  @Test
  void aClosedArenaClosesWhatItHasOpenedAndMade() throws Exception {
    LimitedPool pool = arena.memoryPool(PIECE);
    GlobalInts own = stream.allocateInts(pool, INTS);
    GlobalInts theirs = arena.open(other.askForHandle("allocatePooled " + INTS), GlobalInts::of);
    arena.close();
    assertThat(theirs.isOpen()).isFalse();
    assertThat(pool.isOpen()).isFalse();
    assertThat(own.isOpen()).isTrue();
    assertThatThrownBy(() -> arena.memoryPool(PIECE)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> arena.handle(own)).isInstanceOf(IllegalArgumentException.class);
    own.close();
  }

  @Test
  void whatIsWrongIsSaidBeforeAnythingIsOpened() throws Exception {
    LimitedPool pool = arena.memoryPool(PIECE);
    GlobalInts array = stream.allocateInts(pool, INTS);
    byte[] handle = arena.handle(array);
    assertThatThrownBy(() -> arena.open(handle, GlobalInts::of))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("this process");
    assertThatThrownBy(() -> arena.openEvent(handle))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memory of a pool");
    assertThatThrownBy(() -> arena.handle(array.slice(1, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("slice");
    assertThatThrownBy(() -> device.ipcArena().handle(array))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("arena.memoryPool");
    try (LimitedPool unshared = device.memoryPool(PIECE);
        GlobalInts alone = stream.allocateInts(unshared, INTS)) {
      assertThatThrownBy(() -> arena.handle(alone)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> arena.memoryPool(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> arena.memoryPool(Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("are possible");
    assertThatThrownBy(() -> stream.allocateBytes(pool, 2 * PIECE))
        .isInstanceOf(OutOfDeviceMemoryException.class);
    byte[] theirs = other.askForHandle("allocatePooled 3");
    assertThatThrownBy(() -> arena.open(theirs, GlobalLongs::of))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("12 bytes");
    for (int i = 0; i < theirs.length; i += 5) {
      byte[] changed = theirs.clone();
      changed[i] ^= 1;
      assertThatThrownBy(() -> arena.open(changed, GlobalBytes::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no handle");
    }
    GlobalInts opened = arena.open(theirs, GlobalInts::of);
    assertThatThrownBy(() -> stream.free(opened)).isInstanceOf(IllegalArgumentException.class);
    array.close();
    assertThatThrownBy(() -> arena.handle(array)).isInstanceOf(ClosedException.class);
  }

  @Test
  void aVirtualDeviceHasNoHandlesOfCuda() {
    assumeTrue(machine.isVirtual());
    GlobalInts array = arena.allocate(4 * INTS, GlobalInts::of);
    assertThatThrownBy(() -> arena.cudaHandle(array))
        .isInstanceOf(NoSharingException.class)
        .hasMessageContaining("only a GPU has");
    assertThatThrownBy(() -> arena.openCuda(new byte[64], 4, GlobalInts::of))
        .isInstanceOf(NoSharingException.class);
    assertThatThrownBy(arena::cudaEvent).isInstanceOf(NoSharingException.class);
    assertThatThrownBy(() -> arena.openCudaEvent(new byte[64]))
        .isInstanceOf(NoSharingException.class);
  }

  @Test
  void noDescriptorIsLeft() throws Exception {
    for (int i = 0; i < 5; i++) {
      openAndClose();
    }
    long here = OtherProcess.descriptors();
    long there = Long.parseLong(other.ask("descriptors"));
    for (int i = 0; i < 20; i++) {
      openAndClose();
    }
    eventually(
        "they are closed here",
        () -> {
          stream.await();
          return OtherProcess.descriptors() <= here + SLACK;
        });
    eventually("they are closed there", () -> descriptorsThere() <= there + SLACK);
  }

  private long descriptorsThere() {
    try {
      return Long.parseLong(other.ask("descriptors"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void openAndClose() throws IOException {
    LimitedPool pool = arena.memoryPool(PIECE);
    GlobalInts array = stream.allocateInts(pool, INTS);
    other.ask("open " + OtherProcess.hex(arena.handle(array)));
    other.ask("close");
    array.close();
    pool.close();
    stream.await();
    GlobalInts theirs = arena.open(other.askForHandle("allocatePooled " + INTS), GlobalInts::of);
    theirs.close();
    other.ask("close");
  }
}
