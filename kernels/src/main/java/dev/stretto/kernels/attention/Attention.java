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
 * Exact attention, forward: {@code O = softmax(scale * Q Kᵀ) V} for each head, without storing
 * scores. The kernel is chosen by the device and the shape; {@link #choice} tells which one and
 * why.
 *
 * {@snippet class="dev.stretto.kernels.attention.AttentionTest" region="attention"}
 *
 * <p>Numbers are bfloat16 or binary16, products and sums are floats. A softmax's weights are
 * rounded to the numbers' format before they are multiplied with values.
 *
 * <p>Objects are immutable; any thread may use them. Methods that enqueue return at once, and take
 * no memory. Nothing is read from the arrays before what the stream has enqueued earlier.
 */
public final class Attention {
  private final Problem problem;

  private Attention(Problem problem) {
    this.problem = problem;
  }

  /**
   * {@return attention of this size: every query sees every key, tokens of a head follow each
   * other, and the scale is {@code 1 / sqrt(headDim)}}
   *
   * @param shape the size
   */
  public static Attention of(AttentionShape shape) {
    Objects.requireNonNull(shape, "shape");
    return new Attention(
        new Problem(shape, TokenOrder.HEADS_FIRST, Mask.none(), 1 / Math.sqrt(shape.headDim())));
  }

  /**
   * {@return the same, in which query i sees only the keys up to its own place, {@code i + keys -
   * queries}} A query without any key has a result of 0, and the logarithm negative infinity.
   */
  public Attention causal() {
    return with(new Mask(problem.mask().before(), 0));
  }

  /**
   * {@return the same, in which query i sees only keys near its own place, {@code i + keys -
   * queries}} A query without any key has a result of 0, and the logarithm negative infinity.
   *
   * @param before how many keys before that place it sees, 0 or more; {@link Integer#MAX_VALUE} for
   *     all
   * @param after how many behind it, 0 or more; {@link Integer#MAX_VALUE} for all
   * @throws IllegalArgumentException if a number is negative
   */
  public Attention window(int before, int after) {
    if (before < 0 || after < 0) {
      throw new IllegalArgumentException(
          "a window from %d keys before to %d behind: both have to be 0 or more"
              .formatted(before, after));
    }
    return with(new Mask(before, after));
  }

  static Attention of(Problem problem) {
    return new Attention(problem);
  }

  private Attention with(Mask mask) {
    return new Attention(new Problem(problem.shape(), problem.order(), mask, problem.scale()));
  }

  /**
   * {@return the same with another factor of the scores}
   *
   * @param factor greater than 0, and finite
   * @throws IllegalArgumentException if it is not
   */
  public Attention scale(double factor) {
    if (!(factor > 0 && factor < Float.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "scores times %s: the factor has to be greater than 0, and finite".formatted(factor));
    }
    return new Attention(new Problem(problem.shape(), problem.order(), problem.mask(), factor));
  }

  /**
   * {@return the same for Q, K, V and O whose tokens and heads are in this order}
   *
   * @param order the order
   */
  public Attention order(TokenOrder order) {
    Objects.requireNonNull(order, "order");
    return new Attention(new Problem(problem.shape(), order, problem.mask(), problem.scale()));
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
   * @param q queries: {@code batches * heads * queries} rows of {@code headDim} numbers
   * @param k keys: {@code batches * keyHeads * keys} rows
   * @param v values, as many
   * @param o receives a row for each query
   * @return an event that stands for the result
   * @throws IllegalArgumentException if an array does not have as many elements, does not begin at
   *     a multiple of 16 bytes, lies on another device than the stream, or {@code o} overlaps
   *     another one
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public Event enqueue(
      Stream stream, GlobalBfloats q, GlobalBfloats k, GlobalBfloats v, GlobalBfloats o) {
    return enqueueAny(stream, q, k, v, o);
  }

  /**
   * Enqueues attention of bfloat16 numbers.
   *
   * @param stream the operation's place among others
   * @param q queries: {@code batches * heads * queries} rows of {@code headDim} numbers
   * @param k keys: {@code batches * keyHeads * keys} rows
   * @param v values, as many
   * @param o receives a row for each query
   * @param lse receives for each query, head by head in any order of tokens, the natural logarithm
   *     of the sum of the exponentials of its scaled scores, which a backward pass needs
   * @return an event that stands for the result
   * @throws IllegalArgumentException if an array does not have as many elements, does not begin at
   *     a multiple of 16 bytes, lies on another device than the stream, or {@code o} overlaps
   *     another one
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public Event enqueue(
      Stream stream,
      GlobalBfloats q,
      GlobalBfloats k,
      GlobalBfloats v,
      GlobalBfloats o,
      GlobalFloats lse) {
    return enqueueAny(stream, q, k, v, o, lse);
  }

  /**
   * Enqueues attention of binary16 numbers.
   *
   * @param stream the operation's place among others
   * @param q queries: {@code batches * heads * queries} rows of {@code headDim} numbers
   * @param k keys: {@code batches * keyHeads * keys} rows
   * @param v values, as many
   * @param o receives a row for each query
   * @return an event that stands for the result
   * @throws IllegalArgumentException if an array does not have as many elements, does not begin at
   *     a multiple of 16 bytes, lies on another device than the stream, or {@code o} overlaps
   *     another one
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public Event enqueue(Stream stream, GlobalHalfs q, GlobalHalfs k, GlobalHalfs v, GlobalHalfs o) {
    return enqueueAny(stream, q, k, v, o);
  }

  /**
   * Enqueues attention of binary16 numbers.
   *
   * @param stream the operation's place among others
   * @param q queries: {@code batches * heads * queries} rows of {@code headDim} numbers
   * @param k keys: {@code batches * keyHeads * keys} rows
   * @param v values, as many
   * @param o receives a row for each query
   * @param lse receives for each query, head by head in any order of tokens, the natural logarithm
   *     of the sum of the exponentials of its scaled scores, which a backward pass needs
   * @return an event that stands for the result
   * @throws IllegalArgumentException if an array does not have as many elements, does not begin at
   *     a multiple of 16 bytes, lies on another device than the stream, or {@code o} overlaps
   *     another one
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public Event enqueue(
      Stream stream, GlobalHalfs q, GlobalHalfs k, GlobalHalfs v, GlobalHalfs o, GlobalFloats lse) {
    return enqueueAny(stream, q, k, v, o, lse);
  }

  /** {@return the same for 8-bit floating-point numbers, with a factor for each 128 rows} */
  public Fp8Attention e4m3() {
    return new Fp8Attention(problem);
  }

  /**
   * {@return the same for sequences of their own length, one after the other in the arrays} The
   * shape's batches are the sequences, and its queries and keys those of the longest one.
   */
  public PackedAttention packed() {
    return new PackedAttention(problem);
  }

  private Event enqueueAny(
      Stream stream, GlobalArray q, GlobalArray k, GlobalArray v, GlobalArray o) {
    Operands.require(stream, problem.shape(), q, k, v, o);
    launch(stream, q, k, v, o, unused(o), false);
    return stream.record();
  }

  private Event enqueueAny(
      Stream stream, GlobalArray q, GlobalArray k, GlobalArray v, GlobalArray o, GlobalFloats lse) {
    Operands.require(stream, problem.shape(), q, k, v, o);
    Operands.requireLength(stream, lse, "lse", problem.shape().queryRows());
    Arguments.apart(o, "o", lse, "lse");
    launch(stream, q, k, v, o, lse, true);
    return stream.record();
  }

  private void launch(
      Stream stream,
      GlobalArray q,
      GlobalArray k,
      GlobalArray v,
      GlobalArray o,
      GlobalFloats lse,
      boolean storesLse) {
    AttentionChoice choice = Chooser.choose(stream.device(), problem, q instanceof GlobalBfloats);
    if (choice.kernel() == AttentionKernel.WARP_GROUPS) {
      WarpGroupLaunch.of(problem).enqueue(stream, q, k, v, o, lse, storesLse);
    } else {
      GlobalInts none = GlobalInts.of(o.allocation()).slice(0, 0);
      AttentionShape shape = problem.shape();
      Starts starts = new Starts(none, none, shape.queries(), shape.keys());
      PortableLaunch.enqueue(
          stream, problem, choice, q, k, v, o, lse, starts, storesLse ? 0 : Variant.NO_LSE);
    }
  }

  /** What a kernel gets that does not store logarithms. */
  static GlobalFloats unused(GlobalArray any) {
    return GlobalFloats.of(any.allocation()).slice(0, 0);
  }
}
