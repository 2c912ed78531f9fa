package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.JavaCall;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Verifier;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** All passes, in their order. */
public final class Passes {
  private static final int MOST_ROUNDS = 2_000;
  private static final List<Pass> LAST =
      List.of(
          new IfConversion(),
          new FloatRounds(),
          new Divisions(),
          new Simplify(),
          new ValueNumbering(),
          new ConstantSums(),
          new Addressing(),
          new ValueNumbering(),
          new EarlyAddresses(),
          new Strides(),
          new CommonAddresses(),
          new ValueNumbering(),
          new Simplify(),
          new UnsignedLoads(),
          new EarlyOperands(),
          new MergedBarriers(),
          new MetLanes(),
          new ReadFences());

  private final BiConsumer<String, Function> listener;

  /**
   * Creates a pipeline.
   *
   * @param listener receives the kernel after each pass that changed it
   */
  public Passes(BiConsumer<String, Function> listener) {
    this.listener = listener;
  }

  /**
   * Turns a kernel from the graph that was read into the graph that is written.
   *
   * @param accepted receives the kernel when all of its objects are in registers and all of its
   *     constants are known, before loads, stores and branches are moved
   */
  public void run(Function function, Consumer<Function> accepted) {
    verify("read", function);
    listener.accept("read", function);
    dissolve(function, _ -> true);
    Pass simplify = new Simplify();
    if (apply(new Notes(), function)) {
      apply(simplify, function);
    }
    apply(new UnusedGroups(), function);
    if (apply(new FreshOperands(), function)) {
      apply(simplify, function);
    }
    accepted.accept(function);
    if (apply(new JoinedBranches(), function)) {
      apply(simplify, function);
    }
    while (apply(LAST.getFirst(), function)) {
      apply(simplify, function);
    }
    apply(new Invariants(), function);
    if (apply(new UnrollSome(), function)) {
      apply(simplify, function);
    }
    for (Pass pass : LAST.subList(1, LAST.size())) {
      apply(pass, function);
    }
  }

  /** Makes a kernel that is written wait itself for those before it, where a target can. */
  public void runFor(int sm, Function function) {
    if (sm >= AwaitedGrids.SM) {
      apply(new AwaitedGrids(), function);
    }
  }

  /** Takes objects and local arrays apart, and requires that none is left. */
  private void dissolve(Function function, Predicate<Loop> mayBeShort) {
    Pass simplify = new Simplify();
    Pass scalars = new ScalarReplacement();
    Pass references = new SplitReferences();
    Pass constants = new ConstantReads();
    Pass unroll = new Unroll(mayBeShort);
    apply(simplify, function);
    for (int round = 0; round < MOST_ROUNDS; round++) {
      boolean changed = apply(constants, function);
      changed |= apply(scalars, function);
      changed |= apply(references, function);
      if (changed) {
        apply(simplify, function);
        continue;
      }
      if (!apply(unroll, function)) {
        break;
      }
      apply(simplify, function);
    }
    Accepted.require(function);
  }

  /**
   * Turns a kernel that was read for the JVM into one whose objects are all in registers.
   *
   * @param function the kernel
   * @param unrollsCopies whether short loops are unrolled in which threads copy; each copy in the
   *     class has to become warm by itself
   */
  public void runForCalls(Function function, boolean unrollsCopies) {
    verify("read", function);
    listener.accept("read", function);
    dissolve(function, loop -> unrollsCopies || !copies(loop));
    if (apply(new ValueNumbering(), function)) {
      apply(new Simplify(), function);
    }
  }

  private static boolean copies(Loop loop) {
    return loop.body().stream()
        .flatMap(block -> block.ops().stream())
        .anyMatch(op -> op.code() == OpCode.CALL && isOfCopies(op.attribute(JavaCall.class)));
  }

  private static boolean isOfCopies(JavaCall call) {
    String type = call.owner().substring(call.owner().lastIndexOf('/') + 1);
    return type.startsWith("Ptx") || type.startsWith("Copy");
  }

  private boolean apply(Pass pass, Function function) {
    boolean changed = pass.run(function);
    if (changed) {
      verify(pass.name(), function);
      listener.accept(pass.name(), function);
    }
    return changed;
  }

  private static void verify(String after, Function function) {
    try {
      Verifier.verify(function);
    } catch (IllegalStateException e) {
      throw new IllegalStateException("after " + after + ": " + e.getMessage(), e);
    }
  }
}
