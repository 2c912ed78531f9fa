package dev.stretto.kernels.product;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalShorts;

/** Adds the sums of all parts of the inner dimension, the first part first, and finishes them. */
final class PartialSums {
  private static final int THREADS = 256;

  /** How many blocks a multiprocessor has at the same time. */
  private static final int BLOCKS = 8;

  private PartialSums() {}

  // @start region="kernel"
  @Kernel(maxThreads = THREADS)
  static void finish(
      ThreadBlock block,
      GlobalFloats sums,
      GlobalShorts bias,
      GlobalShorts c,
      long elements,
      int n,
      int splits,
      long count,
      @Const int variant) {
    long step = (long) block.gridSizeX() * THREADS;
    for (long i = (long) block.blockIndexX() * THREADS + block.threadRank(); i < count; i += step) {
      long matrix = i / elements;
      long from = matrix * splits * elements + (i - matrix * elements);
      float sum = sums.get(from);
      for (int part = 1; part < splits; part++) {
        sum += sums.get(from + part * elements);
      }
      int column = (int) (i % n);
      c.set(i, Epilogue.round(Epilogue.finish(sum, bias, column, n, variant), variant));
    }
  }

  // @end region="kernel"

  static void enqueue(
      Stream stream,
      Problem problem,
      int splits,
      int variant,
      GlobalFloats sums,
      GlobalShorts bias,
      GlobalShorts c) {
    long count = problem.elementsC();
    long most = (long) stream.device().properties().multiprocessors() * BLOCKS;
    stream.launch(
        Grid.of((int) Math.min(Math.ceilDiv(count, (long) THREADS), most), THREADS),
        PartialSums::finish,
        sums,
        bias,
        c,
        (long) problem.m() * problem.n(),
        problem.n(),
        splits,
        count,
        variant);
  }
}
