package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Sample;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;
import dev.stretto.memory.TensorMap.Element;
import dev.stretto.memory.TensorMap.Fill;
import dev.stretto.memory.TensorMap.Swizzle;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Columns of pixels are copied as the im2col matrix of a convolution says, on every device. */
class ColumnCopyTest extends ContractTest {
  private static final byte GAP = 0x5a;
  private static final int[] EVERY_PIXEL = {1, 1, 1};

  /** A convolution of images: all arrays have the width first. */
  @SuppressWarnings("ArrayRecordComponent") // they are not compared
  private record Convolution(
      int channels, int[] size, int images, int[] lower, int[] upper, int[] strides) {
    int within() {
      return size.length;
    }

    /** {@return how many pixels the output has along a dimension} */
    int out(int dimension) {
      int box = size[dimension] + upper[dimension] - lower[dimension];
      return (box - 1) / strides[dimension] + 1;
    }

    int outPixels() {
      int all = images;
      for (int i = 0; i < within(); i++) {
        all *= out(i);
      }
      return all;
    }

    long[] shape() {
      long[] shape = new long[within() + 2];
      shape[0] = channels;
      for (int i = 0; i < within(); i++) {
        shape[i + 1] = size[i];
      }
      shape[within() + 1] = images;
      return shape;
    }

    /** {@return the places of an output pixel's first input pixel, then its image} */
    int[] place(int pixel) {
      int[] place = new int[within() + 1];
      int rest = pixel;
      for (int i = 0; i < within(); i++) {
        place[i] = lower[i] + rest % out(i) * strides[i];
        rest /= out(i);
      }
      place[within()] = rest;
      return place;
    }

    TensorMap.Builder map(GlobalArray array) {
      int[] steps = new int[within() + 2];
      Arrays.fill(steps, 1);
      System.arraycopy(strides, 0, steps, 1, within());
      return TensorMap.of(array).shape(shape()).lowerCorner(lower).upperCorner(upper).steps(steps);
    }
  }

  /** The element of the tensor that belongs to an output pixel and an offset; -1 outside. */
  private static long element(Convolution of, int pixel, int[] offsets, int channel) {
    int[] place = of.place(pixel);
    long at = place[of.within()];
    boolean inside = at < of.images && channel >= 0 && channel < of.channels;
    for (int i = of.within() - 1; i >= 0; i--) {
      int here = place[i] + offsets[i];
      inside &= here >= 0 && here < of.size[i];
      at = at * of.size[i] + here;
    }
    return inside ? at * of.channels + channel : -1;
  }

  private static byte[] expected(
      TensorMap map, Convolution of, byte[] tensor, int first, int[] offsets, int channel) {
    byte[] column = new byte[map.sharedBytes()];
    Arrays.fill(column, GAP);
    int bytes = map.element().bytes();
    for (int pixel = 0; pixel < map.box(1); pixel++) {
      for (int c = 0; c < map.box(0); c++) {
        long from = element(of, first + pixel, offsets, channel + c);
        for (int i = 0; i < bytes; i++) {
          byte outside = map.fill() == Fill.ZERO ? 0 : (byte) (i % 2 == 0 ? 0xf7 : 0x7f);
          int to = map.swizzle().place(pixel * map.rowPitch() + c * bytes + i);
          column[to] = from < 0 ? outside : tensor[(int) from * bytes + i];
        }
      }
    }
    return column;
  }

  private GlobalArray array(Element element, int length) {
    return switch (element) {
      case UINT8 -> device.allocateBytes(length);
      case UINT16 -> device.allocateShorts(length);
      case UINT32, INT32 -> device.allocateInts(length);
      case UINT64, INT64 -> device.allocateLongs(length);
      case FLOAT16 -> device.allocateHalfs(length);
      case BFLOAT16 -> device.allocateBfloats(length);
      case FLOAT32 -> device.allocateFloats(length);
      case FLOAT64 -> device.allocateDoubles(length);
    };
  }

  private void brings(
      Stream stream,
      TensorMap map,
      Convolution of,
      byte[] tensor,
      int first,
      int[] offsets,
      int channel,
      boolean hinted) {
    int[] place = of.place(first);
    int[] at = new int[4];
    System.arraycopy(place, 0, at, 0, of.within());
    try (GlobalBytes out = device.allocateBytes(map.sharedBytes());
        GlobalInts shifts = device.allocateInts(3)) {
      stream.copy(Arrays.copyOf(offsets, 3), shifts);
      stream.launch(
          Grid.of(1, 64),
          ColumnKernels::load,
          map,
          out,
          map.dimensions(),
          hinted,
          map.sharedBytes(),
          map.boxBytes(),
          channel,
          at[0],
          at[1],
          at[2],
          place[of.within()],
          shifts);
      byte[] found = read(stream, out);
      for (int i = 0; i < found.length; i++) {
        int line = i / map.rowPitch() * map.rowPitch();
        if (map.swizzle().place(i) - line >= map.rowBytes() && map.rowPitch() > map.rowBytes()) {
          found[i] = GAP; // what lies in the gaps behind rows is anybody's
        }
      }
      assertThat(found)
          .as("%s, pixel %d, offsets %s, channel %d", map, first, Arrays.toString(offsets), channel)
          .isEqualTo(expected(map, of, tensor, first, offsets, channel));
    }
  }

  private void random(Stream stream, SplittableRandom random) {
    int within = random.nextInt(1, 4);
    Element[] elements = Element.values();
    Element element = elements[random.nextInt(elements.length)];
    int unit = 16 / element.bytes(); // the channels of 16 bytes
    int[] size = new int[within];
    int[] lower = new int[within];
    int[] upper = new int[within];
    int[] strides = new int[within];
    int[] filter = new int[within];
    int[] dilations = new int[within];
    for (int i = 0; i < within; i++) {
      size[i] = random.nextInt(1, 8);
      filter[i] = random.nextInt(1, 4);
      dilations[i] = random.nextInt(1, 3);
      strides[i] = random.nextInt(1, 4);
      int before = random.nextInt(0, 3);
      int reach = (filter[i] - 1) * dilations[i];
      int behind = Math.max(random.nextInt(0, 3), reach + 1 - before - size[i]);
      lower[i] = -before;
      upper[i] = behind - reach;
    }
    Convolution of =
        new Convolution(
            unit * random.nextInt(1, 4), size, random.nextInt(1, 4), lower, upper, strides);
    int length = of.channels * of.images * Arrays.stream(size).reduce(1, (a, b) -> a * b);
    int channels = unit * random.nextInt(1, 4);
    Swizzle[] swizzles = Swizzle.values();
    Swizzle swizzle = swizzles[random.nextInt(swizzles.length)];
    if (swizzle != Swizzle.NONE && channels * element.bytes() > swizzle.span()) {
      swizzle = Swizzle.NONE;
    }
    byte[] tensor = bytes(length * element.bytes(), random.nextInt());
    try (GlobalArray array = array(element, length)) {
      stream.copy(MemorySegment.ofArray(tensor), array).await();
      TensorMap map =
          of.map(array)
              .element(element)
              .im2col(Math.min(channels, 256), random.nextInt(1, 40))
              .swizzle(swizzle)
              .fill(element.isFloat() && random.nextBoolean() ? Fill.NAN : Fill.ZERO)
              .build();
      assertThat(map.boxBytes()).isEqualTo(map.box(0) * map.box(1) * element.bytes());
      for (int i = 0; i < 3; i++) {
        int[] offsets = new int[within];
        for (int j = 0; j < within; j++) {
          offsets[j] = random.nextInt(filter[j]) * dilations[j];
        }
        int first = random.nextInt(of.outPixels() + 2); // perhaps behind the last image
        int channel = unit * random.nextInt(-1, 4);
        brings(stream, map, of, tensor, first, offsets, channel, random.nextBoolean());
      }
    }
  }

  @Test
  void aColumnIsWhatTheRowsOfTheIm2colMatrixAre() {
    try (Stream stream = device.stream()) {
      SplittableRandom random = new SplittableRandom(17);
      for (int i = 0; i < 60; i++) {
        random(stream, random);
      }
    }
  }

  /** The examples of the PTX ISA, with another number of channels. */
  @Test
  void theExamplesOfTheDocumentation() {
    Convolution first =
        new Convolution(
            16, new int[] {9, 14}, 64, new int[] {-1, -1}, new int[] {-1, -1}, EVERY_PIXEL);
    Convolution second =
        new Convolution(
            16, new int[] {9, 14}, 64, new int[] {0, 0}, new int[] {-2, -2}, EVERY_PIXEL);
    Convolution third =
        new Convolution(
            16, new int[] {8, 14}, 64, new int[] {-1, -1}, new int[] {-1, -1}, new int[] {2, 2});
    byte[] tensor = bytes(16 * 9 * 14 * 64 * 2, 3);
    try (Stream stream = device.stream();
        GlobalArray array = device.allocateShorts(tensor.length / 2)) {
      stream.copy(MemorySegment.ofArray(tensor), array).await();
      TensorMap one = first.map(array).im2col(8, 64).build();
      // Place (7, 4) of the first image is pixel 8 of line 5: the box begins at -1.
      brings(stream, one, first, tensor, 8 + 5 * 9, new int[] {0, 0}, 0, false);
      TensorMap two = second.map(array).im2col(8, 64).build();
      brings(stream, two, second, tensor, 6 + 4 * 7, new int[] {2, 2}, 8, false);
      TensorMap three = third.map(array).im2col(16, 32).build();
      assertThat(third.out(0)).isEqualTo(4);
      // Place (5, 5), with the step 2 from -1.
      brings(stream, three, third, tensor, 3 + 3 * 4, new int[] {1, 1}, 0, false);
    }
  }

  private void isWritten(Stream stream, Convolution of, int pixels, int first, boolean adds) {
    int[] values =
        new int[of.channels * of.images * Arrays.stream(of.size).reduce(1, (a, b) -> a * b)];
    Arrays.setAll(values, i -> 5 * i);
    int[] expected = values.clone();
    int[] none = new int[of.within()];
    for (int pixel = 0; pixel < pixels; pixel++) {
      for (int c = 0; c < 4; c++) {
        long at = element(of, first + pixel, none, 4 + c);
        if (at >= 0) {
          expected[(int) at] = (adds ? values[(int) at] : 0) + 1000 + pixel * 4 + c;
        }
      }
    }
    int[] place = of.place(first);
    int[] at = Arrays.copyOf(Arrays.copyOf(place, of.within()), 3);
    try (GlobalInts array = device.allocateInts(values.length)) {
      for (boolean hinted : new boolean[] {false, true}) {
        TensorMap map = of.map(array).im2col(4, pixels).build();
        stream.copy(values, array);
        stream.launch(
            Grid.of(1, 32),
            ColumnKernels::store,
            map,
            map.dimensions(),
            adds,
            hinted,
            4 * pixels,
            4,
            at[0],
            at[1],
            at[2],
            place[of.within()]);
        int[] found = new int[values.length];
        stream.copy(array, found).await();
        assertThat(found).as("%s", map).isEqualTo(expected);
      }
    }
  }

  @Test
  void aColumnIsWrittenAndAddedWhereItIsInside() {
    try (Stream stream = device.stream()) {
      for (boolean adds : new boolean[] {false, true}) {
        int[] zero = {0, 0, 0};
        isWritten(
            stream,
            new Convolution(8, new int[] {9}, 3, new int[] {1}, new int[] {-1}, new int[] {1}),
            20,
            4,
            adds);
        isWritten(
            stream,
            new Convolution(
                8, new int[] {5, 4}, 2, new int[] {0, 1}, new int[] {-1, 0}, new int[] {2, 1}),
            16,
            7,
            adds);
        isWritten(
            stream,
            new Convolution(8, new int[] {3, 2, 2}, 2, zero, zero, EVERY_PIXEL),
            16,
            5,
            adds);
      }
    }
  }

  @Test
  void aColumnIsCopiedToAllBlocksOfACluster() {
    Convolution of =
        new Convolution(
            8, new int[] {7, 6}, 1, new int[] {-1, -1}, new int[] {-1, -1}, EVERY_PIXEL);
    int[] values = new SplittableRandom(6).ints(8 * 7 * 6).toArray();
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(values.length)) {
      stream.copy(values, in);
      TensorMap map = of.map(in).im2col(4, 16).build();
      for (int blocks = 1; blocks <= 4; blocks *= 2) {
        try (GlobalInts out = device.allocateInts(4 * 128)) {
          int[] found = new int[4 * 128];
          Grid grid = Grid.of(4, 32).withCluster(blocks, 1, 1);
          stream.launch(grid, ColumnKernels::multicast, map, out, blocks);
          stream.copy(out, found).await();
          for (int i = 0; i < found.length; i++) {
            int row = i % 64 / 4;
            boolean second = i % 128 >= 64;
            int first = second ? 3 + 2 * 7 : 2 + 7;
            int[] offsets = second ? new int[] {0, 1} : new int[] {1, 2};
            long from = element(of, first + row, offsets, (second ? 0 : 4) + i % 4);
            int value = from < 0 ? 0 : values[(int) from];
            assertThat(found[i]).isEqualTo(value + i / 128 % blocks);
          }
        }
      }
    }
  }

  @Test
  void barriersAndPipelinesReceiveColumns() {
    int[] values = new SplittableRandom(8).ints(4 * 5 * 4 * 3).toArray();
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(values.length);
        GlobalInts out = device.allocateInts(128)) {
      stream.copy(values, in);
      int[][] sizes = {{5}, {5, 4}, {5, 4, 3}};
      for (int[] size : sizes) {
        int[] lower = new int[size.length];
        int[] upper = new int[size.length];
        lower[0] = -1;
        upper[0] = -1;
        Convolution of = new Convolution(4, size, 1, lower, upper, EVERY_PIXEL);
        TensorMap map =
            TensorMap.of(in)
                .shape(of.shape())
                .im2col(4, 16)
                .lowerCorner(lower)
                .upperCorner(upper)
                .build();
        stream.launch(Grid.of(1, 32), ColumnKernels::tiles, map, out, size.length + 2, 1, 2);
        int[] found = new int[128];
        stream.copy(out, found).await();
        int[] offsets = new int[size.length];
        offsets[0] = 2;
        for (int i = 0; i < found.length; i++) {
          long from = element(of, 2 + i % 64 / 4, offsets, i % 4);
          assertThat(found[i]).isEqualTo(from < 0 ? 0 : values[(int) from]);
        }
      }
    }
  }

  /** Convolves images of random numbers that are exact in any order. */
  private static void convolves(Device device, Stream stream, SplittableRandom random) {
    int across = random.nextInt(1, 4);
    int down = random.nextInt(1, 4);
    int dilation = random.nextInt(1, 3);
    int stride = random.nextInt(1, 3);
    int padding = random.nextInt(0, 3);
    int width = random.nextInt(6, 12);
    int height = random.nextInt(6, 12);
    int count = random.nextInt(1, 4);
    int channels = ColumnKernels.CHANNELS;
    int outWidth = (width + 2 * padding - (across - 1) * dilation - 1) / stride + 1;
    int outHeight = (height + 2 * padding - (down - 1) * dilation - 1) / stride + 1;
    int pixels = outWidth * outHeight * count;
    float[] in = new float[channels * width * height * count];
    float[] filter = new float[channels * across * down];
    for (int i = 0; i < in.length; i++) {
      in[i] = random.nextInt(-9, 10);
    }
    for (int i = 0; i < filter.length; i++) {
      filter[i] = random.nextInt(-9, 10);
    }
    float[] expected = new float[pixels];
    for (int n = 0; n < count; n++) {
      for (int y = 0; y < outHeight; y++) {
        for (int x = 0; x < outWidth; x++) {
          float sum = 0;
          for (int j = 0; j < down; j++) {
            for (int i = 0; i < across; i++) {
              int h = y * stride - padding + j * dilation;
              int w = x * stride - padding + i * dilation;
              for (int c = 0; c < channels; c++) {
                if (h >= 0 && h < height && w >= 0 && w < width) {
                  sum +=
                      in[((n * height + h) * width + w) * channels + c]
                          * filter[(j * across + i) * channels + c];
                }
              }
            }
          }
          expected[(n * outHeight + y) * outWidth + x] = sum;
        }
      }
    }
    try (GlobalFloats images = device.allocateFloats(in.length);
        GlobalFloats weights = device.allocateFloats(filter.length);
        GlobalFloats out = device.allocateFloats(pixels)) {
      stream.copy(in, images);
      stream.copy(filter, weights);
      TensorMap map =
          TensorMap.of(images)
              .shape(channels, width, height, count)
              .im2col(channels, ColumnKernels.PIXELS)
              .lowerCorner(-padding, -padding)
              .upperCorner(padding - (across - 1) * dilation, padding - (down - 1) * dilation)
              .steps(1, stride, stride, 1)
              .build();
      stream.launch(
          Grid.of((pixels + ColumnKernels.PIXELS - 1) / ColumnKernels.PIXELS, ColumnKernels.PIXELS),
          ColumnKernels::convolve,
          map,
          weights,
          out,
          pixels,
          outWidth,
          outHeight,
          across,
          down,
          dilation,
          stride,
          padding);
      float[] found = new float[pixels];
      stream.copy(out, found).await();
      assertThat(found).as("%s", map).isEqualTo(expected);
    }
  }

  @Test
  void aConvolutionReadsItsInputByColumns() {
    try (Stream stream = device.stream()) {
      SplittableRandom random = new SplittableRandom(23);
      for (int i = 0; i < 5; i++) {
        convolves(device, stream, random);
      }
    }
  }

  @Test
  void aConvolutionIsRightUnderManySeeds() {
    if (!machine.isSeeded()) {
      return;
    }
    for (int seed = 1; seed <= Sample.of(60, 200); seed++) {
      try (Device seeded = Device.open("virtual:h200,order=checked,seed=" + seed);
          Stream stream = seeded.stream()) {
        convolves(seeded, stream, new SplittableRandom(seed));
      }
    }
  }

  /** A launch with a place or offsets that the instruction does not define, or the wrong map. */
  @SuppressWarnings("ArrayRecordComponent") // they are not compared
  private record Wrong(boolean tiles, int[] at, int[] offsets, int dimensions, String... words) {
    void isRefused() {
      try (Device own = Device.open("virtual:h200"); // whose kernel fails, which loses it
          Stream stream = own.stream();
          GlobalInts in = own.allocateInts(4 * 6 * 5 * 2);
          GlobalBytes out = own.allocateBytes(1024);
          GlobalInts shifts = own.allocateInts(3)) {
        TensorMap.Builder map = TensorMap.of(in).shape(4, 6, 5, 2);
        if (tiles) {
          map.box(4, 2, 2, 1);
        } else {
          map.im2col(4, 8).lowerCorner(-1, 0).upperCorner(0, -2);
        }
        stream.copy(offsets, shifts).await();
        assertThatThrownBy(
                () -> {
                  stream.launch(
                      Grid.of(1, 64),
                      ColumnKernels::load,
                      map.build(),
                      out,
                      dimensions,
                      false,
                      1024,
                      128,
                      at[0],
                      at[1],
                      at[2],
                      at[3],
                      at[4],
                      shifts);
                  stream.await();
                })
            .rootCause()
            .message()
            .contains(words);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"-1,0", "0,1", "-2,-1", "1,2"})
  void aColumnIsWrittenOnlyWithABoundingBoxWithinTheImage(int lower, int upper) {
    try (Device own = Device.open("virtual:h200"); // whose kernel fails, which loses it
        Stream stream = own.stream();
        GlobalInts array = own.allocateInts(4 * 9 * 2)) {
      TensorMap map =
          TensorMap.of(array)
              .shape(4, 9, 2)
              .im2col(4, 8)
              .lowerCorner(lower)
              .upperCorner(upper)
              .build();
      assertThatThrownBy(
              () -> {
                stream.launch(
                    Grid.of(1, 32), ColumnKernels::store, map, 3, false, false, 32, 0, 3, 0, 0, 0);
                stream.await();
              })
          .rootCause()
          .message()
          .contains("out-of-range", "[" + lower + "] and [" + upper + "]", "within the image");
    }
  }

  @Test
  void whatTheInstructionsDoNotDefineIsRefused() {
    int[] none = {0, 0, 0};
    int[] begin = {0, 0, 0, 0, 0};
    String range = "out-of-range";
    new Wrong(false, new int[] {0, -2, 0, 0, 0}, none, 4, range, "place 1", "-1 to 5").isRefused();
    new Wrong(false, new int[] {0, 6, 0, 0, 0}, none, 4, range, "place 1", "-1 to 5").isRefused();
    new Wrong(false, new int[] {0, 0, 3, 0, 0}, none, 4, range, "place 2", "0 to 2").isRefused();
    new Wrong(false, new int[] {2, 0, 0, 0, 0}, none, 4, "misaligned", "of 16").isRefused();
    new Wrong(false, begin, new int[] {256, 0, 0}, 4, range, "[256, 0]", "0 to 255").isRefused();
    new Wrong(false, begin, new int[] {0, -1, 0}, 4, range, "[0, -1]", "0 to 255").isRefused();
    new Wrong(false, begin, none, 5, "5 coordinates", "has 4").isRefused();
    new Wrong(true, begin, none, 4, "is not for im2col", "PtxTensorCopies").isRefused();
  }
}
