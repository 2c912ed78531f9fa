package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;

/**
 * The {@code cp.async} instructions of PTX: copies of 4, 8 or 16 bytes from global to shared memory
 * that go past the registers of the thread and on while it does other work. As {@link Ptx}, one
 * method for each instruction, with its operands in its order.
 *
 * <p>A thread's copies since its last {@link #cpAsyncCommitGroup()} become a group with the next
 * one, and {@link #cpAsyncWaitGroup(int)} waits for its older groups. Then the bytes are there for
 * this thread; for the others of the block they are after a barrier such as {@link
 * ThreadBlock#sync()} that follows. Until then what the destination holds is undefined, in no order
 * of the copies among each other, and the source may not be written. On a virtual device the
 * destination is poison until the wait, which then reads the source.
 *
 * <p>{@code ca} keeps what it reads in the caches of both levels, {@code cg} in that of the second
 * only. Both addresses have to be multiples of the size. The forms with {@code sourceBytes} read
 * only so many bytes and fill the rest with zeros; with 0 nothing is read, but the element has to
 * exist. A virtual device throws {@link IndexOutOfBoundsException} for bytes that an array does not
 * have and {@link IllegalArgumentException} for an address or a number of bytes that is not
 * allowed.
 */
public final class PtxCopies {
  private PtxCopies() {}

  // --- groups
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.commit_group}: makes a group of all copies that this thread has begun since its
   * last one; there may be none.
   */
  @Instruction("cp.async.commit_group;")
  public static void cpAsyncCommitGroup() {
    DeviceThread.current("cpAsyncCommitGroup").copies().commit();
  }

  /**
   * {@code cp.async.wait_group}: waits until at most so many of this thread's groups, the newest
   * ones, are not complete. Copies of no group are not waited for.
   *
   * @param pending how many may be left, 0 or more
   */
  @Instruction("cp.async.wait_group $0;")
  public static void cpAsyncWaitGroup(@Const @InRange int pending) {
    DeviceThread.current("cpAsyncWaitGroup").copies().await(pending);
  }

  /** {@code cp.async.wait_all}: waits for all of this thread's copies, those of no group too. */
  @Instruction("cp.async.wait_all;")
  public static void cpAsyncWaitAll() {
    DeviceThread.current("cpAsyncWaitAll").copies().awaitAll();
  }

  // --- ca, 4 bytes
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 4;")
  public static void cpAsyncCa4(SharedBytes to, int toIndex, GlobalBytes from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa4", to, toIndex, from, fromIndex, 4, 4);
  }

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 4
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 4, $4;")
  public static void cpAsyncCa4(
      SharedBytes to,
      int toIndex,
      GlobalBytes from,
      long fromIndex,
      @InRange(to = 4) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa4", to, toIndex, from, fromIndex, 4, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 4;")
  public static void cpAsyncCa4(SharedInts to, int toIndex, GlobalInts from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa4", to, toIndex, from, fromIndex, 4, 4);
  }

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 4
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 4, $4;")
  public static void cpAsyncCa4(
      SharedInts to,
      int toIndex,
      GlobalInts from,
      long fromIndex,
      @InRange(to = 4) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa4", to, toIndex, from, fromIndex, 4, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 4;")
  public static void cpAsyncCa4(SharedFloats to, int toIndex, GlobalFloats from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa4", to, toIndex, from, fromIndex, 4, 4);
  }

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 4
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 4, $4;")
  public static void cpAsyncCa4(
      SharedFloats to,
      int toIndex,
      GlobalFloats from,
      long fromIndex,
      @InRange(to = 4) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa4", to, toIndex, from, fromIndex, 4, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 4;")
  public static void cpAsyncCa4(SharedHalfs to, int toIndex, GlobalHalfs from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa4", to, toIndex, from, fromIndex, 4, 4);
  }

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 4
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 4, $4;")
  public static void cpAsyncCa4(
      SharedHalfs to,
      int toIndex,
      GlobalHalfs from,
      long fromIndex,
      @InRange(to = 4) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa4", to, toIndex, from, fromIndex, 4, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 4;")
  public static void cpAsyncCa4(SharedBfloats to, int toIndex, GlobalBfloats from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa4", to, toIndex, from, fromIndex, 4, 4);
  }

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 4
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 4, $4;")
  public static void cpAsyncCa4(
      SharedBfloats to,
      int toIndex,
      GlobalBfloats from,
      long fromIndex,
      @InRange(to = 4) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa4", to, toIndex, from, fromIndex, 4, sourceBytes);
  }

  // --- ca, 8 bytes
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 8;")
  public static void cpAsyncCa8(SharedBytes to, int toIndex, GlobalBytes from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa8", to, toIndex, from, fromIndex, 8, 8);
  }

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 8
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 8, $4;")
  public static void cpAsyncCa8(
      SharedBytes to,
      int toIndex,
      GlobalBytes from,
      long fromIndex,
      @InRange(to = 8) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa8", to, toIndex, from, fromIndex, 8, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 8;")
  public static void cpAsyncCa8(SharedInts to, int toIndex, GlobalInts from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa8", to, toIndex, from, fromIndex, 8, 8);
  }

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 8
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 8, $4;")
  public static void cpAsyncCa8(
      SharedInts to,
      int toIndex,
      GlobalInts from,
      long fromIndex,
      @InRange(to = 8) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa8", to, toIndex, from, fromIndex, 8, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 8;")
  public static void cpAsyncCa8(SharedFloats to, int toIndex, GlobalFloats from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa8", to, toIndex, from, fromIndex, 8, 8);
  }

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 8
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 8, $4;")
  public static void cpAsyncCa8(
      SharedFloats to,
      int toIndex,
      GlobalFloats from,
      long fromIndex,
      @InRange(to = 8) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa8", to, toIndex, from, fromIndex, 8, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 8;")
  public static void cpAsyncCa8(SharedHalfs to, int toIndex, GlobalHalfs from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa8", to, toIndex, from, fromIndex, 8, 8);
  }

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 8
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 8, $4;")
  public static void cpAsyncCa8(
      SharedHalfs to,
      int toIndex,
      GlobalHalfs from,
      long fromIndex,
      @InRange(to = 8) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa8", to, toIndex, from, fromIndex, 8, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 8;")
  public static void cpAsyncCa8(SharedBfloats to, int toIndex, GlobalBfloats from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa8", to, toIndex, from, fromIndex, 8, 8);
  }

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 8
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 8, $4;")
  public static void cpAsyncCa8(
      SharedBfloats to,
      int toIndex,
      GlobalBfloats from,
      long fromIndex,
      @InRange(to = 8) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa8", to, toIndex, from, fromIndex, 8, sourceBytes);
  }

  // --- ca, 16 bytes
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 16;")
  public static void cpAsyncCa16(SharedBytes to, int toIndex, GlobalBytes from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa16", to, toIndex, from, fromIndex, 16, 16);
  }

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 16
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 16, $4;")
  public static void cpAsyncCa16(
      SharedBytes to,
      int toIndex,
      GlobalBytes from,
      long fromIndex,
      @InRange(to = 16) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa16", to, toIndex, from, fromIndex, 16, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 16;")
  public static void cpAsyncCa16(SharedInts to, int toIndex, GlobalInts from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa16", to, toIndex, from, fromIndex, 16, 16);
  }

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 16
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 16, $4;")
  public static void cpAsyncCa16(
      SharedInts to,
      int toIndex,
      GlobalInts from,
      long fromIndex,
      @InRange(to = 16) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa16", to, toIndex, from, fromIndex, 16, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 16;")
  public static void cpAsyncCa16(SharedFloats to, int toIndex, GlobalFloats from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa16", to, toIndex, from, fromIndex, 16, 16);
  }

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 16
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 16, $4;")
  public static void cpAsyncCa16(
      SharedFloats to,
      int toIndex,
      GlobalFloats from,
      long fromIndex,
      @InRange(to = 16) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa16", to, toIndex, from, fromIndex, 16, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 16;")
  public static void cpAsyncCa16(SharedHalfs to, int toIndex, GlobalHalfs from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa16", to, toIndex, from, fromIndex, 16, 16);
  }

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 16
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 16, $4;")
  public static void cpAsyncCa16(
      SharedHalfs to,
      int toIndex,
      GlobalHalfs from,
      long fromIndex,
      @InRange(to = 16) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa16", to, toIndex, from, fromIndex, 16, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 16;")
  public static void cpAsyncCa16(
      SharedBfloats to, int toIndex, GlobalBfloats from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCa16", to, toIndex, from, fromIndex, 16, 16);
  }

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 16
   */
  @Instruction("cp.async.ca.shared.global [$0[1]], [$2[3]], 16, $4;")
  public static void cpAsyncCa16(
      SharedBfloats to,
      int toIndex,
      GlobalBfloats from,
      long fromIndex,
      @InRange(to = 16) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCa16", to, toIndex, from, fromIndex, 16, sourceBytes);
  }

  // --- cg, 16 bytes
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.cg.shared.global [$0[1]], [$2[3]], 16;")
  public static void cpAsyncCg16(SharedBytes to, int toIndex, GlobalBytes from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCg16", to, toIndex, from, fromIndex, 16, 16);
  }

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 16
   */
  @Instruction("cp.async.cg.shared.global [$0[1]], [$2[3]], 16, $4;")
  public static void cpAsyncCg16(
      SharedBytes to,
      int toIndex,
      GlobalBytes from,
      long fromIndex,
      @InRange(to = 16) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCg16", to, toIndex, from, fromIndex, 16, sourceBytes);
  }

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.cg.shared.global [$0[1]], [$2[3]], 16;")
  public static void cpAsyncCg16(SharedInts to, int toIndex, GlobalInts from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCg16", to, toIndex, from, fromIndex, 16, 16);
  }

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 16
   */
  @Instruction("cp.async.cg.shared.global [$0[1]], [$2[3]], 16, $4;")
  public static void cpAsyncCg16(
      SharedInts to,
      int toIndex,
      GlobalInts from,
      long fromIndex,
      @InRange(to = 16) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCg16", to, toIndex, from, fromIndex, 16, sourceBytes);
  }

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.cg.shared.global [$0[1]], [$2[3]], 16;")
  public static void cpAsyncCg16(SharedFloats to, int toIndex, GlobalFloats from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCg16", to, toIndex, from, fromIndex, 16, 16);
  }

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 16
   */
  @Instruction("cp.async.cg.shared.global [$0[1]], [$2[3]], 16, $4;")
  public static void cpAsyncCg16(
      SharedFloats to,
      int toIndex,
      GlobalFloats from,
      long fromIndex,
      @InRange(to = 16) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCg16", to, toIndex, from, fromIndex, 16, sourceBytes);
  }

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.cg.shared.global [$0[1]], [$2[3]], 16;")
  public static void cpAsyncCg16(SharedHalfs to, int toIndex, GlobalHalfs from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCg16", to, toIndex, from, fromIndex, 16, 16);
  }

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 16
   */
  @Instruction("cp.async.cg.shared.global [$0[1]], [$2[3]], 16, $4;")
  public static void cpAsyncCg16(
      SharedHalfs to,
      int toIndex,
      GlobalHalfs from,
      long fromIndex,
      @InRange(to = 16) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCg16", to, toIndex, from, fromIndex, 16, sourceBytes);
  }

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   */
  @Instruction("cp.async.cg.shared.global [$0[1]], [$2[3]], 16;")
  public static void cpAsyncCg16(
      SharedBfloats to, int toIndex, GlobalBfloats from, long fromIndex) {
    AsyncCopies.begin("cpAsyncCg16", to, toIndex, from, fromIndex, 16, 16);
  }

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes, of which some are zeros and not copied.
   *
   * @param to gets them
   * @param toIndex of the first element there
   * @param from has them
   * @param fromIndex of the first element there
   * @param sourceBytes how many are copied, 0 to 16
   */
  @Instruction("cp.async.cg.shared.global [$0[1]], [$2[3]], 16, $4;")
  public static void cpAsyncCg16(
      SharedBfloats to,
      int toIndex,
      GlobalBfloats from,
      long fromIndex,
      @InRange(to = 16) int sourceBytes) {
    AsyncCopies.begin("cpAsyncCg16", to, toIndex, from, fromIndex, 16, sourceBytes);
  }
}
