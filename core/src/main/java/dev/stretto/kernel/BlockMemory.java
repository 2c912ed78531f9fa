package dev.stretto.kernel;

import dev.stretto.driver.KernelTwin;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The shared memory of a block on a virtual device. */
final class BlockMemory {
  private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

  private static final long POISON =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
          ? KernelTwin.FRESH_MEMORY * 0x0001_0001_0001_0001L
          : Long.reverseBytes(KernelTwin.FRESH_MEMORY * 0x0001_0001_0001_0001L);

  /** A call, as far as one differs from another. */
  private record Call(Class<?> type, String method, int bytecode) {
    static Call of(StackFrame frame) {
      return new Call(frame.getDeclaringClass(), frame.getMethodName(), frame.getByteCodeIndex());
    }
  }

  private static final class Array {
    private final long[] storage;
    private final MemorySegment memory;
    private int block;

    Array(int bytes) {
      // Longs, so that it is aligned for elements of every type.
      this.storage = new long[(bytes + 7) / 8];
      this.memory = MemorySegment.ofArray(storage).asSlice(0, bytes);
    }
  }

  private final Map<List<Call>, Array> arrays = new HashMap<>();
  private final Array dynamic;
  private int block;

  BlockMemory(int dynamicBytes) {
    this.dynamic = new Array(dynamicBytes);
  }

  /** A block begins: nothing is left of what the one before has written. */
  void begin() {
    block++;
  }

  MemorySegment dynamic() {
    return fresh(dynamic);
  }

  /**
   * The array of the place in the kernel from which this is called, which is told by all calls that
   * led there: the compiler inlines them.
   */
  MemorySegment shared(int bytes) {
    List<Call> place =
        STACK.walk(
            frames ->
                frames
                    .skip(2)
                    .takeWhile(frame -> frame.getDeclaringClass() != BlockThreads.class)
                    .map(Call::of)
                    .toList());
    Array array = arrays.computeIfAbsent(place, any -> new Array(bytes));
    if (array.memory.byteSize() != bytes) {
      throw new IllegalArgumentException(
          "shared memory of "
              + bytes
              + " bytes, where another thread or block has asked for "
              + array.memory.byteSize()
              + ": the length has to be a constant");
    }
    return fresh(array);
  }

  private MemorySegment fresh(Array array) {
    if (array.block != block) {
      array.block = block;
      Arrays.fill(array.storage, POISON);
    }
    return array.memory;
  }
}
