package dev.stretto.kernel.machine;

import java.lang.foreign.ValueLayout;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code ldmatrix} of whole warps. */
final class MatrixLoad extends LaneExchange {
  private static final Pattern METHOD =
      Pattern.compile("Ptx\\.ldmatrixX([124])(Trans)?\\(.*Shared(Bytes|Halfs|Bfloats);.*");

  /** The bytes of a row of a matrix. */
  private static final int ROW = 16;

  // The operands: where the array is, its length, the type of its elements, and the index.
  private static final int BASE = 0;
  private static final int LENGTH = 1;
  private static final int INDEX = 3;

  private final SteppedPlan.Meeting meeting;
  private final int matrices;
  private final boolean transposed;
  private final int width;
  private final int[] rows = new int[LANES];
  private final int[] words = new int[LANES * ROW / Integer.BYTES];

  private MatrixLoad(SteppedPlan.Meeting meeting, Matcher method) {
    this.meeting = meeting;
    this.matrices = Integer.parseInt(method.group(1));
    this.transposed = method.group(2) != null;
    this.width = method.group(3).equals("Bytes") ? Byte.BYTES : Short.BYTES;
  }

  /** The load that a meeting is; null if it is something else. */
  static @Nullable MatrixLoad of(SteppedPlan.Meeting meeting) {
    Matcher method = METHOD.matcher(meeting.method());
    return method.matches() ? new MatrixLoad(meeting, method) : null;
  }

  @Override
  boolean run(SteppedBlock block, int from, int to) {
    if (block.isWatched()) {
      return false;
    }
    for (int warp = from; warp < to; warp += LANES) {
      if (!findRows(block, warp)) {
        return false; // as loads change no memory, those of earlier warps can be done again
      }
      for (int row = 0; row < 8 * matrices; row++) {
        for (int word = 0; word < 4; word++) {
          words[row * 4 + word] =
              block.shared.get(ValueLayout.JAVA_INT_UNALIGNED, rows[row] + 4L * word);
        }
      }
      for (int matrix = 0; matrix < matrices; matrix++) {
        int slot = meeting.results().get(matrix);
        if (slot >= 0) {
          give(matrix, block.ints[slot], warp);
        }
      }
    }
    return true;
  }

  /** Finds the place of each row, unless one is not right. */
  private boolean findRows(SteppedBlock block, int warp) {
    for (int row = 0; row < 8 * matrices; row++) {
      int index = number(meeting.operands().get(INDEX), block, warp + row);
      int length = number(meeting.operands().get(LENGTH), block, warp + row);
      int at = number(meeting.operands().get(BASE), block, warp + row) + index * width;
      if (index < 0 || index > length - ROW / width || at % ROW != 0) {
        return false;
      }
      rows[row] = at;
    }
    return true;
  }

  private void give(int matrix, int[] got, int warp) {
    int first = 8 * matrix;
    for (int lane = 0; lane < LANES; lane++) {
      int major = lane / 4;
      int minor = lane % 4 * 2;
      got[warp + lane] =
          transposed
              ? (half(first + minor, major) & 0xffff) | (half(first + minor + 1, major) << 16)
              : words[(first + major) * 4 + minor / 2];
    }
  }

  private int half(int row, int index) {
    return words[row * 4 + index / 2] >> (index % 2 * 16);
  }
}
