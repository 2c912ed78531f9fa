package dev.stretto.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.ref.WeakReference;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What a method reference tells of its method, and what is told of methods that cannot be kernels.
 */
class KernelReferenceTest {
  private static void hidden(
      ThreadBlock block, float a, @Const int width, GlobalFloats x, long n) {}

  private static KernelReference hidden() {
    KernelMethod.Of4<Float, Integer, GlobalFloats, Long> kernel = KernelReferenceTest::hidden;
    return KernelReference.of(kernel);
  }

  @Test
  void aReferenceTellsItsMethodThoughItIsPrivate() {
    KernelReference reference = hidden();
    assertThat(reference.owner()).isEqualTo(KernelReferenceTest.class);
    assertThat(reference.name()).isEqualTo("hidden");
    assertThat(reference.descriptor())
        .isEqualTo("(Ldev/stretto/kernel/ThreadBlock;FILdev/stretto/memory/GlobalFloats;J)V");
    assertThat(reference.captured()).isEmpty();
    assertThat(reference).isEqualTo(hidden()).hasToString("KernelReferenceTest::hidden");
  }

  @Test
  void constantsAreNotPacked() {
    KernelReference reference = hidden();
    assertThat(reference.constants()).containsExactly(false, true, false, false);
    assertThat(reference.parameters())
        .containsExactly(
            new Parameter(float.class, 0, -1),
            new Parameter(GlobalFloats.class, 8, 24),
            new Parameter(long.class, 16, -1));
    assertThat(reference.constants(1f, 32, "x", 4L)).containsExactly(32);
    assertThat(reference.values(1f, 32, "x", 4L)).containsExactly(1f, "x", 4L);
    assertThatThrownBy(() -> reference.values(1f))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "KernelReferenceTest::hidden takes 4 arguments (float a, int width, GlobalFloats x,"
                + " long n), not 1");
  }

  private static KernelMethod.Of2<GlobalInts, Integer> adding(int captured) {
    return (block, out, n) -> out.set(block.globalIndexX(), captured + n);
  }

  @Test
  void aLambdaBringsWhatItCaptured() {
    KernelReference seven = KernelReference.of(adding(7));
    assertThat(seven.captured()).containsExactly(7);
    assertThat(seven.parameters())
        .extracting(Parameter::type)
        .containsExactly(GlobalInts.class, int.class);
    assertThat(seven)
        .isEqualTo(KernelReference.of(adding(7)))
        .hasSameHashCodeAs(KernelReference.of(adding(7)));
    assertThat(seven).isNotEqualTo(KernelReference.of(adding(8)));
    TwinRun run = TwinRun.byRank().grid(1, 4);
    GlobalInts out = run.ints(4);
    run.launch(adding(7), out, 100);
    run.grid(1, 1).launch(adding(8), out.slice(0, 1), 200);
    assertThat(TwinRun.values(out)).containsExactly(208, 107, 107, 107);
  }

  private static KernelMethod.Of0 floating(float a, double b, byte c, boolean d) {
    return block -> assertThat(a + b + (d ? c : 0)).isNotNaN();
  }

  @Test
  void eachLambdaBringsWhatItCapturedThoughManyOfItsClassWereSeen() {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 20; i++) {
        float a = i % 2 == 0 ? 0f : -0f;
        double b = i % 3 == 0 ? Double.NaN : Double.longBitsToDouble(0x7ff8_0000_0000_0001L);
        boolean d = i < 10;
        KernelReference reference = KernelReference.of(floating(a, b, (byte) i, d));
        assertThat(reference.captured()).containsExactlyInAnyOrder(a, b, (byte) i, d);
        assertThat(Double.doubleToRawLongBits((double) reference.captured().get(1)))
            .isEqualTo(Double.doubleToRawLongBits(b));
      }
    }
    KernelMethod.Of0 kept = floating(1, 2, (byte) 3, false);
    assertThat(KernelReference.of(kept)).isSameAs(KernelReference.of(kept));
    assertThat(KernelReference.of(floating(1, 2, (byte) 3, false)))
        .isSameAs(KernelReference.of(kept));
  }

  private static KernelMethod.Of0 captures(Object value) {
    return block -> assertThat(value).isNotNull();
  }

  private static WeakReference<Object> seen() {
    Object value = new Random();
    assertThat(KernelReference.of(captures(value)).captured()).containsExactly(value);
    return new WeakReference<>(value);
  }

  @Test
  void theClassOfALambdaKeepsNoObjectThatOneCaptured() {
    WeakReference<Object> seen = seen();
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (seen.get() != null && System.nanoTime() < deadline) {
      System.gc();
    }
    assertThat(seen.get()).isNull();
  }

  private void notStatic(ThreadBlock block) {}

  private static void wrongType(ThreadBlock block, String text) {}

  private static final class Own implements KernelMethod.Of0 {
    private static final long serialVersionUID = 1L;

    @Override
    public void run(ThreadBlock block) {}
  }

  @Test
  void whatCannotBeAKernelIsRefused() {
    assertThatThrownBy(() -> KernelReference.of((KernelMethod.Of0) this::notStatic))
        .hasMessageContaining("KernelReferenceTest.notStatic is not static");
    assertThatThrownBy(() -> KernelReference.of(new Own()))
        .hasMessageContaining("KernelReferenceTest$Own is a class of its own");
    assertThatThrownBy(
            () -> KernelReference.of((KernelMethod.Of1<String>) KernelReferenceTest::wrongType))
        .hasMessageContaining("parameter 0 of")
        .hasMessageContaining("is a java.lang.String");
  }

  // --- which kernels synchronize
  // -----------------------------------------------------------------------------------------

  private static void plain(ThreadBlock block, GlobalInts out) {
    out.set(block.globalIndexX(), Math.max(block.threadRank(), helper(block.warp().lane())));
    Atomics.add(out, 0, 1);
  }

  private static int helper(int x) {
    return FastMath.exp(x) > 1 ? Integer.bitCount(x) : Ptx.prmt(x, x, 0);
  }

  private static void sharing(ThreadBlock block) {
    block.sharedBytes(4);
  }

  private static void deep(ThreadBlock block) {
    deeper(block);
  }

  private static void deeper(ThreadBlock block) {
    if (block.threadRank() < 0) {
      block.warp().reduceAdd(1.5f);
    }
  }

  private static void looking(ThreadBlock block, GlobalInts flag) {
    Atomics.loadAcquire(flag, 0);
  }

  @Test
  void onlyKernelsWhoseThreadsMeetNeedThemAllAtOnce() {
    assertThat(KernelReference.of((KernelMethod.Of1<GlobalInts>) KernelReferenceTest::plain))
        .returns(false, KernelReference::synchronizes);
    assertThat(KernelReference.of((KernelMethod.Of0) KernelReferenceTest::sharing))
        .returns(true, KernelReference::synchronizes);
    assertThat(KernelReference.of((KernelMethod.Of0) KernelReferenceTest::deep))
        .returns(true, KernelReference::synchronizes);
    assertThat(KernelReference.of((KernelMethod.Of1<GlobalInts>) KernelReferenceTest::looking))
        .returns(true, KernelReference::synchronizes);
    assertThat(KernelReference.of(adding(1))).returns(false, KernelReference::synchronizes);
  }
}
