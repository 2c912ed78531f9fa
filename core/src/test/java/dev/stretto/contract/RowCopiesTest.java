package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Copy;
import dev.stretto.Graph;
import dev.stretto.PinnedArena;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.fault.RouteException;
import dev.stretto.fault.StrettoException;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.rows.HostRows;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That rows in many places make a matrix on the device, and come back from one. */
class RowCopiesTest extends ContractTest {
  private static final int ROWS = 700;
  private static final int COLUMNS = 301;
  private static final int ROW = COLUMNS * Float.BYTES;

  private static float[][] floats(int rows, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[][] all = new float[rows][columns];
    for (float[] row : all) {
      for (int i = 0; i < columns; i++) {
        row[i] = (float) random.nextGaussian();
      }
    }
    return all;
  }

  private static byte[] dense(HostRows rows) {
    byte[] all = new byte[Math.toIntExact(rows.byteSize())];
    for (int row = 0; row < rows.rows(); row++) {
      MemorySegment.copy(
          rows.row(row),
          JAVA_BYTE,
          0,
          all,
          Math.toIntExact(row * rows.rowBytes()),
          (int) rows.rowBytes());
    }
    return all;
  }

  /** Copies rows to the device and other bytes back to them, and compares with a copy by hand. */
  private void roundTrip(HostRows rows) {
    byte[] other = bytes(Math.toIntExact(rows.byteSize()), 5);
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(rows.byteSize())) {
      Copy in = stream.copyRows(rows, array);
      in.await();
      assertThat(in.route().kind()).isEqualTo(Route.Kind.STAGED);
      assertThat(read(stream, array)).isEqualTo(dense(rows));
      stream.copy(other, array);
      stream.copyRows(array, rows).await();
      assertThat(dense(rows)).isEqualTo(other);
    }
  }

  @Test
  void arraysOfArrays() {
    float[][] source = floats(ROWS, COLUMNS, 1);
    float[][] back = new float[ROWS][COLUMNS];
    try (Stream stream = device.stream();
        GlobalFloats matrix = device.allocateFloats((long) ROWS * COLUMNS)) {
      stream.copyRows(source, matrix);
      stream.copyRows(matrix, back).await();
    }
    assertThat(back).isDeepEqualTo(source);
    roundTrip(HostRows.of(floats(ROWS, COLUMNS, 2)));
    byte[][] small = new byte[3000][7];
    for (int i = 0; i < small.length; i++) {
      small[i] = bytes(7, i);
    }
    roundTrip(HostRows.of(small));
  }

  @Test
  void oneRowOfOneByte() {
    roundTrip(HostRows.of(new byte[][] {{42}}));
  }

  @Test
  void rowsLargerThanASlot() {
    roundTrip(HostRows.of(new byte[][] {bytes(9_000_001, 1), bytes(9_000_001, 2)}));
  }

  @Test
  void segmentsOfEveryKind(@TempDir Path folder) throws IOException {
    try (Arena arena = Arena.ofShared();
        PinnedArena pinned = device.pinnedArena()) {
      MemorySegment mapped = mapped(folder.resolve("rows"), 4L * ROW, arena);
      List<MemorySegment> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(MemorySegment.ofArray(bytes(ROW, i)));
        all.add(MemorySegment.ofArray(new float[COLUMNS + 2]).asSlice(8));
        all.add(arena.allocate(ROW).copyFrom(MemorySegment.ofArray(bytes(ROW, 10 + i))));
        all.add(pinned.allocate(ROW).copyFrom(MemorySegment.ofArray(bytes(ROW, 20 + i))));
        all.add(
            mapped
                .asSlice((long) i * ROW, ROW)
                .copyFrom(MemorySegment.ofArray(bytes(ROW, 30 + i))));
      }
      roundTrip(HostRows.of(all));
    }
  }

  private static MemorySegment mapped(Path file, long bytes, Arena arena) throws IOException {
    Files.write(file, bytes(Math.toIntExact(bytes), 3));
    try (FileChannel channel =
        FileChannel.open(
            file, java.nio.file.StandardOpenOption.READ, java.nio.file.StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
    }
  }

  @Test
  void rowsWithGapsInManyFiles(@TempDir Path folder) throws IOException {
    int stride = ROW + 20;
    try (Arena arena = Arena.ofShared()) {
      List<HostRows> parts = new ArrayList<>();
      List<MemorySegment> files = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        int rows = 10 + 37 * i;
        MemorySegment file = mapped(folder.resolve("part" + i), 16L + (long) rows * stride, arena);
        files.add(file);
        parts.add(HostRows.of(file.asSlice(16), rows, ROW, stride));
      }
      byte[] header = files.get(3).asSlice(0, 16).toArray(JAVA_BYTE);
      byte[] gap = files.get(3).asSlice(16L + ROW, 20).toArray(JAVA_BYTE);
      roundTrip(HostRows.join(parts));
      assertThat(files.get(3).asSlice(0, 16).toArray(JAVA_BYTE)).isEqualTo(header);
      assertThat(files.get(3).asSlice(16L + ROW, 20).toArray(JAVA_BYTE)).isEqualTo(gap);
    }
  }

  @Test
  void rowsAreGatheredAndScatteredByAnIndex() {
    float[][] table = floats(ROWS, COLUMNS, 4);
    int[] indices = new SplittableRandom(1).ints(2000, 0, ROWS).toArray();
    float[][] expected = Arrays.stream(indices).mapToObj(i -> table[i]).toArray(float[][]::new);
    int[] reversed = new int[ROWS];
    Arrays.setAll(reversed, i -> ROWS - 1 - i);
    float[][] scattered = new float[ROWS][COLUMNS];
    try (Stream stream = device.stream();
        GlobalFloats matrix = device.allocateFloats((long) indices.length * COLUMNS)) {
      stream.copyRows(HostRows.of(table).at(indices), matrix).await();
      assertThat(read(stream, matrix)).isEqualTo(dense(HostRows.of(expected)));
      GlobalFloats first = matrix.slice(0, (long) ROWS * COLUMNS);
      stream.copyRows(first, HostRows.of(scattered).at(reversed)).await();
    }
    for (int i = 0; i < ROWS; i++) {
      assertThat(scattered[i]).isEqualTo(expected[ROWS - 1 - i]);
    }
  }

  @Test
  void aPaddedMatrixKeepsWhatLiesBetweenItsRows() {
    float[][] source = floats(ROWS, COLUMNS, 6);
    float[][] back = new float[ROWS][COLUMNS];
    long pitch = 1280;
    byte[] before = bytes(Math.toIntExact(ROWS * pitch), 9);
    try (Stream stream = device.stream();
        GlobalBytes matrix = onDevice(stream, before)) {
      stream.copyRows(HostRows.of(source), matrix, pitch);
      stream.copyRows(matrix, pitch, HostRows.of(back));
      byte[] now = read(stream, matrix);
      byte[] rows = dense(HostRows.of(source));
      byte[] expected = before.clone();
      for (int i = 0; i < ROWS; i++) {
        System.arraycopy(rows, i * ROW, expected, (int) (i * pitch), ROW);
      }
      assertThat(now).isEqualTo(expected);
    }
    assertThat(back).isDeepEqualTo(source);
  }

  @Test
  void floatsAreConvertedOnTheWay() {
    float[][] source = floats(ROWS, COLUMNS, 7);
    source[0][0] = Float.NaN;
    source[0][1] = Float.POSITIVE_INFINITY;
    source[0][2] = Float.MAX_VALUE;
    source[0][3] = -0.0f;
    HostRows rows = HostRows.of(source);
    try (Stream stream = device.stream();
        GlobalBfloats bfloats = device.allocateBfloats((long) ROWS * COLUMNS);
        GlobalHalfs halfs = device.allocateHalfs((long) ROWS * COLUMNS);
        GlobalBytes quantized = device.allocateBytes((long) ROWS * COLUMNS)) {
      stream.copyRows(rows.asBfloats(), bfloats);
      stream.copyRows(rows.asHalfs(), halfs);
      stream.copyRows(rows.asBytes(40), quantized);
      float[][] ofBfloats = new float[ROWS][COLUMNS];
      float[][] ofHalfs = new float[ROWS][COLUMNS];
      float[][] ofBytes = new float[ROWS][COLUMNS];
      stream.copyRows(bfloats, HostRows.of(ofBfloats).asBfloats());
      stream.copyRows(halfs, HostRows.of(ofHalfs).asHalfs());
      stream.copyRows(quantized, HostRows.of(ofBytes).asBytes(40));
      stream.record().await();
      for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < COLUMNS; k++) {
          float x = source[i][k];
          assertThat(ofBfloats[i][k]).isEqualTo(Float.valueOf(Bfloat.toFloat(Bfloat.of(x))));
          assertThat(ofHalfs[i][k])
              .isEqualTo(Float.valueOf(Float.float16ToFloat(Float.floatToFloat16(x))));
          double scaled =
              Float.isNaN(x) ? 0 : Math.clamp(Math.rint((double) (x * 40)), -128.0, 127.0);
          assertThat(ofBytes[i][k]).isEqualTo((float) scaled / 40);
        }
      }
    }
  }

  @Test
  void rowsAreReadInTheOrderOfTheStream() {
    byte[] data = bytes(500_000, 8);
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalBytes from = onDevice(stream, data);
        GlobalBytes to = device.allocateBytes(data.length)) {
      byte[] array = new byte[data.length];
      MemorySegment direct = pinned.allocate(data.length);
      for (MemorySegment memory : List.of(MemorySegment.ofArray(array), direct)) {
        memory.fill((byte) 0);
        stream.fill(to, (byte) 1);
        stream.copy(from, memory);
        stream.copyRows(HostRows.of(memory, 1000), to);
        assertThat(read(stream, to)).isEqualTo(data);
        stream.fill(from, (byte) 3);
        stream.copyRows(from, HostRows.of(memory, 1000));
        stream.copy(memory, to);
        assertThat(read(stream, to)).isEqualTo(filled(data.length, 3));
        stream.copy(data, from).await();
      }
    }
  }

  @Test
  void manyCopiesOfRowsAtOnceArriveWhereTheyBelong() {
    float[][] table = floats(3000, 64, 11);
    float[][] back = new float[3000][64];
    List<Stream> streams = new ArrayList<>();
    try (GlobalFloats matrix = device.allocateFloats(3000 * 64)) {
      for (int i = 0; i < 40; i++) {
        Stream stream = device.stream();
        streams.add(stream);
        HostRows part = HostRows.of(table).slice(i * 75, 75);
        GlobalFloats place = matrix.slice(i * 75 * 64, 75 * 64);
        stream.copyRows(part, place);
        stream.copyRows(place, HostRows.of(back).slice(i * 75, 75));
      }
      streams.forEach(stream -> stream.record().await());
      streams.forEach(Stream::close);
    }
    assertThat(back).isDeepEqualTo(table);
  }

  @Test
  void rowsWhoseArenaIsClosedFailTheCopyAndNothingElse() {
    try (Stream stream = device.stream();
        Arena good = Arena.ofShared();
        GlobalBytes array = device.allocateBytes(8_000_000)) {
      Arena arena = Arena.ofShared();
      MemorySegment gone = arena.allocate(4_000_000);
      HostRows rows =
          HostRows.join(
              List.of(HostRows.of(good.allocate(4_000_000), 1000), HostRows.of(gone, 1000)));
      Copy copy = stream.copyRows(rows, array);
      arena.close();
      try {
        copy.await(); // it was faster
      } catch (CopyFailedException e) {
        assertThat(e).hasMessageContaining("keep the arena");
      }
      assertThatThrownBy(() -> stream.copyRows(rows, array)).isInstanceOf(ClosedException.class);
      stream.fill(array, (byte) 7);
      assertThat(read(stream, array)).isEqualTo(filled(8_000_000, 7));
    }
  }

  @Test
  void whatCannotBeCopiedIsRefused(@TempDir Path folder) throws IOException {
    HostRows rows = HostRows.of(new float[10][4]);
    try (Stream stream = device.stream();
        Arena confined = Arena.ofConfined();
        GlobalBytes array = device.allocateBytes(161)) {
      GlobalArray dense = array.slice(0, 160);
      refused(IllegalArgumentException.class, "161", () -> stream.copyRows(rows, array));
      refused(IllegalArgumentException.class, "161", () -> stream.copyRows(array, rows));
      refused(IllegalArgumentException.class, "overlap", () -> stream.copyRows(rows, array, 15));
      refused(
          IndexOutOfBoundsException.class, "do not fit", () -> stream.copyRows(rows, array, 20));
      refused(
          IllegalArgumentException.class,
          "read-only",
          () ->
              stream.copyRows(
                  dense, HostRows.of(MemorySegment.ofArray(new byte[160]).asReadOnly(), 16)));
      refused(RouteException.class, "confined", () -> HostRows.of(confined.allocate(160), 16));
      refused(
          RouteException.class,
          "confined",
          () -> HostRows.of(List.of(confined.allocate(16), confined.allocate(16))));
      try (Stream legacy = device.legacyStream()) {
        refused(RouteException.class, "default stream", () -> legacy.copyRows(rows, dense));
      }
      refused(
          StrettoException.class,
          "graph",
          () -> Graph.capture(stream, captured -> captured.copyRows(rows, dense)));
      stream.copyRows(rows, dense).await();
    }
  }

  private static byte[] filled(int length, int value) {
    byte[] all = new byte[length];
    Arrays.fill(all, (byte) value);
    return all;
  }

  private static void refused(Class<? extends Throwable> type, String words, Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(type).hasMessageContaining(words);
  }
}
