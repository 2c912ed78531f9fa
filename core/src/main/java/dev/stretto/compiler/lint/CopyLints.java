package dev.stretto.compiler.lint;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.Table;
import dev.stretto.compiler.ir.Value;
import dev.stretto.fault.CopyRule;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Looks through a kernel for everything that it gets wrong about asynchronous copies. */
public final class CopyLints {
  private final Function function;
  private final Table<Op, Access> accesses = new Table<>();
  private final Map<List<Object>, Lint> found = new LinkedHashMap<>();
  private boolean any;

  private CopyLints(Function function) {
    this.function = function;
  }

  /**
   * {@return what is wrong, in the order of the lines}
   *
   * @param function a kernel whose objects lie in registers; it is not changed
   */
  public static List<Lint> of(Function function) {
    return new CopyLints(function).run();
  }

  private List<Lint> run() {
    Set<Object> copied = new LinkedHashSet<>();
    Set<Object> stored = new LinkedHashSet<>();
    Set<Object> written = new LinkedHashSet<>();
    Set<Object> barriers = new LinkedHashSet<>();
    Set<Object> initialized = new LinkedHashSet<>();
    Set<Object> others = new LinkedHashSet<>();
    Set<Value> sources = new LinkedHashSet<>();
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        Access access = Access.of(op);
        accesses.put(op, access);
        Value source = UnfencedSource.source(access);
        if (source != null) {
          sources.add(source);
        }
        switch (access.kind()) {
          case COPY, BULK_LOAD -> copied.add(access.first().base());
          case BULK_LOAD_ALL -> {
            copied.add(access.first().base());
            others.add(access.places().getLast().base());
          }
          case BARRIER_EXPECT_AT -> others.add(access.first().base());
          case BULK_STORE -> {
            written.add(access.first().base());
            stored.add(access.places().getLast().base());
          }
          case BARRIER_INIT -> {
            barriers.add(access.first().base());
            initialized.add(access.first().base());
          }
          case BARRIER_EXPECT, BARRIER_ARRIVE_EXPECT, BARRIER_ARRIVE, BARRIER_WAIT, COPY_ARRIVE ->
              barriers.add(access.first().base());
          default -> {}
        }
        any |=
            switch (access.kind()) {
              case NOTHING, LOAD, STORE, SYNC, PROXY_FENCE -> false;
              default -> true;
            };
      }
    }
    if (!any) {
      return List.of();
    }
    Divergence divergence = new Divergence(function);
    copied.forEach(array -> follow(new Unwaited(array, this), Unwaited.BEGIN));
    copied.forEach(array -> follow(new Refills(array, divergence, this), Refills.BEGIN));
    stored.forEach(array -> follow(new Unfenced(array, divergence, this), Unfenced.BEGIN));
    sources.forEach(array -> follow(new UnfencedSource(array, this), UnfencedSource.BEGIN));
    written.forEach(array -> follow(new Unwritten(array, this), Unwritten.BEGIN));
    if (!stored.isEmpty()) {
      follow(new Unread(this), Unread.BEGIN);
    }
    for (Object array : barriers) {
      follow(
          new Initialization(array, divergence, this),
          initialized.contains(array) ? Initialization.BEGIN : Initialization.NEVER);
      // Other blocks may bring the bytes.
      if (!others.contains(array)) {
        follow(new ByteCounts(array, this), ByteCounts.BEGIN);
      }
    }
    commits(divergence);
    return found.values().stream()
        .sorted((a, b) -> Integer.compare(a.line().number(), b.line().number()))
        .toList();
  }

  private <S> void follow(Paths.Rule<S> rule, S begin) {
    new Paths<>(function, accesses, rule).follow(begin);
  }

  private void commits(Divergence divergence) {
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        Access access = accesses.get(op);
        if (access.is(Access.Kind.COMMIT, Access.Kind.COPY_ARRIVE)
            && divergence.isDivergent(block)) {
          report(
              op,
              CopyRule.DIVERGENT_COMMIT,
              (access.is(Access.Kind.COMMIT) ? "a commit" : "an arrival of copies")
                  + " under a branch that threads of a warp take differently: each of them makes"
                  + " a group of its own for the whole warp; commit behind the branch");
        }
      }
    }
  }

  /** Notes what is wrong at an operation, once for each line and rule. */
  void report(Op op, CopyRule rule, String message) {
    reportAt(op.line(), rule, message);
  }

  /** Notes what is wrong at a line. */
  void reportAt(Line line, CopyRule rule, String message) {
    Lint lint = new Lint(line, rule, message);
    found.putIfAbsent(List.of(lint.line().number(), lint.line().file(), rule), lint);
  }
}
