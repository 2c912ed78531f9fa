package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.SharedVariable;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where shared arrays lie. A file may request 48 KiB; if the kernel's arrays take more, they all
 * lie at the beginning of the dynamic memory, which a launch enlarges by their size.
 *
 * <p>A swizzle of tensor boxes depends on the address, and repeats after 1024 bytes: in kernels
 * that copy boxes or multiply matrices, arrays that can hold one begin at a multiple of that.
 */
final class SharedLayout {
  private static final long MOST_STATIC = 48 << 10;
  private static final int LEAST_ALIGNMENT = 128;
  private static final int TENSOR_ALIGNMENT = 1024;
  private static final int LEAST_BOX = 16;
  private static final String TENSOR_COPIES = "dev/stretto/kernel/PtxTensorCopies.";
  private static final String IM2COL_COPIES = "dev/stretto/kernel/PtxIm2colCopies.";
  private static final String PRODUCTS = "dev/stretto/kernel/PtxWarpGroups.";

  private final Map<Integer, SharedVariable> arrays = new TreeMap<>();
  private final Map<Integer, Long> offsets = new TreeMap<>();
  private final long bytes;
  private final boolean usesDynamic;
  private final int alignment;

  SharedLayout(Function function) {
    boolean dynamic = false;
    boolean tensors = false;
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.SHARED_BASE) {
          SharedVariable array = op.attribute(SharedVariable.class);
          arrays.put(array.number(), array);
        }
        dynamic |= op.code() == OpCode.DYNAMIC_BASE;
        tensors |= op.code() == OpCode.ASM && goesByAddress(op.attribute(Asm.class).name());
      }
    }
    alignment = tensors ? TENSOR_ALIGNMENT : LEAST_ALIGNMENT;
    long end = 0;
    for (SharedVariable array : arrays.values()) {
      long begin = up(end, array.bytes() < LEAST_BOX ? LEAST_ALIGNMENT : alignment);
      offsets.put(array.number(), begin);
      end = up(begin + array.bytes(), LEAST_ALIGNMENT);
    }
    bytes = dynamic ? up(end, alignment) : end;
    usesDynamic = dynamic || end > MOST_STATIC;
  }

  private static boolean goesByAddress(String instruction) {
    return instruction.startsWith(TENSOR_COPIES)
        || instruction.startsWith(IM2COL_COPIES)
        || instruction.startsWith(PRODUCTS);
  }

  private static long up(long bytes, long to) {
    return (bytes + to - 1) / to * to;
  }

  long movedBytes() {
    return bytes > MOST_STATIC ? bytes : 0;
  }

  long staticBytes() {
    return bytes > MOST_STATIC ? 0 : bytes;
  }

  /** How the address of an array is written. */
  String address(SharedVariable array) {
    return (movedBytes() > 0 ? "dynamicShared" : "staticShared")
        + "+"
        + offsets.get(array.number());
  }

  String dynamicAddress() {
    return "dynamicShared+" + movedBytes();
  }

  String globals() {
    return usesDynamic ? ".extern .shared .align " + alignment + " .b8 dynamicShared[];\n\n" : "";
  }

  String declarations() {
    return staticBytes() > 0
        ? "\t.shared .align " + alignment + " .b8 staticShared[" + staticBytes() + "];\n"
        : "";
  }
}
