package dev.stretto.cli;

import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Printer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Keeps the graph after a pass; if the pass runs more than once, the last one. */
final class PassGraph implements BiConsumer<String, Function> {
  private static final List<String> PASSES =
      List.of(
          "read",
          "simplify",
          "scalars",
          "references",
          "unroll",
          "notes",
          "selects",
          "unroll-some",
          "numbering",
          "addresses");

  private final String pass;
  private @Nullable String graph;

  /**
   * Waits for a pass.
   *
   * @throws CommandFailure if the compiler has no pass of that name
   */
  PassGraph(String pass) {
    if (!PASSES.contains(pass)) {
      throw CommandFailure.wrongCommandLine(
          "--ir " + pass + ": there is no such pass; use one of " + String.join(", ", PASSES));
    }
    this.pass = pass;
  }

  @Override
  public void accept(String done, Function function) {
    if (done.equals(pass)) {
      graph = Printer.print(function); // now, since later passes change the graph
    }
  }

  /** The graph, or nothing if the pass changed nothing. */
  Optional<String> text() {
    return Optional.ofNullable(graph);
  }

  String pass() {
    return pass;
  }

  /** The names of the passes, for the help text and for shells that complete them. */
  static final class Passes implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return PASSES.iterator();
    }
  }
}
