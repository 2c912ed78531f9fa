package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Graph;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That strided copies move their rows and nothing else. */
class Copy2DTest extends ContractTest {
  /** Rows that lie apart on both sides. */
  private record Shape(long hostPitch, long devicePitch, long width, long rows) {
    long host() {
      return (rows - 1) * hostPitch + width;
    }

    long onDevice() {
      return (rows - 1) * devicePitch + width;
    }
  }

  private static final Shape[] SHAPES = {
    new Shape(1, 1, 1, 1), // one byte
    new Shape(100, 128, 100, 50), // dense on the host only
    new Shape(128, 100, 100, 50), // dense on the device only
    new Shape(777, 777, 777, 777), // dense on both sides: one long row
    new Shape(130, 256, 33, 1000), // many small rows
    new Shape(13, 7, 3, 20_000), // tiny ones
    new Shape(300_001, 400_000, 300_000, 5), // rows larger than the least piece
    new Shape(70_000, 65_536, 65_000, 30), // several rows make a piece
  };

  private final byte[] pattern = bytes(10_000_000, 12);

  @Test
  void pinnedRows() {
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena()) {
      for (Shape shape : SHAPES) {
        check(
            stream,
            shape,
            pinned.allocate(shape.host()),
            pinned.allocate(shape.host()),
            Route.Kind.DIRECT);
      }
    }
  }

  @Test
  void noCallReadsTheRowsOfAFile(@TempDir Path folder) throws IOException {
    Shape shape = new Shape(5000, 100, 100, 50);
    Path file = folder.resolve("rows");
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared();
        FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        GlobalBytes array = device.allocateBytes(shape.onDevice())) {
      MemorySegment rows = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * shape.host(), arena);
      for (int round = 0; round < 3; round++) {
        Copy in = stream.copy2D(rows, 5000, array, 100, 100, 50);
        in.await();
        assertThat(in.route().kind()).isEqualTo(Route.Kind.STAGED);
      }
      check(
          stream,
          shape,
          rows.asSlice(0, shape.host()),
          rows.asSlice(shape.host()),
          Route.Kind.STAGED);
    }
  }

  @Test
  void columnsAreCopiedToOtherColumnsOfTheSameMatrix() {
    int pitch = 64;
    int rows = 1000;
    try (Stream stream = device.stream();
        GlobalBytes matrix = onDevice(stream, bytes(pitch * rows, 3))) {
      GlobalBytes left = matrix.slice(0, pitch * rows - 32);
      GlobalBytes right = matrix.slice(32, pitch * rows - 32);
      stream.copy2D(left, pitch, right, pitch, 32, rows);
      byte[] expected = bytes(pitch * rows, 3);
      for (int row = 0; row < rows; row++) {
        System.arraycopy(expected, row * pitch, expected, row * pitch + 32, 32);
      }
      assertSame(read(stream, matrix), expected);
      stream.fill(matrix, (byte) 1);
      stream.fill(matrix.slice(0, 1), (byte) 2);
      try (Graph graph =
          Graph.capture(stream, s -> s.copy2D(left, pitch, right, pitch, 32, rows))) {
        graph.launch(stream);
        assertThat(read(stream, matrix)[32]).isEqualTo((byte) 2);
      }
      assertThatThrownBy(() -> stream.copy2D(left, pitch, right, pitch, 33, rows - 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("overlap")
          .hasMessageContaining("999 rows of 33 bytes, 64 apart");
    }
  }

  @Test
  void nativeRows() {
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared()) {
      for (Shape shape : SHAPES) {
        check(
            stream,
            shape,
            arena.allocate(shape.host()),
            arena.allocate(shape.host()),
            Route.Kind.STAGED);
      }
    }
  }

  @Test
  void rowsOfHeapArrays() {
    try (Stream stream = device.stream()) {
      for (Shape shape : SHAPES) {
        MemorySegment from = MemorySegment.ofArray(new byte[(int) shape.host()]);
        MemorySegment to = MemorySegment.ofArray(new byte[(int) shape.host()]);
        check(stream, shape, from, to, Route.Kind.STAGED);
      }
    }
  }

  @Test
  void rowsLargerThanAStagingBuffer() {
    Shape shape = new Shape(9_000_001, 9_000_100, 8_999_999, 2);
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared()) {
      check(
          stream,
          shape,
          arena.allocate(shape.host()),
          arena.allocate(shape.host()),
          Route.Kind.STAGED);
    }
  }

  @Test
  void rowsWithinTheDevice() {
    try (Stream stream = device.stream();
        GlobalBytes b = device.allocateBytes(40_000)) {
      GlobalBytes a = onDevice(stream, java.util.Arrays.copyOf(pattern, 30_000));
      stream.fill(b, (byte) 1);
      Copy copy = stream.copy2D(a, 300, b, 400, 250, 100);
      assertThat(copy.route().kind()).isEqualTo(Route.Kind.LOCAL);
      byte[] result = read(stream, b);
      for (int i = 0; i < 40_000; i++) {
        byte expected = i % 400 < 250 ? pattern[i / 400 * 300 + i % 400] : 1;
        assertThat(result[i]).isEqualTo(expected);
      }
      a.close();
    }
  }

  @Test
  void rowsBeginAnywhereInSlices() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(1000)) {
      stream.fill(array, (byte) 0);
      byte[] data = {1, 2, 3, 4, 5, 6};
      stream.copy2D(MemorySegment.ofArray(data).asSlice(1), 2, array.slice(500, 100), 10, 1, 3);
      byte[] all = read(stream, array);
      assertThat(all[500]).isEqualTo((byte) 2);
      assertThat(all[510]).isEqualTo((byte) 4);
      assertThat(all[520]).isEqualTo((byte) 6);
      int sum = 0;
      for (byte b : all) {
        sum += b;
      }
      assertThat(sum).isEqualTo(12);
    }
  }

  private void check(
      Stream stream, Shape shape, MemorySegment from, MemorySegment to, Route.Kind route) {
    int size = (int) shape.host();
    MemorySegment.copy(pattern, 0, from, JAVA_BYTE, 0, Math.min(size, pattern.length));
    to.fill((byte) 0x55);
    try (GlobalBytes array = device.allocateBytes(shape.onDevice())) {
      stream.fill(array, (byte) 0x33);
      Copy in =
          stream.copy2D(
              from, shape.hostPitch(), array, shape.devicePitch(), shape.width(), shape.rows());
      byte[] between = read(stream, array);
      Copy out =
          stream.copy2D(
              array, shape.devicePitch(), to, shape.hostPitch(), shape.width(), shape.rows());
      out.await();
      boolean staged = route == Route.Kind.STAGED; // then a small copy in may have gone at once
      assertThat(in.route().kind()).isIn(route, staged ? Route.Kind.INLINE : route);
      assertThat(out.route().kind()).isEqualTo(route);
      assertRows(between, shape.devicePitch(), (byte) 0x33, from, shape);
      assertRows(read(to), shape.hostPitch(), (byte) 0x55, from, shape);
    }
  }

  private static void assertRows(
      byte[] actual, long pitch, byte between, MemorySegment from, Shape shape) {
    byte[] expected = new byte[actual.length];
    java.util.Arrays.fill(expected, between);
    for (long row = 0; row < shape.rows(); row++) {
      MemorySegment.copy(
          from,
          JAVA_BYTE,
          row * shape.hostPitch(),
          expected,
          (int) (row * pitch),
          (int) shape.width());
    }
    assertSame(actual, expected);
  }
}
