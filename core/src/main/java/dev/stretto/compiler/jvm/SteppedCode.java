package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kernel as a class for the JVM.
 *
 * @param bytes the class file
 * @param points where threads leave off and go on, the first where they begin
 * @param sites the places that reports name, by their number
 * @param parameters the types of the kernel's parameters: an array is an address and a length
 * @param shared its static shared arrays
 * @param sharedBytes where each of those begins, in the same order, and how much they take
 * @param frame how much a thread keeps
 * @param uses what threads do with each parameter that is an array: the bits below
 * @param constants the arrays whose content the class needs as its data
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SteppedCode(
    byte[] bytes,
    List<Point> points,
    List<Site> sites,
    List<Type> parameters,
    List<SharedVariable> shared,
    List<Integer> sharedBytes,
    Frame frame,
    int[] uses,
    List<ConstantArray> constants) {
  /** Threads may read the array. */
  public static final int READS = 1;

  /** Threads may write the array. */
  public static final int WRITES = 2;

  /** A thread may use elements that others use. */
  public static final int SHARES = 4;

  /**
   * Where threads leave off and go on.
   *
   * @param meets the method in which they meet before they go on, as {@code Owner.method}, or null
   *     if they meet nobody
   * @param asks the method with which they ask next for what others do, as {@code Owner.method}, or
   *     null
   * @param site the number of the place where they meet or ask, or -1
   * @param operands what each operand of that method is
   * @param results the places of its results in the frame; -1 for what nobody needs
   */
  public record Point(
      @Nullable String meets,
      @Nullable String asks,
      int site,
      List<Operand> operands,
      List<Integer> results) {}

  /**
   * An operand of a meeting.
   *
   * @param type its type
   * @param slot its place in the frame; -1 if it has none there
   * @param known its value if it is constant, else null
   */
  public record Operand(Type type, int slot, @Nullable Object known) {}

  /**
   * A place that reports name.
   *
   * @param line the line
   * @param trap the mistake that may show there, or null
   */
  public record Site(Line line, @Nullable Trap trap) {}

  /**
   * How many numbers of each kind a thread keeps.
   *
   * @param ints numbers of 32 bits
   * @param longs numbers of 64 bits
   * @param floats floats
   * @param doubles doubles
   */
  public record Frame(int ints, int longs, int floats, int doubles, int objects) {}
}
