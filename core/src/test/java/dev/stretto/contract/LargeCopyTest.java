package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * That nothing ends at 2 or 4 GiB. The seeds have no part in that: this runs without them.
 */
@Tag("large")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeCopyTest extends ContractTest {
  private static final long GIB = 1L << 30;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /** {@return zeros that take no memory until they are written} */
  private static MemorySegment zeros(long size) throws Throwable {
    MemorySegment memory =
        (MemorySegment)
            Linker.nativeLinker()
                .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("calloc"),
                    FunctionDescriptor.of(
                        ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG))
                .invokeExact(1L, size);
    return memory.reinterpret(size);
  }

  private static void free(MemorySegment memory) throws Throwable {
    Linker.nativeLinker()
        .downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow("free"),
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS))
        .invokeExact(memory);
  }

  @Test
  void copiesOfEveryKindBeyondTwoAndFourGibibytes() throws Throwable {
    if (machine.isSeeded()) {
      return;
    }
    long size = 4 * GIB + 12_345;
    long half = 2 * GIB + 20;
    long[] places = {0, half - 9, 2 * GIB - 3, 4 * GIB - 3, 4 * GIB, size - 8};
    MemorySegment source = zeros(size);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(size)) {
      for (long place : places) {
        source.set(LONG, place, ~place);
      }
      stream.copy(source, array).await(); // staged, more than 4 GiB
      for (long place : places) {
        assertThat(MemorySegment.ofArray(read(stream, array.slice(place, 8))).get(LONG, 0))
            .isEqualTo(source.get(LONG, place));
      }
      stream.copy(array.slice(0, half), array.slice(half, half)); // local, more than 2 GiB
      MemorySegment host = pinned.allocate(half);
      stream.copy(array.slice(half, half), host).await(); // direct, more than 2 GiB
      assertThat(host.get(LONG, 0)).isEqualTo(~0L);
      assertThat(host.get(LONG, 2 * GIB - 3)).isEqualTo(source.get(LONG, 2 * GIB - 3));
      assertThat(host.get(LONG, half - 9)).isEqualTo(source.get(LONG, half - 9));
      stream.fill(array.slice(0, half), (byte) 7); // more than 2 GiB
      assertThat(read(stream, array.slice(half - 2, 3))).isEqualTo(new byte[] {7, 7, 0});
    } finally {
      free(source);
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
        MemorySegment.copy(
            data, row * width, source, ValueLayout.JAVA_BYTE, row * pitch, width);
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
