package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.SharedArray;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where shared arrays lie. A file may ask for 48 KiB; where the kernel's arrays take more, they all
 * lie at the beginning of the dynamic memory, which a launch makes larger by as much.
 */
final class SharedLayout {
  private static final long MOST_STATIC = 48 << 10;
  private static final int ALIGNMENT = 128;

  private final Map<Integer, SharedArray> arrays = new TreeMap<>();
  private final Map<Integer, Long> offsets = new TreeMap<>();
  private final long bytes;
  private final boolean usesDynamic;

  SharedLayout(Function function) {
    boolean dynamic = false;
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.SHARED_BASE) {
          SharedArray array = op.attribute(SharedArray.class);
          arrays.put(array.number(), array);
        }
        dynamic |= op.code() == OpCode.DYNAMIC_BASE;
      }
    }
    long end = 0;
    for (SharedArray array : arrays.values()) {
      offsets.put(array.number(), end);
      end += (array.bytes() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    bytes = end;
    usesDynamic = dynamic || end > MOST_STATIC;
  }

  long movedBytes() {
    return bytes > MOST_STATIC ? bytes : 0;
  }

  long staticBytes() {
    return bytes > MOST_STATIC ? 0 : bytes;
  }

  /** What the address of an array is written as. */
  String address(SharedArray array) {
    return (movedBytes() > 0 ? "dynamicShared" : "staticShared")
        + "+"
        + offsets.get(array.number());
  }

  String dynamicAddress() {
    return "dynamicShared+" + movedBytes();
  }

  String globals() {
    return usesDynamic ? ".extern .shared .align " + ALIGNMENT + " .b8 dynamicShared[];\n\n" : "";
  }

  String declarations() {
    return staticBytes() > 0
        ? "\t.shared .align " + ALIGNMENT + " .b8 staticShared[" + staticBytes() + "];\n"
        : "";
  }
}
