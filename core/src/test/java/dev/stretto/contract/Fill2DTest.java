package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphNode;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.fault.RaceException;
import dev.stretto.memory.Allocation;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Fills of rows, which leave what lies between them. */
class Fill2DTest extends ContractTest {
  /** A type of arrays, a value, and its bytes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Case(
      Function<Allocation, ? extends GlobalArray> type, Number value, byte[] bytes) {}

  private static byte[] element(int size, long bits) {
    ByteBuffer all = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, bits);
    byte[] bytes = new byte[size];
    all.get(0, bytes);
    return bytes;
  }

  private static List<Case> cases() {
    return List.of(
        new Case(GlobalBytes::of, (byte) 0x5a, element(1, 0x5a)),
        new Case(GlobalShorts::of, (short) 0x8123, element(2, 0x8123)),
        new Case(GlobalHalfs::of, 1.5f, element(2, 0x3e00)),
        new Case(GlobalInts::of, 0x12345678, element(4, 0x12345678)),
        new Case(GlobalFloats::of, -1f, element(4, Float.floatToRawIntBits(-1))),
        new Case(GlobalLongs::of, 0x0123456789abcdefL, element(8, 0x0123456789abcdefL)),
        new Case(GlobalLongs::of, -1L, element(8, -1)),
        new Case(GlobalDoubles::of, 0.1, element(8, Double.doubleToRawLongBits(0.1))));
  }

  private static void fill(byte[] all, byte[] element, long pitch, long width, long rows) {
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < width; i++) {
        all[(int) (row * pitch) + i] = element[i % element.length];
      }
    }
  }

  @Test
  void rowsAreFilledAndWhatLiesBetweenStays() {
    SplittableRandom random = new SplittableRandom(7);
    try (Stream stream = device.stream()) {
      for (Case type : cases()) {
        int size = type.bytes().length;
        for (int i = 0; i < 12; i++) {
          int width = size * (1 + random.nextInt(i < 6 ? 4 : 300));
          int pitch = width + size * random.nextInt(9);
          int rows = 1 + random.nextInt(i % 2 == 0 ? 3 : 90);
          byte[] wanted = bytes(pitch * rows + size, i);
          try (GlobalBytes memory = onDevice(stream, wanted);
              GlobalArray array = device.adopt(memory.address(), wanted.length, type.type())) {
            stream.fill2D(array, pitch, width, rows, type.value());
            fill(wanted, type.bytes(), pitch, width, rows);
            assertThat(read(stream, array))
                .as("%d rows of %d bytes, %d apart, of %d", rows, width, pitch, size)
                .isEqualTo(wanted);
          }
        }
      }
    }
  }

  @Test
  void graphsFillRowsToo() {
    for (Case type : cases()) {
      int size = type.bytes().length;
      byte[] wanted = bytes(40 * size * 7, 3);
      try (Stream stream = device.stream();
          GlobalBytes memory = onDevice(stream, wanted);
          GlobalArray array = device.adopt(memory.address(), wanted.length, type.type())) {
        long pitch = 40L * size;
        long width = 3L * size;
        fill(wanted, type.bytes(), pitch, width, 7);
        try (Graph captured =
            Graph.capture(stream, () -> stream.fill2D(array, pitch, width, 7, type.value()))) {
          stream.launch(captured);
          assertThat(read(stream, array)).isEqualTo(wanted);
        }
        GraphBuilder builder = Graph.builder(device);
        GraphNode node = builder.fill2D(array, pitch, 2 * width, 7, type.value());
        fill(wanted, type.bytes(), pitch, 2 * width, 7);
        try (Graph built = builder.build()) {
          stream.launch(built);
          assertThat(read(stream, array)).isEqualTo(wanted);
          assertThatThrownBy(() -> built.setFill(node, array, type.value()))
              .isInstanceOf(GraphException.class);
        }
      }
    }
  }

  @Test
  void rowsThatAreNoneAreRefusedWithTheNumbers() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(100);
        GlobalInts gone = device.allocateInts(100)) {
      assertThatThrownBy(() -> stream.fill2D(array, 40, 44, 2, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("rows of 44 bytes that lie 40 bytes apart");
      assertThatThrownBy(() -> stream.fill2D(array, 42, 40, 2, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("elements of 4 bytes");
      assertThatThrownBy(() -> stream.fill2D(array, 40, 38, 2, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> stream.fill2D(array, 40, 40, 0, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> stream.fill2D(array, 40, 40, 11, 1))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("do not fit into the 400 bytes");
      assertThatThrownBy(() -> stream.fill2D(array, 40, 40, 2, 1.5f))
          .isInstanceOf(IllegalArgumentException.class);
      gone.close();
      assertThatThrownBy(() -> stream.fill2D(gone, 40, 40, 2, 1))
          .isInstanceOf(ClosedException.class);
    }
  }

  @Test
  @WithOrder("checked")
  void onlyTheBytesOfTheRowsRace() {
    try (Stream one = device.stream();
        Stream other = device.stream();
        GlobalInts array = device.allocateInts(1000)) {
      one.fill2D(array, 40, 20, 100, 1);
      other.fill2D(array.slice(5, 995), 40, 20, 100, 2); // the other half of each row
      assertThatThrownBy(() -> other.fill2D(array.slice(4, 996), 40, 8, 99, 3))
          .isInstanceOf(RaceException.class);
      one.await();
      other.await();
    }
  }
}
