package dev.stretto.rows;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.memory.Bfloat;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Views of rows, without a device. */
class HostRowsTest {
  private static byte[][] numbered(int rows, int bytes) {
    byte[][] all = new byte[rows][bytes];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < bytes; i++) {
        all[row][i] = (byte) (row * 31 + i);
      }
    }
    return all;
  }

  private static byte[] read(HostRows rows, long at, int bytes) {
    byte[] into = new byte[bytes];
    rows.read(at, MemorySegment.ofArray(into));
    return into;
  }

  /** Each range of every view is what a loop over single bytes gives. */
  @Test
  void everyRangeOfEveryViewIsReadAndWritten() {
    SplittableRandom random = new SplittableRandom(1);
    byte[][] arrays = numbered(23, 13);
    HostRows base = HostRows.of(arrays);
    MemorySegment gaps = MemorySegment.ofArray(new byte[23 * 17]);
    MemorySegment whole = MemorySegment.ofArray(new byte[23 * 13]);
    for (int row = 0; row < 23; row++) {
      MemorySegment.copy(arrays[row], 0, gaps, JAVA_BYTE, row * 17, 13);
      MemorySegment.copy(arrays[row], 0, whole, JAVA_BYTE, row * 13, 13);
    }
    int[] indices = random.ints(40, 0, 23).toArray();
    List<HostRows> views =
        List.of(
            base,
            HostRows.of(gaps, 23, 13, 17),
            HostRows.of(whole, 13),
            HostRows.of(List.of(gaps.asSlice(0, 13), whole.asSlice(13, 13))),
            HostRows.join(List.of(base.slice(3, 5), HostRows.of(whole, 13), base.slice(22, 1))),
            HostRows.join(List.of(base, base)).at(indices),
            base.at(indices).slice(7, 20).at(new int[] {0, 19, 4}));
    for (HostRows view : views) {
      byte[] all = new byte[(int) view.byteSize()];
      for (int i = 0; i < all.length; i++) {
        all[i] = view.row(i / 13).get(JAVA_BYTE, i % 13);
      }
      for (int round = 0; round < 200; round++) {
        int from = random.nextInt(all.length);
        int bytes = random.nextInt(all.length - from + 1);
        assertThat(read(view, from, bytes))
            .isEqualTo(java.util.Arrays.copyOfRange(all, from, from + bytes));
      }
    }
    HostRows written = HostRows.join(List.of(base.slice(0, 10), HostRows.of(gaps, 23, 13, 17)));
    for (int round = 0; round < 200; round++) {
      int from = random.nextInt((int) written.byteSize());
      int bytes = random.nextInt((int) written.byteSize() - from + 1);
      byte[] all = read(written, 0, (int) written.byteSize());
      byte[] part = new byte[bytes];
      random.nextBytes(part);
      written.write(from, MemorySegment.ofArray(part));
      System.arraycopy(part, 0, all, from, bytes);
      assertThat(read(written, 0, all.length)).isEqualTo(all);
    }
    for (int row = 0; row < 22; row++) { // gaps stay
      assertThat(gaps.asSlice(row * 17L + 13, 4).toArray(JAVA_BYTE)).containsOnly(0);
    }
  }

  /** All 2³² floats would take minutes: those around each change, and many others. */
  @Test
  void bfloatsAreRoundedAsTheScalarConversionRounds() {
    SplittableRandom random = new SplittableRandom(2);
    float[] values = new float[1 << 20];
    for (int i = 0; i < values.length; i++) {
      int bits = random.nextInt();
      int low = new int[] {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff, bits & 0xffff}[i % 7];
      int high = (i % 5 == 0 ? bits | 0x7f800000 : bits) & 0xffff0000;
      values[i] = Float.intBitsToFloat(high | low);
      if (i < values.length / 2 && Float.isNaN(values[i])) { // without NaN, other code rounds
        values[i] = Float.intBitsToFloat(high & 0xff800000); // infinity
      }
    }
    HostRows rows = HostRows.of(new float[][] {values}).asBfloats();
    short[] into = new short[values.length];
    rows.read(0, MemorySegment.ofArray(into));
    for (int i = 0; i < values.length; i++) {
      assertThat(into[i])
          .as("of %x", Float.floatToRawIntBits(values[i]))
          .isEqualTo(Bfloat.of(values[i]));
    }
  }

  @Test
  void bytesAreRoundedToEvenAndSaturate() {
    float[] values = {
      0.5f,
      1.5f,
      -0.5f,
      -1.5f,
      126.5f,
      127.5f,
      1e30f,
      -127.5f,
      -128.5f,
      -1e30f,
      Float.NaN,
      Float.POSITIVE_INFINITY,
      Float.NEGATIVE_INFINITY,
      -0.0f,
      Float.MIN_VALUE,
      2.4999998f
    };
    byte[] into = new byte[values.length];
    HostRows.of(new float[][] {values}).asBytes(1).read(0, MemorySegment.ofArray(into));
    assertThat(into)
        .containsExactly(0, 2, 0, -2, 126, 127, 127, -128, -128, -128, 0, 127, -128, 0, 0, 2);
    float[] back = new float[values.length];
    HostRows.of(new float[][] {back}).asBytes(-2).write(0, MemorySegment.ofArray(into));
    for (int i = 0; i < back.length; i++) {
      assertThat(back[i]).isEqualTo(into[i] / -2f);
    }
  }

  @Test
  void convertedRowsAreReadFromAnyElementOn() {
    float[][] values = new float[5][3001];
    for (int row = 0; row < 5; row++) {
      for (int i = 0; i < 3001; i++) {
        values[row][i] = row * 1000 + i;
      }
    }
    HostRows halfs = HostRows.of(values).asHalfs();
    assertThat(halfs.rowBytes()).isEqualTo(6002);
    assertThat(halfs.row(1).byteSize()).isEqualTo(12004);
    MemorySegment into = MemorySegment.ofArray(new byte[2 * 9000]);
    halfs.read(2 * 2500, into);
    for (int i = 0; i < 9000; i++) {
      int at = 2500 + i;
      assertThat(into.get(JAVA_SHORT.withByteAlignment(1), 2L * i))
          .isEqualTo(Float.floatToFloat16(values[at / 3001][at % 3001]));
    }
    assertThatThrownBy(() -> halfs.read(1, into)).hasMessageContaining("cut an element");
  }

  @Test
  void whatMakesNoRowsIsRefused() {
    MemorySegment memory = MemorySegment.ofArray(new byte[100]);
    HostRows rows = HostRows.of(memory, 10);
    refused(IllegalArgumentException.class, "0 rows", () -> HostRows.of(new float[0][]));
    refused(IllegalArgumentException.class, "1 or more", () -> HostRows.of(new float[3][0]));
    refused(
        IllegalArgumentException.class,
        "row 2 one of 5",
        () -> HostRows.of(new float[][] {{1}, {2}, new float[5]}));
    refused(NullPointerException.class, "", () -> HostRows.of(new float[][] {{1}, null}));
    refused(IllegalArgumentException.class, "0 rows", () -> HostRows.of(List.of()));
    refused(
        IllegalArgumentException.class,
        "row 1 one of 100",
        () -> HostRows.of(List.of(memory.asSlice(0, 4), memory)));
    refused(IllegalArgumentException.class, "not one or more rows", () -> HostRows.of(memory, 3));
    refused(IllegalArgumentException.class, "not one or more rows", () -> HostRows.of(memory, 0));
    refused(IllegalArgumentException.class, "overlap", () -> HostRows.of(memory, 2, 10, 9));
    refused(IndexOutOfBoundsException.class, "do not fit", () -> HostRows.of(memory, 10, 10, 11));
    refused(
        IndexOutOfBoundsException.class,
        "do not fit",
        () -> HostRows.of(memory, 3, 1, Long.MAX_VALUE));
    refused(IllegalArgumentException.class, "0 rows", () -> HostRows.of(memory, 0, 10, 10));
    refused(IllegalArgumentException.class, "0 parts", () -> HostRows.join(List.of()));
    refused(
        IllegalArgumentException.class,
        "part 1",
        () -> HostRows.join(List.of(rows, HostRows.of(memory, 20))));
    refused(IndexOutOfBoundsException.class, "index 1 is 10", () -> rows.at(new int[] {0, 10}));
    refused(IndexOutOfBoundsException.class, "is -1", () -> rows.at(new int[] {-1}));
    refused(IllegalArgumentException.class, "0 rows", () -> rows.at(new int[0]));
    refused(IndexOutOfBoundsException.class, "", () -> rows.slice(5, 6));
    refused(IllegalArgumentException.class, "0 rows", () -> rows.slice(5, 0));
    refused(IllegalArgumentException.class, "4 bytes", rows::asBfloats);
    HostRows floats = HostRows.of(new float[2][2]);
    refused(IllegalArgumentException.class, "converted", () -> floats.asBfloats().asHalfs());
    refused(IllegalArgumentException.class, "finite", () -> floats.asBytes(0));
    refused(IllegalArgumentException.class, "finite", () -> floats.asBytes(Float.NaN));
    refused(IndexOutOfBoundsException.class, "", () -> rows.read(95, memory.asSlice(0, 6)));
    refused(IndexOutOfBoundsException.class, "", () -> rows.row(10));
  }

  private static void refused(Class<? extends Throwable> type, String words, Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(type).hasMessageContaining(words);
  }

  @Test
  void rowsOfManyAreCheckedByEachThread() {
    float[][] many = new float[200_000][1];
    many[150_000] = new float[2];
    assertThatThrownBy(() -> HostRows.of(many)).hasMessageContaining("row 150000 one of 2");
    many[150_000] = new float[] {7};
    assertThat(HostRows.of(many).row(150_000).get(JAVA_FLOAT, 0)).isEqualTo(7);
  }
}
