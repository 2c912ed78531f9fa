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
 * the transfer of registers from one warp group to another. They need exactly compute capability
 * 9.0: no newer one has {@code wgmma}. As in {@link Ptx}, there is one method for each instruction;
 * {@link Wgmma} makes the descriptors of matrices.
 *
 * <p>A warp group is four consecutive warps; the index of the first one is a multiple of 4. All of
 * its 128 threads call each of the methods here, with the same numbers; each thread's local array
 * holds its own part of a matrix.
 *
 * <p>A product is asynchronous. Its accumulators, and the registers of a left matrix that it takes
 * from registers, must not be read or written until {@link #wgmmaWaitGroup} has waited for its
 * group. Meanwhile, further products may be added to the same accumulators. The matrices in shared
 * memory must not change until then, either. On a virtual device accumulators are NaN while a
 * product is in flight, and writes to them or to the matrices are reported.
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
   * {@code wgmma.fence}: orders the thread's earlier accesses to registers before the products that
   * follow. Call it before the first product, and again before the next one whenever registers of a
   * product have been used for anything else, for example after {@link #wgmmaWaitGroup}. It does
   * not order shared memory: {@link PtxBulkCopies#fenceProxyAsyncShared()} does.
   */
  @Instruction(value = "wgmma.fence.sync.aligned;", convergent = true, sm = 90, feature = "a")
  public static void wgmmaFence() {
    products("wgmmaFence").fence();
  }

  /** {@code wgmma.commit_group}: makes a group of the products since the last commit. */
  @Instruction(
      value = "wgmma.commit_group.sync.aligned;",
      convergent = true,
      sm = 90,
      feature = "a")
  public static void wgmmaCommitGroup() {
    products("wgmmaCommitGroup").commit();
  }

  /**
   * {@code wgmma.wait_group}: waits for all groups of products except the newest ones. Then their
   * accumulators may be used, and the warp no longer reads their matrices. Before memory that
   * several warps' products read is refilled, each of those warps must have signalled that it has
   * waited.
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
   * The position of a byte of shared memory, in units of 16 bytes. In a cluster, the upper bits of
   * its address identify the block; a descriptor uses those bits for something else.
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
   * B of 16 x N bfloat16 numbers, both in shared memory. Lane l of warp w of the warp group holds
   * parts of row {@code 16 * w + l / 4} of D and of the row 8 below; elements {@code 4 * j} and
   * {@code 4 * j + 1} of its array are columns {@code 8 * j + l % 4 * 2} and the next in the first
   * of these rows, the following two elements those in the second.
   *
   * @param d the thread's {@code N / 2} numbers of D
   * @param atD the index of the first of them
   * @param n N: 8 to 256, a multiple of 8; constant at the call, like a literal or a kernel's
   *     {@code @Const} parameter
   * @param a descriptor of A, from {@link Wgmma}
   * @param b descriptor of B
   * @param add whether to add what D holds
   * @param transposeA 1 if A is stored by columns ("M-major"), 0 if by rows ("K-major")
   * @param transposeB 1 if B is stored by rows ("N-major"), 0 if by columns ("K-major")
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
   * {@code wgmma.mma_async.m64nNk16.f32.bf16.bf16}: like {@link #wgmmaBf16}, with A in registers:
   * register {@code i} holds two numbers of row {@code 16 * w + l / 4 + i % 2 * 8}, in columns
   * {@code l % 4 * 2 + i / 2 * 8} and the next.
   *
   * @param d the thread's {@code N / 2} numbers of D
   * @param atD the index of the first of them
   * @param n N: 8 to 256, a multiple of 8; constant at the call
   * @param a the four registers of A
   * @param atA the index of the first of them
   * @param b descriptor of B, from {@link Wgmma}
   * @param add whether to add what D holds
   * @param transposeB 1 if B is stored by rows ("N-major"), 0 if by columns ("K-major")
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
   * {@code wgmma.mma_async.m64nNk16.f32.f16.f16}: like {@link #wgmmaBf16(float[], int, int, long,
   * long, boolean, int, int)}, for half-precision numbers.
   *
   * @param d the thread's {@code N / 2} numbers of D
   * @param atD the index of the first of them
   * @param n N: 8 to 256, a multiple of 8; constant at the call
   * @param a descriptor of A, from {@link Wgmma}
   * @param b descriptor of B
   * @param add whether to add what D holds
   * @param transposeA 1 if A is stored by columns ("M-major"), 0 if by rows ("K-major")
   * @param transposeB 1 if B is stored by rows ("N-major"), 0 if by columns ("K-major")
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
   * {@code wgmma.mma_async.m64nNk16.f32.f16.f16}: like {@link #wgmmaBf16(float[], int, int, int[],
   * int, long, boolean, int)}, for half-precision numbers.
   *
   * @param d the thread's {@code N / 2} numbers of D
   * @param atD the index of the first of them
   * @param n N: 8 to 256, a multiple of 8; constant at the call
   * @param a the four registers of A
   * @param atA the index of the first of them
   * @param b descriptor of B, from {@link Wgmma}
   * @param add whether to add what D holds
   * @param transposeB 1 if B is stored by rows ("N-major"), 0 if by columns ("K-major")
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
   * {@code wgmma.mma_async.m64nNk8.f32.tf32.tf32}: like {@link #wgmmaBf16(float[], int, int, long,
   * long, boolean, int, int)}, for single-precision numbers whose lower 13 bits are ignored, with 8
   * columns of A and rows of B at a time, both K-major.
   *
   * @param d the thread's {@code N / 2} numbers of D
   * @param atD the index of the first of them
   * @param n N: 8 to 256, a multiple of 8; constant at the call
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
   * {@code wgmma.mma_async.m64nNk32.s32.s8.s8}: like {@link #wgmmaBf16(float[], int, int, long,
   * long, boolean, int, int)}, for signed bytes, with 32 columns of A and rows of B at a time, both
   * K-major; sums wrap around.
   *
   * @param d the thread's {@code N / 2} numbers of D
   * @param atD the index of the first of them
   * @param n N: 8 to 32 in steps of 8, 48 to 256 in steps of 16; constant at the call
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

  /**
   * {@code wgmma.mma_async.m64nNk32.f32.e4m3.e4m3}: like {@link #wgmmaBf16(float[], int, int, long,
   * long, boolean, int, int)}, for 8-bit floating-point numbers of format E4M3 ({@link
   * dev.stretto.memory.Fp8}), with 32 columns of A and rows of B at a time, both K-major.
   *
   * <p>Sums are floats, but the PTX ISA does not promise their precision: Hopper is reported to add
   * only the upper 14 bits of products of such numbers (DeepSeek-V3 Technical Report, section
   * 3.5.2), where a virtual device adds floats. To keep more in a long sum, let some products add
   * to accumulators that begin anew, and add those to the sum with ordinary additions.
   *
   * @param d the thread's {@code N / 2} numbers of D
   * @param atD the index of the first of them
   * @param n N: 8 to 256, a multiple of 8; constant at the call
   * @param a descriptor of A, from {@link Wgmma}
   * @param b descriptor of B
   * @param add whether to add what D holds
   */
  @Instruction(
      value = "wgmma.mma_async.sync.aligned.m64n$2k32.f32.e4m3.e4m3 {$t0#2/2?5}, $3, $4, $5, 1, 1;",
      convergent = true,
      sm = 90,
      feature = "a",
      writes = 0)
  public static void wgmmaE4m3(
      float[] d,
      @Offset int atD,
      @Const @InRange(from = 8, to = 256, multipleOf = 8) int n,
      long a,
      long b,
      boolean add) {
    begin(
        new ProductShape("wgmmaE4m3", ProductType.E4M3, n, false, false),
        new Accumulators.Floats(d, atD, n / 2),
        new LeftMatrix.Shared(a),
        b,
        add);
  }

  /**
   * {@code wgmma.mma_async.m64nNk32.f32.e4m3.e4m3}: like {@link #wgmmaE4m3(float[], int, int, long,
   * long, boolean)}, with A in registers: register {@code i} holds four numbers of row {@code 16 *
   * w + l / 4 + i % 2 * 8}, in columns {@code l % 4 * 4 + i / 2 * 16} and the next three, the first
   * one in the lowest byte.
   *
   * @param d the thread's {@code N / 2} numbers of D
   * @param atD the index of the first of them
   * @param n N: 8 to 256, a multiple of 8; constant at the call
   * @param a the four registers of A
   * @param atA the index of the first of them
   * @param b descriptor of B, from {@link Wgmma}
   * @param add whether to add what D holds
   */
  @Instruction(
      value =
          "wgmma.mma_async.sync.aligned.m64n$2k32.f32.e4m3.e4m3 {$t0#2/2?6}, {$3.0, $3.1, $3.2,"
              + " $3.3}, $5, $6, 1, 1;",
      convergent = true,
      sm = 90,
      feature = "a",
      writes = 0)
  public static void wgmmaE4m3(
      float[] d,
      @Offset int atD,
      @Const @InRange(from = 8, to = 256, multipleOf = 8) int n,
      int[] a,
      @Offset int atA,
      long b,
      boolean add) {
    begin(
        new ProductShape("wgmmaE4m3", ProductType.E4M3, n, false, false),
        new Accumulators.Floats(d, atD, n / 2),
        new LeftMatrix.Registers(a, atA),
        b,
        add);
  }

  /**
   * {@code wgmma.mma_async.m64nNk32.f32.e5m2.e5m2}: like {@link #wgmmaE4m3(float[], int, int, long,
   * long, boolean)}, for 8-bit floating-point numbers of format E5M2.
   *
   * @param d the thread's {@code N / 2} numbers of D
   * @param atD the index of the first of them
   * @param n N: 8 to 256, a multiple of 8; constant at the call
   * @param a descriptor of A, from {@link Wgmma}
   * @param b descriptor of B
   * @param add whether to add what D holds
   */
  @Instruction(
      value = "wgmma.mma_async.sync.aligned.m64n$2k32.f32.e5m2.e5m2 {$t0#2/2?5}, $3, $4, $5, 1, 1;",
      convergent = true,
      sm = 90,
      feature = "a",
      writes = 0)
  public static void wgmmaE5m2(
      float[] d,
      @Offset int atD,
      @Const @InRange(from = 8, to = 256, multipleOf = 8) int n,
      long a,
      long b,
      boolean add) {
    begin(
        new ProductShape("wgmmaE5m2", ProductType.E5M2, n, false, false),
        new Accumulators.Floats(d, atD, n / 2),
        new LeftMatrix.Shared(a),
        b,
        add);
  }

  /**
   * {@code wgmma.mma_async.m64nNk32.f32.e5m2.e5m2}: like {@link #wgmmaE4m3(float[], int, int,
   * int[], int, long, boolean)}, for 8-bit floating-point numbers of format E5M2.
   *
   * @param d the thread's {@code N / 2} numbers of D
   * @param atD the index of the first of them
   * @param n N: 8 to 256, a multiple of 8; constant at the call
   * @param a the four registers of A
   * @param atA the index of the first of them
   * @param b descriptor of B, from {@link Wgmma}
   * @param add whether to add what D holds
   */
  @Instruction(
      value =
          "wgmma.mma_async.sync.aligned.m64n$2k32.f32.e5m2.e5m2 {$t0#2/2?6}, {$3.0, $3.1, $3.2,"
              + " $3.3}, $5, $6, 1, 1;",
      convergent = true,
      sm = 90,
      feature = "a",
      writes = 0)
  public static void wgmmaE5m2(
      float[] d,
      @Offset int atD,
      @Const @InRange(from = 8, to = 256, multipleOf = 8) int n,
      int[] a,
      @Offset int atA,
      long b,
      boolean add) {
    begin(
        new ProductShape("wgmmaE5m2", ProductType.E5M2, n, false, false),
        new Accumulators.Floats(d, atD, n / 2),
        new LeftMatrix.Registers(a, atA),
        b,
        add);
  }

  // --- registers
  // ------------------------------------------------------------------------------------------------------

  /**
   * {@code setmaxnreg.inc}: the warp group gets more registers, and waits until others have
   * released enough. It takes effect in kernels that set {@link Kernel#maxThreads()} and {@link
   * Kernel#minBlocks()}.
   *
   * @param registers how many a thread then has: 24 to 256, a multiple of 8, no fewer than now
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
   * {@code setmaxnreg.dec}: the warp group releases registers.
   *
   * @param registers how many a thread then has: 24 to 256, a multiple of 8, no more than now
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
