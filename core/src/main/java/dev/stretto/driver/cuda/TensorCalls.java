package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.driver.TensorLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The calls that encode a tensor map. They need no device, and are not on a hot path. */
final class TensorCalls {
  /** The alignment of a {@code CUtensorMap}. */
  private static final int ALIGNMENT = 64;

  private static final MethodHandle ENCODE =
      Binder.bindOptional(
          "cuTensorMapEncodeTiled",
          12_000,
          ADDRESS,
          JAVA_INT,
          JAVA_INT,
          JAVA_LONG,
          ADDRESS,
          ADDRESS,
          ADDRESS,
          ADDRESS,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT);

  private static final MethodHandle ENCODE_IM2COL =
      Binder.bindOptional(
          "cuTensorMapEncodeIm2col",
          12_000,
          ADDRESS,
          JAVA_INT,
          JAVA_INT,
          JAVA_LONG,
          ADDRESS,
          ADDRESS,
          ADDRESS,
          ADDRESS,
          JAVA_INT,
          JAVA_INT,
          ADDRESS,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT);

  private TensorCalls() {}

  static int encode(TensorLayout layout, MemorySegment into) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment map = arena.allocate(TensorLayout.BYTES, ALIGNMENT);
      int result = layout.isIm2col() ? im2col(layout, map, arena) : tiled(layout, map, arena);
      if (result == 0) {
        MemorySegment.copy(map, 0, into, 0, TensorLayout.BYTES);
      }
      return result;
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  private static int tiled(TensorLayout layout, MemorySegment map, Arena arena) throws Throwable {
    return (int)
        ENCODE.invokeExact(
            map,
            layout.element(),
            layout.extents().length,
            layout.address(),
            arena.allocateFrom(JAVA_LONG, layout.extents()),
            arena.allocateFrom(JAVA_LONG, layout.strides()),
            arena.allocateFrom(JAVA_INT, layout.box()),
            arena.allocateFrom(JAVA_INT, layout.steps()),
            layout.interleave(),
            layout.swizzle(),
            layout.promotion(),
            layout.fill());
  }

  private static int im2col(TensorLayout layout, MemorySegment map, Arena arena) throws Throwable {
    return (int)
        ENCODE_IM2COL.invokeExact(
            map,
            layout.element(),
            layout.extents().length,
            layout.address(),
            arena.allocateFrom(JAVA_LONG, layout.extents()),
            arena.allocateFrom(JAVA_LONG, layout.strides()),
            arena.allocateFrom(JAVA_INT, layout.lowerCorner()),
            arena.allocateFrom(JAVA_INT, layout.upperCorner()),
            layout.box()[0],
            layout.box()[1],
            arena.allocateFrom(JAVA_INT, layout.steps()),
            layout.interleave(),
            layout.swizzle(),
            layout.promotion(),
            layout.fill());
  }
}
