package dev.stretto.kernels.attention;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;

/** Enqueues {@link WarpGroups}. */
final class WarpGroupLaunch {
  private interface Method
      extends KernelMethod.Of12<
          TensorMap,
          TensorMap,
          TensorMap,
          TensorMap,
          GlobalFloats,
          GlobalInts,
          GlobalInts,
          GlobalInts,
          Extents,
          PackedSizes,
          Integer,
          Integer> {}

  private static final double LOG2_E = 1.4426950408889634;

  private final Problem problem;
  private final int keysOfBlock;
  private final int options;

  private WarpGroupLaunch(Problem problem, int keysOfBlock, int options) {
    this.problem = problem;
    this.keysOfBlock = keysOfBlock;
    this.options = options;
  }

  /** The launch that is the fastest on an H100. */
  static WarpGroupLaunch of(Problem problem) {
    int dim = dim(problem.shape());
    // Four warp groups overlap without taking turns.
    boolean turns = dim != 64 && (!problem.mask().endsEarly() || problem.shape().keys() >= 4096);
    return new WarpGroupLaunch(problem, keysOfBlock(problem), turns ? 0 : Variant.NO_TURNS);
  }

  /** The same attention with so many keys in a block, and {@link Variant#NO_TURNS} or 0. */
  static WarpGroupLaunch with(Problem problem, int keysOfBlock, int options) {
    return new WarpGroupLaunch(problem, keysOfBlock, options);
  }

  /** The numbers in a row of a head as the kernel has them; those that are missing are zeros. */
  static int dim(AttentionShape shape) {
    return shape.headDim() <= 64 ? 64 : shape.headDim() <= 128 ? 128 : 256;
  }

  /**
   * As many as there are registers and shared memory for. With few keys and rows of 256 numbers,
   * fewer at a time are faster: they divide the keys without a rest, and less is computed that no
   * row sees.
   */
  static int keysOfBlock(Problem problem) {
    return switch (dim(problem.shape())) {
      case 64 -> 64;
      case 128 -> 128;
      default -> problem.shape().keys() <= (problem.mask().endsEarly() ? 4096 : 2048) ? 64 : 80;
    };
  }

  /**
   * How many heads a section of tiles has in attention that ends early. With fewer of them, more
   * blocks read the same keys and values at a time; with more, the tiles are spread more evenly.
   */
  static int section(int multiprocessors, AttentionShape shape) {
    int times = dim(shape) == 64 ? 2 : shape.keys() <= 512 ? 3 : 4;
    return Math.max(1, multiprocessors / times);
  }

  void enqueue(
      Stream stream,
      GlobalArray q,
      GlobalArray k,
      GlobalArray v,
      GlobalArray o,
      GlobalFloats lse,
      boolean storesLse) {
    int multiprocessors = stream.device().properties().multiprocessors();
    enqueue(
        stream,
        multiprocessors,
        section(multiprocessors, problem.shape()),
        q,
        k,
        v,
        o,
        lse,
        storesLse);
  }

  /** The same with so many blocks at most, and sections of so many heads. */
  void enqueue(
      Stream stream,
      int blocks,
      int section,
      GlobalArray q,
      GlobalArray k,
      GlobalArray v,
      GlobalArray o,
      GlobalFloats lse,
      boolean storesLse) {
    AttentionShape shape = problem.shape();
    int dim = dim(shape);
    int rows = WarpGroups.rows(dim);
    int heads = shape.batches() * shape.heads();
    int tiles = Math.multiplyExact(heads, Math.ceilDiv(shape.queries(), rows));
    Grid grid = Grid.of(Math.min(blocks, tiles), 128 * (WarpGroups.groups(dim) + 1));
    int variant =
        problem.mask().bits()
            + (q instanceof GlobalBfloats ? Variant.BF16 : 0)
            + (storesLse ? 0 : Variant.NO_LSE)
            + (problem.scale() == 1 / Math.sqrt(dim) ? Variant.USUAL_SCALE : 0)
            + options;
    Extents extents =
        new Extents(
            shape.queries(),
            shape.keys(),
            heads,
            shape.heads(),
            shape.heads() / shape.keyHeads(),
            section,
            problem.mask().later(shape.queries(), shape.keys()),
            problem.mask().earlier(shape.queries(), shape.keys()),
            (float) (problem.scale() * LOG2_E));
    GlobalInts none = GlobalInts.of(o.allocation()).slice(0, 0);
    stream.launch(
        grid,
        method(dim),
        map(problem, q, shape.queries(), shape.heads(), rows),
        map(problem, k, shape.keys(), shape.keyHeads(), keysOfBlock),
        map(problem, v, shape.keys(), shape.keyHeads(), keysOfBlock),
        map(problem, o, shape.queries(), shape.heads(), WarpGroups.ROWS),
        lse,
        none,
        none,
        none,
        extents,
        PackedSizes.none(),
        keysOfBlock,
        variant);
  }

  private static Method method(int dim) {
    return switch (dim) {
      case 64 -> WarpGroups::of64;
      case 128 -> WarpGroups::of128;
      default -> WarpGroups::of256;
    };
  }

  /** The same for packed sequences. There is at least one query and one key. */
  void enqueuePacked(
      Stream stream,
      GlobalArray q,
      GlobalArray k,
      GlobalArray v,
      GlobalArray o,
      GlobalFloats lse,
      Starts starts) {
    AttentionShape shape = problem.shape();
    int dim = dim(shape);
    int rows = WarpGroups.rows(dim);
    // Each sequence may have a tile that is not full.
    long tiles =
        shape.heads() * ((long) Math.ceilDiv(starts.queryTokens(), rows) + shape.batches());
    int blocks = (int) Math.min(stream.device().properties().multiprocessors(), tiles);
    int both = shape.queries() + shape.keys();
    Extents extents =
        new Extents(
            starts.queryTokens(),
            shape.keys(),
            shape.heads(),
            shape.heads(),
            shape.heads() / shape.keyHeads(),
            1,
            Math.min(problem.mask().after(), both),
            -Math.min(problem.mask().before(), both),
            (float) (problem.scale() * LOG2_E));
    PackedSizes sizes =
        new PackedSizes(
            shape.batches(),
            shape.headDim(),
            Places.of(problem.order(), starts.queryTokens(), shape.heads(), shape.headDim()));
    AttentionShape all =
        new AttentionShape(
            1,
            shape.heads(),
            shape.keyHeads(),
            starts.queryTokens(),
            starts.keyTokens(),
            shape.headDim());
    Problem together = new Problem(all, problem.order(), problem.mask(), problem.scale());
    stream.launch(
        Grid.of(blocks, 128 * (WarpGroups.groups(dim) + 1)),
        method(dim),
        map(together, q, starts.queryTokens(), shape.heads(), rows),
        sequences(k, starts.keyTokens()),
        sequences(v, starts.keyTokens()),
        map(together, o, starts.queryTokens(), shape.heads(), WarpGroups.ROWS),
        lse,
        starts.queries(),
        starts.keys(),
        GlobalInts.of(o.allocation()).slice(o.byteOffset() / Integer.BYTES, o.length() / 2),
        extents,
        sizes,
        keysOfBlock,
        problem.mask().bits()
            + (q instanceof GlobalBfloats ? Variant.BF16 : 0)
            + (problem.scale() == 1 / Math.sqrt(dim) ? Variant.USUAL_SCALE : 0)
            + Variant.PACKED
            + options);
  }

  /**
   * A map of K or V for packed sequences, whose last coordinate is where a sequence begins. Rows
   * before it have negative coordinates, and arrive as zeros whatever the sequence before has.
   */
  private TensorMap sequences(GlobalArray array, int tokens) {
    AttentionShape shape = problem.shape();
    Places places = Places.of(problem.order(), tokens, shape.keyHeads(), shape.headDim());
    int bytes = array.elementBytes();
    return TensorMap.of(array)
        .shape(shape.headDim(), shape.keys(), shape.keyHeads(), tokens)
        .strides(bytes * places.token(), bytes * places.head(), bytes * places.token())
        .box(WarpGroups.SPAN / bytes, keysOfBlock, 1, 1)
        .swizzle(TensorMap.Swizzle.BYTES_128)
        .promotion(TensorMap.L2Promotion.BYTES_128)
        .partial()
        .build();
  }

  /** A map of Q, K, V or O, in boxes of so many rows that are a swizzle's span wide. */
  static TensorMap map(Problem problem, GlobalArray array, int length, int heads, int rows) {
    return map(problem, array, length, heads, rows, WarpGroups.SPAN);
  }

  /**
   * {@return the map of boxes}
   *
   * @param span the bytes of a row of a box: 64 or 128
   */
  static TensorMap map(
      Problem problem, GlobalArray array, int length, int heads, int rows, int span) {
    AttentionShape shape = problem.shape();
    Places places = Places.of(problem.order(), length, heads, shape.headDim());
    int bytes = array.elementBytes();
    return TensorMap.of(array)
        .shape(shape.headDim(), length, heads, shape.batches())
        .strides(bytes * places.token(), bytes * places.head(), bytes * places.batch())
        .box(span / bytes, rows, 1, 1)
        .swizzle(span == 64 ? TensorMap.Swizzle.BYTES_64 : TensorMap.Swizzle.BYTES_128)
        .promotion(TensorMap.L2Promotion.BYTES_128)
        .build();
  }
}
