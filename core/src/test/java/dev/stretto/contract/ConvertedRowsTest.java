package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.contract.DriverTap.Call;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.fault.StrettoException;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.rows.Conversion;
import dev.stretto.rows.HostRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

/** That it does not matter whether host threads or the device convert the pieces of large rows. */
@OnEveryDriver
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConvertedRowsTest {
  private static final List<Conversion> ALL =
      List.of(
          new Conversion(Conversion.Element.BFLOAT, 1),
          new Conversion(Conversion.Element.HALF, 1),
          new Conversion(Conversion.Element.BYTE, 41.5f));

  @Parameter Machine machine;

  private Tap driver;

  /** Counts launches, and refuses one kind of call. */
  private static final class Tap extends DriverTap {
    private final AtomicInteger launches = new AtomicInteger();
    private volatile @Nullable Call refused;

    Tap(Driver behind) {
      super(behind);
    }

    @Override
    void before(Call call) {
      if (call == Call.LAUNCH) {
        launches.incrementAndGet();
      }
      if (call == refused) {
        throw new DriverException(DriverException.Kind.OTHER, 999, "planted at " + call);
      }
    }

    @Override
    DeviceTap tap(DriverDevice device) {
      return new DeviceTap(device);
    }
  }

  private Machine.Opened open() {
    return machine.openPair(behind -> driver = new Tap(behind));
  }

  /** Where everything happens in an order, the host converts. */
  private boolean mayDeviceConvert() {
    return !machine.isModelled() && !machine.isSeeded();
  }

  /** Enough for eight pieces and more, where that matters. */
  private int elements() {
    return mayDeviceConvert() ? 10_000_000 : 200_000;
  }

  private static float[][] floats(int rows, int columns) {
    SplittableRandom random = new SplittableRandom(rows);
    float[][] all = new float[rows][columns];
    for (float[] row : all) {
      for (int i = 0; i < columns; i++) {
        int bits = random.nextInt();
        row[i] = i % 3 == 0 ? Float.intBitsToFloat(bits) : (float) random.nextGaussian();
      }
    }
    return all;
  }

  private static byte[] expected(HostRows rows, int pitch, byte filler) {
    byte[] all = new byte[Math.toIntExact(rows.rows() * pitch)];
    MemorySegment to = MemorySegment.ofArray(all).fill(filler);
    for (long row = 0; row < rows.rows(); row++) {
      rows.read(row * rows.rowBytes(), to.asSlice(row * pitch, rows.rowBytes()));
    }
    return all;
  }

  private void copy(Device device, HostRows rows, int gap, int offset) {
    int pitch = Math.toIntExact(rows.rowBytes()) + gap;
    long bytes = rows.rows() * pitch;
    try (Stream stream = device.stream();
        GlobalBytes whole = device.allocateBytes(offset + bytes)) {
      stream.fill(whole, (byte) 7);
      stream.copyRows(rows, whole.slice(offset, bytes), pitch);
      byte[] out = new byte[Math.toIntExact(bytes)];
      stream.copy(whole.slice(offset, bytes), out).await();
      assertThat(out).isEqualTo(expected(rows, pitch, (byte) 7));
    }
  }

  @Test
  void allFormsOfAllWidthsAreThoseOfTheHost() {
    try (Machine.Opened opened = open()) {
      Device device = opened.device();
      for (Conversion conversion : ALL) {
        int element = conversion.element().bytes();
        for (int columns : new int[] {768, 31, 301, 70_000}) {
          HostRows rows = conversion.of(HostRows.of(floats(elements() / columns + 1, columns)));
          driver.launches.set(0);
          copy(device, rows, 0, 0);
          copy(device, rows, 12 * element, 0);
          copy(device, rows, element, element);
          if (mayDeviceConvert()) {
            assertThat(driver.launches).as("launches").hasPositiveValue();
          }
        }
      }
    }
  }

  @Test
  void viewsOfConvertedRowsAreConvertedByEither() {
    try (Machine.Opened opened = open();
        Arena arena = Arena.ofShared();
        PinnedArena pinned = opened.device().pinnedArena()) {
      int columns = 384;
      int count = elements() / columns / 2;
      HostRows heap = HostRows.of(floats(count, columns));
      MemorySegment there = arena.allocate(heap.byteSize());
      MemorySegment pinnedThere = pinned.allocate(heap.byteSize());
      heap.read(0, there);
      heap.read(0, pinnedThere);
      int[] indices = new SplittableRandom(3).ints(count, 0, 3 * count - 10).toArray();
      for (Conversion conversion : ALL) {
        HostRows all =
            HostRows.join(
                List.of(
                    conversion.of(heap),
                    conversion.of(HostRows.of(there, heap.rowBytes())),
                    conversion.of(HostRows.of(pinnedThere, heap.rowBytes()))));
        assertThat(all.conversion()).contains(conversion);
        copy(opened.device(), all, 0, 0);
        copy(opened.device(), all.slice(5, 3L * count - 10).at(indices), 16, 0);
      }
    }
  }

  @Test
  void partsThatAreConvertedInDifferentWaysStaySo() {
    try (Machine.Opened opened = open()) {
      HostRows floats = HostRows.of(floats(elements() / 1024, 512));
      HostRows all = HostRows.join(List.of(floats.asBytes(3), floats.asBytes(5)));
      assertThat(all.conversion()).isEmpty();
      copy(opened.device(), all, 0, 0);
      copy(opened.device(), HostRows.join(List.of(floats.asHalfs(), floats.asBfloats())), 0, 0);
    }
  }

  @Test
  void withoutItsKernelsTheHostConvertsAll() {
    try (Machine.Opened opened = open()) {
      driver.refused = Call.LOAD_MODULE;
      copy(opened.device(), HostRows.of(floats(elements() / 512, 512)).asBfloats(), 0, 0);
      assertThat(driver.launches).hasValue(0);
    }
  }

  @Test
  void theDeviceDoesNotConvertWhileAKernelRuns() {
    try (Machine.Opened opened = open()) {
      if (!mayDeviceConvert()) {
        return;
      }
      Device device = opened.device();
      HostRows rows = HostRows.of(floats(elements() / 512, 512)).asBfloats();
      try (Stream busy = device.stream();
          PinnedArena pinned = device.pinnedArena();
          GlobalInts ints = device.allocateInts(1)) {
        busy.fill(ints, 0).await();
        Launch polling = device.prepare(Grid.of(1, 1), ConvertedRowsTest::poll, ints);
        busy.launch(polling);
        driver.launches.set(0);
        copy(device, rows, 0, 0); // to load them would wait for the kernel
        assertThat(driver.launches).hasValue(0);
        try (Stream stream = device.stream()) {
          stream.copy(pinned.allocate(4).fill((byte) 1), ints).await();
        }
        busy.await();
        copy(device, rows, 0, 0);
        assertThat(driver.launches).hasPositiveValue();
        busy.fill(ints, 0).await();
        busy.launch(polling);
        driver.launches.set(0);
        copy(device, rows, 0, 0); // they would wait for a kernel that has all multiprocessors
        assertThat(driver.launches).hasValue(0);
        try (Stream stream = device.stream()) {
          stream.copy(pinned.allocate(4).fill((byte) 1), ints).await();
        }
        busy.await();
      }
    }
  }

  @Kernel
  static void poll(ThreadBlock block, GlobalInts ints) {
    while (Atomics.loadAcquire(ints, 0) == 0) {}
  }

  @Test
  void aRefusedLaunchFailsTheCopyAndNotTheStreamsAfterIt() {
    try (Machine.Opened opened = open()) {
      if (!mayDeviceConvert()) {
        return;
      }
      HostRows rows = HostRows.of(floats(elements() / 512, 512)).asBfloats();
      try (GlobalBytes matrix = opened.device().allocateBytes(rows.byteSize())) {
        Stream stream = opened.device().stream();
        driver.refused = Call.LAUNCH;
        assertThatThrownBy(() -> stream.copyRows(rows, matrix).await())
            .isInstanceOf(StrettoException.class)
            .hasMessageContaining("planted");
        driver.refused = null;
        stream.close();
      }
      copy(opened.device(), rows, 0, 0);
    }
  }

  @Test
  void rowsWhoseMemoryIsClosedInBetweenFailTheCopy() {
    try (Machine.Opened opened = open();
        Stream stream = opened.device().stream()) {
      Arena arena = Arena.ofShared();
      MemorySegment memory = arena.allocate(64 << 20);
      try (GlobalBytes matrix = opened.device().allocateBytes(32 << 20)) {
        CountDownLatch enqueued = new CountDownLatch(1);
        stream.then(() -> assertThatCode(enqueued::await).doesNotThrowAnyException());
        stream.then(arena::close);
        Copy copy = stream.copyRows(HostRows.of(memory, 4096).asHalfs(), matrix);
        enqueued.countDown();
        assertThatThrownBy(copy::await).isInstanceOf(CopyFailedException.class);
      }
    } catch (CopyFailedException e) {
      assertThat(e).hasMessageContaining("keep the arena"); // of the stream, when it is closed
    }
  }
}
