package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.PtxTensorCopies.Reduction;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;
import dev.stretto.memory.TensorMap.Element;
import dev.stretto.memory.TensorMap.Fill;
import dev.stretto.memory.TensorMap.Interleave;
import dev.stretto.memory.TensorMap.Swizzle;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Boxes of tensors are copied as their maps say, on every device. */
class TensorCopyTest extends ContractTest {
  private static final byte GAP = 0x5a;

  /** A tensor of random bytes and what was found in it. */
  private final class Tensor implements AutoCloseable {
    final GlobalArray array;
    final byte[] bytes;

    Tensor(Stream stream, Element element, int byteSize) {
      int length = byteSize / element.bytes();
      array =
          switch (element) {
            case UINT8 -> device.allocateBytes(length);
            case UINT16 -> device.allocateShorts(length);
            case UINT32, INT32 -> device.allocateInts(length);
            case UINT64, INT64 -> device.allocateLongs(length);
            case FLOAT16 -> device.allocateHalfs(length);
            case BFLOAT16 -> device.allocateBfloats(length);
            case FLOAT32 -> device.allocateFloats(length);
            case FLOAT64 -> device.allocateDoubles(length);
          };
      bytes = bytes(byteSize, byteSize);
      write(stream);
    }

    void write(Stream stream) {
      stream.copy(MemorySegment.ofArray(bytes), array).await();
    }

    @Override
    public void close() {
      array.close();
    }
  }

  /** What a box is to bring, told in the simplest way. */
  private static byte[] expectedBox(TensorMap map, byte[] tensor, int... at) {
    byte[] box = new byte[map.sharedBytes()];
    Arrays.fill(box, GAP);
    int rank = map.dimensions();
    int[] size = new int[rank];
    int all = 1;
    for (int i = 0; i < rank; i++) {
      size[i] = map.boxElements(i);
      all *= size[i];
    }
    int bytes = map.placeBytes();
    for (int number = 0; number < all; number++) {
      int rest = number;
      long from = 0;
      boolean inside = true;
      for (int i = 0; i < rank; i++) {
        long place = at[i] + (long) rest % size[i] * map.step(i);
        inside &= place >= 0 && place < map.extent(i);
        from += place * map.stride(i);
        rest /= size[i];
      }
      int row = number / size[0];
      int to = row * map.rowPitch() + number % size[0] * bytes;
      for (int i = 0; i < bytes; i++) {
        byte outside = map.fill() == Fill.ZERO ? 0 : (byte) (i % 2 == 0 ? 0xf7 : 0x7f);
        box[map.swizzle().place(to + i)] = inside ? tensor[(int) from + i] : outside;
      }
    }
    return box;
  }

  private void bringsItsBox(Stream stream, Tensor tensor, TensorMap map, int... at) {
    int[] x = Arrays.copyOf(at, 5);
    try (GlobalBytes out = device.allocateBytes(map.sharedBytes())) {
      stream.launch(
          Grid.of(1, 64),
          TensorKernels::load,
          map,
          out,
          map.dimensions(),
          map.sharedBytes(),
          map.boxBytes(),
          x[0],
          x[1],
          x[2],
          x[3],
          x[4]);
      byte[] expected = expectedBox(map, tensor.bytes, at);
      byte[] found = read(stream, out);
      // What lies in the gaps behind rows is anybody's.
      for (int i = 0; i < found.length; i++) {
        int line = i / map.rowPitch() * map.rowPitch();
        if (map.swizzle().place(i) - line >= map.rowBytes() && map.rowPitch() > map.rowBytes()) {
          found[i] = GAP;
        }
      }
      assertThat(found).as("%s at %s", map, Arrays.toString(at)).isEqualTo(expected);
    }
  }

  @Test
  void aBoxOfAMatrixIsCopiedFromAnywhereAndIsZeroOutside() {
    try (Stream stream = device.stream();
        Tensor tensor = new Tensor(stream, Element.INT32, 40 * 20 * 4)) {
      TensorMap map = TensorMap.of(tensor.array).shape(38, 20).strides(160).box(8, 6).build();
      assertThat(map.boxBytes()).isEqualTo(192);
      int[][] places = {{0, 0}, {4, 3}, {32, 17}, {36, 0}, {-4, -2}, {-8, 0}, {100, 100}, {0, -7}};
      for (int[] at : places) {
        bringsItsBox(stream, tensor, map, at);
      }
    }
  }

  @Test
  void aBoxOfASequenceOfRowsIsZeroBeforeIt() {
    try (Stream stream = device.stream();
        Tensor tensor = new Tensor(stream, Element.INT32, 16 * 100 * 4)) {
      TensorMap map =
          TensorMap.of(tensor.array)
              .shape(16, 30, 100)
              .strides(64, 64)
              .box(16, 12, 1)
              .partial()
              .build();
      for (int[] at : new int[][] {{0, 0, 0}, {0, -5, 40}, {0, 18, 70}, {0, 25, 60}, {0, -12, 9}}) {
        bringsItsBox(stream, tensor, map, at);
      }
    }
  }

  @Test
  void tensorsHaveOneToFiveDimensions() {
    try (Stream stream = device.stream();
        Tensor tensor = new Tensor(stream, Element.UINT16, 8 * 6 * 5 * 4 * 3 * 2)) {
      TensorMap one = TensorMap.of(tensor.array).shape(2_880).box(256).build();
      bringsItsBox(stream, tensor, one, 0);
      bringsItsBox(stream, tensor, one, 2_800);
      TensorMap two = TensorMap.of(tensor.array).shape(8, 360).box(8, 50).build();
      bringsItsBox(stream, tensor, two, 0, 340);
      TensorMap three = TensorMap.of(tensor.array).shape(8, 6, 60).box(8, 2, 3).build();
      bringsItsBox(stream, tensor, three, 0, 5, 58);
      TensorMap four = TensorMap.of(tensor.array).shape(8, 6, 5, 12).box(8, 3, 2, 2).build();
      bringsItsBox(stream, tensor, four, 0, 4, 1, 11);
      TensorMap five = TensorMap.of(tensor.array).shape(8, 6, 5, 4, 3).box(8, 2, 2, 2, 2).build();
      bringsItsBox(stream, tensor, five, 0, -1, 4, 2, 2);
      bringsItsBox(stream, tensor, five, 8, 0, 0, 0, 0);
    }
  }

  @Test
  void elementsOfEveryTypeAreCopied() {
    try (Stream stream = device.stream()) {
      for (Element element : Element.values()) {
        try (Tensor tensor = new Tensor(stream, element, 4_096)) {
          int row = 64 / element.bytes();
          TensorMap map =
              TensorMap.of(tensor.array)
                  .element(element)
                  .shape(row - 1, 64)
                  .strides(64)
                  .box(row / 2, 5)
                  .build();
          bringsItsBox(stream, tensor, map, row / 2, 62);
        }
      }
    }
  }

  @Test
  void piecesOfASwizzledBoxChangePlaces() {
    try (Stream stream = device.stream();
        Tensor tensor = new Tensor(stream, Element.FLOAT32, 64 * 64 * 4)) {
      for (Swizzle swizzle : Swizzle.values()) {
        for (int inner : new int[] {4, 8, 16, 32}) {
          if (swizzle == Swizzle.NONE || 4 * inner <= swizzle.span()) {
            TensorMap map =
                TensorMap.of(tensor.array).shape(64, 64).box(inner, 19).swizzle(swizzle).build();
            bringsItsBox(stream, tensor, map, 60, 50);
            bringsItsBox(stream, tensor, map, 4, 7);
          }
        }
      }
    }
  }

  @Test
  void whatIsOutsideMayBeNoNumber() {
    try (Stream stream = device.stream()) {
      Element[] elements = {Element.FLOAT16, Element.BFLOAT16, Element.FLOAT32, Element.FLOAT64};
      for (Element element : elements) {
        try (Tensor tensor = new Tensor(stream, element, 1_024)) {
          int row = 32 / element.bytes();
          TensorMap map =
              TensorMap.of(tensor.array)
                  .shape(row - 1, 32)
                  .strides(32)
                  .box(row, 4)
                  .fill(Fill.NAN)
                  .build();
          bringsItsBox(stream, tensor, map, 0, 30);
        }
      }
    }
  }

  @Test
  void everySecondOrThirdElementIsCopied() {
    try (Stream stream = device.stream();
        Tensor tensor = new Tensor(stream, Element.INT32, 16 * 16 * 16 * 4)) {
      TensorMap map =
          TensorMap.of(tensor.array).shape(16, 16, 16).box(4, 6, 5).steps(1, 2, 3).build();
      assertThat(map.boxBytes()).isEqualTo(4 * 4 * 3 * 2);
      bringsItsBox(stream, tensor, map, 4, 1, 2);
      bringsItsBox(stream, tensor, map, 4, 13, 12);
    }
  }

  private void isWritten(Stream stream, Tensor tensor, TensorMap map, int... at) {
    int[] x = Arrays.copyOf(at, 5);
    tensor.write(stream);
    stream.launch(
        Grid.of(1, 64),
        TensorKernels::store,
        map,
        map.dimensions(),
        map.sharedBytes(),
        x[0],
        x[1],
        x[2],
        x[3],
        x[4]);
    byte[] box = new byte[map.sharedBytes()];
    for (int i = 0; i < box.length; i++) {
      box[i] = (byte) (i * 7 + 1);
    }
    byte[] expected = tensor.bytes.clone();
    forEach(map, at, (to, from) -> expected[to] = box[from]);
    assertThat(read(stream, tensor.array)).as("%s", map).isEqualTo(expected);
  }

  private interface Bytes {
    void at(int inTensor, int inShared);
  }

  /** Tells of all bytes of a box that lie in the tensor. */
  private static void forEach(TensorMap map, int[] at, Bytes bytes) {
    int rank = map.dimensions();
    int place = map.placeBytes();
    int all = map.boxBytes() / place;
    for (int number = 0; number < all; number++) {
      int rest = number;
      long to = 0;
      boolean inside = true;
      for (int i = 0; i < rank; i++) {
        long coordinate = at[i] + (long) rest % map.boxElements(i) * map.step(i);
        inside &= coordinate < map.extent(i);
        to += coordinate * map.stride(i);
        rest /= map.boxElements(i);
      }
      int row = number / map.boxElements(0);
      int from = row * map.rowPitch() + number % map.boxElements(0) * place;
      for (int i = 0; inside && i < place; i++) {
        bytes.at((int) to + i, map.swizzle().place(from + i));
      }
    }
  }

  @Test
  void aBoxIsWrittenWhereItIsInside() {
    try (Stream stream = device.stream();
        Tensor tensor = new Tensor(stream, Element.UINT16, 8 * 6 * 5 * 4 * 3 * 2)) {
      TensorMap one = TensorMap.of(tensor.array).shape(2_880).box(64).build();
      isWritten(stream, tensor, one, 2_848);
      TensorMap two =
          TensorMap.of(tensor.array).shape(32, 90).box(32, 8).swizzle(Swizzle.BYTES_64).build();
      isWritten(stream, tensor, two, 0, 86);
      isWritten(stream, tensor, two, 16, 3);
      TensorMap three = TensorMap.of(tensor.array).shape(8, 6, 60).box(8, 2, 3).build();
      isWritten(stream, tensor, three, 0, 5, 58);
      TensorMap four = TensorMap.of(tensor.array).shape(8, 6, 5, 12).box(8, 3, 2, 2).build();
      isWritten(stream, tensor, four, 0, 4, 1, 11);
      TensorMap five = TensorMap.of(tensor.array).shape(8, 6, 5, 4, 3).box(8, 2, 2, 2, 2).build();
      isWritten(stream, tensor, five, 0, 4, 4, 2, 2);
    }
  }

  @Test
  void channelsInSlicesAreCopiedASliceAtATime() {
    try (Stream stream = device.stream();
        Tensor tensor = new Tensor(stream, Element.FLOAT16, 9 * 7 * 3 * 4 * 32)) {
      for (Interleave slices : new Interleave[] {Interleave.BYTES_16, Interleave.BYTES_32}) {
        int pixel = slices.bytes();
        for (Swizzle swizzle : Swizzle.values()) {
          if (slices == Interleave.BYTES_32 && swizzle != Swizzle.BYTES_32) {
            continue;
          }
          TensorMap lines =
              TensorMap.of(tensor.array)
                  .shape(9, 3, 4)
                  .strides(9L * pixel, 32L * 9 * 3)
                  .box(8, 1, 2)
                  .interleave(slices)
                  .swizzle(swizzle)
                  .build();
          assertThat(lines.boxBytes()).isEqualTo(8 * 2 * pixel);
          bringsItsBox(stream, tensor, lines, 3, 2, 2);
          bringsItsBox(stream, tensor, lines, -1, 3, 0);
          isWritten(stream, tensor, lines, 5, 1, 3);
          TensorMap images =
              TensorMap.of(tensor.array)
                  .shape(9, 7, 3, 4)
                  .box(8, 5, 1, 2)
                  .fill(Fill.NAN)
                  .interleave(slices)
                  .swizzle(swizzle)
                  .build();
          bringsItsBox(stream, tensor, images, 1, -2, 1, 3);
          isWritten(stream, tensor, images, 4, 3, 2, 2);
          TensorMap volumes =
              TensorMap.of(tensor.array)
                  .shape(9, 7, 2, 3, 2)
                  .box(16, 3, 2, 1, 1)
                  .steps(2, 1, 1, 1, 1)
                  .interleave(slices)
                  .swizzle(swizzle)
                  .build();
          bringsItsBox(stream, tensor, volumes, 2, 6, 1, 1, 1);
          isWritten(stream, tensor, volumes, 0, 0, 0, 2, 1);
        }
      }
    }
  }

  /** Numbers whose sums are exact, so that their order does not matter. */
  private static byte[] numbers(Element element, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ByteBuffer bytes = ByteBuffer.allocate(count * element.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      int small = random.nextInt(-40, 40);
      switch (element) {
        case UINT8 -> bytes.put((byte) small);
        case UINT16 -> bytes.putShort((short) small);
        case UINT32, INT32 -> bytes.putInt(random.nextBoolean() ? small : random.nextInt());
        case UINT64, INT64 -> bytes.putLong(random.nextBoolean() ? small : random.nextLong());
        case FLOAT16 -> bytes.putShort(Float.floatToFloat16(small * 0.25f));
        case BFLOAT16 -> bytes.putShort((short) (Float.floatToIntBits(small) >> 16));
        case FLOAT32 -> bytes.putFloat(small * 0.5f);
        case FLOAT64 -> bytes.putDouble(small * 0.5);
      }
    }
    return bytes.array();
  }

  private static boolean has(Reduction how, Element element) {
    return switch (how) {
      case ADD -> element != Element.INT64 && element.bytes() > 1 && element != Element.UINT16;
      case MIN, MAX ->
          switch (element) {
            case UINT32, INT32, UINT64, INT64, FLOAT16, BFLOAT16 -> true;
            default -> false;
          };
      case INC, DEC -> element == Element.UINT32;
      case AND, OR, XOR ->
          element == Element.UINT32 || element == Element.INT32 || element == Element.UINT64;
    };
  }

  private static long joined(Reduction how, Element element, long a, long b) {
    boolean signed = element == Element.INT32 || element == Element.INT64;
    boolean less = signed ? a < b : Long.compareUnsigned(a, b) < 0;
    return switch (how) {
      case ADD -> a + b;
      case MIN -> less ? a : b;
      case MAX -> less ? b : a;
      case INC -> less ? a + 1 : 0;
      case DEC -> a == 0 || Long.compareUnsigned(a, b) > 0 ? b : a - 1;
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
    };
  }

  private static double joined(Reduction how, double a, double b) {
    return switch (how) {
      case ADD -> a + b;
      case MIN -> Math.min(a, b);
      default -> Math.max(a, b);
    };
  }

  private static void join(Reduction how, Element element, ByteBuffer into, int at, ByteBuffer b) {
    switch (element) {
      case UINT32 ->
          into.putInt(
              at,
              (int)
                  joined(
                      how,
                      element,
                      Integer.toUnsignedLong(into.getInt(at)),
                      Integer.toUnsignedLong(b.getInt())));
      case INT32 -> into.putInt(at, (int) joined(how, element, into.getInt(at), b.getInt()));
      case UINT64, INT64 -> into.putLong(at, joined(how, element, into.getLong(at), b.getLong()));
      case FLOAT16 ->
          into.putShort(
              at,
              Float.floatToFloat16(
                  (float)
                      joined(
                          how,
                          Float.float16ToFloat(into.getShort(at)),
                          Float.float16ToFloat(b.getShort()))));
      case BFLOAT16 ->
          into.putShort(
              at,
              (short)
                  (Float.floatToIntBits(
                          (float)
                              joined(
                                  how,
                                  Float.intBitsToFloat(into.getShort(at) << 16),
                                  Float.intBitsToFloat(b.getShort() << 16)))
                      >> 16));
      case FLOAT32 -> into.putFloat(at, (float) joined(how, into.getFloat(at), b.getFloat()));
      case FLOAT64 -> into.putDouble(at, joined(how, into.getDouble(at), b.getDouble()));
      default -> throw new AssertionError(element);
    }
  }

  @Test
  void aBoxIsJoinedWithATensorInEveryWayThatDevicesHave() {
    try (Stream stream = device.stream()) {
      for (Element element : Element.values()) {
        int row = 64 / element.bytes();
        try (Tensor tensor = new Tensor(stream, element, 64 * 24);
            GlobalBytes with = device.allocateBytes(512)) {
          byte[] box = numbers(element, 512 / element.bytes(), 7);
          stream.copy(box, with).await();
          for (Reduction how : Reduction.values()) {
            if (has(how, element)) {
              byte[] before = numbers(element, 64 * 24 / element.bytes(), 8);
              System.arraycopy(before, 0, tensor.bytes, 0, before.length);
              tensor.write(stream);
              TensorMap map =
                  TensorMap.of(tensor.array).element(element).shape(row, 24).box(row, 8).build();
              stream.launch(Grid.of(1, 64), TensorKernels::reduce, with, map, how, 2, 512, 0, 20);
              ByteBuffer expected = ByteBuffer.wrap(before).order(ByteOrder.LITTLE_ENDIAN);
              ByteBuffer other = ByteBuffer.wrap(box).order(ByteOrder.LITTLE_ENDIAN);
              for (int at = 20 * 64; at < 24 * 64; at += element.bytes()) {
                join(how, element, expected, at, other);
              }
              assertThat(read(stream, tensor.array))
                  .as("%s of %s", how, element)
                  .isEqualTo(expected.array());
            }
          }
        }
      }
    }
  }

  @Test
  void boxesOfEveryNumberOfDimensionsAreJoined() {
    try (Stream stream = device.stream();
        Tensor tensor = new Tensor(stream, Element.UINT32, 4 * 4 * 2 * 2 * 2 * 4);
        GlobalBytes with = device.allocateBytes(64)) {
      byte[] box = numbers(Element.UINT32, 16, 7);
      stream.copy(box, with).await();
      TensorMap.Builder[] shapes = {
        TensorMap.of(tensor.array).shape(128).box(16),
        TensorMap.of(tensor.array).shape(4, 32).box(4, 4),
        TensorMap.of(tensor.array).shape(4, 4, 8).box(4, 4, 1),
        TensorMap.of(tensor.array).shape(4, 4, 2, 4).box(4, 4, 1, 1),
        TensorMap.of(tensor.array).shape(4, 4, 2, 2, 2).box(4, 4, 1, 1, 1)
      };
      for (int i = 0; i < shapes.length; i++) {
        tensor.write(stream);
        TensorMap map = shapes[i].element(Element.UINT32).build();
        stream.launch(
            Grid.of(1, 32), TensorKernels::reduce, with, map, Reduction.ADD, i + 1, 64, 0, 0);
        ByteBuffer expected = ByteBuffer.wrap(tensor.bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer other = ByteBuffer.wrap(box).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < 64; at += 4) {
          expected.putInt(at, expected.getInt(at) + other.getInt(at));
        }
        assertThat(read(stream, tensor.array)).as("%s", map).isEqualTo(expected.array());
      }
    }
  }

  @Test
  void aPipelineHasSeveralBoxesOnTheirWay() {
    int width = 100;
    int height = 77;
    int[] values = new SplittableRandom(5).ints(width * height).toArray();
    int[] expected = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      expected[i % width * height + i / width] = values[i];
    }
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(values.length);
        GlobalInts out = device.allocateInts(values.length)) {
      stream.copy(values, in);
      TensorMap map = TensorMap.of(in).shape(width, height).box(32, 32).build();
      for (int stages = 1; stages < 4; stages++) {
        stream.fill(out, 0);
        int[] found = new int[values.length];
        stream.launch(Grid.of(3, 96), TensorKernels::transpose, map, out, width, height, stages);
        stream.copy(out, found).await();
        assertThat(found).as("%d stages", stages).isEqualTo(expected);
      }
    }
  }

  @Test
  void aBoxIsCopiedToAllBlocksOfACluster() {
    int[] values = new SplittableRandom(6).ints(64 * 32).toArray();
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(values.length)) {
      stream.copy(values, in);
      TensorMap map = TensorMap.of(in).shape(64, 32).box(16, 4).build();
      for (int blocks = 1; blocks <= 8; blocks *= 2) {
        try (GlobalInts out = device.allocateInts(16 * 64)) {
          int[] found = new int[16 * 64];
          Grid grid = Grid.of(16, 32).withCluster(blocks, 1, 1);
          stream.launch(grid, TensorKernels::multicast, map, out, blocks);
          stream.copy(out, found).await();
          int[] expected = new int[found.length];
          for (int i = 0; i < found.length; i++) {
            int element = (1 + i % 64 / 16) * 64 + 8 + i % 16;
            expected[i] = values[element] + i / 64 % blocks;
          }
          assertThat(found).as("%d blocks", blocks).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void everyBlockOfAClusterBringsAPartToAll() {
    int[] values = new SplittableRandom(9).ints(4 * 32).toArray();
    try (Stream stream = device.stream();
        GlobalInts in = device.allocateInts(values.length);
        GlobalInts out = device.allocateInts(8 * values.length)) {
      stream.copy(values, in);
      int[] found = new int[8 * values.length];
      Grid grid = Grid.of(8, 64).withCluster(4, 1, 1);
      stream.launch(grid, TensorKernels::multicastBytes, in, out, 4);
      stream.copy(out, found).await();
      for (int block = 0; block < 8; block++) {
        int first = block * values.length;
        assertThat(Arrays.copyOfRange(found, first, first + values.length)).isEqualTo(values);
      }
    }
  }

  @Test
  void blocksOfAClusterArriveAtEachOthersBarriers() {
    int rounds = 3;
    int expected = 0;
    for (int i = 0; i < rounds * 4; i++) {
      expected = expected * 3 + i % 4;
    }
    try (Stream stream = device.stream();
        GlobalInts out = device.allocateInts(1 + 4 * 64)) {
      stream.fill(out, 0);
      stream.launch(Grid.of(4, 64).withCluster(4, 1, 1), TensorKernels::relay, out, rounds);
      int[] found = new int[1 + 4 * 64];
      stream.copy(out, found).await();
      assertThat(found[0]).isEqualTo(expected);
      for (int i = 1; i < found.length; i++) {
        assertThat(found[i]).isEqualTo((i - 1) / 64 * 10 + 4);
      }
    }
  }

  @Test
  void clustersThatAreNotWholeOrTooLargeAreRefused() {
    try (Stream stream = device.stream();
        GlobalInts out = device.allocateInts(1024)) {
      assertThatThrownBy(() -> Grid.of(6, 32).withCluster(4, 1, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("whole clusters");
      Grid large = Grid.of(16, 32).withCluster(16, 1, 1);
      assertThatThrownBy(() -> stream.launch(large, TensorKernels::relay, out, 1))
          .hasMessageContaining("16 blocks per cluster")
          .hasMessageContaining("8");
    }
  }
}
