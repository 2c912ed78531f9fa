package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.NoSuchDeviceException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * That wrong arguments are refused at the call, with the numbers in the message, and that nothing
 * is enqueued then.
 */
class RefusalTest extends ContractTest {
  private Stream stream;
  private GlobalBytes array;
  private PinnedArena pinned;
  private MemorySegment host;

  @BeforeEach
  void allocate() {
    stream = device.stream();
    array = device.allocateBytes(100);
    pinned = device.pinnedArena();
    host = pinned.allocate(100);
  }

  @AfterEach
  void nothingWasEnqueued() {
    if (device.isOpen() && stream.isOpen()) {
      assertThat(stream.isIdle()).isTrue();
    }
  }

  @Test
  void sizesThatDiffer() {
    assertThatThrownBy(() -> stream.copy(host.asSlice(0, 99), array))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("99 bytes")
        .hasMessageContaining("100");
    assertThatThrownBy(() -> stream.copy(array, host.asSlice(0, 99)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stream.copy(array.slice(0, 49), array.slice(50, 50)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stream.copy(new byte[101], array))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stream.copy(host, MemorySegment.ofArray(new byte[1])))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void copiesAndFillsOfNothing() {
    assertThatThrownBy(() -> stream.copy(host.asSlice(0, 0), array.slice(3, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 bytes");
    assertThatThrownBy(() -> stream.copy(array.slice(3, 0), new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stream.copy(array.slice(3, 0), array.slice(5, 0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stream.fill(array.slice(3, 0), (byte) 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void slicesThatReachOutOfTheArray() {
    assertThatThrownBy(() -> array.slice(0, 101)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> array.slice(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> array.slice(101, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> array.slice(1, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> array.slice(Long.MAX_VALUE, Long.MAX_VALUE))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> array.slice(50, 50).slice(1, 50))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("50");
    assertThat(array.slice(100, 0).length()).isZero();
  }

  @Test
  void arraysOfNoOrTooManyElements() {
    for (long length : new long[] {0, -1, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> device.allocateFloats(length))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(length));
    }
    assertThatThrownBy(() -> device.allocateLongs(Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> device.allocateLongs(Long.MAX_VALUE / 8))
        .isInstanceOf(OutOfDeviceMemoryException.class)
        .hasMessageContaining("bytes");
    assertThatThrownBy(() -> device.allocateBytes(Long.MAX_VALUE))
        .isInstanceOf(OutOfDeviceMemoryException.class);
  }

  @Test
  void aDestinationThatIsReadOnly() {
    assertThatThrownBy(() -> stream.copy(array, host.asReadOnly()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("read-only")
        .hasMessageContaining("100 bytes");
    MemorySegment heap = MemorySegment.ofArray(new byte[100]).asReadOnly();
    assertThatThrownBy(() -> stream.copy(array, heap)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stream.copy2D(array, 10, heap, 10, 10, 10))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stream.copy(host, heap)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void endsThatOverlap() {
    assertThatThrownBy(() -> stream.copy(array.slice(0, 51), array.slice(49, 51)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("overlap")
        .hasMessageContaining("51 bytes");
    assertThatThrownBy(() -> stream.copy(array, array))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stream.copy2D(array, 20, array.slice(10, 90), 20, 11, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("overlap");
    assertThatThrownBy(() -> stream.copy(host.asSlice(0, 51), host.asSlice(49, 51)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("overlap");
    byte[] heap = new byte[10];
    assertThatThrownBy(() -> stream.copy(MemorySegment.ofArray(heap), MemorySegment.ofArray(heap)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void stridedCopiesWhoseNumbersAreWrong() {
    for (long[] widthAndRows : new long[][] {{0, 1}, {1, 0}, {-1, 1}, {1, -1}, {0, 0}}) {
      assertThatThrownBy(() -> stream.copy2D(host, 10, array, 10, widthAndRows[0], widthAndRows[1]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(widthAndRows[1] + " rows of " + widthAndRows[0] + " bytes");
    }
    assertThatThrownBy(() -> stream.copy2D(host, 9, array, 10, 10, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("source");
    assertThatThrownBy(() -> stream.copy2D(array, 10, host, 9, 10, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("destination");
    assertThatThrownBy(() -> stream.copy2D(host, -10, array, 10, 10, 2))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stream.copy2D(host, 10, array, 11, 10, 10))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("100 bytes of the destination");
    assertThatThrownBy(() -> stream.copy2D(host, 11, array, 10, 10, 10))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("100 bytes of the source");
    assertThatThrownBy(() -> stream.copy2D(host, Long.MAX_VALUE, array, 10, 10, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> stream.copy2D(host, 10, array, 10, 10, Long.MAX_VALUE))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> stream.copy2D(array, 1L << 62, array, 1L << 62, 1, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** A machine of other devices than this one's: a second GPU, or virtual ones. */
  private Machine stranger() {
    if (machine.isVirtual()) {
      return machine;
    }
    return new Machine(Device.all().size() > 2 ? "cuda:1" : "virtual");
  }

  @Test
  void memoryOfAnotherDevice() {
    try (Machine.Opened another = stranger().open();
        Stream theirs = another.device().stream();
        GlobalBytes far = another.device().allocateBytes(100);
        GlobalInts ints = another.device().allocateInts(100)) {
      assertThatThrownBy(() -> stream.copy(host, far))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another device");
      assertThatThrownBy(() -> stream.copy(far, host)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> theirs.copy(array, array.slice(0, 10)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> stream.fill(far, (byte) 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> device.prepare(Grid.of(1, 1), Kernels.ADD, ints, 1, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("does not lie on");
      assertThatThrownBy(
              () -> stream.launch(another.device().prepare(Grid.of(1, 1), Kernels.ADD, ints, 1, 1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another device");
      assertThat(theirs.isIdle()).isTrue();
    }
  }

  @Test
  void nulls() {
    assertThatThrownBy(() -> stream.copy((MemorySegment) null, array))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> stream.copy(host, (GlobalBytes) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> stream.copy((byte[]) null, array))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> stream.copy(array, (byte[]) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> stream.copy(array, (GlobalBytes) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> stream.copy(host, (MemorySegment) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> stream.copy2D(host, 1, (GlobalBytes) null, 1, 1, 1))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> stream.fill((GlobalFloats) null, 1))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> stream.waitFor((Event) null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> stream.launch((Launch) null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> stream.launch((Graph) null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> stream.launch((Grid) null, Kernels.ADD))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> stream.await(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> device.prepare((Grid) null, Kernels.ADD, device.allocateInts(1), 1, 1))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> device.prepare(Grid.of(1, 1), (DeviceKernel) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> device.prepare(Grid.of(1, 1), Kernels.ADD, (Object[]) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> device.register(null, Arena.global()))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> device.register(host, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> device.observe(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Device.open(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> device.await((Duration) null))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void registrationsOfWhatCannotBePinned() {
    try (Arena arena = Arena.ofShared();
        Arena other = Arena.ofShared()) {
      MemorySegment plain = arena.allocate(8192, 4096);
      assertThatThrownBy(() -> device.register(MemorySegment.ofArray(new byte[10]), arena))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("garbage collector");
      assertThatThrownBy(() -> device.register(plain, other))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> device.register(plain.asSlice(0, 0), arena))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0 bytes");
      device.register(plain, arena);
      assertThatThrownBy(() -> device.register(plain, arena))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void pinnedMemoryOfWrongSizeOrAlignment() {
    assertThatThrownBy(() -> pinned.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pinned.allocate(1, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pinned.allocate(1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pinned.allocate(1, 8192)).isInstanceOf(IllegalArgumentException.class);
    assertThat(pinned.allocate(0).byteSize()).isZero();
    assertThat(pinned.allocate(1, 4096).address() % 4096).isZero();
    assertThat(pinned.allocate(200_000, 4096).address() % 4096).isZero();
    assertThat(pinned.allocate(10_000).mismatch(MemorySegment.ofArray(new byte[10_000])))
        .isEqualTo(-1);
  }

  @Test
  void devicesThatDoNotExist() {
    assertThatThrownBy(() -> Device.open("cuda:1000000")).isInstanceOf(NoSuchDeviceException.class);
    assertThatThrownBy(() -> Device.open("cuda:-1")).isInstanceOf(NoSuchDeviceException.class);
    assertThatThrownBy(() -> Device.open("cuda:first"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Device.open("opencl:0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("opencl:0")
        .hasMessageContaining("cuda:N");
    assertThatThrownBy(() -> Device.open("virtual:h1000"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("h1000");
    assertThatThrownBy(() -> Device.open("virtual:h200x2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 devices");
    assertThatThrownBy(() -> Device.open(1000)).isInstanceOf(NoSuchDeviceException.class);
    assertThatThrownBy(() -> Device.open(-1)).isInstanceOf(NoSuchDeviceException.class);
  }

  @Test
  void elementsOfDeviceMemoryOnTheHost() {
    GlobalInts ints = device.allocateInts(10);
    assertThatThrownBy(() -> ints.get(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("stream.copy");
    assertThatThrownBy(() -> ints.set(0, 1)).isInstanceOf(IllegalStateException.class);
  }
}
