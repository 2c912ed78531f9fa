package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What lies beside each other shares an address, a branch, or the cost of counting. */
class NeighboursTest {
  private static final int THREADS = 64;
  private static final int WIDTH = 8;

  @Const static final int[] TABLE = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

  @Kernel
  static void three(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int at = in.get(block.threadRank());
    out.set(block.threadRank(), in.get(at - 1) + 3 * in.get(at) + 5 * in.get(at + 1));
  }

  @Kernel
  static void backwards(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int at = in.get(block.threadRank());
    out.set(block.threadRank(), in.get(at + 1) + 3 * in.get(at) + 5 * in.get(at - 1));
  }

  /** The numbers wrap around; the indices are right. */
  @Kernel
  static void wrapped(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int at = in.get(block.threadRank()) + Integer.MIN_VALUE;
    int far = at * 3 + 2 * at;
    int back = far + Integer.MIN_VALUE - 4 * at;
    out.set(block.threadRank(), in.get(back) + 3 * in.get(back + 1) + 5 * in.get(back - 1));
  }

  /** An index that is one less, where the lesser one would be below the least int. */
  @Kernel
  static void apart(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int at = in.get(block.threadRank());
    int sum = 0;
    if (at > 1) {
      sum = in.get(at - 2);
    }
    out.set(block.threadRank(), sum + (at < 60 ? in.get(at + 2) : 0));
  }

  @Kernel
  static void fromTable(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int at = in.get(block.threadRank()) & 7;
    out.set(block.threadRank(), TABLE[at] + 3 * TABLE[at + 1] + 5 * TABLE[at + 8]);
  }

  @Kernel
  static void inside(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = block.threadRank();
    int x = in.get(i) % WIDTH - 1;
    int y = in.get(i) / WIDTH - 1;
    int pixel = x >= 0 && x < WIDTH - 2 && y >= 0 && y < WIDTH - 2 ? in.get(y * WIDTH + x) : -1;
    out.set(i, pixel);
  }

  @Kernel
  static void counted(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int state = 1;
    int end = in.get(block.threadRank());
    for (int k = 0; k < end; k++) {
      state = state * 31 ^ k;
    }
    out.set(block.threadRank(), state);
  }

  private static int[] indices() {
    return new SplittableRandom(1).ints(THREADS, 1, THREADS - 1).toArray();
  }

  private static String check(String name, int[] in, IntUnaryOperator expected) {
    int[] all = new int[THREADS];
    Arrays.setAll(all, expected);
    return PassedKernel.check(
        NeighboursTest.class, name, MemorySegment.ofArray(in), Integer.BYTES, all);
  }

  private static long count(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().count();
  }

  @Test
  void theNextOnesOfAnIndexShareItsAddress() {
    int[] in = indices();
    String text = check("three", in, i -> in[in[i] - 1] + 3 * in[in[i]] + 5 * in[in[i] + 1]);

    assertThat(text).containsPattern("ld.global.b32 .*\\+4]").containsPattern("ld.*\\+8]");
  }

  @Test
  void theOnesBeforeHaveAddressesOfTheirOwn() {
    int[] in = indices();
    String text = check("backwards", in, i -> in[in[i] + 1] + 3 * in[in[i]] + 5 * in[in[i] - 1]);

    assertThat(text).doesNotContainPattern("ld.global.b32 .*\\+-");
  }

  @Test
  void sumsThatWrapAreTheSame() {
    int[] in = indices();
    check("wrapped", in, i -> in[in[i]] + 3 * in[in[i] + 1] + 5 * in[in[i] - 1]);
  }

  @Test
  void whatAnotherBranchReadsIsNotTakenForRead() {
    int[] in = indices();
    check("apart", in, i -> (in[i] > 1 ? in[in[i] - 2] : 0) + (in[i] < 60 ? in[in[i] + 2] : 0));
  }

  @Test
  void neighboursInATableOfConstantsShareAnAddress() {
    int[] in = indices();
    String text =
        check(
            "fromTable",
            in,
            i -> TABLE[in[i] & 7] + 3 * TABLE[(in[i] & 7) + 1] + 5 * TABLE[(in[i] & 7) + 8]);

    assertThat(text).containsPattern("ld.const.b32 .*\\+4]").containsPattern("ld.*\\+32]");
  }

  @Test
  void fourConditionsAroundALoadAreOneBranch() {
    int[] in = indices();
    String text =
        check(
            "inside",
            in,
            i -> {
              int x = in[i] % WIDTH - 1;
              int y = in[i] / WIDTH - 1;
              boolean inside = x >= 0 && x < WIDTH - 2 && y >= 0 && y < WIDTH - 2;
              return inside ? in[y * WIDTH + x] : -1;
            });

    assertThat(count(text, "@!?%p\\d+ bra")).isEqualTo(1);
  }

  @Test
  void aLoopWithoutLoadsRunsFourTimesBetweenTwoTests() {
    int[] in = indices();
    String text =
        check(
            "counted",
            in,
            i -> {
              int state = 1;
              for (int k = 0; k < in[i]; k++) {
                state = state * 31 ^ k;
              }
              return state;
            });

    assertThat(count(text, "xor.b32")).isEqualTo(5);
  }
}
