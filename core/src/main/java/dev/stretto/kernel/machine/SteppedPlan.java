package dev.stretto.kernel.machine;

import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.TensorMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What has to be known of a kernel that goes in steps.
 *
 * @param points where threads leave off and go on, the first where they begin
 * @param sites the places that reports name, by their number
 * @param addresses which of the kernel's parameters are addresses of arrays
 * @param shared the kernel's static shared arrays
 * @param sharedBytes how much those take
 * @param frame how much a thread keeps
 * @param copies whether threads may begin asynchronous copies
 * @param uses what threads do with each parameter that is an array
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SteppedPlan(
    List<Point> points,
    List<Site> sites,
    boolean[] addresses,
    List<Extent> shared,
    int sharedBytes,
    Frame frame,
    boolean copies,
    int[] uses) {
  private static final int WRITES = 2;
  private static final int SHARES = 4;

  /**
   * Where threads leave off and go on.
   *
   * @param meeting what they do together before, or null
   * @param asks the method with which they ask next for what others do, or null
   * @param site the place where they meet or ask
   */
  public record Point(@Nullable Meeting meeting, @Nullable String asks, int site) {}

  /**
   * What threads do together.
   *
   * @param method the method, as {@code Warp.shuffle(II)I}
   * @param operands its operands
   * @param results the places of its results in the frame; -1 for what nobody needs
   */
  public record Meeting(String method, List<Operand> operands, List<Integer> results) {}

  /**
   * An operand.
   *
   * @param slot its place in the frame, or -1
   * @param known its value if it is constant
   */
  public record Operand(int slot, @Nullable Object known) {}

  /** A mistake that a place may show. */
  public enum Mistake {
    INDEX,
    BYTES,
    ALIGNMENT,
    WHOLE,
    DIVISION,
    SLICE,
    ASSERTION,
    RANGE
  }

  /**
   * A place.
   *
   * @param stack the source lines, from the innermost to the kernel's
   * @param mistake what may go wrong there, or null
   * @param message what to say in addition to the numbers
   */
  public record Site(StackTraceElement[] stack, @Nullable Mistake mistake, String message) {}

  /**
   * A shared array.
   *
   * @param begin its first byte within the block's memory
   * @param bytes its size
   */
  public record Extent(int begin, int bytes) {}

  /**
   * {@return for each parameter whether threads may race for the array that a launch gives for it}
   * They do not if none writes it, or each keeps to elements of its own, as long as no other
   * argument is the same memory.
   *
   * @param extents the launch
   * @param arguments its arguments
   */
  public boolean[] racing(LaunchExtents extents, Object[] arguments) {
    boolean[] racing = new boolean[uses.length];
    Resident[] memory = new Resident[uses.length];
    int at = 0;
    for (Object argument : arguments) {
      if (argument instanceof GlobalArray array
          && array.allocation() instanceof Resident resident) {
        memory[at++] = resident; // its length follows
      }
      at++;
    }
    List<Resident> tensors = new ArrayList<>();
    for (Object argument : arguments) {
      if (argument instanceof TensorMap map
          && map.array().allocation() instanceof Resident tensor) {
        tensors.add(tensor);
      }
    }
    boolean isLine = extents.isLine();
    for (int i = 0; i < uses.length; i++) {
      Resident one = memory[i];
      if (one == null) {
        continue;
      }
      racing[i] = (uses[i] & WRITES) != 0 && !(isLine && (uses[i] & SHARES) == 0);
      for (int k = 0; k < uses.length; k++) {
        Resident other = memory[k];
        racing[i] |=
            k != i && other != null && ((uses[i] | uses[k]) & WRITES) != 0 && overlap(one, other);
      }
      racing[i] |= tensors.stream().anyMatch(tensor -> overlap(one, tensor));
    }
    return racing;
  }

  private static boolean overlap(Resident a, Resident b) {
    return a.address() < b.address() + b.byteSize() && b.address() < a.address() + a.byteSize();
  }

  /** {@return whether threads ask in loops for what others do, without a barrier} */
  public boolean asks() {
    return points.stream().anyMatch(point -> point.asks() != null);
  }

  /** {@return the source lines of a question, behind the library's method} */
  StackTraceElement[] asking(int point) {
    String method = Objects.requireNonNull(points.get(point).asks());
    StackTraceElement[] lines = sites.get(points.get(point).site()).stack();
    StackTraceElement[] stack = new StackTraceElement[lines.length + 1];
    int dot = method.lastIndexOf('.');
    stack[0] =
        new StackTraceElement(
            "dev.stretto.kernel." + method.substring(0, dot), method.substring(dot + 1), null, -1);
    System.arraycopy(lines, 0, stack, 1, lines.length);
    return stack;
  }

  /** How many numbers of each kind, and how many objects, a thread keeps. */
  public record Frame(int ints, int longs, int floats, int doubles, int objects) {}
}
