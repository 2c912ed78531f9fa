package dev.stretto.memory;

import java.util.Arrays;
import java.util.Objects;

/**
 * A description of a tensor in global memory that lets a device copy boxes of it on its own: what
 * CUDA calls a {@code CUtensorMap}. A kernel takes it as a parameter and copies boxes between the
 * tensor and shared memory with the tensor memory accelerator (TMA) of devices of compute
 * capability 9.0.
 *
 * <p>A tensor has one to five dimensions, the innermost first: {@code shape(width, height)}. A copy
 * moves one box of it. All boxes have the same extents. A box may lie anywhere, even partly or
 * wholly outside the tensor: elements outside arrive as zeros, or as NaN if {@link Builder#fill}
 * says so, and are not written. One exception: the last 16 bytes of a row are written as a whole,
 * including bytes beyond the tensor's end. In shared memory the box's elements follow each other
 * without gaps, innermost dimension first, unless the box is swizzled.
 *
 * <p>In the innermost dimension, a box has to begin at a multiple of 16 bytes. A box that is
 * written may not begin at a negative coordinate.
 *
 * <p>An image whose channels lie in slices (NC/8HWC8 and the like) is an interleaved tensor: {@link
 * Interleave} says how its coordinates are counted.
 *
 * <pre>{@code
 * TensorMap map = TensorMap.of(matrix).shape(width, height).box(64, 32).build();
 * stream.launch(grid, Kernels::transpose, map, result);
 * }</pre>
 *
 * A kernel sees only the address of its tensor map. Everything that it has to know about the box,
 * such as {@link #boxBytes()}, it takes as numbers.
 *
 * <p>A map for {@linkplain Builder#im2col im2col} reads the input of a convolution. Its tensor is a
 * batch of images, channels innermost: {@code shape(channels, width, height, images)}, without the
 * height for images of one dimension, with the depth behind it for those of three. A copy brings a
 * <em>column</em>: a number of channels of each of a number of pixels, the pixels one after the
 * other. It begins at any pixel of a bounding box, goes along the width, continues in the next line
 * at the box's lower corner, then in the next plane, then in the next image. The bounding box of
 * each image reaches from the {@linkplain Builder#lowerCorner lower corner}, counted from the
 * image's first pixel, to the {@linkplain Builder#upperCorner upper corner}, counted from its last.
 * The copy's offsets are added to each pixel's place; they choose an element of the filter. Pixels
 * outside the image, and images outside the batch, arrive as the fill value. So one row of a column
 * is what one output pixel needs for one element of the filter:
 *
 * <pre>{@code
 * // a filter of 3 by 3 elements, with one pixel of padding around each image
 * TensorMap map = TensorMap.of(images).shape(channels, width, height, count)
 *     .im2col(64, 128).lowerCorner(-1, -1).upperCorner(-1, -1).build();
 * }</pre>
 *
 * <p>Copies of boxes and of columns are different instructions: those of {@code PtxTensorCopies}
 * and {@code PtxIm2colCopies}.
 *
 * <p>Tensor maps are immutable and may be shared between threads. They are valid as long as their
 * array is. CUDA driver API, "Tensor Map Object Management"; PTX ISA, "Tensors", "im2col mode".
 */
public final class TensorMap {
  /** The largest number of dimensions, {@value}. */
  public static final int MOST_DIMENSIONS = 5;

  private static final int MOST_BOX = 256;
  static final int MOST_STEP = 8;
  private static final long MOST_STRIDE = 1L << 40;
  private static final long MOST_EXTENT = 1L << 32;
  private static final int UNIT = 16;
  private static final int LEAST_INTERLEAVED = 3;
  private static final long MOST_BYTES = (1 << 20) - 1;

  /** The type of an element. */
  public enum Element {
    /** Unsigned, eight bits. */
    UINT8(1),
    /** Unsigned, sixteen bits. */
    UINT16(2),
    /** Unsigned, thirty-two bits. */
    UINT32(4),
    /** Signed, thirty-two bits. */
    INT32(4),
    /** Unsigned, sixty-four bits. */
    UINT64(8),
    /** Signed, sixty-four bits. */
    INT64(8),
    /** IEEE half precision. */
    FLOAT16(2),
    /** IEEE single precision. */
    FLOAT32(4),
    /** IEEE double precision. */
    FLOAT64(8),
    /** Bfloat16: the upper half of IEEE single precision. */
    BFLOAT16(2);

    private final int bytes;

    Element(int bytes) {
      this.bytes = bytes;
    }

    /** {@return how many bytes an element has} */
    public int bytes() {
      return bytes;
    }

    /** {@return whether an element is a floating-point number} */
    public boolean isFloat() {
      return switch (this) {
        case FLOAT16, FLOAT32, FLOAT64, BFLOAT16 -> true;
        default -> false;
      };
    }
  }

  /**
   * How the 16-byte pieces of a box are permuted in shared memory. The permutation puts the
   * elements of a column into different banks, so that a warp can read the column without
   * conflicts. {@link #place} says where a byte goes.
   */
  public enum Swizzle {
    /** The pieces are not permuted. */
    NONE(0),
    /** Permuted within 32 bytes. */
    BYTES_32(32),
    /** Permuted within 64 bytes. */
    BYTES_64(64),
    /** Permuted within 128 bytes. */
    BYTES_128(128);

    private final int span;

    Swizzle(int span) {
      this.span = span;
    }

    /**
     * {@return the most bytes that the innermost extent of a box may have; 0 if there is no limit}
     */
    public int span() {
      return span;
    }

    /**
     * {@return the swizzled position of a byte} Kernels that know the swizzle can compute it with a
     * constant: {@code at ^ (at >> 3 & 0x70)} for 128 bytes.
     *
     * @param at the byte's position without the swizzle, counted from the beginning of the shared
     *     array that the block made, even if the kernel uses a slice of that array
     */
    public int place(int at) {
      return span == 0 ? at : at ^ (at >> 3 & span - UNIT);
    }
  }

  /**
   * Whether the channels of an image lie in slices. If so, all pixels of one slice come before the
   * next slice begins: N, C/8, H, W, C8 instead of N, H, W, C.
   *
   * <p>Such a tensor has three to five dimensions: width, then height and depth if there are any,
   * then the slices of channels, then the images. One position in the innermost dimension is a
   * slice of a pixel, of 16 or 32 bytes. Coordinates and extents therefore count pixels in that
   * dimension, and a box may begin at any pixel. Strides are those of rows, slices and images. A
   * box is one slice thick. An H200 moves one slice even if more are requested, so requests for
   * more are refused. If the channels do not fill the last slice, the padding is copied as it is.
   */
  public enum Interleave {
    /** No slices: the elements of the innermost dimension follow each other. */
    NONE(0),
    /** Slices of 16 bytes: eight channels of 2 bytes, for example. */
    BYTES_16(16),
    /** Slices of 32 bytes; the box has to be swizzled within 32 bytes. */
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

  /** The values that a box holds outside the tensor. */
  public enum Fill {
    /** Zeros. */
    ZERO,
    /** A NaN that a fused multiply-add may treat as zero. Only for floating-point elements. */
    NAN
  }

  /** How much the level-2 cache fetches at once. */
  public enum L2Promotion {
    /** As much as is requested. */
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
  private final int[] lower;
  private final int[] upper;

  private TensorMap(
      Builder from, int[] box, long[] strides, int[] steps, int[] lower, int[] upper) {
    this.array = from.array;
    this.element = from.element;
    this.shape = from.shape;
    this.strides = strides;
    this.box = box;
    this.steps = steps;
    this.interleave = from.interleave;
    this.swizzle = from.swizzle;
    this.promotion = from.promotion;
    this.fill = from.fill;
    this.lower = lower;
    this.upper = upper;
  }

  /**
   * {@return a builder of a tensor map; call its {@link Builder#shape} and {@link Builder#box}}
   *
   * @param array holds the tensor, starting at its first element
   */
  public static Builder of(GlobalArray array) {
    return new Builder(array);
  }

  /** {@return the array that holds the tensor} */
  public GlobalArray array() {
    return array;
  }

  /** {@return the type of an element} */
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
   * {@return the distance between neighbours in a dimension, in bytes}
   *
   * @param dimension 0 for the innermost
   * @throws IndexOutOfBoundsException if there is no such dimension
   */
  public long stride(int dimension) {
    return dimension == 0 ? placeBytes() : strides[dimension - 1];
  }

  /**
   * {@return how many bytes one position in the innermost dimension has: those of an element or, in
   * an interleaved tensor, of a slice of a pixel}
   */
  public int placeBytes() {
    return interleave == Interleave.NONE ? element.bytes() : interleave.bytes();
  }

  /** {@return whether it is for im2col: its copies bring columns of pixels instead of boxes} */
  public boolean isIm2col() {
    return lower.length > 0;
  }

  /**
   * {@return the lower corner of the bounding box, counted from the first pixel of an image: the
   * width first; empty if the map is not for im2col}
   */
  public int[] lowerCorner() {
    return lower.clone();
  }

  /**
   * {@return the upper corner of the bounding box, counted from the last pixel of an image: the
   * width first; empty if the map is not for im2col}
   */
  public int[] upperCorner() {
    return upper.clone();
  }

  /**
   * {@return how many elements of the tensor a box spans in a dimension} A column of a map for
   * im2col has two dimensions: the channels of a pixel and the pixels.
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
   * {@return how many elements of a box arrive in a dimension} A column of a map for im2col has two
   * dimensions, and all of it arrives, whatever the steps.
   *
   * @param dimension 0 for the innermost
   * @throws IndexOutOfBoundsException if there is no such dimension
   */
  public int boxElements(int dimension) {
    int step = isIm2col() ? 1 : steps[dimension];
    return (box[dimension] + step - 1) / step;
  }

  /** {@return how many bytes a copy of a box delivers; a barrier has to expect this number} */
  public int boxBytes() {
    return rowBytes() * boxRows();
  }

  /** {@return how many bytes a row of a box has in shared memory} */
  public int rowBytes() {
    return boxElements(0) * placeBytes();
  }

  /**
   * {@return the distance between the beginnings of a box's rows in shared memory, in bytes: that
   * of a row or, if larger, the span of the swizzle; rows of an interleaved tensor have no gaps}
   */
  public int rowPitch() {
    boolean gaps = swizzle != Swizzle.NONE && interleave == Interleave.NONE;
    return gaps ? swizzle.span() : rowBytes();
  }

  /** {@return how many bytes of shared memory a box takes, including gaps after its rows} */
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

  /** {@return whether channels lie in slices, and how large the slices are} */
  public Interleave interleave() {
    return interleave;
  }

  /** {@return how the pieces of a box are permuted in shared memory} */
  public Swizzle swizzle() {
    return swizzle;
  }

  /** {@return how much the level-2 cache fetches at once} */
  public L2Promotion promotion() {
    return promotion;
  }

  /** {@return the values that a box holds outside the tensor} */
  public Fill fill() {
    return fill;
  }

  @Override
  public String toString() {
    return "tensor map of "
        + (isIm2col() ? "columns of (channels, pixels) " : "boxes ")
        + Arrays.toString(box)
        + (isIm2col()
            ? " between " + Arrays.toString(lower) + " and " + Arrays.toString(upper)
            : "")
        + " of "
        + element
        + Arrays.toString(shape)
        + " in "
        + array;
  }

  /** Builds a tensor map. Not safe for use by several threads. */
  public static final class Builder {
    private final GlobalArray array;
    private Element element;
    private long[] shape = {};
    private long[] strides = {};
    private int[] box = {};
    private int[] steps = {};
    private int[] column = {};
    private int[] lower = {};
    private int[] upper = {};
    private Interleave interleave = Interleave.NONE;
    private Swizzle swizzle = Swizzle.NONE;
    private L2Promotion promotion = L2Promotion.NONE;
    private Fill fill = Fill.ZERO;
    private boolean partial;

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
     * Sets the type of an element, if it differs from the array's. It matters to reductions and to
     * NaN.
     *
     * @param is a type with as many bytes as the array's elements
     * @return this
     */
    public Builder element(Element is) {
      element = Objects.requireNonNull(is, "is");
      return this;
    }

    /**
     * Sets the extents of the tensor.
     *
     * @param extents in elements, the innermost dimension first; each 1 to 2<sup>32</sup>. The
     *     array has to hold the last row up to a multiple of 16 bytes.
     * @return this
     */
    public Builder shape(long... extents) {
      shape = Objects.requireNonNull(extents, "extents").clone();
      return this;
    }

    /**
     * Sets the distance between neighbours in every dimension but the innermost, whose elements are
     * always adjacent. If this is not called, there are no gaps.
     *
     * @param bytes the strides of the second and the following dimensions; multiples of 16, or of
     *     32 if slices have 32 bytes. A stride less than a row makes rows overlap, which is allowed
     *     for copies to shared memory.
     * @return this
     */
    public Builder strides(long... bytes) {
      strides = Objects.requireNonNull(bytes, "bytes").clone();
      return this;
    }

    /**
     * Sets the extents of a box.
     *
     * @param extents in elements, the innermost dimension first; each 1 to 256, and the innermost
     *     one a multiple of 16 bytes. In an interleaved tensor, 1 for the slices; the number of
     *     pixels times the size of an element has to be a multiple of 16 bytes, as CUDA's driver
     *     requires
     * @return this
     */
    public Builder box(int... extents) {
      box = Objects.requireNonNull(extents, "extents").clone();
      return this;
    }

    /**
     * Makes it a map for im2col: copies bring columns of pixels instead of boxes. The tensor has
     * three to five dimensions: channels, width, height and depth if there are any, images.
     *
     * @param channels how many channels of a pixel a copy brings, 1 to 256; a multiple of 16 bytes
     * @param pixels how many pixels it brings, 1 to 1024
     * @return this
     */
    public Builder im2col(int channels, int pixels) {
      column = new int[] {channels, pixels};
      return this;
    }

    /**
     * Sets where the bounding box of a map for im2col begins: for a convolution, minus its padding
     * before the first pixel. If this is not called, it begins with the image.
     *
     * @param places counted from the first pixel of an image, the width first; each -32768 to 32767
     *     for images of one dimension, -128 to 127 for two, -16 to 15 for three
     * @return this
     */
    public Builder lowerCorner(int... places) {
      lower = Objects.requireNonNull(places, "places").clone();
      return this;
    }

    /**
     * Sets where the bounding box of a map for im2col ends: for a convolution, its padding behind
     * the last pixel minus the reach of its filter, which is the filter's extent less one, times
     * the dilation. If this is not called, it ends with the image.
     *
     * @param places counted from the last pixel of an image, which belongs to the box if the place
     *     is 0; the width first; the same ranges as those of the lower corner
     * @return this
     */
    public Builder upperCorner(int... places) {
      upper = Objects.requireNonNull(places, "places").clone();
      return this;
    }

    /**
     * Sets which elements of a box are copied: every second one, every third one and so on. If this
     * is not called, every element is copied. In a map for im2col these are the strides of the
     * convolution, and as many pixels arrive as without them.
     *
     * @param elements the step in each dimension, 1 to 8. It has to be 1 in the innermost
     *     dimension, and for im2col also in that of the images; in an interleaved tensor it has to
     *     be 1 in the dimension of the slices instead
     * @return this
     */
    public Builder steps(int... elements) {
      steps = Objects.requireNonNull(elements, "elements").clone();
      return this;
    }

    /**
     * Puts the channels into slices.
     *
     * @param bytes the size of a slice of a pixel; unless {@code NONE}, the tensor has three to
     *     five dimensions
     * @return this
     */
    public Builder interleave(Interleave bytes) {
      interleave = Objects.requireNonNull(bytes, "bytes");
      return this;
    }

    /**
     * Sets how the pieces of a box are permuted in shared memory.
     *
     * @param how the permutation; unless the tensor is interleaved, the box's innermost extent may
     *     not have more bytes than the swizzle spans
     * @return this
     */
    public Builder swizzle(Swizzle how) {
      swizzle = Objects.requireNonNull(how, "how");
      return this;
    }

    /**
     * Sets how much the level-2 cache fetches at once.
     *
     * @param bytes how much
     * @return this
     */
    public Builder promotion(L2Promotion bytes) {
      promotion = Objects.requireNonNull(bytes, "bytes");
      return this;
    }

    /**
     * Sets the values that a box holds outside the tensor.
     *
     * @param with the values
     * @return this
     */
    public Builder fill(Fill with) {
      fill = Objects.requireNonNull(with, "with");
      return this;
    }

    /**
     * Allows a tensor that goes on behind the array. Boxes must not touch that part: a virtual
     * device names a copy that does, and a GPU may read or write whatever lies there.
     *
     * <p>So a box can be bounded by a sequence of rows, and not only by all of them. Two dimensions
     * have the stride of a row: one counts the rows of a sequence, and the other says where the
     * sequence begins. Rows of the box before the sequence have negative coordinates, and arrive as
     * zeros:
     *
     * <pre>{@code
     * TensorMap map = TensorMap.of(rows).shape(width, longest, all).strides(bytes, bytes)
     *     .box(width, 64, 1).partial().build();
     * // in a kernel: the first 40 rows of the sequence, after 24 rows of zeros
     * PtxTensorCopies.cpAsyncBulkTensorToShared(to, 0, map, 0, -24, firstRow, barriers, 0);
     * }</pre>
     *
     * @return this
     */
    public Builder partial() {
      partial = true;
      return this;
    }

    /**
     * {@return the tensor map}
     *
     * @throws IllegalArgumentException if a number is not allowed, or the array does not hold the
     *     whole tensor, which it has to unless {@link #partial} was called
     * @throws dev.stretto.fault.ClosedException if the array is closed
     */
    public TensorMap build() {
      require(
          element.bytes() == array.elementBytes(),
          "element type %s has %d bytes, but the elements of %s have %d",
          element,
          element.bytes(),
          array,
          array.elementBytes());
      int rank = shape.length;
      require(
          rank >= 1 && rank <= MOST_DIMENSIONS,
          "a tensor of %d dimensions: it has to have 1 to %d; call shape",
          rank,
          MOST_DIMENSIONS);
      boolean im2col = column.length > 0;
      require(
          !im2col || box.length == 0,
          "a box of %d dimensions in a map for im2col: call box or im2col, not both",
          box.length);
      require(
          im2col || lower.length + upper.length == 0,
          "a corner in a map of boxes: corners belong to im2col; call im2col instead of box");
      require(
          im2col || box.length == rank,
          "a box of %d dimensions in a tensor of %d",
          box.length,
          rank);
      int[] every = steps.length == 0 ? ones(rank) : steps;
      require(every.length == rank, "%d steps for a tensor of %d dimensions", every.length, rank);
      require(
          !im2col || interleave == Interleave.NONE,
          "interleave %s in a map for im2col: its channels have to lie next to each other",
          interleave);
      requireInterleaved(rank, every);
      requireExtents();
      long[] apart = strides.length == 0 ? packed() : strides;
      requireStrides(apart);
      PixelColumns columns = null;
      if (im2col) {
        columns = PixelColumns.of(column[0], column[1], rank, lower, upper);
        columns.require(shape, every, element.bytes());
      } else {
        requireBoxes(every);
      }
      requireRows(every);
      require(
          fill == Fill.ZERO || element.isFloat(),
          "elements of type %s cannot be NaN: fill with zeros",
          element);
      require(
          array.address() % unit() == 0,
          "%s does not begin at a multiple of %d bytes: use the whole array, or another slice",
          array,
          unit());
      require(
          partial || span(apart) <= array.byteSize(),
          "the tensor takes %d bytes, its last row rounded up to a multiple of 16, and %s has %d",
          span(apart),
          array,
          array.byteSize());
      return columns == null
          ? new TensorMap(this, box, apart, every, new int[0], new int[0])
          : new TensorMap(this, column, apart, every, columns.lower(), columns.upper());
    }

    /** Addresses and strides are multiples of this number. */
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
          "an interleaved tensor of %d dimensions: it has to have %d to %d, the last but one for"
              + " the slices",
          rank,
          LEAST_INTERLEAVED,
          MOST_DIMENSIONS);
      int slices = rank - 2;
      require(
          box[slices] == 1 && every[slices] == 1,
          "a box of %d slices with step %d: a box of an interleaved tensor is 1 slice thick; copy"
              + " more boxes",
          box[slices],
          every[slices]);
      require(
          interleave != Interleave.BYTES_32 || swizzle == Swizzle.BYTES_32,
          "slices of 32 bytes with swizzle %s: the swizzle has to be BYTES_32",
          swizzle);
    }

    private void requireExtents() {
      for (int i = 0; i < shape.length; i++) {
        require(
            shape[i] >= 1 && shape[i] <= MOST_EXTENT,
            "extent %d of the tensor is %d: it has to be 1 to %d",
            i,
            shape[i],
            MOST_EXTENT);
      }
    }

    private long[] packed() {
      long[] packed = new long[shape.length - 1];
      long bytes = placeBytes();
      for (int i = 0; i < packed.length; i++) {
        // Larger strides are refused, so their exact value does not matter.
        bytes = bytes >= MOST_STRIDE ? MOST_STRIDE : bytes * shape[i];
        packed[i] = bytes;
      }
      return packed;
    }

    private void requireStrides(long[] apart) {
      require(
          apart.length == shape.length - 1,
          "%d strides for a tensor of %d dimensions: there has to be one stride less than"
              + " dimensions",
          apart.length,
          shape.length);
      for (int i = 0; i < apart.length; i++) {
        require(
            apart[i] > 0 && apart[i] < MOST_STRIDE && apart[i] % unit() == 0,
            "stride %d is %d bytes: it has to be a multiple of %d below 2^40; leave a gap after"
                + " each row in memory, and call strides",
            i,
            apart[i],
            unit());
      }
    }

    private void requireBoxes(int[] every) {
      for (int i = 0; i < box.length; i++) {
        require(
            box[i] >= 1 && box[i] <= MOST_BOX,
            "extent %d of the box is %d: it has to be 1 to %d",
            i,
            box[i],
            MOST_BOX);
        require(
            every[i] >= 1 && every[i] <= MOST_STEP,
            "step %d is %d: it has to be 1 to %d",
            i,
            every[i],
            MOST_STEP);
      }
      long bytes = placeBytes();
      for (int i = 0; i < box.length; i++) {
        bytes *= (box[i] + every[i] - 1) / every[i];
      }
      require(
          bytes <= MOST_BYTES,
          "a box of %d bytes: a barrier can expect at most %d",
          bytes,
          MOST_BYTES);
    }

    private void requireRows(int[] every) {
      int inner = (column.length > 0 ? column : box)[0] * element.bytes();
      require(
          inner % UNIT == 0,
          "%s %d bytes: it has to be a multiple of %d",
          innermost(),
          inner,
          UNIT);
      if (interleave != Interleave.NONE) {
        return;
      }
      require(every[0] == 1, "step %d in the innermost dimension: it has to be 1", every[0]);
      require(
          swizzle == Swizzle.NONE || inner <= swizzle.span(),
          "%s %d bytes, but the swizzle permutes within %d",
          innermost(),
          inner,
          swizzle.span());
    }

    private String innermost() {
      return column.length > 0 ? "the channels of a pixel have" : "the box's innermost extent has";
    }

    /** The bytes from the tensor's first to the last one that may be written. */
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

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would add a dependency
    private static void require(boolean holds, String message, Object... values) {
      if (!holds) {
        throw new IllegalArgumentException(message.formatted(values));
      }
    }
  }
}
