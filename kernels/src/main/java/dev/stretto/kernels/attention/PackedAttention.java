package dev.stretto.kernels.attention;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import java.util.Objects;

/**
 * Attention within sequences of their own length that follow each other in the arrays, without
 * gaps. Where they begin is in arrays on the device: as many numbers as there are sequences, which
 * do not decrease, and the number of all tokens at the end. A sequence may have no queries or no
 * keys.
 *
 * <p>A sequence never reads another one's rows. No sequence may have more queries or keys than the
 * shape says: the rows behind those of the shape get no result. Kernels do not check that; on a
 * virtual device rows outside an array are reported.
 *
 * {@snippet class="dev.stretto.kernels.attention.PackedAttentionTest" region="packed"}
 */
public final class PackedAttention {
  private final Problem problem;

  PackedAttention(Problem problem) {
    this.problem = problem;
  }

  /**
   * {@return the kernel that is chosen for bfloat16 numbers on a device}
   *
   * @param device any
   */
  public AttentionChoice choice(Device device) {
    Objects.requireNonNull(device, "device");
    return Chooser.choose(device, problem, true);
  }

  /**
   * Enqueues attention of bfloat16 numbers.
   *
   * @param stream the operation's place among others
   * @param q queries: {@code heads * tokens} rows of {@code headDim} numbers, in the order of
   *     {@link Attention#order} without batches
   * @param k keys: {@code keyHeads * tokens} rows
   * @param v values, as many
   * @param queryStarts the first query of each sequence, and the number of all: one more than
   *     {@code batches}
   * @param keyStarts the first key of each sequence, and the number of all
   * @param o receives a row for each query
   * @param lse receives for each query, head by head in any order of tokens, the natural logarithm
   *     of the sum of the exponentials of its scaled scores
   * @return an event that stands for the result
   * @throws IllegalArgumentException if an array's elements are not whole rows of all heads, {@code
   *     k} and {@code v}, {@code q} and {@code o} differ in length, there is another number of
   *     starts or logarithms, an array does not begin at a multiple of 16 bytes, lies on another
   *     device than the stream, or {@code o} overlaps another one
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public Event enqueue(
      Stream stream,
      GlobalBfloats q,
      GlobalBfloats k,
      GlobalBfloats v,
      GlobalInts queryStarts,
      GlobalInts keyStarts,
      GlobalBfloats o,
      GlobalFloats lse) {
    return enqueueAny(stream, q, k, v, queryStarts, keyStarts, o, lse);
  }

  /**
   * Enqueues attention of binary16 numbers.
   *
   * @param stream the operation's place among others
   * @param q queries: {@code heads * tokens} rows of {@code headDim} numbers, in the order of
   *     {@link Attention#order} without batches
   * @param k keys: {@code keyHeads * tokens} rows
   * @param v values, as many
   * @param queryStarts the first query of each sequence, and the number of all: one more than
   *     {@code batches}
   * @param keyStarts the first key of each sequence, and the number of all
   * @param o receives a row for each query
   * @param lse receives for each query, head by head in any order of tokens, the natural logarithm
   *     of the sum of the exponentials of its scaled scores
   * @return an event that stands for the result
   * @throws IllegalArgumentException if an array's elements are not whole rows of all heads, {@code
   *     k} and {@code v}, {@code q} and {@code o} differ in length, there is another number of
   *     starts or logarithms, an array does not begin at a multiple of 16 bytes, lies on another
   *     device than the stream, or {@code o} overlaps another one
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public Event enqueue(
      Stream stream,
      GlobalHalfs q,
      GlobalHalfs k,
      GlobalHalfs v,
      GlobalInts queryStarts,
      GlobalInts keyStarts,
      GlobalHalfs o,
      GlobalFloats lse) {
    return enqueueAny(stream, q, k, v, queryStarts, keyStarts, o, lse);
  }

  private Event enqueueAny(
      Stream stream,
      GlobalArray q,
      GlobalArray k,
      GlobalArray v,
      GlobalInts queryStarts,
      GlobalInts keyStarts,
      GlobalArray o,
      GlobalFloats lse) {
    AttentionShape shape = problem.shape();
    int queries = tokens(stream, q, "q", shape.heads());
    int keys = tokens(stream, k, "k", shape.keyHeads());
    Operands.requireLength(stream, v, "v", k.length());
    Operands.requireLength(stream, o, "o", q.length());
    Operands.requirePlaces(q, k, v, o);
    Operands.requireLength(stream, queryStarts, "queryStarts", shape.batches() + 1L);
    Operands.requireLength(stream, keyStarts, "keyStarts", shape.batches() + 1L);
    Operands.requireLength(stream, lse, "lse", (long) queries * shape.heads());
    Arguments.apart(o, "o", lse, "lse");
    Starts starts = new Starts(queryStarts, keyStarts, queries, keys);
    AttentionChoice choice = Chooser.choose(stream.device(), problem, q instanceof GlobalBfloats);
    if (queries == 0) {
      return stream.record();
    }
    if (choice.kernel() == AttentionKernel.WARP_GROUPS && keys > 0) {
      WarpGroupLaunch.of(problem).enqueuePacked(stream, q, k, v, o, lse, starts);
    } else {
      PortableLaunch.enqueue(stream, problem, choice, q, k, v, o, lse, starts, Variant.PACKED);
    }
    return stream.record();
  }

  /** {@return how many rows a head has in an array} */
  private int tokens(Stream stream, GlobalArray array, String name, int heads) {
    Arguments.on(stream, array, name);
    long ofToken = (long) heads * problem.shape().headDim();
    long tokens = array.length() / ofToken;
    if (array.length() % ofToken != 0 || tokens > AttentionShape.MOST_ROWS) {
      throw new IllegalArgumentException(
          "%s has %d elements: these have to be up to %d tokens with %d heads of %d numbers each"
              .formatted(
                  name,
                  array.length(),
                  AttentionShape.MOST_ROWS,
                  heads,
                  problem.shape().headDim()));
    }
    return Math.toIntExact(tokens);
  }
}
