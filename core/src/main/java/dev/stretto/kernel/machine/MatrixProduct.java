package dev.stretto.kernel.machine;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code mma.sync} of whole warps, in the same order of operations as lane by lane. */
final class MatrixProduct extends LaneExchange {
  private static final int ROWS = 16;
  private static final int COLUMNS = 8;

  /** The registers along the inner dimension. */
  private static final int DEPTH = 8;

  // The operands: four numbers of the sum, four registers of the left factor, two of the right.
  private static final int SUM = 0;
  private static final int LEFT = 4;
  private static final int RIGHT = 8;

  private final @Nullable PackedNumbers type;
  private final List<SteppedPlan.Operand> operands;
  private final List<Integer> results;
  private final float[] left = new float[2 * ROWS * DEPTH];
  private final float[] right = new float[2 * DEPTH * COLUMNS];
  private final float[] sums = new float[COLUMNS];

  private MatrixProduct(@Nullable PackedNumbers type, SteppedPlan.Meeting meeting) {
    this.type = type;
    this.operands = meeting.operands();
    this.results = meeting.results();
  }

  /** The product that a meeting is; null if it is of other numbers. */
  static @Nullable MatrixProduct of(SteppedPlan.Meeting meeting) {
    String method = meeting.method().substring("Ptx.".length(), meeting.method().indexOf('('));
    return switch (method) {
      case "mmaM16N8K16Bf16" -> new MatrixProduct(PackedNumbers.BF16, meeting);
      case "mmaM16N8K16F16" -> new MatrixProduct(PackedNumbers.F16, meeting);
      case "mmaM16N8K8Tf32" -> new MatrixProduct(null, meeting);
      default -> null;
    };
  }

  @Override
  boolean run(SteppedBlock block, int from, int to) {
    for (int warp = from; warp < to; warp += LANES) {
      for (int lane = 0; lane < LANES; lane++) {
        for (int register = 0; register < 4; register++) {
          int row = lane / 4 + register % 2 * 8;
          int k = lane % 4 + register / 2 * 4;
          unpack(number(operands.get(LEFT + register), block, warp + lane), left, row * DEPTH + k);
        }
        for (int register = 0; register < 2; register++) {
          int k = lane % 4 + register * 4;
          unpack(
              number(operands.get(RIGHT + register), block, warp + lane),
              right,
              k * COLUMNS + lane / 4);
        }
      }
      for (int row = 0; row < ROWS; row++) {
        multiply(block, warp, row);
      }
    }
    return true;
  }

  /** Puts the lower number of a register in its place, and the upper one in the other half. */
  private void unpack(int bits, float[] numbers, int at) {
    if (type == null) {
      numbers[at] = Float.intBitsToFloat(bits & ~0x1fff); // the lowest bits do not count
    } else {
      numbers[at] = type.lower(bits);
      numbers[at + numbers.length / 2] = type.upper(bits);
    }
  }

  private void multiply(SteppedBlock block, int warp, int row) {
    for (int column = 0; column < COLUMNS; column++) {
      int lane = warp + row % 8 * 4 + column / 2;
      sums[column] = sum(block, lane, row / 8 * 2 + column % 2);
    }
    for (int k = 0; k < DEPTH; k++) {
      float lower = left[row * DEPTH + k];
      if (type == null) {
        for (int column = 0; column < COLUMNS; column++) {
          sums[column] = sums[column] + lower * right[k * COLUMNS + column];
        }
      } else {
        float upper = left[ROWS * DEPTH + row * DEPTH + k];
        for (int column = 0; column < COLUMNS; column++) {
          float sum = sums[column] + lower * right[k * COLUMNS + column];
          sums[column] = sum + upper * right[DEPTH * COLUMNS + k * COLUMNS + column];
        }
      }
    }
    for (int column = 0; column < COLUMNS; column++) {
      int slot = results.get(row / 8 * 2 + column % 2);
      if (slot >= 0) {
        block.floats[slot][warp + row % 8 * 4 + column / 2] = sums[column];
      }
    }
  }

  private float sum(SteppedBlock block, int lane, int register) {
    SteppedPlan.Operand operand = operands.get(SUM + register);
    return operand.slot() >= 0
        ? block.floats[operand.slot()][lane]
        : (Float) Objects.requireNonNull(operand.known());
  }
}
