package dev.stretto.compiler.bank;

import dev.stretto.compiler.ir.Type;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which threads of a block the lanes of a warp are, and where the block is. Threads are counted in
 * x first, then in y, then in z.
 */
final class WarpPlace {
  private static final Unknown SHAPE = new Unknown(Unknown.Kind.SHAPE, 0, "");
  private static final Unknown WARP = new Unknown(Unknown.Kind.WARP, 0, "");

  /** Blocks of one dimension that a kernel may be launched with. */
  private static final List<BlockShape> ROWS =
      List.of(row(256), row(128), row(512), row(1024), row(64), row(32));

  /** Those of two. */
  private static final List<BlockShape> PLANES =
      List.of(plane(32, 8), plane(16, 16), plane(32, 32), plane(64, 4), plane(8, 32), plane(4, 16));

  private final Sample sample;
  private final BlockShape shape;
  private final Set<Unknown> from;
  private final int first;

  /**
   * A warp.
   *
   * @param given the shape of the block, if it is known
   * @param flat whether the kernel asks for positions in x only
   */
  WarpPlace(Sample sample, BlockShape given, boolean flat) {
    this.sample = sample;
    List<BlockShape> shapes = given.isKnown() ? List.of(given) : flat ? ROWS : PLANES;
    this.shape = shapes.get(sample.choice(SHAPE, shapes.size()));
    this.from = given.isKnown() ? Set.of() : Set.of(SHAPE);
    int warps = (shape.threads() + Banks.LANES - 1) / Banks.LANES;
    this.first = sample.choice(WARP, warps) * Banks.LANES;
  }

  private static BlockShape row(int threads) {
    return new BlockShape(threads, 1, 1);
  }

  private static BlockShape plane(int x, int y) {
    return new BlockShape(x, y, 1);
  }

  /** {@return bit by bit, the lanes that are threads of the block} */
  int lanes() {
    int there = Math.min(Banks.LANES, shape.threads() - first);
    return there == Banks.LANES ? -1 : (1 << there) - 1;
  }

  /** {@return what a method says of a thread's position; null if it says something else} */
  @Nullable Lanes of(String method) {
    return switch (method) {
      case "Warp.lane" -> positions(rank -> rank % Banks.LANES, Set.of());
      case "Warp.index" -> Lanes.same(first / Banks.LANES, Set.of(WARP));
      case "ThreadBlock.threadIndexX" -> positions(rank -> rank % shape.x(), threads());
      case "ThreadBlock.threadIndexY" -> positions(rank -> rank / shape.x() % shape.y(), threads());
      case "ThreadBlock.threadIndexZ" -> positions(rank -> rank / shape.x() / shape.y(), threads());
      case "ThreadBlock.blockSizeX" -> Lanes.same(shape.x(), from);
      case "ThreadBlock.blockSizeY" -> Lanes.same(shape.y(), from);
      case "ThreadBlock.blockSizeZ" -> Lanes.same(shape.z(), from);
      case "ThreadBlock.blockIndexX",
          "ThreadBlock.blockIndexY",
          "ThreadBlock.blockIndexZ",
          "ThreadBlock.gridSizeX",
          "ThreadBlock.gridSizeY",
          "ThreadBlock.gridSizeZ" ->
          grid(method);
      default -> null;
    };
  }

  private Set<Unknown> threads() {
    return Lanes.union(from, Set.of(WARP));
  }

  private Lanes positions(IntUnaryOperator of, Set<Unknown> known) {
    Object[] values = new Object[Banks.LANES];
    for (int lane = 0; lane < values.length; lane++) {
      values[lane] = of.applyAsInt(first + lane);
    }
    return Lanes.each(values, known);
  }

  private Lanes grid(String method) {
    Unknown unknown = new Unknown(Unknown.Kind.GRID, method.hashCode(), "");
    return Lanes.same(sample.value(unknown, Type.INT), Set.of(unknown));
  }
}
