package dev.stretto.kernels.attention;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import java.util.Objects;

/**
 * Attention of 8-bit floating-point numbers, E4M3 ({@link dev.stretto.memory.Fp8}). For each block
 * of 128 rows of a head there is a factor that its numbers are multiplied with; the last block may
 * have fewer rows. The result is bfloat16.
 *
 * <p>On compute capability 9.0, products are of 8-bit numbers, if rows have up to 128 of them, a
 * multiple of 16: a softmax's weights are then rounded to E4M3 too, the greatest ones times 128 to
 * 430. Elsewhere numbers are widened to bfloat16 first, in memory of the stream, two bytes for
 * each.
 *
 * {@snippet class="dev.stretto.kernels.attention.Fp8AttentionTest" region="fp8"}
 */
public final class Fp8Attention {
  private static final int NINE = 90;

  private final Problem problem;

  Fp8Attention(Problem problem) {
    this.problem = problem;
  }

  /**
   * {@return the kernel that is chosen on a device}
   *
   * @param device any
   */
  public AttentionChoice choice(Device device) {
    Objects.requireNonNull(device, "device");
    if (isByEightBits(device)) {
      return new AttentionChoice(
          AttentionKernel.WARP_GROUPS,
          Scales.ROWS,
          Fp8WarpGroups.KEYS,
          "compute capability 9.0 has warp groups (wgmma), which multiply E4M3 numbers");
    }
    AttentionChoice wide = Chooser.choose(device, problem, true);
    return new AttentionChoice(
        wide.kernel(), wide.rows(), wide.keys(), "widened to bfloat16; " + wide.reason());
  }

  private boolean isByEightBits(Device device) {
    int capability = 10 * device.properties().computeMajor() + device.properties().computeMinor();
    return capability == NINE && Fp8Launch.takes(problem.shape().headDim());
  }

  /**
   * Enqueues it.
   *
   * @param stream the operation's place among others
   * @param q queries: {@code batches * heads * queries} rows of {@code headDim} numbers
   * @param k keys: {@code batches * keyHeads * keys} rows
   * @param v values, as many
   * @param ofQ the factors of queries, head by head in any order of tokens: {@code batches * heads
   *     * ceil(queries / 128)}, greater than 0 and finite
   * @param ofK those of keys: {@code batches * keyHeads * ceil(keys / 128)}
   * @param ofV those of values, as many; those of a head are less than 2^100 times each other
   * @param o receives a row for each query
   * @param lse receives for each query, head by head in any order of tokens, the natural logarithm
   *     of the sum of the exponentials of its scaled scores
   * @return an event that stands for the result
   * @throws IllegalArgumentException if an array does not have as many elements, one of numbers
   *     does not begin at a multiple of 16 bytes, lies on another device than the stream, or {@code
   *     o} overlaps another one
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public Event enqueue(
      Stream stream,
      GlobalBytes q,
      GlobalBytes k,
      GlobalBytes v,
      GlobalFloats ofQ,
      GlobalFloats ofK,
      GlobalFloats ofV,
      GlobalBfloats o,
      GlobalFloats lse) {
    AttentionShape shape = problem.shape();
    Operands.require(stream, shape, q, k, v, o);
    long ofQueries = (long) shape.batches() * shape.heads() * Scales.blocks(shape.queries());
    long ofKeys = (long) shape.batches() * shape.keyHeads() * Scales.blocks(shape.keys());
    Operands.requireLength(stream, ofQ, "ofQ", ofQueries);
    Operands.requireLength(stream, ofK, "ofK", ofKeys);
    Operands.requireLength(stream, ofV, "ofV", ofKeys);
    Arguments.apart(o, "o", ofQ, "ofQ");
    Arguments.apart(o, "o", ofK, "ofK");
    Arguments.apart(o, "o", ofV, "ofV");
    Operands.requireLength(stream, lse, "lse", shape.queryRows());
    Arguments.apart(o, "o", lse, "lse");
    if (isByEightBits(stream.device())) {
      Fp8Launch.enqueue(stream, problem, q, k, v, ofQ, ofK, ofV, o, lse);
      return stream.record();
    }
    try (GlobalBfloats wideQ = stream.allocateBfloats(q.length());
        GlobalBfloats wideK = stream.allocateBfloats(k.length());
        GlobalBfloats wideV = stream.allocateBfloats(v.length())) {
      Fp8Widening.enqueue(stream, problem, shape.queries(), shape.heads(), q, ofQ, wideQ);
      Fp8Widening.enqueue(stream, problem, shape.keys(), shape.keyHeads(), k, ofK, wideK);
      Fp8Widening.enqueue(stream, problem, shape.keys(), shape.keyHeads(), v, ofV, wideV);
      return Attention.of(problem).enqueue(stream, wideQ, wideK, wideV, o, lse);
    }
  }
}
