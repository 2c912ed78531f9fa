// Generated from tools/families/PtxCopies.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.memory.GlobalArray;

/**
 * The {@code cp.async} instructions of PTX: copies of 4, 8 or 16 bytes from global to shared
 * memory, which bypass the thread's registers and continue while it does other work. As in {@link
 * Ptx}, there is one method for each instruction, with its operands in its order.
 *
 * <p>Positions are in bytes, whatever the arrays hold. Both addresses must be multiples of the
 * size.
 *
 * <p>A thread's copies since its last {@link #cpAsyncCommitGroup()} become a group at the next one,
 * and {@link #cpAsyncWaitGroup(int)} waits for its older groups. Then this thread sees the bytes;
 * the other threads of the block see them after a following barrier such as {@link
 * ThreadBlock#sync()}. Until then the content of the destination is undefined, copies are not
 * ordered with each other, and the source must not be written. On a virtual device the destination
 * is poison until the wait, which then reads the source.
 *
 * <p>{@code ca} caches what it reads at both levels, {@code cg} only at the second. The forms with
 * {@code sourceBytes} read only that many bytes and fill the rest with zeros; those with {@code
 * ignored} fill everything with zeros if it is true. A virtual device throws {@link
 * IndexOutOfBoundsException} for bytes that an array does not have and {@link
 * IllegalArgumentException} for an address or a number of bytes that is not allowed.
 *
 * <p>Compute capability 7.5 has none of them. There the thread loads and stores the bytes itself
 * before the method returns, and a cache hint does nothing.
 *
 * <p>PTX ISA, "Data Movement and Conversion Instructions: cp.async".
 */
public final class PtxCopies {
  private PtxCopies() {}

  private static void begin(
      String what,
      SharedArray to,
      int toByte,
      GlobalArray from,
      long fromByte,
      int bytes,
      int read) {
    DeviceThread.current(what).copies().begin(what, to.span(), toByte, from, fromByte, bytes, read);
  }

  // --- groups
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.commit_group}: makes a group of all copies that this thread has begun since its
   * last one; there may be none.
   */
  @Instruction(value = "cp.async.commit_group;", sm = 80, on75 = "")
  public static void cpAsyncCommitGroup() {
    DeviceThread.current("cpAsyncCommitGroup").copies().commit();
  }

  /**
   * {@code cp.async.wait_group}: waits until all of this thread's groups are complete, except for
   * the newest ones. It does not wait for copies that belong to no group.
   *
   * @param pending how many may be left, 0 or more
   */
  @Instruction(value = "cp.async.wait_group $0;", sm = 80, on75 = "")
  public static void cpAsyncWaitGroup(@Const @InRange int pending) {
    DeviceThread.current("cpAsyncWaitGroup").copies().await(pending);
  }

  /**
   * {@code cp.async.wait_all}: waits for all of this thread's copies, including those that belong
   * to no group.
   */
  @Instruction(value = "cp.async.wait_all;", sm = 80, on75 = "")
  public static void cpAsyncWaitAll() {
    DeviceThread.current("cpAsyncWaitAll").copies().awaitAll();
  }

  // --- ca, 4 bytes
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   */
  @Instruction(
      value = "cp.async.ca.shared.global [$0[1]], [$2[3]], 4;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x;",
        "ld.global.ca.b32 x, [$2[3]];",
        "st.shared.b32 [$0[1]], x;",
        "}"
      })
  public static void cpAsyncCa4(SharedArray to, int toByte, GlobalArray from, long fromByte) {
    begin("cpAsyncCa4", to, toByte, from, fromByte, 4, 4);
  }

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes, some of which may become zeros and are not read.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   * @param sourceBytes how many are read, 0 to 4
   */
  @Instruction(
      value = "cp.async.ca.shared.global [$0[1]], [$2[3?4]], 4, $4;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x;",
        Turing.COPY_SOME,
        "setp.ne.s32 more, $4, 4;",
        "@more bra some;",
        "ld.global.ca.b32 x, [from];",
        "st.shared.b32 [to], x;",
        "bra end;",
        "some:",
        Turing.COPY_BYTE,
        "setp.lt.s32 more, at, 4;",
        "@more bra some;",
        "end:",
        "}"
      })
  public static void cpAsyncCa4(
      SharedArray to,
      int toByte,
      GlobalArray from,
      long fromByte,
      @InRange(to = 4) int sourceBytes) {
    begin("cpAsyncCa4", to, toByte, from, fromByte, 4, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 4 bytes, all of which become zeros on a condition.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   * @param ignored whether the source is not read
   */
  @Instruction(
      value = "cp.async.ca.shared.global [$0[1]], [$2[3?4]], 4, $4;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x;",
        "mov.b32 x, 0;",
        "@$4 bra end;",
        "ld.global.ca.b32 x, [$2[3?4]];",
        "end:",
        "st.shared.b32 [$0[1]], x;",
        "}"
      })
  public static void cpAsyncCa4(
      SharedArray to, int toByte, GlobalArray from, long fromByte, boolean ignored) {
    begin("cpAsyncCa4", to, toByte, from, fromByte, 4, ignored ? 0 : 4);
  }

  // --- ca, 8 bytes
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   */
  @Instruction(
      value = "cp.async.ca.shared.global [$0[1]], [$2[3]], 8;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x, y;",
        "ld.global.ca.v2.b32 {x, y}, [$2[3]];",
        "st.shared.v2.b32 [$0[1]], {x, y};",
        "}"
      })
  public static void cpAsyncCa8(SharedArray to, int toByte, GlobalArray from, long fromByte) {
    begin("cpAsyncCa8", to, toByte, from, fromByte, 8, 8);
  }

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes, some of which may become zeros and are not read.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   * @param sourceBytes how many are read, 0 to 8
   */
  @Instruction(
      value = "cp.async.ca.shared.global [$0[1]], [$2[3?4]], 8, $4;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x, y;",
        Turing.COPY_SOME,
        "setp.ne.s32 more, $4, 8;",
        "@more bra some;",
        "ld.global.ca.v2.b32 {x, y}, [from];",
        "st.shared.v2.b32 [to], {x, y};",
        "bra end;",
        "some:",
        Turing.COPY_BYTE,
        "setp.lt.s32 more, at, 8;",
        "@more bra some;",
        "end:",
        "}"
      })
  public static void cpAsyncCa8(
      SharedArray to,
      int toByte,
      GlobalArray from,
      long fromByte,
      @InRange(to = 8) int sourceBytes) {
    begin("cpAsyncCa8", to, toByte, from, fromByte, 8, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 8 bytes, all of which become zeros on a condition.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   * @param ignored whether the source is not read
   */
  @Instruction(
      value = "cp.async.ca.shared.global [$0[1]], [$2[3?4]], 8, $4;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x, y;",
        "mov.b32 x, 0; mov.b32 y, 0;",
        "@$4 bra end;",
        "ld.global.ca.v2.b32 {x, y}, [$2[3?4]];",
        "end:",
        "st.shared.v2.b32 [$0[1]], {x, y};",
        "}"
      })
  public static void cpAsyncCa8(
      SharedArray to, int toByte, GlobalArray from, long fromByte, boolean ignored) {
    begin("cpAsyncCa8", to, toByte, from, fromByte, 8, ignored ? 0 : 8);
  }

  // --- ca, 16 bytes
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   */
  @Instruction(
      value = "cp.async.ca.shared.global [$0[1]], [$2[3]], 16;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x, y, z, w;",
        "ld.global.ca.v4.b32 {x, y, z, w}, [$2[3]];",
        "st.shared.v4.b32 [$0[1]], {x, y, z, w};",
        "}"
      })
  public static void cpAsyncCa16(SharedArray to, int toByte, GlobalArray from, long fromByte) {
    begin("cpAsyncCa16", to, toByte, from, fromByte, 16, 16);
  }

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes, some of which may become zeros and are not read.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   * @param sourceBytes how many are read, 0 to 16
   */
  @Instruction(
      value = "cp.async.ca.shared.global [$0[1]], [$2[3?4]], 16, $4;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x, y, z, w;",
        Turing.COPY_SOME,
        "setp.ne.s32 more, $4, 16;",
        "@more bra some;",
        "ld.global.ca.v4.b32 {x, y, z, w}, [from];",
        "st.shared.v4.b32 [to], {x, y, z, w};",
        "bra end;",
        "some:",
        Turing.COPY_BYTE,
        "setp.lt.s32 more, at, 16;",
        "@more bra some;",
        "end:",
        "}"
      })
  public static void cpAsyncCa16(
      SharedArray to,
      int toByte,
      GlobalArray from,
      long fromByte,
      @InRange(to = 16) int sourceBytes) {
    begin("cpAsyncCa16", to, toByte, from, fromByte, 16, sourceBytes);
  }

  /**
   * {@code cp.async.ca.shared.global} of 16 bytes, all of which become zeros on a condition.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   * @param ignored whether the source is not read
   */
  @Instruction(
      value = "cp.async.ca.shared.global [$0[1]], [$2[3?4]], 16, $4;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x, y, z, w;",
        "mov.b32 x, 0; mov.b32 y, 0; mov.b32 z, 0; mov.b32 w, 0;",
        "@$4 bra end;",
        "ld.global.ca.v4.b32 {x, y, z, w}, [$2[3?4]];",
        "end:",
        "st.shared.v4.b32 [$0[1]], {x, y, z, w};",
        "}"
      })
  public static void cpAsyncCa16(
      SharedArray to, int toByte, GlobalArray from, long fromByte, boolean ignored) {
    begin("cpAsyncCa16", to, toByte, from, fromByte, 16, ignored ? 0 : 16);
  }

  // --- cg, 16 bytes
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   */
  @Instruction(
      value = "cp.async.cg.shared.global [$0[1]], [$2[3]], 16;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x, y, z, w;",
        "ld.global.cg.v4.b32 {x, y, z, w}, [$2[3]];",
        "st.shared.v4.b32 [$0[1]], {x, y, z, w};",
        "}"
      })
  public static void cpAsyncCg16(SharedArray to, int toByte, GlobalArray from, long fromByte) {
    begin("cpAsyncCg16", to, toByte, from, fromByte, 16, 16);
  }

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes, some of which may become zeros and are not read.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   * @param sourceBytes how many are read, 0 to 16
   */
  @Instruction(
      value = "cp.async.cg.shared.global [$0[1]], [$2[3?4]], 16, $4;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x, y, z, w;",
        Turing.COPY_SOME,
        "setp.ne.s32 more, $4, 16;",
        "@more bra some;",
        "ld.global.cg.v4.b32 {x, y, z, w}, [from];",
        "st.shared.v4.b32 [to], {x, y, z, w};",
        "bra end;",
        "some:",
        Turing.COPY_BYTE,
        "setp.lt.s32 more, at, 16;",
        "@more bra some;",
        "end:",
        "}"
      })
  public static void cpAsyncCg16(
      SharedArray to,
      int toByte,
      GlobalArray from,
      long fromByte,
      @InRange(to = 16) int sourceBytes) {
    begin("cpAsyncCg16", to, toByte, from, fromByte, 16, sourceBytes);
  }

  /**
   * {@code cp.async.cg.shared.global} of 16 bytes, all of which become zeros on a condition.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   * @param ignored whether the source is not read
   */
  @Instruction(
      value = "cp.async.cg.shared.global [$0[1]], [$2[3?4]], 16, $4;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x, y, z, w;",
        "mov.b32 x, 0; mov.b32 y, 0; mov.b32 z, 0; mov.b32 w, 0;",
        "@$4 bra end;",
        "ld.global.cg.v4.b32 {x, y, z, w}, [$2[3?4]];",
        "end:",
        "st.shared.v4.b32 [$0[1]], {x, y, z, w};",
        "}"
      })
  public static void cpAsyncCg16(
      SharedArray to, int toByte, GlobalArray from, long fromByte, boolean ignored) {
    begin("cpAsyncCg16", to, toByte, from, fromByte, 16, ignored ? 0 : 16);
  }

  // --- the level-2 cache
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.cg.shared.global.L2::128B} of 16 bytes: the level-2 cache may load the 128
   * bytes that contain them.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   */
  @Instruction(
      value = "cp.async.cg.shared.global.L2::128B [$0[1]], [$2[3]], 16;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x, y, z, w;",
        "ld.global.cg.v4.b32 {x, y, z, w}, [$2[3]];",
        "st.shared.v4.b32 [$0[1]], {x, y, z, w};",
        "}"
      })
  public static void cpAsyncCg16L2128B(
      SharedArray to, int toByte, GlobalArray from, long fromByte) {
    begin("cpAsyncCg16L2128B", to, toByte, from, fromByte, 16, 16);
  }

  /**
   * {@code cp.async.cg.shared.global.L2::cache_hint} of 16 bytes.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array
   * @param policy how the level-2 cache treats them, of {@link #createPolicyEvictFirst()} or {@link
   *     #createPolicyEvictLast()}
   */
  @Instruction(
      value = "cp.async.cg.shared.global.L2::cache_hint [$0[1]], [$2[3]], 16, $4;",
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 x, y, z, w;",
        "ld.global.cg.v4.b32 {x, y, z, w}, [$2[3]];",
        "st.shared.v4.b32 [$0[1]], {x, y, z, w};",
        "}"
      })
  public static void cpAsyncCg16CacheHint(
      SharedArray to, int toByte, GlobalArray from, long fromByte, long policy) {
    begin("cpAsyncCg16CacheHint", to, toByte, from, fromByte, 16, 16);
  }

  /** {@return {@code createpolicy.fractional.L2::evict_first}: for data that is used once} */
  @Instruction(
      value = "createpolicy.fractional.L2::evict_first.b64 $r, 1.0;",
      pure = true,
      sm = 80,
      on75 = "mov.b64 $r, 0;")
  public static long createPolicyEvictFirst() {
    return 0;
  }

  /** {@return {@code createpolicy.fractional.L2::evict_last}: for data that is used again} */
  @Instruction(
      value = "createpolicy.fractional.L2::evict_last.b64 $r, 1.0;",
      pure = true,
      sm = 80,
      on75 = "mov.b64 $r, 0;")
  public static long createPolicyEvictLast() {
    return 0;
  }
}
