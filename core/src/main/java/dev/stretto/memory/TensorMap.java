package dev.stretto.memory;

import java.util.Arrays;
import java.util.Objects;

/**
 * How a device reads and writes boxes of a tensor in global memory by itself: what CUDA calls a
 * {@code CUtensorMap}. A kernel takes it as a parameter and has boxes copied between the tensor and
 * shared memory with the tensor memory accelerator (TMA) of devices of compute capability 9.0.
 *
 * <p>A tensor has one to five dimensions, the innermost first: {@code shape(width, height)}. A copy
 * moves a box of it, which has the same extents always and may lie anywhere, also partly or wholly
 * outside of the tensor: what is outside arrives as zeros, or as NaN if {@link Builder#fill} says
 * so, and is not written; but of a row's last 16 bytes those behind the tensor may be written too.
 * In shared memory the box's elements follow each other, innermost dimension first, with no gaps,
 * unless it is swizzled.
 *
 * <p>Where a box begins in the innermost dimension has to be a multiple of 16 bytes. A box to be
 * written may not begin at a negative place.
 *
 * <p>An image whose channels lie in slices (NC/8HWC8 and the like) is an interleaved tensor: {@link
 * Interleave} says how its places are counted.
 *
 * <pre>{@code
 * TensorMap map = TensorMap.of(matrix).shape(width, height).box(64, 32).build();
 * stream.launch(grid, Kernels::transpose, map, result);
 * }</pre>
 *
 * A kernel knows only where its tensor map is: what it has to know of the box, such as {@link
 * #boxBytes()}, it takes as numbers.
 *
 * <p>Tensor maps are immutable and may be shared between threads. They are valid as long as their
 * array is. The {@code im2col} mode is not to be had here. CUDA driver API, "Tensor Map Object
 * Management"; PTX ISA, "Tensors".
 */
public final class TensorMap {
  /** The most dimensions, {@value}. */
  public static final int MOST_DIMENSIONS = 5;

  private static final int MOST_BOX = 256;
  private static final int MOST_STEP = 8;
  private static final long MOST_STRIDE = 1L << 40;
  private static final long MOST_EXTENT = 1L << 32;
  private static final int UNIT = 16;
  private static final int LEAST_INTERLEAVED = 3;
  private static final long MOST_BYTES = (1 << 20) - 1;

  /** What an element is. */
  public enum Element {
    /** Eight bits. */
    UINT8(1),
    /** Sixteen bits. */
    UINT16(2),
    /** Thirty-two bits without a sign. */
    UINT32(4),
    /** Thirty-two bits with a sign. */
    INT32(4),
    /** Sixty-four bits without a sign. */
    UINT64(8),
    /** Sixty-four bits with a sign. */
    INT64(8),
    /** IEEE half precision. */
    FLOAT16(2),
    /** IEEE single precision. */
    FLOAT32(4),
    /** IEEE double precision. */
    FLOAT64(8),
    /** The upper half of single precision. */
    BFLOAT16(2);

    private final int bytes;

    Element(int bytes) {
      this.bytes = bytes;
    }

    /** {@return how many bytes it has} */
    public int bytes() {
      return bytes;
    }

    /** {@return whether it is a floating-point number} */
    public boolean isFloat() {
      return switch (this) {
        case FLOAT16, FLOAT32, FLOAT64, BFLOAT16 -> true;
        default -> false;
      };
    }
  }

  /**
   * How the 16-byte pieces of a box change places in shared memory, so that the threads of a warp
   * that read a column of it find it in different banks. {@link #place} says where a byte goes.
   */
  public enum Swizzle {
    /** They stay. */
    NONE(0),
    /** Within 32 bytes. */
    BYTES_32(32),
    /** Within 64 bytes. */
    BYTES_64(64),
    /** Within 128 bytes. */
    BYTES_128(128);

    private final int span;

    Swizzle(int span) {
      this.span = span;
    }

    /** {@return how many bytes the innermost extent of a box may have; 0 for any number} */
    public int span() {
      return span;
    }

    /**
     * {@return where a byte lies that would lie there without a swizzle} Kernels that know the
     * swizzle write the same with a constant: {@code at ^ (at >> 3 & 0x70)} for 128 bytes.
     *
     * @param at the place in bytes, from the beginning of the shared array as the block made it,
     *     which a slice of it does not change
     */
    public int place(int at) {
      return span == 0 ? at : at ^ (at >> 3 & span - UNIT);
    }
  }

  /**
   * Whether the channels of an image lie in slices, so that all pixels of a slice follow each other
   * before the next slice begins: N, C/8, H, W, C8 instead of N, H, W, C.
   *
   * <p>Such a tensor has three to five dimensions: width, height and depth as far as there are any,
   * then the slices of channels, then the images. What lies at one place of the innermost dimension
   * is a slice of a pixel, of 16 or of 32 bytes; so coordinates and extents count pixels there, and
   * a box may begin at any. Strides are those of rows, slices and images. A box is one slice thick:
   * whatever is asked for, an H200 moves one, so more is refused here. If the channels do not fill
   * the last slice, what fills it up is copied as it is.
   */
  public enum Interleave {
    /** It is not: the elements of the innermost dimension follow each other. */
    NONE(0),
    /** Slices of 16 bytes: eight channels of 2 bytes, for example. */
    BYTES_16(16),
    /** Slices of 32 bytes, which have to be swizzled within 32 bytes. */
    BYTES_32(32);

    private final int bytes;

    Interleave(int bytes) {
      this.bytes = bytes;
    }

    /** {@return how many bytes a slice of a pixel has; 0 if there are no slices} */
    public int bytes() {
      return bytes;
    }
  }

  /** What a box holds where it is outside of the tensor. */
  public enum Fill {
    /** Zeros. */
    ZERO,
    /** A NaN that a fused multiply-add may take for zero; for floating-point elements only. */
    NAN
  }

  /** How much the level-2 cache fetches at once. */
  public enum L2Promotion {
    /** What is asked for. */
    NONE,
    /** 64 bytes. */
    BYTES_64,
    /** 128 bytes. */
    BYTES_128,
    /** 256 bytes. */
    BYTES_256
  }

  private final GlobalArray array;
  private final Element element;
  private final long[] shape;
  private final long[] strides;
  private final int[] box;
  private final int[] steps;
  private final Interleave interleave;
  private final Swizzle swizzle;
  private final L2Promotion promotion;
  private final Fill fill;

  private TensorMap(Builder from, long[] strides, int[] steps) {
    this.array = from.array;
    this.element = from.element;
    this.shape = from.shape;
    this.strides = strides;
    this.box = from.box;
    this.steps = steps;
    this.interleave = from.interleave;
    this.swizzle = from.swizzle;
    this.promotion = from.promotion;
    this.fill = from.fill;
  }

  /**
   * {@return a tensor map to be described further; {@link Builder#shape} and {@link Builder#box}
   * have to be called}
   *
   * @param array has the tensor, from its first element on
   */
  public static Builder of(GlobalArray array) {
    return new Builder(array);
  }

  /** {@return what has the tensor} */
  public GlobalArray array() {
    return array;
  }

  /** {@return what an element is} */
  public Element element() {
    return element;
  }

  /** {@return how many dimensions there are} */
  public int dimensions() {
    return shape.length;
  }

  /**
   * {@return the tensor's extent in a dimension, in elements}
   *
   * @param dimension 0 for the innermost
   * @throws IndexOutOfBoundsException if there is no such dimension
   */
  public long extent(int dimension) {
    return shape[dimension];
  }

  /**
   * {@return how many bytes lie between neighbours in a dimension}
   *
   * @param dimension 0 for the innermost
   * @throws IndexOutOfBoundsException if there is no such dimension
   */
  public long stride(int dimension) {
    return dimension == 0 ? placeBytes() : strides[dimension - 1];
  }

  /**
   * {@return how many bytes lie at a place of the innermost dimension: those of an element, or of
   * an interleaved tensor's slice of a pixel}
   */
  public int placeBytes() {
    return interleave == Interleave.NONE ? element.bytes() : interleave.bytes();
  }

  /**
   * {@return how many elements of the tensor a box spans in a dimension}
   *
   * @param dimension 0 for the innermost
   * @throws IndexOutOfBoundsException if there is no such dimension
   */
  public int box(int dimension) {
    return box[dimension];
  }

  /**
   * {@return the step from one element of a box to the next in a dimension}
   *
   * @param dimension 0 for the innermost
   * @throws IndexOutOfBoundsException if there is no such dimension
   */
  public int step(int dimension) {
    return steps[dimension];
  }

  /**
   * {@return how many elements of a box arrive in a dimension}
   *
   * @param dimension 0 for the innermost
   * @throws IndexOutOfBoundsException if there is no such dimension
   */
  public int boxElements(int dimension) {
    return (box[dimension] + steps[dimension] - 1) / steps[dimension];
  }

  /** {@return how many bytes a box brings, which a barrier has to expect} */
  public int boxBytes() {
    return rowBytes() * boxRows();
  }

  /** {@return how many bytes a row of a box has in shared memory} */
  public int rowBytes() {
    return boxElements(0) * placeBytes();
  }

  /**
   * {@return how many bytes lie between the rows of a box in shared memory: as many as a row has,
   * or those within which its pieces change places; never gaps where the tensor is interleaved}
   */
  public int rowPitch() {
    boolean gaps = swizzle != Swizzle.NONE && interleave == Interleave.NONE;
    return gaps ? swizzle.span() : rowBytes();
  }

  /** {@return how many bytes of shared memory a box takes, gaps behind its rows included} */
  public int sharedBytes() {
    return rowPitch() * boxRows();
  }

  private int boxRows() {
    int rows = 1;
    for (int i = 1; i < box.length; i++) {
      rows *= boxElements(i);
    }
    return rows;
  }

  /** {@return whether channels lie in slices, and of how many bytes} */
  public Interleave interleave() {
    return interleave;
  }

  /** {@return how pieces of a box change places} */
  public Swizzle swizzle() {
    return swizzle;
  }

  /** {@return how much the level-2 cache fetches at once} */
  public L2Promotion promotion() {
    return promotion;
  }

  /** {@return what a box holds outside of the tensor} */
  public Fill fill() {
    return fill;
  }

  @Override
  public String toString() {
    return "tensor map of boxes "
        + Arrays.toString(box)
        + " of "
        + element
        + Arrays.toString(shape)
        + " in "
        + array;
  }

  /** Describes a tensor map. Not for use by several threads. */
  public static final class Builder {
    private final GlobalArray array;
    private Element element;
    private long[] shape = {};
    private long[] strides = {};
    private int[] box = {};
    private int[] steps = {};
    private Interleave interleave = Interleave.NONE;
    private Swizzle swizzle = Swizzle.NONE;
    private L2Promotion promotion = L2Promotion.NONE;
    private Fill fill = Fill.ZERO;

    private Builder(GlobalArray array) {
      this.array = Objects.requireNonNull(array, "array");
      this.element =
          switch (array) {
            case GlobalBytes _ -> Element.UINT8;
            case GlobalShorts _ -> Element.UINT16;
            case GlobalInts _ -> Element.INT32;
            case GlobalLongs _ -> Element.INT64;
            case GlobalFloats _ -> Element.FLOAT32;
            case GlobalDoubles _ -> Element.FLOAT64;
            case GlobalHalfs _ -> Element.FLOAT16;
            case GlobalBfloats _ -> Element.BFLOAT16;
          };
    }

    /**
     * Says what an element is, if not what the array's are: matters to reductions and to NaN.
     *
     * @param is of as many bytes as the array's
     * @return this
     */
    public Builder element(Element is) {
      element = Objects.requireNonNull(is, "is");
      return this;
    }

    /**
     * Says how large the tensor is.
     *
     * @param extents in elements, the innermost dimension first; each 1 to 2<sup>32</sup>. The
     *     array has to have whole pieces of 16 bytes of the last row.
     * @return this
     */
    public Builder shape(long... extents) {
      shape = Objects.requireNonNull(extents, "extents").clone();
      return this;
    }

    /**
     * Says how far apart neighbours are in every dimension but the innermost, where they follow
     * each other. If this is not called there are no gaps.
     *
     * @param bytes for the second dimension and so on; multiples of 16, or of 32 if slices have 32.
     *     Less than a row has makes rows overlap, which copies to shared memory may.
     * @return this
     */
    public Builder strides(long... bytes) {
      strides = Objects.requireNonNull(bytes, "bytes").clone();
      return this;
    }

    /**
     * Says how large a box is.
     *
     * @param extents in elements, the innermost dimension first; each 1 to 256, and the innermost
     *     one a multiple of 16 bytes. In an interleaved tensor 1 slice, and pixels of which as many
     *     elements would be a multiple of 16 bytes, as CUDA's driver wants it there too
     * @return this
     */
    public Builder box(int... extents) {
      box = Objects.requireNonNull(extents, "extents").clone();
      return this;
    }

    /**
     * Says which elements of a box are copied: every second one, every third one and so on. If this
     * is not called, every one is.
     *
     * @param elements for each dimension, 1 to 8; 1 for the innermost one and, in an interleaved
     *     tensor, for the slices, but any for the innermost one there
     * @return this
     */
    public Builder steps(int... elements) {
      steps = Objects.requireNonNull(elements, "elements").clone();
      return this;
    }

    /**
     * Says that channels lie in slices.
     *
     * @param bytes of a slice of a pixel; the tensor has three to five dimensions then
     * @return this
     */
    public Builder interleave(Interleave bytes) {
      interleave = Objects.requireNonNull(bytes, "bytes");
      return this;
    }

    /**
     * Says how pieces of a box change places in shared memory.
     *
     * @param how they do; the box's innermost extent may have no more bytes unless the tensor is
     *     interleaved
     * @return this
     */
    public Builder swizzle(Swizzle how) {
      swizzle = Objects.requireNonNull(how, "how");
      return this;
    }

    /**
     * Says how much the level-2 cache fetches at once.
     *
     * @param bytes how much
     * @return this
     */
    public Builder promotion(L2Promotion bytes) {
      promotion = Objects.requireNonNull(bytes, "bytes");
      return this;
    }

    /**
     * Says what a box holds where it is outside of the tensor.
     *
     * @param with what
     * @return this
     */
    public Builder fill(Fill with) {
      fill = Objects.requireNonNull(with, "with");
      return this;
    }

    /**
     * {@return the tensor map}
     *
     * @throws IllegalArgumentException if a number is not allowed, or the tensor does not lie in
     *     the array
     * @throws dev.stretto.fault.ClosedException if the array is closed
     */
    public TensorMap build() {
      require(
          element.bytes() == array.elementBytes(),
          "elements %s of %d bytes in %s, whose have %d"
              .formatted(element, element.bytes(), array, array.elementBytes()));
      int rank = shape.length;
      require(
          rank >= 1 && rank <= MOST_DIMENSIONS,
          "a tensor of %d dimensions: has to have 1 to %d; call shape"
              .formatted(rank, MOST_DIMENSIONS));
      require(
          box.length == rank,
          "a box of %d dimensions in a tensor of %d".formatted(box.length, rank));
      int[] every = steps.length == 0 ? ones(rank) : steps;
      require(every.length == rank, "steps in %d dimensions of %d".formatted(every.length, rank));
      requireInterleaved(rank, every);
      requireExtents();
      long[] apart = strides.length == 0 ? packed() : strides;
      requireStrides(apart);
      requireBoxes(every);
      require(
          fill == Fill.ZERO || element.isFloat(),
          "elements %s cannot be NaN: fill with zeros".formatted(element));
      require(
          array.address() % unit() == 0,
          "%s does not begin at a multiple of %d bytes: use the whole array, or another slice"
              .formatted(array, unit()));
      require(
          span(apart) <= array.byteSize(),
          "the tensor takes %d bytes, of its last row whole pieces of 16, and %s has %d"
              .formatted(span(apart), array, array.byteSize()));
      return new TensorMap(this, apart, every);
    }

    /** What addresses and strides are multiples of. */
    private int unit() {
      return interleave == Interleave.BYTES_32 ? 2 * UNIT : UNIT;
    }

    private int placeBytes() {
      return interleave == Interleave.NONE ? element.bytes() : interleave.bytes();
    }

    private void requireInterleaved(int rank, int[] every) {
      if (interleave == Interleave.NONE) {
        return;
      }
      require(
          rank >= LEAST_INTERLEAVED,
          "an interleaved tensor of %d dimensions: has to have %d to %d, the last but one the slices"
              .formatted(rank, LEAST_INTERLEAVED, MOST_DIMENSIONS));
      int slices = rank - 2;
      require(
          box[slices] == 1 && every[slices] == 1,
          "a box of %d slices, every %d: a box of an interleaved tensor is 1 slice thick; copy more"
                  .formatted(box[slices], every[slices])
              + " boxes");
      require(
          interleave != Interleave.BYTES_32 || swizzle == Swizzle.BYTES_32,
          "slices of 32 bytes with swizzle %s: has to be BYTES_32".formatted(swizzle));
    }

    private void requireExtents() {
      for (int i = 0; i < shape.length; i++) {
        require(
            shape[i] >= 1 && shape[i] <= MOST_EXTENT,
            "extent %d of the tensor is %d: has to be 1 to %d".formatted(i, shape[i], MOST_EXTENT));
      }
    }

    private long[] packed() {
      long[] packed = new long[shape.length - 1];
      long bytes = placeBytes();
      for (int i = 0; i < packed.length; i++) {
        // What is too far apart is refused; so it need not be known how far.
        bytes = bytes >= MOST_STRIDE ? MOST_STRIDE : bytes * shape[i];
        packed[i] = bytes;
      }
      return packed;
    }

    private void requireStrides(long[] apart) {
      require(
          apart.length == shape.length - 1,
          "%d strides for a tensor of %d dimensions: has to be one less"
              .formatted(apart.length, shape.length));
      for (int i = 0; i < apart.length; i++) {
        require(
            apart[i] > 0 && apart[i] < MOST_STRIDE && apart[i] % unit() == 0,
            ("stride %d is %d bytes: has to be a multiple of %d below 2^40; leave a gap behind each"
                    + " row in memory, and say so with strides")
                .formatted(i, apart[i], unit()));
      }
    }

    private void requireBoxes(int[] every) {
      for (int i = 0; i < box.length; i++) {
        require(
            box[i] >= 1 && box[i] <= MOST_BOX,
            "extent %d of the box is %d: has to be 1 to %d".formatted(i, box[i], MOST_BOX));
        require(
            every[i] >= 1 && every[i] <= MOST_STEP,
            "step %d is %d: has to be 1 to %d".formatted(i, every[i], MOST_STEP));
      }
      long bytes = placeBytes();
      for (int i = 0; i < box.length; i++) {
        bytes *= (box[i] + every[i] - 1) / every[i];
      }
      require(
          bytes <= MOST_BYTES,
          "a box of %d bytes: a barrier can expect %d at most".formatted(bytes, MOST_BYTES));
      int inner = box[0] * element.bytes();
      require(
          inner % UNIT == 0,
          "the box's innermost extent has %d bytes: has to be a multiple of %d"
              .formatted(inner, UNIT));
      if (interleave != Interleave.NONE) {
        return;
      }
      require(every[0] == 1, "step %d in the innermost dimension: has to be 1".formatted(every[0]));
      require(
          swizzle == Swizzle.NONE || inner <= swizzle.span(),
          "the box's innermost extent has %d bytes, and pieces change places within %d"
              .formatted(inner, swizzle.span()));
    }

    /** From the first byte of the tensor to the last that may be written. */
    private long span(long[] apart) {
      // A row's last 16 bytes are written as a whole.
      long last = (shape[0] * placeBytes() + UNIT - 1) / UNIT * UNIT;
      for (int i = 1; i < shape.length; i++) {
        if (shape[i] - 1 > (Long.MAX_VALUE - last) / apart[i - 1]) {
          return Long.MAX_VALUE;
        }
        last += (shape[i] - 1) * apart[i - 1];
      }
      return last;
    }

    private static int[] ones(int count) {
      int[] ones = new int[count];
      Arrays.fill(ones, 1);
      return ones;
    }

    private static void require(boolean holds, String message) {
      if (!holds) {
        throw new IllegalArgumentException(message);
      }
    }
  }
}
