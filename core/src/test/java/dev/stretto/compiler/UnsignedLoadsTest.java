package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalShorts;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** Bytes and shorts of which only lower bits are used are read as unsigned, and only those. */
class UnsignedLoadsTest {
  private static final int THREADS = 64;

  @Kernel
  static void bytes(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    int i = block.threadIndexX();
    out.set(i, (in.get(i) & 0xff) * 3 + (0xff & in.get(63 - i)));
  }

  @Kernel
  static void shorts(ThreadBlock block, GlobalShorts in, GlobalInts out) {
    int i = block.threadIndexX();
    out.set(i, Short.toUnsignedInt(in.get(i)));
  }

  @Kernel
  static void lowerBits(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    int i = block.threadIndexX();
    byte both = in.get(i);
    out.set(i, (both & 0xf) * 100 + (both & 0x81));
  }

  @Kernel
  static void signToo(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    int i = block.threadIndexX();
    byte value = in.get(i);
    out.set(i, value < 0 ? value & 0xff : value * 2);
  }

  @Kernel
  static void widerMask(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    int i = block.threadIndexX();
    out.set(i, in.get(i) & 0x1ff);
  }

  @Kernel
  static void shared(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    SharedBytes tile = block.sharedBytes(THREADS);
    tile.set(block.threadRank(), in.get(block.globalIndexX()));
    block.sync();
    out.set(block.globalIndexX(), tile.get(63 - block.threadRank()) & 0xff);
  }

  @Kernel
  static void aroundALoop(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    int i = block.threadIndexX();
    byte last = in.get(i);
    for (int k = 0; k < THREADS / 8; k++) {
      last = (byte) (last * 3 + (in.get((i + k) % 64) & 0xff));
    }
    out.set(i, last & 0xff);
  }

  private static String ofBytes(String name, byte[] in, IntUnaryOperator expected) {
    int[] all = new int[THREADS];
    Arrays.setAll(all, expected);
    return PassedKernel.check(
        UnsignedLoadsTest.class, name, MemorySegment.ofArray(in), Byte.BYTES, all);
  }

  private static byte[] randomBytes() {
    byte[] bytes = new byte[THREADS];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  @Test
  void aMaskedByteIsReadAsUnsigned() {
    byte[] in = randomBytes();
    String text = ofBytes("bytes", in, i -> (in[i] & 0xff) * 3 + (in[63 - i] & 0xff));

    assertThat(text).contains("ld.global.u8").doesNotContain("ld.global.s8", "and.b32");
  }

  @Test
  void aMaskedShortIsReadAsUnsigned() {
    short[] in = new short[THREADS];
    Random random = new Random(2);
    int[] expected = new int[THREADS];
    for (int i = 0; i < THREADS; i++) {
      in[i] = (short) random.nextInt();
      expected[i] = in[i] & 0xffff;
    }
    String text =
        PassedKernel.check(
            UnsignedLoadsTest.class, "shorts", MemorySegment.ofArray(in), Short.BYTES, expected);

    assertThat(text).contains("ld.global.u16").doesNotContain("ld.global.s16", "and.b32");
  }

  @Test
  void lowerBitsAreStillMasked() {
    byte[] in = randomBytes();
    String text = ofBytes("lowerBits", in, i -> (in[i] & 0xf) * 100 + (in[i] & 0x81));

    assertThat(text).contains("ld.global.u8", "and.b32").doesNotContain("ld.global.s8");
  }

  @Test
  void aByteWhoseSignCountsKeepsIt() {
    byte[] in = randomBytes();
    assertThat(ofBytes("signToo", in, i -> in[i] < 0 ? in[i] & 0xff : in[i] * 2))
        .contains("ld.global.s8")
        .doesNotContain("ld.global.u8");
    assertThat(ofBytes("widerMask", in, i -> in[i] & 0x1ff))
        .contains("ld.global.s8")
        .doesNotContain("ld.global.u8");
  }

  @Test
  void sharedMemoryIsReadTheSameWay() {
    byte[] in = randomBytes();
    assertThat(ofBytes("shared", in, i -> in[63 - i] & 0xff))
        .contains("ld.shared.u8")
        .doesNotContain("and.b32");
  }

  @Test
  void whatALoopCarriesKeepsItsSign() {
    byte[] in = randomBytes();
    String text =
        ofBytes(
            "aroundALoop",
            in,
            i -> {
              byte last = in[i];
              for (int k = 0; k < THREADS / 8; k++) {
                last = (byte) (last * 3 + (in[(i + k) % 64] & 0xff));
              }
              return last & 0xff;
            });

    assertThat(text).contains("ld.global.u8", "ld.global.s8");
  }
}
