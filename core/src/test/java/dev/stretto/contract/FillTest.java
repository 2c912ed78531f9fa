package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Stream;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalLongs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** That fills set every element, and nothing beside. */
class FillTest extends ContractTest {
  private static final int N = 10_007;

  @Test
  void bytes() {
    check(device.allocateBytes(N), 1, a -> a.put((byte) -3), (s, a) -> s.fill(a, (byte) -3));
  }

  @Test
  void shorts() {
    check(
        device.allocateShorts(N),
        2,
        a -> a.putShort((short) -12345),
        (s, a) -> s.fill(a, (short) -12345));
  }

  @Test
  void ints() {
    check(device.allocateInts(N), 4, a -> a.putInt(0x12345678), (s, a) -> s.fill(a, 0x12345678));
  }

  @Test
  void longsWhoseHalvesDiffer() {
    check(
        device.allocateLongs(N),
        8,
        a -> a.putLong(0x123456789abcdef0L),
        (s, a) -> s.fill(a, 0x123456789abcdef0L));
  }

  @Test
  void longsWhoseHalvesAreTheSame() {
    check(device.allocateLongs(N), 8, a -> a.putLong(-1), (s, a) -> s.fill(a, -1L));
  }

  @Test
  void floats() {
    check(device.allocateFloats(N), 4, a -> a.putFloat(-1.5e30f), (s, a) -> s.fill(a, -1.5e30f));
  }

  @Test
  void doubles() {
    check(device.allocateDoubles(N), 8, a -> a.putDouble(Math.PI), (s, a) -> s.fill(a, Math.PI));
  }

  @Test
  void halfsRoundToTheNearest() {
    check(
        device.allocateHalfs(N),
        2,
        a -> a.putShort(Float.floatToFloat16(3.14159f)),
        (s, a) -> s.fill(a, 3.14159f));
  }

  @Test
  void bfloatsRoundToTheNearest() {
    // 1 + 2^-8 lies halfway between two bfloats and goes to the even one, 1; a little more goes up.
    check(
        device.allocateBfloats(N),
        2,
        a -> a.putShort((short) 0x3f80),
        (s, a) -> s.fill(a, 0x1.01p0f));
    check(
        device.allocateBfloats(N),
        2,
        a -> a.putShort((short) 0x3f81),
        (s, a) -> s.fill(a, 0x1.0101p0f));
    check(
        device.allocateBfloats(N),
        2,
        a -> a.putShort((short) 0x7fc0),
        (s, a) -> s.fill(a, Float.NaN));
  }

  @Test
  void notANumberKeepsItsBits() {
    float odd = Float.intBitsToFloat(0x7fc12345);
    check(device.allocateFloats(N), 4, a -> a.putInt(0x7fc12345), (s, a) -> s.fill(a, odd));
  }

  @Test
  void slicesOfSixteenBitNumbersAtOddElements() {
    try (Stream stream = device.stream();
        GlobalHalfs halfs = device.allocateHalfs(100);
        GlobalBfloats bfloats = device.allocateBfloats(100);
        GlobalLongs longs = device.allocateLongs(100)) {
      stream.fill(halfs, 0);
      stream.fill(halfs.slice(33, 3), 1);
      assertThat(shorts(stream, halfs).get(32)).isZero();
      assertThat(shorts(stream, halfs).get(33)).isEqualTo((short) 0x3c00);
      assertThat(shorts(stream, halfs).get(35)).isEqualTo((short) 0x3c00);
      assertThat(shorts(stream, halfs).get(36)).isZero();
      stream.fill(bfloats, 0);
      stream.fill(bfloats.slice(99, 1), -1);
      assertThat(shorts(stream, bfloats).get(98)).isZero();
      assertThat(shorts(stream, bfloats).get(99)).isEqualTo((short) 0xbf80);
      stream.fill(longs, 0);
      stream.fill(longs.slice(1, 98), 0x1_0000_0002L);
      byte[] all = read(stream, longs);
      assertThat(ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(0))
          .isZero();
      assertThat(ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(98))
          .isEqualTo(0x1_0000_0002L);
      assertThat(ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(99))
          .isZero();
    }
  }

  private static java.nio.ShortBuffer shorts(Stream stream, GlobalArray array) {
    return ByteBuffer.wrap(read(stream, array)).order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
  }

  private interface Fill<A> {
    void apply(Stream stream, A array);
  }

  /** Fills the array; its first and last byte are looked at like all others. */
  private <A extends GlobalArray> void check(
      A array, int elementBytes, Consumer<ByteBuffer> element, Fill<A> fill) {
    try (Stream stream = device.stream()) {
      fill.apply(stream, array);
      ByteBuffer expected = ByteBuffer.allocate(N * elementBytes).order(ByteOrder.LITTLE_ENDIAN);
      while (expected.hasRemaining()) {
        element.accept(expected);
      }
      assertSame(read(stream, array), expected.array());
    }
    array.close();
  }
}
