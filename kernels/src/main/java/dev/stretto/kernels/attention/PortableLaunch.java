package dev.stretto.kernels.attention;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;

/** Enqueues {@link PortableAttention}. */
final class PortableLaunch {
  private interface Method
      extends KernelMethod.Of12<
          GlobalBytes,
          GlobalBytes,
          GlobalBytes,
          GlobalInts,
          GlobalFloats,
          GlobalInts,
          GlobalInts,
          PortableExtents,
          Integer,
          Integer,
          Integer,
          Integer> {}

  /**
   * The blocks of keys and values.
   *
   * @param keys how many
   * @param stages how many blocks there is room for
   */
  record Blocks(int keys, int stages) {}

  private static final int WIDE = 128;
  private static final double LOG2_E = 1.4426950408889634;

  private PortableLaunch() {}

  /** As many keys and stages as a block's shared memory has room for. */
  static Blocks blocks(int headDim, AttentionKernel kernel, DeviceProperties properties) {
    int keys = headDim > WIDE ? 32 : 64;
    if (kernel == AttentionKernel.FLOATS) {
      // Each product is an instruction, and the code long enough.
      keys = 16;
    }
    int stages = 2;
    while (PortableAttention.sharedBytes(dim(headDim), keys, stages)
        > properties.sharedBytesPerBlockOptIn()) {
      if (keys > 16) {
        keys /= 2;
      } else {
        stages = 1;
      }
    }
    return new Blocks(keys, stages);
  }

  /** The numbers in a row as the kernel has them: those of whole steps of a product. */
  private static int dim(int headDim) {
    return Math.ceilDiv(headDim, 16) * 16;
  }

  /** Enqueues it, with bits of a {@link Variant}. */
  static void enqueue(
      Stream stream,
      Problem problem,
      AttentionChoice choice,
      GlobalArray q,
      GlobalArray k,
      GlobalArray v,
      GlobalArray o,
      GlobalFloats lse,
      Starts starts,
      int options) {
    AttentionShape shape = problem.shape();
    int both = shape.queries() + shape.keys();
    PortableExtents extents =
        new PortableExtents(
            shape.batches(),
            shape.heads(),
            shape.heads() / shape.keyHeads(),
            shape.queries(),
            shape.keys(),
            starts.queryTokens(),
            shape.headDim(),
            Math.min(problem.mask().before(), both),
            Math.min(problem.mask().after(), both),
            Places.of(problem.order(), starts.queryTokens(), shape.heads(), shape.headDim()),
            Places.of(problem.order(), starts.keyTokens(), shape.keyHeads(), shape.headDim()),
            (float) (problem.scale() * LOG2_E));
    int tiles =
        Math.multiplyExact(
            shape.batches() * shape.heads(), Math.ceilDiv(shape.queries(), PortableAttention.ROWS));
    Blocks blocks = blocks(shape.headDim(), choice.kernel(), stream.device().properties());
    Method method = PortableAttention::attend;
    stream.launch(
        Grid.of(tiles, PortableAttention.THREADS),
        method,
        bytes(q),
        bytes(k),
        bytes(v),
        GlobalInts.of(o.allocation()).slice(o.byteOffset() / Integer.BYTES, o.length() / 2),
        lse,
        starts.queries(),
        starts.keys(),
        extents,
        dim(shape.headDim()),
        blocks.keys(),
        blocks.stages(),
        problem.mask().bits() + options + (q instanceof GlobalBfloats ? Variant.BF16 : 0));
  }

  private static GlobalBytes bytes(GlobalArray array) {
    return GlobalBytes.of(array.allocation()).slice(array.byteOffset(), array.byteSize());
  }
}
