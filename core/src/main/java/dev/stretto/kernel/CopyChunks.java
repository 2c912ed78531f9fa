package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.memory.GlobalArray;

/**
 * Copies the pieces that a thread moves at once, between arrays of any type. Places are in bytes.
 */
final class CopyChunks {
  private CopyChunks() {}

  // --- plain, to shared memory
  // ----------------------------------------------------------------------------------------

  @Instruction({
    "{",
    ".reg .b16 bits;",
    "ld.global.b8 bits, [$2[3]];",
    "st.shared.b8 [$0[1]], bits;",
    "}"
  })
  static void plain1(SharedArray to, int toByte, GlobalArray from, long fromByte) {
    plain(to, toByte, from, fromByte, 1);
  }

  @Instruction({
    "{",
    ".reg .b16 bits;",
    "ld.global.b16 bits, [$2[3]];",
    "st.shared.b16 [$0[1]], bits;",
    "}"
  })
  static void plain2(SharedArray to, int toByte, GlobalArray from, long fromByte) {
    plain(to, toByte, from, fromByte, 2);
  }

  @Instruction({
    "{",
    ".reg .b32 bits;",
    "ld.global.b32 bits, [$2[3]];",
    "st.shared.b32 [$0[1]], bits;",
    "}"
  })
  static void plain4(SharedArray to, int toByte, GlobalArray from, long fromByte) {
    plain(to, toByte, from, fromByte, 4);
  }

  @Instruction({
    "{",
    ".reg .b64 bits;",
    "ld.global.b64 bits, [$2[3]];",
    "st.shared.b64 [$0[1]], bits;",
    "}"
  })
  static void plain8(SharedArray to, int toByte, GlobalArray from, long fromByte) {
    plain(to, toByte, from, fromByte, 8);
  }

  /** On another device, or with more of a promise, the copy is asynchronous. */
  private static void plain(
      SharedArray to, int toByte, GlobalArray from, long fromByte, int bytes) {
    DeviceThread.current("memcpyAsync")
        .copies()
        .beginPlain(to.span(), toByte, from, fromByte, bytes);
  }

  // --- plain, to global memory
  // ----------------------------------------------------------------------------------------

  @Instruction({
    "{",
    ".reg .b16 bits;",
    "ld.shared.b8 bits, [$2[3]];",
    "st.global.b8 [$0[1]], bits;",
    "}"
  })
  static void plain1(GlobalArray to, long toByte, SharedArray from, int fromByte) {
    plain(to, toByte, from, fromByte, 1);
  }

  @Instruction({
    "{",
    ".reg .b16 bits;",
    "ld.shared.b16 bits, [$2[3]];",
    "st.global.b16 [$0[1]], bits;",
    "}"
  })
  static void plain2(GlobalArray to, long toByte, SharedArray from, int fromByte) {
    plain(to, toByte, from, fromByte, 2);
  }

  @Instruction({
    "{",
    ".reg .b32 bits;",
    "ld.shared.b32 bits, [$2[3]];",
    "st.global.b32 [$0[1]], bits;",
    "}"
  })
  static void plain4(GlobalArray to, long toByte, SharedArray from, int fromByte) {
    plain(to, toByte, from, fromByte, 4);
  }

  @Instruction({
    "{",
    ".reg .b64 bits;",
    "ld.shared.b64 bits, [$2[3]];",
    "st.global.b64 [$0[1]], bits;",
    "}"
  })
  static void plain8(GlobalArray to, long toByte, SharedArray from, int fromByte) {
    plain(to, toByte, from, fromByte, 8);
  }

  @Instruction({
    "{",
    ".reg .b32 a, b, c, d;",
    "ld.shared.v4.b32 {a, b, c, d}, [$2[3]];",
    "st.global.v4.b32 [$0[1]], {a, b, c, d};",
    "}"
  })
  static void plain16(GlobalArray to, long toByte, SharedArray from, int fromByte) {
    plain(to, toByte, from, fromByte, 16);
  }

  /** The wait of the kernel's end or of the thread completes it. */
  private static void plain(
      GlobalArray to, long toByte, SharedArray from, int fromByte, int bytes) {
    DeviceThread.current("memcpyAsync")
        .bulkStores()
        .beginPlain(to, toByte, from.span(), fromByte, bytes);
  }
}
