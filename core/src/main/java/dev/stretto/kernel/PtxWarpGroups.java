package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.Accumulators;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.LeftMatrix;
import dev.stretto.kernel.machine.MatrixDescriptor;
import dev.stretto.kernel.machine.ProductShape;
import dev.stretto.kernel.machine.ProductType;
import dev.stretto.kernel.machine.WarpGroupProducts;

/**
 * The instructions of warp groups: products of matrices by the tensor cores ({@code wgmma}), and
 * registers that are handed from one warp group to another. They need compute capability 9.0, and
 * no newer one has {@code wgmma}. As {@link Ptx}, one method for each instruction; {@link Wgmma}
 * says which operands lie where.
 *
 * <p>A warp group is four warps that follow each other, of which the first one's index is a
 * multiple of 4. All of its 128 threads call each of the methods here, with the same numbers; each
 * has its own part of what a local array stands for.
 *
 * <p>A product is asynchronous. Its accumulators, and the registers of a left matrix that it takes
 * from registers, belong to it until {@link #wgmmaWaitGroup} has waited for its group; nobody may
 * read or write them before. Further products may be added to the same accumulators meanwhile. The
 * matrices in shared memory must stay as they are until then, too. On a virtual device accumulators
 * are NaN while a product is in flight, and what is written to them then, or to the matrices, is
 * reported.
 *
 * <p>PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions", "setmaxnreg".
 */
public final class PtxWarpGroups {
  private PtxWarpGroups() {}

  private static WarpGroupProducts products(String what) {
    return DeviceThread.current(what).products();
  }

  /** The thread that calls begins a product of its warp group. */
  private static void begin(
      ProductShape shape, Accumulators sum, LeftMatrix left, long right, boolean add) {
    DeviceThread thread = DeviceThread.current(shape.what());
    thread.products().begin(thread.block().warpGroup(thread), shape, sum, left, right, add);
  }

  // --- order
  // ----------------------------------------------------------------------------------------------------------

  /**
   * {@code wgmma.fence}: what the thread did with registers comes before the products that follow.
   * It is called before the first product, and again before the next one whenever registers of it
   * have been used for anything else, such as after {@link #wgmmaWaitGroup}. It does not order
   * shared memory: {@link PtxBulkCopies#fenceProxyAsyncShared()} does.
   */
  @Instruction(value = "wgmma.fence.sync.aligned;", convergent = true, sm = 90, feature = "a")
  public static void wgmmaFence() {
    products("wgmmaFence").fence();
  }

  /** {@code wgmma.commit_group}: the products since the last one are a group. */
  @Instruction(
      value = "wgmma.commit_group.sync.aligned;",
      convergent = true,
      sm = 90,
      feature = "a")
  public static void wgmmaCommitGroup() {
    products("wgmmaCommitGroup").commit();
  }

  /**
   * {@code wgmma.wait_group}: waits for all groups of products but the newest ones. Their
   * accumulators may be used then, and the warp does not read their matrices any more; who has
   * memory filled anew that other warps' products read has to hear of each of them.
   *
   * @param pending how many groups may be left, 0 to 7
   */
  @Instruction(
      value = "wgmma.wait_group.sync.aligned $0;",
      convergent = true,
      sm = 90,
      feature = "a")
  public static void wgmmaWaitGroup(@Const @InRange(to = 7) int pending) {
    products("wgmmaWaitGroup").await(pending);
  }

  // --- products
  // -------------------------------------------------------------------------------------------------------

  /**
   * Where a byte of shared memory lies, in units of 16 bytes. In a cluster the upper bits of its
   * address say whose it is; a descriptor has other things there.
   */
  @Instruction(
      value = {"{", ".reg .b32 at;", "bfe.u32 at, $&0[1], 4, 14;", "cvt.u64.u32 $r, at;", "}"},
      pure = true,
      sm = 90)
  static long place(SharedArray array, int atByte) {
    return MatrixDescriptor.place(array.span(), atByte);
  }

  /**
   * {@code wgmma.mma_async.m64nNk16.f32.bf16.bf16}: D = A * B + D, or A * B, with A of 64 x 16 and
   * B of 16 x N bfloat16 numbers, both in shared memory. Row {@code 16 * w + l / 4} of D, and the
   * one 8 below, are with lane l of warp w of the warp group; elements {@code 4 * j} and {@code 4 *
   * j + 1} of its array are columns {@code 8 * j + l % 4 * 2} and the next one of the first of
   * these rows, the following two those of the second.
   *
   * @param d the {@code N / 2} numbers of D that the thread has
   * @param atD where they begin there
   * @param n N: 8 to 256, a multiple of 8; known where this is called, as a literal is or a
   *     kernel's {@code @Const} parameter
   * @param a descriptor of A, from {@link Wgmma}
   * @param b descriptor of B
   * @param add whether to add what D holds
   * @param transposeA 1 if A lies column by column ("M-major"), 0 if row by row ("K-major")
   * @param transposeB 1 if B lies row by row ("N-major"), 0 if column by column ("K-major")
   */
  @Instruction(
      value =
          "wgmma.mma_async.sync.aligned.m64n$2k16.f32.bf16.bf16 {$t0#2/2?5}, $3, $4, $5, 1, 1, $6,"
              + " $7;",
      convergent = true,
      sm = 90,
      feature = "a",
      writes = 0)
  public static void wgmmaBf16(
      float[] d,
      @Offset int atD,
      @Const @InRange(from = 8, to = 256, multipleOf = 8) int n,
      long a,
      long b,
      boolean add,
      @Const @InRange(to = 1) int transposeA,
      @Const @InRange(to = 1) int transposeB) {
    begin(
        new ProductShape("wgmmaBf16", ProductType.BF16, n, transposeA != 0, transposeB != 0),
        new Accumulators.Floats(d, atD, n / 2),
        new LeftMatrix.Shared(a),
        b,
        add);
  }

  /**
   * {@code wgmma.mma_async.m64nNk16.f32.bf16.bf16}: as {@link #wgmmaBf16}, with A in registers:
   * register {@code i} has two numbers of row {@code 16 * w + l / 4 + i % 2 * 8}, of columns {@code
   * l % 4 * 2 + i / 2 * 8} and the next.
   *
   * @param d the {@code N / 2} numbers of D that the thread has
   * @param atD where they begin there
   * @param n N: 8 to 256, a multiple of 8; known where this is called
   * @param a the four registers of A
   * @param atA where they begin there
   * @param b descriptor of B, from {@link Wgmma}
   * @param add whether to add what D holds
   * @param transposeB 1 if B lies row by row ("N-major"), 0 if column by column ("K-major")
   */
  @Instruction(
      value =
          "wgmma.mma_async.sync.aligned.m64n$2k16.f32.bf16.bf16 {$t0#2/2?6}, {$3.0, $3.1, $3.2,"
              + " $3.3}, $5, $6, 1, 1, $7;",
      convergent = true,
      sm = 90,
      feature = "a",
      writes = 0)
  public static void wgmmaBf16(
      float[] d,
      @Offset int atD,
      @Const @InRange(from = 8, to = 256, multipleOf = 8) int n,
      int[] a,
      @Offset int atA,
      long b,
      boolean add,
      @Const @InRange(to = 1) int transposeB) {
    begin(
        new ProductShape("wgmmaBf16", ProductType.BF16, n, false, transposeB != 0),
        new Accumulators.Floats(d, atD, n / 2),
        new LeftMatrix.Registers(a, atA),
        b,
        add);
  }

  /**
   * {@code wgmma.mma_async.m64nNk16.f32.f16.f16}: as {@link #wgmmaBf16(float[], int, int, long,
   * long, boolean, int, int)}, of half-precision numbers.
   *
   * @param d the {@code N / 2} numbers of D that the thread has
   * @param atD where they begin there
   * @param n N: 8 to 256, a multiple of 8; known where this is called
   * @param a descriptor of A, from {@link Wgmma}
   * @param b descriptor of B
   * @param add whether to add what D holds
   * @param transposeA 1 if A lies column by column ("M-major"), 0 if row by row ("K-major")
   * @param transposeB 1 if B lies row by row ("N-major"), 0 if column by column ("K-major")
   */
  @Instruction(
      value =
          "wgmma.mma_async.sync.aligned.m64n$2k16.f32.f16.f16 {$t0#2/2?5}, $3, $4, $5, 1, 1, $6,"
              + " $7;",
      convergent = true,
      sm = 90,
      feature = "a",
      writes = 0)
  public static void wgmmaF16(
      float[] d,
      @Offset int atD,
      @Const @InRange(from = 8, to = 256, multipleOf = 8) int n,
      long a,
      long b,
      boolean add,
      @Const @InRange(to = 1) int transposeA,
      @Const @InRange(to = 1) int transposeB) {
    begin(
        new ProductShape("wgmmaF16", ProductType.F16, n, transposeA != 0, transposeB != 0),
        new Accumulators.Floats(d, atD, n / 2),
        new LeftMatrix.Shared(a),
        b,
        add);
  }

  /**
   * {@code wgmma.mma_async.m64nNk16.f32.f16.f16}: as {@link #wgmmaBf16(float[], int, int, int[],
   * int, long, boolean, int)}, of half-precision numbers.
   *
   * @param d the {@code N / 2} numbers of D that the thread has
   * @param atD where they begin there
   * @param n N: 8 to 256, a multiple of 8; known where this is called
   * @param a the four registers of A
   * @param atA where they begin there
   * @param b descriptor of B, from {@link Wgmma}
   * @param add whether to add what D holds
   * @param transposeB 1 if B lies row by row ("N-major"), 0 if column by column ("K-major")
   */
  @Instruction(
      value =
          "wgmma.mma_async.sync.aligned.m64n$2k16.f32.f16.f16 {$t0#2/2?6}, {$3.0, $3.1, $3.2,"
              + " $3.3}, $5, $6, 1, 1, $7;",
      convergent = true,
      sm = 90,
      feature = "a",
      writes = 0)
  public static void wgmmaF16(
      float[] d,
      @Offset int atD,
      @Const @InRange(from = 8, to = 256, multipleOf = 8) int n,
      int[] a,
      @Offset int atA,
      long b,
      boolean add,
      @Const @InRange(to = 1) int transposeB) {
    begin(
        new ProductShape("wgmmaF16", ProductType.F16, n, false, transposeB != 0),
        new Accumulators.Floats(d, atD, n / 2),
        new LeftMatrix.Registers(a, atA),
        b,
        add);
  }

  /**
   * {@code wgmma.mma_async.m64nNk8.f32.tf32.tf32}: as {@link #wgmmaBf16(float[], int, int, long,
   * long, boolean, int, int)}, of single-precision numbers whose lower 13 bits do not count, 8
   * columns of A and rows of B at a time, both K-major.
   *
   * @param d the {@code N / 2} numbers of D that the thread has
   * @param atD where they begin there
   * @param n N: 8 to 256, a multiple of 8; known where this is called
   * @param a descriptor of A, from {@link Wgmma}
   * @param b descriptor of B
   * @param add whether to add what D holds
   */
  @Instruction(
      value = "wgmma.mma_async.sync.aligned.m64n$2k8.f32.tf32.tf32 {$t0#2/2?5}, $3, $4, $5, 1, 1;",
      convergent = true,
      sm = 90,
      feature = "a",
      writes = 0)
  public static void wgmmaTf32(
      float[] d,
      @Offset int atD,
      @Const @InRange(from = 8, to = 256, multipleOf = 8) int n,
      long a,
      long b,
      boolean add) {
    begin(
        new ProductShape("wgmmaTf32", ProductType.TF32, n, false, false),
        new Accumulators.Floats(d, atD, n / 2),
        new LeftMatrix.Shared(a),
        b,
        add);
  }

  /**
   * {@code wgmma.mma_async.m64nNk32.s32.s8.s8}: as {@link #wgmmaBf16(float[], int, int, long, long,
   * boolean, int, int)}, of signed bytes, 32 columns of A and rows of B at a time, both K-major;
   * sums wrap around.
   *
   * @param d the {@code N / 2} numbers of D that the thread has
   * @param atD where they begin there
   * @param n N: 8 to 32 in steps of 8, 48 to 256 in steps of 16; known where this is called
   * @param a descriptor of A, from {@link Wgmma}
   * @param b descriptor of B
   * @param add whether to add what D holds
   */
  @Instruction(
      value = "wgmma.mma_async.sync.aligned.m64n$2k32.s32.s8.s8 {$t0#2/2?5}, $3, $4, $5;",
      convergent = true,
      sm = 90,
      feature = "a",
      writes = 0)
  public static void wgmmaS8(
      int[] d,
      @Offset int atD,
      @Const @InRange(from = 8, to = 256, multipleOf = 8) int n,
      long a,
      long b,
      boolean add) {
    begin(
        new ProductShape("wgmmaS8", ProductType.S8, n, false, false),
        new Accumulators.Ints(d, atD, n / 2),
        new LeftMatrix.Shared(a),
        b,
        add);
  }

  // --- registers
  // ------------------------------------------------------------------------------------------------------

  /**
   * {@code setmaxnreg.inc}: the warp group gets more registers, and waits until others have let go
   * of enough. It takes effect in kernels whose {@link Kernel#maxThreads()} and {@link
   * Kernel#minBlocks()} are given.
   *
   * @param registers how many a thread has then: 24 to 256, a multiple of 8, no fewer than now
   */
  @Instruction(
      value = "setmaxnreg.inc.sync.aligned.u32 $0;",
      convergent = true,
      sm = 90,
      feature = "a")
  public static void setmaxnregInc(
      @Const @InRange(from = 24, to = 256, multipleOf = 8) int registers) {
    changeRegisters("setmaxnregInc", registers, true);
  }

  /**
   * {@code setmaxnreg.dec}: the warp group lets go of registers.
   *
   * @param registers how many a thread has then: 24 to 256, a multiple of 8, no more than now
   */
  @Instruction(
      value = "setmaxnreg.dec.sync.aligned.u32 $0;",
      convergent = true,
      sm = 90,
      feature = "a")
  public static void setmaxnregDec(
      @Const @InRange(from = 24, to = 256, multipleOf = 8) int registers) {
    changeRegisters("setmaxnregDec", registers, false);
  }

  private static void changeRegisters(String what, int registers, boolean more) {
    DeviceThread thread = DeviceThread.current(what);
    thread.block().registers().change(thread, thread.meetings(), what, registers, more);
  }
}
