package dev.stretto.compiler;

import dev.stretto.compiler.reach.Numbers;
import dev.stretto.compiler.reach.Reached;
import java.util.BitSet;

/** The numbers of a launch that is interpreted, and the bytes that a launch may access. */
@SuppressWarnings("ArrayRecordComponent") // not compared
record LaunchedNumbers(Object[] arguments, Interpreter.Shape shape) implements Numbers {
  @Override
  public long argument(int number, int component) {
    return ((Number) arguments[number]).longValue();
  }

  @Override
  public long length(int number) {
    return ((DeviceMemory.Array) arguments[number]).length();
  }

  @Override
  public int blockSize(int dimension) {
    return shape.block()[dimension];
  }

  @Override
  public int gridSize(int dimension) {
    return shape.grid()[dimension];
  }

  /** Clears the bytes that a launch may access. */
  static void clear(BitSet bytes, Reached reached) {
    for (long plane = 0; plane < reached.planes(); plane++) {
      for (long row = 0; row < reached.rows(); row++) {
        long from = reached.offset() + plane * reached.plane() + row * reached.pitch();
        long to = reached.width() == Long.MAX_VALUE ? Long.MAX_VALUE : from + reached.width();
        bytes.clear(clamped(from), clamped(to));
      }
    }
  }

  private static int clamped(long at) {
    return (int) Math.min(at, Integer.MAX_VALUE);
  }
}
