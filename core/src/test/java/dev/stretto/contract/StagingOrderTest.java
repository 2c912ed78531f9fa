package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Copy;
import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.Registration;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * That ordinary host memory is read and written in the order of the streams, although host threads
 * do it on their own time.
 */
class StagingOrderTest extends ContractTest {
  private static final int SIZE = 3_000_001;

  @Test
  void aStagedCopyReadsWhatAnEarlierOneWroteIntoTheSameArray() {
    byte[] data = bytes(SIZE, 1);
    try (Stream stream = device.stream();
        GlobalBytes b = device.allocateBytes(SIZE)) {
      GlobalBytes a = onDevice(stream, data);
      byte[] heap = new byte[SIZE];
      stream.copy(a, heap);
      stream.copy(heap, b);
      assertSame(read(stream, b), data);
      a.close();
    }
  }

  @Test
  void twoStagedCopiesIntoTheSameArrayArriveInOrder() {
    byte[] first = bytes(SIZE, 1);
    byte[] second = bytes(SIZE, 2);
    try (Stream stream = device.stream()) {
      GlobalBytes a = onDevice(stream, first);
      GlobalBytes b = onDevice(stream, second);
      for (int round = 0; round < 3; round++) {
        byte[] heap = new byte[SIZE];
        stream.copy(a, heap);
        stream.copy(b, heap);
        stream.await();
        assertSame(heap, second);
      }
      a.close();
      b.close();
    }
  }

  @Test
  void aSmallCopyReadsWhatAnEarlierStagedOneWroteIntoTheSameArray() {
    byte[] data = bytes(SIZE, 3);
    try (Stream stream = device.stream();
        GlobalBytes b = device.allocateBytes(100)) {
      warmUp(stream);
      GlobalBytes a = onDevice(stream, data);
      byte[] heap = new byte[SIZE];
      stream.copy(a, heap);
      stream.copy(MemorySegment.ofArray(heap).asSlice(SIZE - 100, 100), b);
      assertSame(read(stream, b), Arrays.copyOfRange(data, SIZE - 100, SIZE));
      a.close();
    }
  }

  @Test
  void aSourceIsReadAfterAnEventOfAnotherStream() {
    byte[] data = bytes(SIZE, 4);
    try (Stream writer = device.stream();
        Stream reader = device.stream();
        GlobalBytes b = device.allocateBytes(SIZE)) {
      GlobalBytes a = onDevice(writer, data);
      byte[] heap = new byte[SIZE];
      writer.copy(a, heap);
      Event arrived = writer.record();
      reader.waitFor(arrived);
      reader.copy(heap, b);
      assertSame(read(reader, b), data);
      a.close();
    }
  }

  @Test
  void aSmallSourceIsReadAfterACallbackOfAnotherStream() {
    byte[] heap = new byte[1000];
    try (Stream writer = device.stream();
        Stream reader = device.stream();
        GlobalBytes b = device.allocateBytes(1000)) {
      warmUp(reader);
      writer.then(() -> Arrays.fill(heap, (byte) 5));
      reader.waitFor(writer.record());
      reader.copy(heap, b);
      assertThat(read(reader, b)).containsOnly(5);
    }
  }

  @Test
  void aDestinationIsWrittenAfterAnEventOfAnotherStreamThatReadsIt() {
    byte[] data = bytes(SIZE, 5);
    byte[] heap = data.clone();
    try (Stream reader = device.stream();
        Stream writer = device.stream();
        GlobalBytes b = device.allocateBytes(SIZE)) {
      GlobalBytes a = onDevice(writer, bytes(SIZE, 6));
      reader.copy(heap, b);
      writer.waitFor(reader.record());
      writer.copy(a, heap);
      device.await();
      assertSame(read(reader, b), data);
      assertSame(heap, bytes(SIZE, 6));
      a.close();
    }
  }

  @Test
  void theSourceMayBeReusedOnceTheCopyIsDone() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SIZE * 4L)) {
      byte[] heap = new byte[SIZE];
      for (int i = 0; i < 4; i++) {
        System.arraycopy(bytes(SIZE, i), 0, heap, 0, SIZE);
        stream.copy(heap, array.slice((long) i * SIZE, SIZE)).await();
      }
      byte[] all = read(stream, array);
      for (int i = 0; i < 4; i++) {
        assertSame(Arrays.copyOfRange(all, i * SIZE, (i + 1) * SIZE), bytes(SIZE, i));
      }
    }
  }

  @Test
  void pinnedMemoryThatAnEarlierCopyWritesDirectlyIsStagedAfterThatIsDone() {
    byte[] data = bytes(SIZE, 7);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes b = device.allocateBytes(SIZE)) {
      GlobalBytes a = onDevice(stream, data);
      MemorySegment host = pinned.allocate(SIZE);
      stream.copy(a, host);
      Copy copy = stream.copy(host, b, Route.Kind.STAGED);
      assertThat(copy.route().kind()).isEqualTo(Route.Kind.STAGED);
      assertSame(read(stream, b), data);
      a.close();
    }
  }

  @Test
  void pinnedMemoryIntoWhichAnEarlierCopyWasStagedIsCopiedDirectlyAfterThatHasArrived() {
    byte[] data = bytes(SIZE, 8);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes b = device.allocateBytes(SIZE);
        GlobalBytes c = device.allocateBytes(SIZE)) {
      GlobalBytes a = onDevice(stream, data);
      MemorySegment host = pinned.allocate(SIZE);
      stream.copy(a, host, Route.Kind.STAGED);
      stream.copy(host, b);
      stream.copy2D(host, 1000, c, 1000, 900, 3000);
      byte[] result = read(stream, b);
      assertSame(result, data);
      assertSame(Arrays.copyOf(read(stream, c), 900), Arrays.copyOf(data, 900));
      a.close();
    }
  }

  @Test
  void aDirectCopyIntoPinnedMemoryComesAfterAStagedOneIntoTheSame() {
    byte[] last = bytes(SIZE, 9);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      GlobalBytes a = onDevice(stream, bytes(SIZE, 10));
      GlobalBytes b = onDevice(stream, last);
      MemorySegment host = pinned.allocate(SIZE);
      stream.copy(a, host, Route.Kind.STAGED);
      stream.copy(b, host);
      stream.await();
      assertSame(read(host), last);
      a.close();
      b.close();
    }
  }

  @Test
  void memoryWhoseRegistrationEndedWithACopyUnderWayIsStagedAfterThatIsDone() {
    byte[] data = bytes(SIZE, 11);
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared();
        GlobalBytes b = device.allocateBytes(SIZE);
        GlobalBytes small = device.allocateBytes(50)) {
      warmUp(stream);
      GlobalBytes a = onDevice(stream, data);
      MemorySegment host = arena.allocate(SIZE, 4096);
      Registration registration = device.register(host, arena);
      stream.copy(a, host);
      registration.close();
      stream.copy(host.asSlice(SIZE - 50, 50), small);
      Copy copy = stream.copy(host, b);
      assertThat(copy.route().kind()).isEqualTo(Route.Kind.STAGED);
      assertSame(read(stream, b), data);
      assertSame(read(stream, small), Arrays.copyOfRange(data, SIZE - 50, SIZE));
      a.close();
    }
  }

  @Test
  void aCopyOnTheHostReadsWhatWasStagedBeforeIt() {
    byte[] data = bytes(SIZE, 12);
    try (Stream stream = device.stream();
        GlobalBytes b = device.allocateBytes(SIZE)) {
      GlobalBytes a = onDevice(stream, data);
      byte[] one = new byte[SIZE];
      byte[] two = new byte[SIZE];
      stream.copy(a, one);
      stream.copy(MemorySegment.ofArray(one), MemorySegment.ofArray(two));
      stream.copy(two, b);
      assertSame(read(stream, b), data);
      a.close();
    }
  }

  @Test
  void aLongAlternationOfCopiesInAndOutOfOneArrayKeepsItsOrder() {
    int size = 20_000;
    byte[] heap = new byte[size];
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(size * 40L)) {
      for (int i = 0; i < 39; i++) {
        GlobalBytes here = array.slice((long) i * size, size);
        GlobalBytes next = array.slice((i + 1L) * size, size);
        stream.fill(here.slice(i, 1), (byte) (i + 1));
        if (i == 0) {
          stream.fill(here, (byte) 100);
        }
        stream.copy(here, heap);
        stream.copy(heap, next);
      }
      byte[] last = read(stream, array.slice(39L * size, size));
      assertThat(last[0]).isEqualTo((byte) 100);
      for (int i = 1; i < 39; i++) {
        assertThat(last[i]).isIn((byte) (i + 1), (byte) 100);
      }
      assertThat(last[size - 1]).isEqualTo((byte) 100);
    }
  }

  @Test
  void thousandsOfSmallStagedCopiesBehindACallbackArriveAll() {
    int count = 2_000;
    try (Stream stream = device.stream()) {
      GlobalBytes array = onDevice(stream, bytes(count, 13));
      byte[][] results = new byte[count][1];
      Gate gate = gate(stream);
      for (int i = 0; i < count; i++) {
        stream.copy(array.slice(i, 1), results[i]);
      }
      Event all = stream.record();
      gate.open();
      all.await();
      byte[] data = bytes(count, 13);
      for (int i = 0; i < count; i++) {
        assertThat(results[i][0]).isEqualTo(data[i]);
      }
      array.close();
    }
  }

  /** Has the small buffers pinned, so that small copies go inline. */
  private void warmUp(Stream stream) {
    try (GlobalBytes array = device.allocateBytes(10)) {
      for (int i = 0; i < 100; i++) {
        Copy copy = stream.copy(new byte[10], array);
        copy.await();
        if (copy.route().kind() == Route.Kind.INLINE) {
          return;
        }
        opened.settle();
      }
      throw new AssertionError("small copies never went inline");
    }
  }
}
