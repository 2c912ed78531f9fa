package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.PinnedArena;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That nothing ends at 2 or 4 GiB. The seeds have no part in that: this runs without them. */
@Tag("large")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeCopyTest extends ContractTest {
  private static final long GIB = 1L << 30;
  private static final long LARGE_PAGE = 2 << 20;
  private static final int MADV_HUGEPAGE = 14;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /**
   * {@return zeros that take no memory until they are written, in large pages where there are any}
   */
  private static MemorySegment zeros(long size) throws Throwable {
    MemorySegment memory =
        (MemorySegment)
            call("calloc", ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG)
                .invokeExact(1L, size);
    long begin = (memory.address() + LARGE_PAGE - 1) & -LARGE_PAGE;
    int _ =
        (int)
            call(
                    "madvise",
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT)
                .invokeExact(begin, (size - LARGE_PAGE) & -LARGE_PAGE, MADV_HUGEPAGE);
    return memory.reinterpret(size);
  }

  private static void free(MemorySegment memory) throws Throwable {
    MemorySegment _ =
        (MemorySegment)
            call("realloc", ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG)
                .invokeExact(memory, 0L);
  }

  private static MethodHandle call(String name, MemoryLayout result, MemoryLayout... parameters) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, parameters));
  }

  @Test
  void aStagedCopyOfMoreThanAnyIntCounts() throws Throwable {
    if (machine.isSeeded()) {
      return;
    }
    long most = Sample.of(2, 4) * GIB; // more than an int can say, and than one without a sign
    long size = most + 12_345;
    long[] places = {0, 2 * GIB - 3, 2 * GIB + 11, most - 3, most + 20, size - 8};
    MemorySegment source = zeros(size);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(size)) {
      for (long place : places) {
        source.set(LONG, place, ~place);
      }
      stream.copy(source, array).await();
      for (long place : places) {
        assertThat(MemorySegment.ofArray(read(stream, array.slice(place, 8))).get(LONG, 0))
            .isEqualTo(~place);
      }
    } finally {
      free(source);
    }
  }

  @Test
  @Soak
  void directAndLocalCopiesAndFillsOfMoreThanTwoGibibytes() {
    if (machine.isSeeded()) {
      return;
    }
    long half = 2 * GIB + 20;
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(2 * half)) {
      MemorySegment host = pinned.allocate(half);
      host.set(LONG, 0, 1);
      host.set(LONG, 2 * GIB - 3, 2);
      host.set(LONG, half - 8, 3);
      stream.copy(host, array.slice(0, half));
      stream.copy(array.slice(0, half), array.slice(half, half)).await();
      host.fill((byte) 9);
      stream.copy(array.slice(half, half), host).await();
      assertThat(host.get(LONG, 0)).isEqualTo(1);
      assertThat(host.get(LONG, 2 * GIB - 3)).isEqualTo(2);
      assertThat(host.get(LONG, half - 8)).isEqualTo(3);
      stream.fill(array.slice(0, half), (byte) 7);
      assertThat(read(stream, array.slice(half - 2, 3))).isEqualTo(new byte[] {7, 7, 1});
    }
  }

  @Test
  void rowsThatLieMoreThanAGibibyteApart() throws Throwable {
    if (machine.isSeeded()) {
      return;
    }
    long pitch = GIB + 77;
    int rows = 5;
    int width = 1_000;
    long size = (rows - 1) * pitch + width;
    byte[] data = bytes(rows * width, 3);
    MemorySegment source = zeros(size);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(size)) {
      for (int row = 0; row < rows; row++) {
        MemorySegment.copy(data, row * width, source, ValueLayout.JAVA_BYTE, row * pitch, width);
      }
      stream.copy2D(source, pitch, array, pitch, width, rows);
      byte[] back = new byte[rows * width];
      stream.copy2D(array, pitch, MemorySegment.ofArray(back), width, width, rows).await();
      assertSame(back, data);
    } finally {
      free(source);
    }
  }
}
