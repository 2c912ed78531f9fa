package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Event;
import dev.stretto.ForeignLibrary;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.driver.DriverDevice;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/**
 * Another library of the process, for tests: its streams, blocking or not, its events, its work.
 */
class ForeignLibraryTest extends ContractTest {
  private static final int N = 200_000;

  @Test
  void aBlockingStreamAndTheLegacyStreamWaitForEachOther() {
    try (ForeignLibrary library = ForeignLibrary.on(device);
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(N)) {
      MemorySegment results = pinned.allocate(20);
      long theirs = library.createStream();
      try (Stream blocking = device.adoptStream(theirs);
          Stream legacy = device.legacyStream()) {
        for (int i = 0; i < 20; i++) {
          Stream writer = i % 2 == 0 ? legacy : blocking;
          Stream reader = i % 2 == 0 ? blocking : legacy;
          writer.fill(array, (byte) i);
          reader.copy(array.slice(N - 1, 1), results.asSlice(i, 1));
        }
        legacy.await();
        blocking.await();
      }
      for (int i = 0; i < 20; i++) {
        assertThat(results.get(ValueLayout.JAVA_BYTE, i)).isEqualTo((byte) i);
      }
    }
  }

  @Test
  void awaitingTheLegacyStreamAwaitsWhatTheLibraryEnqueuedOnBlockingStreamsBefore() {
    try (ForeignLibrary library = ForeignLibrary.on(device);
        PinnedArena pinned = device.pinnedArena();
        Stream legacy = device.legacyStream()) {
      MemorySegment out = pinned.allocate(N);
      long memory = library.allocate(N);
      long[] theirs = {library.createStream(), library.createStream()};
      for (int i = 0; i < 10; i++) {
        library.fill(memory, i, N / 2, theirs[0]);
        library.copy(out.address(), memory, N / 2, theirs[0]);
        library.fill(memory + N / 2, i, N / 2, theirs[1]);
        library.copy(out.address() + N / 2, memory + N / 2, N / 2, theirs[1]);
        legacy.record().await();
        assertThat(read(out)).containsOnly((byte) i);
        out.fill((byte) 99);
      }
    }
  }

  @Test
  void whatTheLibraryAwaitsIsDone() {
    try (ForeignLibrary library = ForeignLibrary.on(device);
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(N)) {
      MemorySegment out = pinned.allocate(N);
      long theirs = library.createNonBlockingStream();
      try (Stream adopted = device.adoptStream(theirs);
          Stream legacy = device.legacyStream()) {
        adopted.fill(array, (byte) 3);
        adopted.copy(array, out);
        library.await(theirs);
        assertThat(read(out)).containsOnly(3);
        legacy.fill(array, (byte) 4);
        legacy.copy(array, out);
        library.await(DriverDevice.LEGACY_STREAM);
        assertThat(read(out)).containsOnly(4);
      }
    }
  }

  @Test
  void theirEventsAndOursAreWaitedForOnBothSides() {
    try (ForeignLibrary library = ForeignLibrary.on(device);
        PinnedArena pinned = device.pinnedArena();
        Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(N)) {
      MemorySegment out = pinned.allocate(N);
      long theirs = library.createNonBlockingStream();
      long event = library.createEvent();
      assertThat(library.isDone(event)).isTrue();
      for (int i = 0; i < 10; i++) {
        library.fill(array.address(), i, N, theirs);
        library.record(event, theirs);
        Event adopted = device.adoptEvent(event);
        stream.waitFor(adopted);
        stream.copy(array, out);
        library.record(event, stream.handle());
        library.waitFor(theirs, event);
        library.fill(array.address(), 99, N, theirs);
        stream.await();
        assertThat(read(out)).containsOnly((byte) i);
      }
      library.await(theirs);
      assertThat(library.isDone(event)).isTrue();
    }
  }

  @Test
  void closingGivesBackAllThatItHasMadeAndTheSecondTimeDoesNothing() {
    ForeignLibrary library = ForeignLibrary.on(device);
    long memory = library.allocate(N);
    long stream = library.createStream();
    library.record(library.createEvent(), stream);
    library.fill(memory, 1, N, stream);
    library.close();
    library.close();
    assertThatThrownBy(library::createStream).isInstanceOf(ClosedException.class);
    // Whether the driver still holds anything is looked at when the test closes the device.
  }

  @Test
  void theDeviceMayBeClosedBeforeTheLibrary() {
    ForeignLibrary library = ForeignLibrary.on(device);
    long memory = library.allocate(N);
    long stream = library.createStream();
    library.fill(memory, 1, N, stream);
    device.close();
    library.fill(memory, 2, N, stream);
    library.close();
  }

  @Test
  void whatTheDriverDoesNotKnowIsRefused() {
    try (ForeignLibrary library = ForeignLibrary.on(device)) {
      long stream = library.createStream();
      long memory = library.allocate(N);
      library.destroyStream(stream);
      assertThatThrownBy(() -> library.destroyStream(stream))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0x" + Long.toHexString(stream));
      assertThatThrownBy(() -> library.copy(memory, 4711, 1, DriverDevice.LEGACY_STREAM))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0x1267");
      if (machine.isVirtual()) { // CUDA takes handles on trust
        assertThatThrownBy(() -> library.fill(memory, 1, 1, 4711))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("0x1267");
      }
    }
  }
}
