package dev.stretto.kernels.attention;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.TensorMap;

/** Enqueues {@link Fp8WarpGroups}. */
final class Fp8Launch {
  private interface Method
      extends KernelMethod.Of11<
          TensorMap,
          TensorMap,
          TensorMap,
          TensorMap,
          GlobalFloats,
          GlobalFloats,
          GlobalFloats,
          GlobalFloats,
          Extents,
          Float,
          Integer> {}

  private static final double LOG2_E = 1.4426950408889634;

  /** A tensor map's rows have a multiple of 16 bytes. */
  private static final int UNIT = 16;

  private static final int MOST = 128;
  private static final int FEW = 64;

  private Fp8Launch() {}

  /** Whether the kernel takes rows of so many numbers. */
  static boolean takes(int headDim) {
    return headDim <= MOST && headDim % UNIT == 0;
  }

  static void enqueue(
      Stream stream,
      Problem problem,
      GlobalBytes q,
      GlobalBytes k,
      GlobalBytes v,
      GlobalFloats ofQ,
      GlobalFloats ofK,
      GlobalFloats ofV,
      GlobalBfloats o,
      GlobalFloats lse) {
    AttentionShape shape = problem.shape();
    int multiprocessors = stream.device().properties().multiprocessors();
    int heads = shape.batches() * shape.heads();
    int tiles = Math.multiplyExact(heads, Scales.blocks(shape.queries()));
    Extents extents =
        new Extents(
            shape.queries(),
            shape.keys(),
            heads,
            shape.heads(),
            shape.heads() / shape.keyHeads(),
            WarpGroupLaunch.section(multiprocessors, shape),
            problem.mask().later(shape.queries(), shape.keys()),
            problem.mask().earlier(shape.queries(), shape.keys()),
            1);
    int variant = problem.mask().bits() + Variant.BF16;
    boolean few = shape.headDim() <= FEW;
    Method method = few ? Fp8WarpGroups::of64 : Fp8WarpGroups::of128;
    int span = few ? FEW : MOST;
    stream.launch(
        Grid.of(Math.min(multiprocessors, tiles), 384),
        method,
        WarpGroupLaunch.map(problem, q, shape.queries(), shape.heads(), Fp8WarpGroups.ROWS, span),
        WarpGroupLaunch.map(problem, k, shape.keys(), shape.keyHeads(), Fp8WarpGroups.KEYS, span),
        WarpGroupLaunch.map(problem, v, shape.keys(), shape.keyHeads(), Fp8WarpGroups.KEYS, span),
        WarpGroupLaunch.map(problem, o, shape.queries(), shape.heads(), WarpGroups.ROWS),
        lse,
        ofQ,
        ofK,
        ofV,
        extents,
        (float) (problem.scale() * LOG2_E),
        variant);
  }
}
