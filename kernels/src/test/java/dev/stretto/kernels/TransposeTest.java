package dev.stretto.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "on {0}")
@MethodSource("dev.stretto.kernels.Devices#names")
class TransposeTest {
  private final Device device;
  private final Stream stream;
  private final Random random = new Random(17);

  TransposeTest(String name) {
    device = Device.open(name);
    stream = device.stream();
  }

  @AfterEach
  void close() {
    stream.close();
    device.close();
  }

  @Test
  void matricesOfEachShape() {
    for (int[] shape : new int[][] {{1, 1}, {1, 100}, {100, 1}, {32, 32}, {33, 95}, {64, 31}}) {
      int rows = shape[0];
      int columns = shape[1];
      int size = rows * columns;
      int[] ints = random.ints(size).toArray();
      long[] longs = random.longs(size).toArray();
      double[] doubles = random.doubles(size).toArray();
      float[] floats = new float[size];
      for (int i = 0; i < size; i++) {
        floats[i] = (float) doubles[i];
      }
      try (GlobalInts inInts = device.allocateInts(size);
          GlobalInts outInts = device.allocateInts(size);
          GlobalLongs inLongs = device.allocateLongs(size);
          GlobalLongs outLongs = device.allocateLongs(size);
          GlobalFloats inFloats = device.allocateFloats(size);
          GlobalFloats outFloats = device.allocateFloats(size);
          GlobalDoubles inDoubles = device.allocateDoubles(size);
          GlobalDoubles outDoubles = device.allocateDoubles(size)) {
        stream.copy(ints, inInts);
        stream.copy(longs, inLongs);
        stream.copy(floats, inFloats);
        stream.copy(doubles, inDoubles);
        Transpose.of(stream, inInts, outInts, rows, columns);
        Transpose.of(stream, inLongs, outLongs, rows, columns);
        Transpose.of(stream, inFloats, outFloats, rows, columns);
        Transpose.of(stream, inDoubles, outDoubles, rows, columns);
        int[] gotInts = new int[size];
        long[] gotLongs = new long[size];
        float[] gotFloats = new float[size];
        double[] gotDoubles = new double[size];
        stream.copy(outInts, gotInts);
        stream.copy(outLongs, gotLongs);
        stream.copy(outFloats, gotFloats);
        stream.copy(outDoubles, gotDoubles).await();
        for (int r = 0; r < rows; r++) {
          for (int c = 0; c < columns; c++) {
            int from = r * columns + c;
            int to = c * rows + r;
            assertThat(gotInts[to]).isEqualTo(ints[from]);
            assertThat(gotLongs[to]).isEqualTo(longs[from]);
            assertThat(gotFloats[to]).isEqualTo(floats[from]);
            assertThat(gotDoubles[to]).isEqualTo(doubles[from]);
          }
        }
      }
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    try (GlobalInts memory = device.allocateInts(20)) {
      GlobalInts ten = memory.slice(0, 10);
      assertThatThrownBy(() -> Transpose.of(stream, ten, memory.slice(10, 10), 3, 4))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("in has 10 elements, and 12 are needed");
      assertThatThrownBy(() -> Transpose.of(stream, ten, memory.slice(10, 10), -3, 4))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("rows is -3");
      assertThatThrownBy(() -> Transpose.of(stream, ten, ten, 2, 4))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith(", overlap: give one of them memory of its own");
      Transpose.of(stream, ten, memory.slice(10, 10), 0, 1000).await();
      assertThat(stream.isIdle()).isTrue();
    }
  }
}
