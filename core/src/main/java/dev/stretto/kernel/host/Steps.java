package dev.stretto.kernel.host;

import dev.stretto.compiler.KernelCompiler;
import dev.stretto.compiler.KernelSource;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.jvm.SteppedCode;
import dev.stretto.kernel.machine.LaunchExtents;
import dev.stretto.kernel.machine.SteppedKernel;
import dev.stretto.kernel.machine.SteppedPlan;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A kernel that was compiled for the JVM, so that its threads go in steps.
 *
 * @param kernel the compiled code
 * @param plan what has to be known of it
 * @param constants the arrays whose content was compiled in
 */
public record Steps(SteppedKernel kernel, SteppedPlan plan, List<ConstantArray> constants) {
  /**
   * {@return the kernel, compiled; nothing if it does what only its method does on the JVM}
   *
   * @param lookup of the package that the class will be in
   * @param source the method
   * @param target the device that it runs for
   * @param copies whether threads may begin asynchronous copies
   * @param watchesGlobal whether copies may read what threads store in global memory
   */
  public static Optional<Steps> of(
      MethodHandles.Lookup lookup,
      KernelSource source,
      KernelTarget target,
      boolean copies,
      boolean watchesGlobal) {
    String beside = lookup.lookupClass().getPackageName();
    return KernelCompiler.steps(source, target, beside, copies, watchesGlobal)
        .map(code -> new Steps(define(lookup, code), plan(code, copies), code.constants()));
  }

  private static SteppedKernel define(MethodHandles.Lookup lookup, SteppedCode code) {
    try {
      List<Object> data = new ArrayList<>();
      code.constants().forEach(array -> data.add(array.content()));
      MethodHandles.Lookup made = lookup.defineHiddenClassWithClassData(code.bytes(), data, true);
      return (SteppedKernel)
          made.findConstructor(made.lookupClass(), MethodType.methodType(void.class)).invoke();
    } catch (Throwable e) {
      throw new AssertionError("a kernel as a class", e);
    }
  }

  /**
   * Requires that the arrays are still what they were.
   *
   * @throws IllegalStateException if one has changed
   */
  void requireUnchanged() {
    constants.forEach(ConstantArray::requireUnchanged);
  }

  private static SteppedPlan plan(SteppedCode code, boolean copies) {
    boolean[] addresses = new boolean[code.parameters().size()];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = code.parameters().get(i) == Type.GLOBAL;
    }
    List<SteppedPlan.Extent> shared = new ArrayList<>();
    for (int i = 0; i < code.shared().size(); i++) {
      SharedVariable array = code.shared().get(i);
      shared.add(new SteppedPlan.Extent(code.sharedBytes().get(i), (int) array.bytes()));
    }
    SteppedCode.Frame frame = code.frame();
    return new SteppedPlan(
        code.points().stream().map(Steps::point).toList(),
        code.sites().stream().map(Steps::site).toList(),
        addresses,
        shared,
        code.sharedBytes().getLast(),
        new SteppedPlan.Frame(
            frame.ints(), frame.longs(), frame.floats(), frame.doubles(), frame.objects()),
        copies,
        code.uses());
  }

  /**
   * {@return whether threads may race for global memory}
   *
   * @param extents the launch
   * @param arguments its arguments
   */
  boolean mayRace(LaunchExtents extents, Object[] arguments) {
    for (boolean may : plan.racing(extents, arguments)) {
      if (may) {
        return true;
      }
    }
    return false;
  }

  private static SteppedPlan.Point point(SteppedCode.Point point) {
    String method = point.meets();
    if (method == null) {
      return new SteppedPlan.Point(null, point.asks(), point.site());
    }
    List<SteppedPlan.Operand> operands = new ArrayList<>();
    for (SteppedCode.Operand operand : point.operands()) {
      operands.add(new SteppedPlan.Operand(operand.slot(), operand.known()));
    }
    return new SteppedPlan.Point(
        new SteppedPlan.Meeting(method, operands, point.results()), null, point.site());
  }

  /** The calls that lead to a place, from the innermost on. */
  static StackTraceElement[] stack(Line place) {
    List<StackTraceElement> stack = new ArrayList<>();
    for (Line line = place; line != null; line = line.caller()) {
      if (!line.isLibraryMath()) {
        String method = line.method().substring(line.method().lastIndexOf('.') + 1);
        stack.add(new StackTraceElement(line.type(), method, line.file(), line.number()));
      }
    }
    return stack.toArray(StackTraceElement[]::new);
  }

  private static SteppedPlan.Site site(SteppedCode.Site site) {
    Trap trap = site.trap();
    return new SteppedPlan.Site(
        stack(site.line()),
        trap == null ? null : mistake(trap),
        trap == null ? "" : trap.message());
  }

  private static SteppedPlan.@Nullable Mistake mistake(Trap trap) {
    return switch (trap.kind()) {
      case INDEX ->
          trap.message().equals(Trap.BYTES) ? SteppedPlan.Mistake.BYTES : SteppedPlan.Mistake.INDEX;
      case ALIGNMENT ->
          trap.message().equals(Trap.WHOLE)
              ? SteppedPlan.Mistake.WHOLE
              : SteppedPlan.Mistake.ALIGNMENT;
      case DIVISION -> SteppedPlan.Mistake.DIVISION;
      case SLICE -> SteppedPlan.Mistake.SLICE;
      case ASSERTION -> SteppedPlan.Mistake.ASSERTION;
      case RANGE -> SteppedPlan.Mistake.RANGE;
    };
  }
}
