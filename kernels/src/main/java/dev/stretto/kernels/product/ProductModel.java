package dev.stretto.kernels.product;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses tiles, and into how many parts the inner dimension is divided, by an estimate of the
 * time.
 *
 * <p>The blocks that run at the same time compute a <em>wave</em> of tiles. A product takes {@code
 * ceil(tiles * parts / blocks)} waves, each as long as a tile: as its products take, or as what it
 * copies takes from the level-2 cache, whichever is more, and a constant to begin and to store. It
 * takes longer than its matrices take from memory, and than all copies take from the cache: waves
 * use neither without pauses. Up to eight parts of a tile are added by the blocks of a cluster;
 * more cost a second kernel, which reads what the first one has stored. The unit is a clock of a
 * multiprocessor. The constants are those of an H200, rounded; only their ratios matter.
 */
final class ProductModel {
  /** Multiplications of 16-bit numbers by a multiprocessor's tensor cores. */
  private static final double PRODUCTS_A_CLOCK = 2048;

  /** To wait for a stage and to begin its products. */
  private static final double STAGE_CLOCKS = 96;

  /** What a multiprocessor gets from the level-2 cache. */
  private static final double CACHE_BYTES_A_CLOCK = 56;

  /** A multiprocessor's share of what memory gives. */
  private static final double MEMORY_BYTES_A_CLOCK = 13;

  /** To begin a tile and to store it. */
  private static final double TILE_CLOCKS = 2_000;

  /** To add the sums of a cluster's blocks. */
  private static final double GATHER_CLOCKS = 2_000;

  private static final double GATHER_CLOCKS_A_PART = 800;
  private static final double GATHERED_A_CLOCK = 4;

  /**
   * The share of multiprocessors that clusters of more than two blocks find room on. Those of two
   * find room everywhere, since multiprocessors come in pairs.
   */
  private static final double IN_CLUSTERS = 0.85;

  /**
   * What it costs that the blocks of a cluster, which share B, begin and end together. Fitted to
   * one wave of tiles, where sharing was slower; 0.5 µs of it were seen.
   */
  private static final double CLUSTER_CLOCKS = 4_000;

  /** To launch a second kernel. */
  private static final double LAUNCH_CLOCKS = 10_000;

  /** How much better an estimate must be: estimates are not that exact. */
  private static final double MARGIN = 0.97;

  private static final int MOST_SPLITS = 16;

  /** Rows of the largest tiles. */
  private static final int MOST_ROWS = 128;

  /** How many stages a part has at least. */
  private static final int LEAST_STAGES = 4;

  /** What warp groups can be compiled for. Of those that take as long, the first one is taken. */
  static final List<Tiling> WARP_GROUPS =
      List.of(
          new Tiling(64, 128, 1),
          new Tiling(64, 256, 1),
          new Tiling(128, 64, 1),
          new Tiling(128, 128, 1),
          new Tiling(128, 128, 2),
          new Tiling(128, 256, 1),
          new Tiling(128, 256, 2));

  private static final List<Tiling> PORTABLE =
      List.of(new Tiling(PortableProduct.ROWS, PortableProduct.COLUMNS, 1));

  /** How many blocks of the portable kernel a multiprocessor runs at the same time. */
  private static final int PORTABLE_BLOCKS = 4;

  /**
   * An estimate.
   *
   * @param tiling the tiles
   * @param splits the parts of the inner dimension
   * @param waves how many waves of tiles
   * @param clocks how long it takes
   */
  record Plan(Tiling tiling, int splits, long waves, double clocks) {}

  private final Problem problem;
  private final int multiprocessors;

  ProductModel(Problem problem, int multiprocessors) {
    this.problem = problem;
    this.multiprocessors = multiprocessors;
  }

  /** {@return the plan for warp groups} */
  Plan warpGroups() {
    List<Tiling> tilings = WARP_GROUPS.stream().filter(this::readsBOnceIfItCan).toList();
    return best(tilings, WarpGroupProduct.DEPTH, 1);
  }

  /** Whether there is one row of tiles where the largest tiles have as many rows as A. */
  private boolean readsBOnceIfItCan(Tiling tiling) {
    return tiling.rows() == MOST_ROWS || problem.m() <= tiling.rows() || problem.m() > MOST_ROWS;
  }

  /** {@return the plan for the portable kernel} */
  Plan portable() {
    return best(PORTABLE, PortableProduct.DEPTH, PORTABLE_BLOCKS);
  }

  private Plan best(List<Tiling> tilings, int depth, int blocks) {
    return tilings.stream()
        // A cluster of which one block has rows that are not there helps nobody.
        .filter(tiling -> tiling.blocks() == 1 || problem.m() > tiling.rows())
        .flatMap(
            tiling ->
                IntStream.rangeClosed(1, MOST_SPLITS)
                    .filter(splits -> divides(splits, depth))
                    .mapToObj(splits -> plan(tiling, splits, depth, blocks)))
        .reduce((best, next) -> next.clocks() < best.clocks() * MARGIN ? next : best)
        .orElseThrow();
  }

  /** Whether no part is empty, and none too short. */
  private boolean divides(int splits, int depth) {
    int stages = Math.ceilDiv(problem.k(), depth);
    int each = Math.ceilDiv(stages, splits);
    return splits == 1 || (each >= LEAST_STAGES && Math.ceilDiv(stages, each) == splits);
  }

  /** {@return the estimate for tiles and parts} */
  Plan plan(Tiling tiling, int splits, int depth, int blocks) {
    boolean gathered = WARP_GROUPS.contains(tiling) && WarpGroupProduct.gathers(tiling, splits);
    int stages = Math.ceilDiv(Math.ceilDiv(problem.k(), depth), splits);
    long atOnce = Math.max(1, (long) multiprocessors * blocks / tiling.blocks());
    if (gathered) {
      double room = splits == 2 ? multiprocessors : multiprocessors * IN_CLUSTERS;
      atOnce = Math.max(splits, (long) room / splits * splits);
    }
    long waves = Math.ceilDiv(tiling.tiles(problem) * splits, atOnce);
    double products =
        (double) tiling.rows() * tiling.columns() * depth / PRODUCTS_A_CLOCK + STAGE_CLOCKS;
    double columns = (double) Math.min(tiling.columns(), problem.n()) / tiling.blocks();
    double bytes = 2.0 * depth * (Math.min(tiling.rows(), problem.m()) + columns);
    double stage = Math.max(products, bytes / CACHE_BYTES_A_CLOCK) * blocks;
    double memory = 2.0 * (problem.elementsA() + problem.elementsB() + problem.elementsC());
    double shared = MEMORY_BYTES_A_CLOCK * multiprocessors;
    double copied = bytes * stages * splits * tiling.blocks() * tiling.tiles(problem);
    double clocks =
        together(
            waves * (stages * stage + TILE_CLOCKS),
            memory / shared,
            copied / (CACHE_BYTES_A_CLOCK * multiprocessors));
    double second = 0;
    if (gathered) {
      second =
          GATHER_CLOCKS
              + GATHER_CLOCKS_A_PART * splits
              + tiling.rows() * tiling.columns() / GATHERED_A_CLOCK;
    } else if (splits > 1) {
      second = LAUNCH_CLOCKS + 8.0 * splits * problem.elementsC() / shared;
    }
    double cluster = tiling.blocks() == 1 ? 0 : CLUSTER_CLOCKS;
    return new Plan(tiling, splits, waves, clocks + second + cluster);
  }

  /** What takes as long as the longest of three, and more if others take about as long. */
  private static double together(double a, double b, double c) {
    return Math.cbrt(a * a * a + b * b * b + c * c * c);
  }
}
