package dev.stretto.kernels.product;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalShorts;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A product of matrices of bfloat16 or binary16 numbers on a GPU: {@code C = A B}, or {@code C =
 * activation(A B + bias)}, for one pair of matrices or for many of one size. Matrices lie row by
 * row, without gaps. Sums are floats; each element of C is rounded once.
 *
 * <p>A product says what is computed, and is immutable; {@link #enqueue(Stream, GlobalBfloats,
 * GlobalBfloats, GlobalBfloats) enqueue} computes it for given arrays. It enqueues one kernel or
 * two on a stream and returns at once. {@link #choice(Device, ProductFormat) choice} says which
 * kernel a device runs, and why: warp groups on compute capability 9.0, elsewhere and for other
 * sizes tensor cores by warp, or floats. A product whose tiles are few and whose inner dimension is
 * long is divided along the inner dimension; then four bytes for each element of C and each part
 * are allocated and freed in the order of the stream. A product of one size has the same bits on
 * one device each time.
 *
 * {@snippet class="dev.stretto.kernels.product.MatrixProductGuideTest" region="layer"}
 */
public final class MatrixProduct {
  private final Problem problem;
  private final boolean biased;
  private final Activation activation;

  /** The last choice: most products are computed on one device. */
  private volatile @Nullable Made made;

  /**
   * A choice, and what it was made for.
   *
   * @param device the properties of the device
   * @param format the numbers
   * @param aligned whether arrays begin at multiples of 16 bytes
   * @param choice the choice
   */
  private record Made(
      DeviceProperties device, ProductFormat format, boolean aligned, ProductChoice choice) {
    boolean isFor(DeviceProperties other, ProductFormat numbers, boolean isAligned) {
      return device.equals(other) && format == numbers && aligned == isAligned;
    }
  }

  private MatrixProduct(Problem problem, boolean biased, Activation activation) {
    this.problem = problem;
    this.biased = biased;
    this.activation = activation;
  }

  /**
   * {@return the product of a matrix of m rows and k columns, A, and one of k rows and n columns,
   * B}
   *
   * @param m rows of A and of C; 1 to 2<sup>30</sup>
   * @param n columns of B and of C; 1 to 2<sup>30</sup>
   * @param k columns of A and rows of B; 1 to 2<sup>30</sup>
   * @throws IllegalArgumentException if a number is less or more
   */
  public static MatrixProduct of(int m, int n, int k) {
    ProductArguments.isExtent(m, "m");
    ProductArguments.isExtent(n, "n");
    ProductArguments.isExtent(k, "k");
    return new MatrixProduct(new Problem(m, n, k, 1, false), false, Activation.NONE);
  }

  /**
   * {@return the same for many pairs of matrices, each right behind the one before} All have the
   * same bias. What cuBLAS calls strided batched.
   *
   * @param count how many pairs; 1 or more
   * @throws IllegalArgumentException if that is less than 1
   * @throws ArithmeticException if a matrix of all would have 2<sup>63</sup> elements or more
   */
  public MatrixProduct batched(int count) {
    ProductArguments.atLeastOne(count, "count");
    Problem many = new Problem(problem.m(), problem.n(), problem.k(), count, problem.transposedB());
    many.elementsA();
    many.elementsB();
    many.elementsC();
    return new MatrixProduct(many, biased, activation);
  }

  /**
   * {@return the same with B given as its transpose, n rows of k} That is how a layer's weights lie
   * in most models: a row for each of its outputs.
   */
  public MatrixProduct transposedB() {
    Problem transposed = new Problem(problem.m(), problem.n(), problem.k(), problem.count(), true);
    return new MatrixProduct(transposed, biased, activation);
  }

  /** {@return the same with a number for each column of C, added to the sums} */
  public MatrixProduct withBias() {
    return new MatrixProduct(problem, true, activation);
  }

  /**
   * {@return the same with a function of each sum, after the bias is added}
   *
   * @param function the function; replaces an earlier one
   */
  public MatrixProduct withActivation(Activation function) {
    return new MatrixProduct(problem, biased, Objects.requireNonNull(function, "function"));
  }

  /**
   * {@return how the product is computed on a device, of arrays that begin at a multiple of 16
   * bytes, as all but some slices do}
   *
   * @param device any device
   * @param format the numbers of the matrices
   */
  public ProductChoice choice(Device device, ProductFormat format) {
    Objects.requireNonNull(format, "format");
    return choose(device.properties(), format, true);
  }

  /**
   * {@return how the product is computed of given arrays}
   *
   * @param a what {@code enqueue} would get
   * @param b what {@code enqueue} would get
   * @param c what {@code enqueue} would get
   * @throws dev.stretto.fault.ClosedException if an array is closed
   */
  public ProductChoice choice(GlobalBfloats a, GlobalBfloats b, GlobalBfloats c) {
    return choose(ProductFormat.BFLOAT16, a, b, c);
  }

  /**
   * {@return how the product is computed of given arrays}
   *
   * @param a what {@code enqueue} would get
   * @param b what {@code enqueue} would get
   * @param c what {@code enqueue} would get
   * @throws dev.stretto.fault.ClosedException if an array is closed
   */
  public ProductChoice choice(GlobalHalfs a, GlobalHalfs b, GlobalHalfs c) {
    return choose(ProductFormat.BINARY16, a, b, c);
  }

  private ProductChoice choose(ProductFormat format, GlobalArray a, GlobalArray b, GlobalArray c) {
    return choose(Device.of(a).properties(), format, ProductArguments.aligned(a, b, c));
  }

  private ProductChoice choose(DeviceProperties device, ProductFormat format, boolean aligned) {
    Made last = made;
    if (last != null && last.isFor(device, format, aligned)) {
      return last.choice();
    }
    ProductChoice choice = ProductChooser.choose(device, problem, format, aligned);
    made = new Made(device, format, aligned, choice);
    return choice;
  }

  /**
   * Sets C to the product of bfloat16 matrices.
   *
   * @param stream the operation's place among others
   * @param a {@code m} rows of {@code k}, for each product
   * @param b {@code k} rows of {@code n}, or {@code n} rows of {@code k} if transposed, for each
   *     product
   * @param c receives {@code m} rows of {@code n} for each product; without a byte of the others
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the product has a bias, an array is too short, c overlaps
   *     with another, or one lies on another device than the stream
   * @throws ArithmeticException if there are 2<sup>31</sup> or more tiles
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public Event enqueue(Stream stream, GlobalBfloats a, GlobalBfloats b, GlobalBfloats c) {
    return enqueueUnbiased(stream, ProductFormat.BFLOAT16, a, b, c);
  }

  /**
   * Sets C to the product of bfloat16 matrices with a bias.
   *
   * @param stream the operation's place among others
   * @param a {@code m} rows of {@code k}, for each product
   * @param b {@code k} rows of {@code n}, or {@code n} rows of {@code k} if transposed, for each
   *     product
   * @param bias {@code n} numbers
   * @param c receives {@code m} rows of {@code n} for each product; without a byte of the others
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the product has no bias, an array is too short, c overlaps
   *     with another, or one lies on another device than the stream
   * @throws ArithmeticException if there are 2<sup>31</sup> or more tiles
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public Event enqueue(
      Stream stream, GlobalBfloats a, GlobalBfloats b, GlobalBfloats bias, GlobalBfloats c) {
    return enqueueBiased(stream, ProductFormat.BFLOAT16, a, b, bias, c);
  }

  /**
   * Sets C to the product of binary16 matrices. An element above 65,504 becomes infinite.
   *
   * @param stream the operation's place among others
   * @param a {@code m} rows of {@code k}, for each product
   * @param b {@code k} rows of {@code n}, or {@code n} rows of {@code k} if transposed, for each
   *     product
   * @param c receives {@code m} rows of {@code n} for each product; without a byte of the others
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the product has a bias, an array is too short, c overlaps
   *     with another, or one lies on another device than the stream
   * @throws ArithmeticException if there are 2<sup>31</sup> or more tiles
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public Event enqueue(Stream stream, GlobalHalfs a, GlobalHalfs b, GlobalHalfs c) {
    return enqueueUnbiased(stream, ProductFormat.BINARY16, a, b, c);
  }

  /**
   * Sets C to the product of binary16 matrices with a bias. An element above 65,504 becomes
   * infinite.
   *
   * @param stream the operation's place among others
   * @param a {@code m} rows of {@code k}, for each product
   * @param b {@code k} rows of {@code n}, or {@code n} rows of {@code k} if transposed, for each
   *     product
   * @param bias {@code n} numbers
   * @param c receives {@code m} rows of {@code n} for each product; without a byte of the others
   * @return an event that stands for the result
   * @throws IllegalArgumentException if the product has no bias, an array is too short, c overlaps
   *     with another, or one lies on another device than the stream
   * @throws ArithmeticException if there are 2<sup>31</sup> or more tiles
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public Event enqueue(
      Stream stream, GlobalHalfs a, GlobalHalfs b, GlobalHalfs bias, GlobalHalfs c) {
    return enqueueBiased(stream, ProductFormat.BINARY16, a, b, bias, c);
  }

  private Event enqueueUnbiased(
      Stream stream, ProductFormat format, GlobalArray a, GlobalArray b, GlobalArray c) {
    check(stream, a, b, c);
    if (biased) {
      throw new IllegalArgumentException(
          "the product has a bias, and none is given: pass it before c, or leave out withBias()");
    }
    // The kernels do not read a bias then, but A they do.
    return enqueue(stream, choose(format, a, b, c), format, a, b, a, c);
  }

  private Event enqueueBiased(
      Stream stream,
      ProductFormat format,
      GlobalArray a,
      GlobalArray b,
      GlobalArray bias,
      GlobalArray c) {
    check(stream, a, b, c);
    ProductArguments.fits(stream, bias, "bias", problem.n(), "n");
    Arguments.apart(c, "c", bias, "bias");
    if (!biased) {
      throw new IllegalArgumentException(
          "the product has no bias, and one is given: leave it out, or call withBias()");
    }
    return enqueue(stream, choose(format, a, b, c), format, a, b, bias, c);
  }

  private void check(Stream stream, GlobalArray a, GlobalArray b, GlobalArray c) {
    String times = problem.count() == 1 ? "" : " * count";
    ProductArguments.fits(stream, a, "a", problem.elementsA(), "m * k" + times);
    ProductArguments.fits(stream, b, "b", problem.elementsB(), "k * n" + times);
    ProductArguments.fits(stream, c, "c", problem.elementsC(), "m * n" + times);
    Arguments.apart(c, "c", a, "a");
    Arguments.apart(c, "c", b, "b");
  }

  /** Enqueues the kernels of a choice, which tests make themselves. */
  Event enqueue(
      Stream stream,
      ProductChoice choice,
      ProductFormat format,
      GlobalArray a,
      GlobalArray b,
      GlobalArray bias,
      GlobalArray c) {
    int splits = choice.splits();
    // Kernels count them with ints.
    Math.toIntExact(Math.multiplyExact(tiling(choice).tiles(problem), (long) splits));
    int variant = Variant.of(format, problem, splits);
    int epilogue = Variant.of(biased, activation);
    if (splits == 1) {
      launch(stream, choice, variant | epilogue, a, b, bias, c);
      return stream.record();
    }
    if (choice.kernel() == ProductKernel.WARP_GROUPS
        && WarpGroupProduct.gathers(tiling(choice), splits)) {
      int gathered = (variant & ~Variant.SPLIT) | Variant.GATHERED;
      launch(stream, choice, gathered | epilogue, a, b, bias, c);
      return stream.record();
    }
    try (GlobalFloats sums = stream.allocateFloats(splits * problem.elementsC())) {
      launch(stream, choice, variant, a, b, a, sums);
      int finish = (variant & Variant.BFLOAT) | epilogue;
      PartialSums.enqueue(stream, problem, splits, finish, sums, bits(bias), bits(c));
      return stream.record();
    }
  }

  private void launch(
      Stream stream,
      ProductChoice choice,
      int variant,
      GlobalArray a,
      GlobalArray b,
      GlobalArray bias,
      GlobalArray to) {
    if (choice.kernel() == ProductKernel.WARP_GROUPS) {
      int multiprocessors = stream.device().properties().multiprocessors();
      WarpGroupProduct.enqueue(
          stream,
          multiprocessors,
          problem,
          tiling(choice),
          choice.splits(),
          variant,
          a,
          b,
          bits(bias),
          to);
      return;
    }
    boolean aligned = ProductArguments.aligned(a, b) && ProductChooser.hasAlignedRows(problem);
    int of = (variant & ~Variant.BATCHED) | (aligned ? Variant.ALIGNED : 0);
    if (to instanceof GlobalFloats sums) {
      PortableProduct.enqueueSums(stream, problem, choice.splits(), of, bits(a), bits(b), sums);
    } else {
      PortableProduct.enqueue(stream, problem, of, bits(a), bits(b), bits(bias), bits(to));
    }
  }

  private static Tiling tiling(ProductChoice choice) {
    return new Tiling(choice.tileRows(), choice.tileColumns(), choice.clusterBlocks());
  }

  /** {@return an array's elements as numbers of the same size} */
  private static GlobalShorts bits(GlobalArray array) {
    return GlobalShorts.of(array.allocation())
        .slice(array.byteOffset() / Short.BYTES, array.length());
  }

  /** {@return the sizes and what happens to the sums} */
  @Override
  public String toString() {
    return "product of %s%s%s%s"
        .formatted(
            problem,
            problem.transposedB() ? ", B transposed" : "",
            biased ? ", with a bias" : "",
            activation == Activation.NONE ? "" : ", " + activation);
  }
}
