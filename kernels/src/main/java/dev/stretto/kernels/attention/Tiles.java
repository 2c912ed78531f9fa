package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Mma;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;

/**
 * Both products of a warp's 16 rows: on tensor cores if those take the numbers, or by floats.
 *
 * @param headDim numbers in a row
 * @param dim the same, up to whole steps of a product; the others are zeros
 * @param n keys
 * @param pitch bytes from row to row in shared memory
 * @param bf16 whether numbers are bfloat16, otherwise binary16
 */
record Tiles(
    ThreadBlock block,
    int headDim,
    @Const int dim,
    @Const int n,
    @Const int pitch,
    @Const boolean bf16) {
  /** Adds Q K^T to scores. */
  void score(SharedBytes ofQ, SharedBytes ofK, int atK, float[] scores) {
    Warp warp = block.warp();
    int atQ = 16 * warp.index() * pitch;
    if (byFloats()) {
      scoreByFloats(warp.lane(), ofQ.asInts(), atQ, ofK.asInts(), atK, scores);
      return;
    }
    int lane = warp.lane();
    int[] left = new int[4];
    int[] right = new int[4];
    int ofLeft = atQ + lane % 16 * pitch + lane / 16 * 16;
    int ofRight = atK + (lane / 16 * 8 + lane % 8) * pitch + lane / 8 % 2 * 16;
    for (int step = 0; step < dim / 16; step++) {
      Ptx.ldmatrixX4(left, 0, ofQ, ofLeft + 32 * step);
      for (int keys = 0; keys < n; keys += 16) {
        Ptx.ldmatrixX4(right, 0, ofK, ofRight + keys * pitch + 32 * step);
        multiply(scores, keys / 2, left, right, 0);
        multiply(scores, keys / 2 + 4, left, right, 2);
      }
    }
  }

  /** Adds P V to a result, where P are weights in the places of scores. */
  void weight(SharedBytes ofV, int atV, float[] weights, float[] out) {
    Warp warp = block.warp();
    int lane = warp.lane();
    if (byFloats()) {
      weightByFloats(warp, ofV.asInts(), atV, weights, out);
      return;
    }
    int[] left = new int[4];
    int[] right = new int[4];
    int ofRight = atV + lane % 16 * pitch + lane / 16 * 16;
    for (int step = 0; step < n / 16; step++) {
      for (int i = 0; i < 4; i++) {
        left[i] = Scores.pair(weights[8 * step + 2 * i], weights[8 * step + 2 * i + 1], bf16);
      }
      for (int column = 0; column < dim; column += 16) {
        Ptx.ldmatrixX4Trans(right, 0, ofV, ofRight + 16 * step * pitch + 2 * column);
        multiply(out, column / 2, left, right, 0);
        multiply(out, column / 2 + 4, left, right, 2);
      }
    }
  }

  /** Tensor cores of 7.5 do not take bfloat16 numbers. */
  private boolean byFloats() {
    return bf16 && block.computeCapability() < 80;
  }

  private void multiply(float[] sums, int at, int[] left, int[] right, int atRight) {
    if (bf16) {
      Mma.bf16(sums, at, left, 0, right, atRight);
    } else {
      Mma.f16(sums, at, left, 0, right, atRight);
    }
  }

  private void scoreByFloats(
      int lane, SharedInts ofQ, int atQ, SharedInts ofK, int atK, float[] scores) {
    // A count that the compiler does not know: the loop stays one.
    for (int pair = 0; pair < headDim / 2; pair++) {
      for (int i = 0; i < n / 2; i++) {
        int row = Mma.row(lane, i % 4);
        int key = i / 4 * 8 + Mma.column(lane, i % 4);
        int q = ofQ.get((atQ + row * pitch) / 4 + pair);
        int k = ofK.get((atK + key * pitch) / 4 + pair);
        scores[i] += lower(q) * lower(k) + upper(q) * upper(k);
      }
    }
  }

  private void weightByFloats(Warp warp, SharedInts ofV, int atV, float[] weights, float[] out) {
    int lane = warp.lane();
    for (int key = 0; key < n; key++) {
      // Four lanes share a row; one of them has this key's weight.
      int from = lane / 4 * 4 + key % 8 / 2;
      float above = warp.shuffle(weights[key / 8 * 4 + key % 2], from);
      float below = warp.shuffle(weights[key / 8 * 4 + 2 + key % 2], from);
      int at = atV / 4 + key * pitch / 4 + lane % 4;
      for (int eight = 0; eight < dim / 8; eight++) {
        int v = ofV.get(at + 4 * eight);
        out[4 * eight] += above * lower(v);
        out[4 * eight + 1] += above * upper(v);
        out[4 * eight + 2] += below * lower(v);
        out[4 * eight + 3] += below * upper(v);
      }
    }
  }

  private static float lower(int pair) {
    return Float.intBitsToFloat(pair << 16);
  }

  private static float upper(int pair) {
    return Float.intBitsToFloat(pair & 0xffff0000);
  }
}
