package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.BlockParam;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.Value;
import dev.stretto.fault.CopyRule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Finds everything that a kernel gets wrong about asynchronous copies. */
public final class CopyLints {
  private final LintedKernel kernel;
  private final Regions regions;
  private final List<Op> ops = new ArrayList<>();
  private final Map<List<Object>, Lint> found = new LinkedHashMap<>();

  private CopyLints(Function function, int maxThreads) {
    this.kernel = new LintedKernel(function, maxThreads);
    this.regions = new Regions(kernel);
    kernel.blocks().forEach(block -> ops.addAll(block.ops()));
  }

  /**
   * {@return what is wrong, in the order of the lines}
   *
   * @param function a kernel whose objects lie in registers; it is not changed
   * @param maxThreads the most threads that a block has; 0 if that is not known
   */
  public static List<Lint> of(Function function, int maxThreads) {
    return hasCopies(function) ? new CopyLints(function, maxThreads).run() : List.of();
  }

  private static boolean hasCopies(Function function) {
    return function.blocks().stream()
        .flatMap(block -> block.ops().stream())
        .anyMatch(
            op ->
                switch (Access.of(op).kind()) {
                  case NOTHING, LOAD, STORE, SYNC, PROXY_FENCE, HANDSHAKE, TOUCH -> false;
                  default -> true;
                });
  }

  private List<Lint> run() {
    loads();
    stores();
    barriers();
    commits();
    return found.values().stream()
        .sorted((a, b) -> Integer.compare(a.line().number(), b.line().number()))
        .toList();
  }

  private <S> void follow(Paths.Rule<S> rule, S begin) {
    new Paths<>(kernel, rule).follow(begin);
  }

  /** The known arrays that operations of some kinds have at one of their places. */
  private Set<Object> arrays(ToIntFunction<Access> place, Access.Kind... kinds) {
    Set<Object> arrays = new LinkedHashSet<>();
    for (Op op : ops) {
      Access access = kernel.access(op);
      if (access.is(kinds)) {
        Object base = access.places().get(place.applyAsInt(access)).base();
        if (isKnown(base)) {
          arrays.add(base);
        }
      }
    }
    return arrays;
  }

  /** Whether this base is the same array wherever it is named. */
  private boolean isKnown(Object base) {
    return base instanceof SharedVariable
        || base == OpCode.DYNAMIC_BASE
        || (base instanceof BlockParam param && kernel.function().entry().params().contains(param));
  }

  private static int first(Access access) {
    return 0;
  }

  private static int last(Access access) {
    return access.places().size() - 1;
  }

  // --- copies to shared memory
  // -----------------------------------------------------------------------------------------

  private void loads() {
    for (Object array :
        arrays(
            CopyLints::first, Access.Kind.COPY, Access.Kind.BULK_LOAD, Access.Kind.BULK_LOAD_ALL)) {
      Unwaited unwaited = new Unwaited(array, regions, stored(array), this);
      follow(unwaited, Unwaited.BEGIN);
      follow(unwaited.ofOneThread(), Unwaited.BEGIN);
      if (!kernel.hasOneThread()) {
        follow(new Refills(array, kernel, regions, this), Refills.BEGIN);
      }
    }
    Set<Value> sources = new LinkedHashSet<>();
    for (Op op : ops) {
      Value source = UnfencedSource.source(kernel.access(op));
      if (source != null && isKnown(source)) {
        sources.add(source);
      }
    }
    sources.forEach(
        source -> follow(new UnfencedSource(source, kernel, regions, this), UnfencedSource.BEGIN));
  }

  /**
   * The regions of an array that threads store themselves. Stores for the remainder of a copy do
   * not count.
   */
  private List<Region> stored(Object array) {
    Set<Line> copies = new HashSet<>();
    for (Op op : ops) {
      Access access = kernel.access(op);
      if (access.is(Access.Kind.COPY, Access.Kind.BULK_LOAD, Access.Kind.BULK_LOAD_ALL)
          && access.first().base().equals(array)) {
        copies.add(op.line());
      }
    }
    List<Region> stored = new ArrayList<>();
    for (Op op : ops) {
      Access access = kernel.access(op);
      if (copies.contains(op.line())) {
        continue;
      }
      for (int place = 0; place < access.places().size(); place++) {
        if (!access.places().get(place).base().equals(array)) {
          continue;
        }
        if (access.is(Access.Kind.STORE)) {
          stored.add(regions.of(op, access, place));
        } else if (access.is(Access.Kind.HANDSHAKE, Access.Kind.TOUCH)) {
          stored.add(Region.anywhere(array));
        }
      }
    }
    return stored;
  }

  // --- copies to global memory
  // -----------------------------------------------------------------------------------------

  private void stores() {
    for (Object array : arrays(CopyLints::last, Access.Kind.BULK_STORE)) {
      List<Region> read = new ArrayList<>();
      for (Op op : ops) {
        Access access = kernel.access(op);
        if (access.is(Access.Kind.BULK_STORE) && access.places().getLast().base().equals(array)) {
          read.add(regions.of(op, access, last(access)));
        }
      }
      follow(new Unfenced(array, kernel, regions, read, this), Unfenced.BEGIN);
    }
    for (Object array : arrays(CopyLints::first, Access.Kind.BULK_STORE)) {
      follow(new Unwritten(array, kernel, regions, this), Unwritten.BEGIN);
    }
    if (ops.stream().anyMatch(op -> kernel.access(op).is(Access.Kind.BULK_STORE))) {
      Unread unread = new Unread(this);
      follow(unread, Unread.BEGIN);
      unread.report();
    }
  }

  // --- barrier objects
  // -------------------------------------------------------------------------------------------------

  private void barriers() {
    Set<Object> initialized =
        arrays(CopyLints::first, Access.Kind.BARRIER_INIT, Access.Kind.BARRIER_MAKE);
    boolean allKnown =
        ops.stream()
            .map(kernel::access)
            .filter(access -> access.is(Access.Kind.BARRIER_INIT, Access.Kind.BARRIER_MAKE))
            .allMatch(access -> isKnown(access.first().base()));
    Set<Object> used =
        arrays(
            CopyLints::first,
            Access.Kind.BARRIER_INIT,
            Access.Kind.BARRIER_MAKE,
            Access.Kind.BARRIER_EXPECT,
            Access.Kind.BARRIER_ARRIVE_EXPECT,
            Access.Kind.BARRIER_ARRIVE,
            Access.Kind.BARRIER_WAIT,
            Access.Kind.BARRIER_TEST,
            Access.Kind.COPY_ARRIVE);
    for (Object array : used) {
      boolean never = allKnown && !initialized.contains(array);
      follow(new Initialization(array, never, kernel, this), Initialization.BEGIN);
    }
    new CountedBarriers(kernel, ops)
        .barriers()
        .forEach(
            (barrier, loops) ->
                follow(new ByteCounts(barrier, loops, kernel, this), ByteCounts.BEGIN));
  }

  // --- commits
  // ---------------------------------------------------------------------------------------------------------

  private void commits() {
    Set<Line> copies = new HashSet<>();
    for (Op op : ops) {
      if (kernel.access(op).is(Access.Kind.COPY)) {
        copies.add(op.line());
      }
    }
    for (Op op : ops) {
      Access access = kernel.access(op);
      // The kernel cannot choose where a copy that commits itself does so.
      if (access.is(Access.Kind.COMMIT, Access.Kind.COPY_ARRIVE)
          && !copies.contains(op.line())
          && kernel
              .divergence()
              .couldStandBehind(op, other -> !kernel.access(other).is(Access.Kind.NOTHING))) {
        report(
            op,
            CopyRule.DIVERGENT_COMMIT,
            (access.is(Access.Kind.COMMIT) ? "a commit" : "an arrival of copies")
                + " under a branch that threads of one warp take differently: each "
                + "path adds a group of its own for the whole warp; commit after the "
                + "branch");
      }
    }
  }

  /** Notes a problem at an operation, once for each line and rule. */
  void report(Op op, CopyRule rule, String message) {
    Lint lint = new Lint(op.line(), rule, message);
    found.putIfAbsent(List.of(lint.line().number(), lint.line().file(), rule), lint);
  }
}
