package dev.stretto.compiler;

import dev.stretto.compiler.KernelTree.*;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes a kernel smaller for as long as it goes on showing a mistake. */
final class KernelShrinker {
  private final Predicate<Kernel> shows;
  private Kernel kernel;
  private int attempts;

  private KernelShrinker(Kernel kernel, Predicate<Kernel> shows, int attempts) {
    this.kernel = kernel;
    this.shows = shows;
    this.attempts = attempts;
  }

  /**
   * {@return a kernel of which no part can be left out without losing the mistake}
   *
   * @param shows whether a kernel shows the mistake
   * @param attempts how often that is asked at most
   */
  static Kernel shrink(Kernel kernel, Predicate<Kernel> shows, int attempts) {
    KernelShrinker shrinker = new KernelShrinker(kernel, shows, attempts);
    shrinker.run();
    return shrinker.kernel;
  }

  private void run() {
    boolean changed = true;
    while (changed && attempts > 0) {
      changed = launch();
      // From the outside to the inside: what is large goes first.
      for (int place = 0; place < KernelTree.size(kernel) && attempts > 0; place++) {
        changed |= shrinkAt(place);
      }
    }
  }

  /** Fewer threads, helpers and classes, and elements side by side. */
  private boolean launch() {
    boolean changed = false;
    boolean meet = KernelGenerator.threadsMeet(kernel);
    int[] one = {1, 1};
    int[] warp = {meet ? 32 : 1, 1};
    Kernel k = kernel;
    changed |= attempt(with(k, one, warp, false, k.types(), k.helpers()));
    k = kernel;
    changed |= attempt(with(k, one, k.block(), k.strided(), k.types(), k.helpers()));
    k = kernel;
    changed |= attempt(with(k, k.grid(), k.block(), false, k.types(), k.helpers()));
    for (Helper helper : List.copyOf(kernel.helpers())) {
      List<Helper> others = new ArrayList<>(kernel.helpers());
      others.remove(helper);
      k = kernel;
      changed |= attempt(with(k, k.grid(), k.block(), k.strided(), k.types(), others));
    }
    for (ObjectType type : List.copyOf(kernel.types())) {
      List<ObjectType> others = new ArrayList<>(kernel.types());
      others.remove(type);
      k = kernel;
      changed |= attempt(with(k, k.grid(), k.block(), k.strided(), others, k.helpers()));
    }
    return changed;
  }

  private static Kernel with(
      Kernel kernel,
      int[] grid,
      int[] block,
      boolean strided,
      List<ObjectType> types,
      List<Helper> helpers) {
    return new Kernel(kernel.name(), grid, block, strided, types, helpers, kernel.body());
  }

  private boolean isSmaller(Kernel now) {
    return KernelTree.size(now) < KernelTree.size(kernel)
        || now.threads() < kernel.threads()
        || (kernel.strided() && !now.strided())
        || now.helpers().size() < kernel.helpers().size()
        || now.types().size() < kernel.types().size();
  }

  /** Keeps a kernel if it is right, and shows the mistake as well. */
  private boolean attempt(Kernel now) {
    if (attempts <= 0 || !KernelScopes.areRight(now)) {
      return false;
    }
    attempts--;
    if (!shows.test(now)) {
      return false;
    }
    kernel = now;
    return true;
  }

  private boolean shrinkAt(int place) {
    boolean changed = false;
    boolean again = true;
    while (again && attempts > 0) {
      again = false;
      Node node = at(kernel, new int[] {place});
      if (node == null) {
        return changed;
      }
      for (Node candidate : smaller(node)) {
        Kernel now = (Kernel) replaced(kernel, new int[] {place}, candidate);
        if (isPlainer(candidate, node, now) && attempt(now)) {
          again = true;
          changed = true;
          break;
        }
      }
    }
    return changed;
  }

  /** Whether something is gained, so that shrinking ends. */
  private boolean isPlainer(Node candidate, Node node, Kernel now) {
    return isSmaller(now) || weight(candidate) < weight(node);
  }

  private static int weight(Node node) {
    return switch (node) {
      case Literal it -> it.value().equals(zero(it.kind()).value()) ? 0 : 1;
      case Expression it -> 2;
      case Slot it -> it.style() + (it.index() == null || it.index().counter() != null ? 10 : 0);
      case Loop it -> it.layout().ordinal() + (it.fuel() > 0 ? 5 : 0);
      default -> 0;
    };
  }

  private static Node at(Node node, int[] left) {
    if (left[0]-- == 0) {
      return node;
    }
    for (Node child : node.children()) {
      Node found = at(child, left);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  @SuppressWarnings("ReferenceEquality") // trees are large
  private static Node replaced(Node node, int[] left, Node by) {
    if (left[0]-- == 0) {
      return by;
    }
    List<Node> children = new ArrayList<>();
    boolean changed = false;
    for (Node child : node.children()) {
      Node now = left[0] < 0 ? child : replaced(child, left, by);
      changed |= now != child;
      children.add(now);
    }
    return changed ? node.with(children) : node;
  }

  // What may stand in place of what.

  private static List<Node> smaller(Node node) {
    List<Node> candidates = new ArrayList<>();
    switch (node) {
      case Body it -> bodies(it, candidates);
      case Literal it -> candidates.add(zero(it.kind()));
      case Expression it -> {
        candidates.add(zero(it.kind()));
        inside(it, it.kind(), candidates);
      }
      case New it -> {}
      case Make it -> {}
      case Inner it -> {}
      case Alias it -> {}
      case ChooseObject it -> candidates.addAll(List.of(it.yes(), it.no()));
      case Slot it -> {
        candidates.add(new Slot(new Index(null, 0, 0), null, 0));
        candidates.add(new Slot(it.index(), it.computed(), 0));
      }
      case Loop it -> {
        candidates.add(loop(it, Layout.TOP, it.fuel()));
        candidates.add(loop(it, it.layout(), 0));
      }
      default -> {}
    }
    return candidates;
  }

  private static Loop loop(Loop it, Layout layout, int fuel) {
    boolean ends = fuel > 0 || it.fuel() == 0;
    return new Loop(
        layout,
        it.counter(),
        it.start(),
        it.comparison(),
        it.bound(),
        it.step(),
        it.amount(),
        ends ? fuel : it.fuel(),
        it.body());
  }

  /** Expressions of a kind that are part of another one. */
  private static void inside(Node node, Kind kind, List<Node> found) {
    for (Node child : node.children()) {
      if (child instanceof Expression expression && expression.kind() == kind) {
        found.add(expression);
      } else {
        inside(child, kind, found);
      }
    }
  }

  private static Literal zero(Kind kind) {
    return new Literal(
        kind,
        switch (kind) {
          case BOOL -> (Object) false;
          case LONG -> (Object) 0L;
          case FLOAT -> (Object) 0f;
          case DOUBLE -> (Object) 0d;
          default -> (Object) 0;
        });
  }

  private static void bodies(Body body, List<Node> candidates) {
    List<Statement> all = body.statements();
    for (int length = all.size(); length > 0; length /= 2) {
      for (int from = 0; from + length <= all.size(); from += length) {
        List<Statement> others = new ArrayList<>(all.subList(0, from));
        others.addAll(all.subList(from + length, all.size()));
        candidates.add(new Body(others));
      }
    }
    for (int i = 0; i < all.size(); i++) {
      for (List<Statement> instead : unwrapped(all.get(i))) {
        List<Statement> now = new ArrayList<>(all);
        now.remove(i);
        now.addAll(i, instead);
        candidates.add(new Body(now));
      }
      Body without = without(body, i);
      if (without != null) {
        candidates.add(without);
      }
    }
  }

  /** What is inside a statement, in its place. */
  private static List<List<Statement>> unwrapped(Statement statement) {
    return switch (statement) {
      case If it -> List.of(it.yes().statements(), it.no().statements());
      case Switch it -> {
        List<List<Statement>> ways = new ArrayList<>();
        it.cases().forEach(way -> ways.add(way.statements()));
        ways.add(it.otherwise().statements());
        yield ways;
      }
      case Loop it -> {
        List<Statement> once = new ArrayList<>();
        once.add(new Declare(it.counter(), it.start()));
        once.addAll(it.body().statements());
        yield List.of(once);
      }
      default -> List.of();
    };
  }

  /** A body in which a declaration is gone, and 0 wherever it was used. */
  private static Body without(Body body, int number) {
    Object gone =
        switch (body.statements().get(number)) {
          case Declare it -> it.variable();
          case Update it -> it.variable();
          case Meet it -> it.variable();
          case Share it -> it.variable();
          case DeclareArray it -> it.array();
          case DeclareObject it -> it.object();
          default -> null;
        };
    if (gone == null) {
      return null;
    }
    List<Statement> others = new ArrayList<>(body.statements());
    others.remove(number);
    return (Body) KernelTree.map(new Body(others), node -> forget(node, gone));
  }

  private static Node forget(Node node, Object gone) {
    return switch (node) {
      case Read it when it.variable().equals(gone) -> zero(it.kind());
      case Element it when it.array().equals(gone) -> zero(it.kind());
      case Component it when it.object().equals(gone) -> zero(it.kind());
      case Body it ->
          new Body(it.statements().stream().filter(statement -> !sets(statement, gone)).toList());
      default -> node;
    };
  }

  private static boolean sets(Statement statement, Object gone) {
    return switch (statement) {
      case Assign it -> it.variable().equals(gone);
      case SetElement it -> it.array().equals(gone);
      case AssignObject it -> it.object().equals(gone);
      case SetField it -> it.object().equals(gone);
      case SetInner it -> it.object().equals(gone);
      default -> false;
    };
  }
}
