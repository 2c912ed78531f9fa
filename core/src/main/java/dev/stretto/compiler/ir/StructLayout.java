package dev.stretto.compiler.ir;

/**
 * Places the members of a struct as C does: each at the next multiple of its alignment, and the
 * whole as large as a multiple of the largest alignment.
 */
public final class StructLayout {
  private long end;
  private int alignment = 1;

  /** Creates the layout of a struct without members. */
  public StructLayout() {}

  /** {@return where the next member lies} */
  public long add(long bytes, int aligned) {
    long offset = up(end, aligned);
    end = offset + bytes;
    alignment = Math.max(alignment, aligned);
    return offset;
  }

  /** {@return the size of the whole} */
  public long bytes() {
    return up(end, alignment);
  }

  /** {@return the largest alignment of a member} */
  public int alignment() {
    return alignment;
  }

  private static long up(long bytes, int to) {
    return (bytes + to - 1) / to * to;
  }
}
