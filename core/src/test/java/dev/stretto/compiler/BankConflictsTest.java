package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.compiler.bank.Banks;
import dev.stretto.compiler.bank.BlockShape;
import dev.stretto.compiler.bank.SharedAccess;
import dev.stretto.compiler.bank.Unknown;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of the banks of shared memory, beside what counting by hand says. */
class BankConflictsTest {
  private static final KernelTarget TARGET = new KernelTarget(90);
  private static final BlockShape PLANE = new BlockShape(32, 8, 1);

  private static List<SharedAccess> accesses(String kernel, BlockShape shape) {
    Method method =
        Arrays.stream(BankKernels.class.getDeclaredMethods())
            .filter(it -> it.getName().equals(kernel))
            .findFirst()
            .orElseThrow();
    KernelSource source =
        new KernelSource(
            BankKernels.class.getClassLoader(),
            BankKernels.class.getName().replace('.', '/'),
            kernel,
            MethodType.methodType(void.class, method.getParameterTypes())
                .toMethodDescriptorString(),
            Map.of(),
            false);
    return KernelCompiler.inspect(source, TARGET, shape, (_, _) -> {}).accesses();
  }

  /** The access of a kernel of one kind and size, the number-th in the order of the lines. */
  private static SharedAccess access(
      String kernel, BlockShape shape, String kind, int bytes, int number) {
    return accesses(kernel, shape).stream()
        .filter(it -> it.kind().equals(kind) && it.bytes() == bytes)
        .toList()
        .get(number);
  }

  /**
   * The passes of a warp, counted without the compiler: in each part of the warp, every pass serves
   * one word of each bank.
   *
   * @param at where each lane accesses memory, in bytes
   */
  private static int counted(IntUnaryOperator at, int lanes, int bytes) {
    int part = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
    int passes = 0;
    for (int first = 0; first < lanes; first += part) {
      Map<Integer, Set<Integer>> wordsOfBanks = new HashMap<>();
      for (int lane = first; lane < first + part; lane++) {
        for (int at0 = at.applyAsInt(lane), b = 0; b < bytes; b++) {
          int word = (at0 + b) / 4;
          wordsOfBanks.computeIfAbsent(word % 32, _ -> new HashSet<>()).add(word);
        }
      }
      passes += wordsOfBanks.values().stream().mapToInt(Set::size).max().orElse(0);
    }
    return passes;
  }

  private static int index(String place, int x, int y) {
    try {
      boolean plane =
          Arrays.stream(BankKernels.class.getDeclaredMethods())
              .anyMatch(it -> it.getName().equals(place) && it.getParameterCount() == 2);
      return plane
          ? (int) method(place, int.class, int.class).invoke(null, x, y)
          : (int) method(place, int.class).invoke(null, x);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static Method method(String name, Class<?>... types) throws NoSuchMethodException {
    return BankKernels.class.getDeclaredMethod(name, types);
  }

  @ParameterizedTest(name = "{0}, {1} {2} of {3} bytes: {6} passes")
  @CsvSource({
    "transpose,   load,     0, 4,  column,         4,  32, 1",
    "padded,      load,     0, 4,  paddedColumn,   4,  1,  1",
    "swizzled,    load,     0, 4,  swizzledColumn, 4,  1,  1",
    "everySecond, store,    0, 4,  second,         4,  2,  1",
    "everyFourth, store,    0, 4,  fourth,         4,  4,  1",
    "rowsOf64,    store,    0, 4,  rowOf64,        4,  32, 1",
    "remainders,  store,    0, 4,  sevenPlaces,    4,  4,  1",
    "doubles,     store,    0, 8,  second,         8,  4,  2",
    "doubles,     load,     0, 8,  each,           8,  2,  2",
    "bytes,       store,    0, 1,  byteOfRow,      1,  32, 1",
    "bytes,       load,     0, 1,  each,           1,  1,  1",
    "quads,       store,    0, 16, quadOfRow,      4,  32, 4",
    "quads,       load,     0, 16, quad,           4,  4,  4",
    "broadcast,   load,     0, 4,  nothing,        4,  1,  1",
    "matrices,    ldmatrix, 0, 16, matrixRow,      1,  32, 4",
    "matrices,    ldmatrix, 1, 16, swizzledRow,    1,  2,  2",
    "matrices,    stmatrix, 0, 16, swizzledRow,    1,  4,  4"
  })
  void thePassesAreThoseThatCountingSays(
      String kernel,
      String kind,
      int number,
      int bytes,
      String place,
      int width,
      int passes,
      int needed) {
    boolean plane = Set.of("transpose", "padded", "swizzled").contains(kernel);
    SharedAccess access = access(kernel, plane ? PLANE : BlockShape.UNKNOWN, kind, bytes, number);
    assertThat(access.isKnown()).isTrue();
    assertThat(access.unknowns()).isEmpty();
    assertThat(access.least()).isEqualTo(access.most()).isEqualTo(passes);
    assertThat(access.needed()).isEqualTo(needed);
    assertThat(access.hasConflict()).isEqualTo(passes > needed);
    for (int warp = 0; warp < (access.kind().endsWith("matrix") ? 1 : 2); warp++) {
      int y = warp;
      int first = plane || kernel.equals("rowsOf64") ? 0 : 32 * warp;
      assertThat(counted(lane -> index(place, first + lane, y) * width, access.lanes(), bytes))
          .isEqualTo(passes);
    }
  }

  @Test
  void rowsAreToldToBePadded() {
    SharedAccess load = access("transpose", PLANE, "load", 4, 0);
    assertThat(load.title()).isEqualTo("32-way bank conflict");
    assertThat(load.message())
        .isEqualTo(
            "load of 4 bytes by each of 32 lanes: 32 passes instead of 1; the lanes are 32 words"
                + " apart: pad each row by 1 word");
    assertThat(access("everySecond", BlockShape.UNKNOWN, "store", 4, 0).message())
        .endsWith("the lanes are 2 words apart, and would not conflict if they were 3 words apart");
    assertThat(access("quads", BlockShape.UNKNOWN, "store", 16, 0).message())
        .endsWith(
            "32 passes instead of 4; the lanes are 64 words apart: pad each" + " row by 4 words");
    assertThat(access("padded", PLANE, "load", 4, 0).title()).isEqualTo("no bank conflict");
  }

  @Test
  void theShapeOfTheBlockIsAskedForWhereItDecides() {
    SharedAccess unknown = access("transpose", BlockShape.UNKNOWN, "load", 4, 0);
    assertThat(unknown.least()).isLessThan(unknown.most());
    assertThat(unknown.unknowns()).extracting(Unknown::kind).containsExactly(Unknown.Kind.SHAPE);
    assertThat(unknown.message()).endsWith("depending on the shape of the block");
    SharedAccess narrow = access("transpose", new BlockShape(8, 32, 1), "load", 4, 0);
    // Lanes 8 y + x: of 8 rows that begin in one bank, 4 neighbouring columns.
    assertThat(narrow.most()).isEqualTo(8).isEqualTo(narrow.least());
    assertThat(counted(lane -> 4 * BankKernels.column(lane % 8, lane / 8), 32, 4)).isEqualTo(8);
  }

  @Test
  void anArgumentThatDecidesIsNamed() {
    SharedAccess store = access("strideOfArgument", BlockShape.UNKNOWN, "store", 4, 0);
    assertThat(store.least()).isEqualTo(1);
    assertThat(store.most()).isGreaterThan(8);
    assertThat(store.unknowns())
        .extracting(Unknown::toString)
        .containsExactly("the argument stride");
    SharedAccess load = access("strideOfArgument", BlockShape.UNKNOWN, "load", 4, 0);
    assertThat(load.most()).as("an offset for all lanes").isEqualTo(1).isEqualTo(load.least());
  }

  @Test
  void whatIsLoadedIsNotGuessed() {
    SharedAccess load = access("gathered", BlockShape.UNKNOWN, "load", 4, 0);
    assertThat(load.isKnown()).isFalse();
    assertThat(load.hasConflict()).isFalse();
    assertThat(load.title()).isEqualTo("bank conflicts not known");
    assertThat(load.message()).contains("values that differ from lane to lane, from BankKernels");
  }

  @Test
  void lanesThatAConditionKeepsAwayTakeNoPart() {
    List<SharedAccess> stores =
        accesses("guarded", BlockShape.UNKNOWN).stream()
            .filter(it -> it.kind().equals("store"))
            .toList();
    assertThat(stores.get(0).lanes()).isEqualTo(16);
    assertThat(stores.get(0).most()).isEqualTo(16).isEqualTo(stores.get(0).least());
    assertThat(stores.get(1).lanes()).as("of a warp before the end").isEqualTo(32);
    assertThat(stores.get(1).most()).isEqualTo(1);
  }

  @Test
  void theRoundOfALoopMayDecide() {
    SharedAccess store = access("interleaved", BlockShape.UNKNOWN, "store", 4, 1);
    assertThat(store.least()).isEqualTo(2);
    assertThat(store.most()).isEqualTo(8);
    assertThat(store.unknowns()).extracting(Unknown::kind).contains(Unknown.Kind.ROUND);
  }

  @Test
  void theRoundOfALoopMayNotMatter() {
    for (SharedAccess load : accesses("columns", BlockShape.UNKNOWN)) {
      assertThat(load.most()).as("%s", load).isEqualTo(1).isEqualTo(load.least());
    }
  }

  @Test
  void lanesMayHaveComeByTwoWays() {
    SharedAccess load = access("chosen", BlockShape.UNKNOWN, "load", 4, 0);
    // 16 lanes want another word of bank 0, and the others words of other banks.
    assertThat(load.most()).isEqualTo(16).isEqualTo(load.least());
  }

  @Test
  void anyAddressesAreCountedAsByHand() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 3_000; round++) {
      int bytes = 1 << random.nextInt(5);
      int[] at = new int[32];
      int range = 1 << (5 + random.nextInt(8));
      Arrays.setAll(at, _ -> random.nextInt(range) * bytes);
      assertThat(Banks.passes(at, -1, bytes).all())
          .as("%d bytes at %s", bytes, Arrays.toString(at))
          .isEqualTo(counted(lane -> at[lane], 32, bytes));
    }
  }
}
