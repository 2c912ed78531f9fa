package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The contents of memory that nobody has written. Each pattern is 16 repeated bits. Read as bf16,
 * fp16, fp32 or fp64 it is a NaN (a signalling one as fp64), its high byte is the NaN of fp8 e4m3,
 * and read as an {@code int} or {@code long} it is far out of the range of any index.
 */
final class Poison {
  /** The pattern of memory that was allocated and not written: the bytes {@code F5 7F}. */
  static final short FRESH = KernelTwin.FRESH_MEMORY;

  /** The pattern of memory that was freed: the bytes {@code F7 7F}. */
  static final short FREED = 0x7FF7;

  private static final MemorySegment FRESH_BLOCK = block(FRESH);
  private static final MemorySegment FREED_BLOCK = block(FREED);

  private Poison() {}

  /** Poisons newly allocated memory; the segment starts at an even offset of its allocation. */
  static void fresh(MemorySegment memory) {
    spread(FRESH_BLOCK, memory);
  }

  /** Poisons freed memory; the segment starts at an even offset of its allocation. */
  static void freed(MemorySegment memory) {
    spread(FREED_BLOCK, memory);
  }

  private static void spread(MemorySegment block, MemorySegment memory) {
    long bytes = memory.byteSize();
    for (long at = 0; at < bytes; at += block.byteSize()) {
      MemorySegment.copy(block, 0, memory, at, Math.min(block.byteSize(), bytes - at));
    }
  }

  private static MemorySegment block(short pattern) {
    MemorySegment block = MemorySegment.ofArray(new byte[16 << 10]);
    for (long at = 0; at < block.byteSize(); at += 2) {
      // Little-endian on every host, as on the GPU.
      block.set(ValueLayout.JAVA_BYTE, at, (byte) pattern);
      block.set(ValueLayout.JAVA_BYTE, at + 1, (byte) (pattern >> 8));
    }
    return block;
  }
}
