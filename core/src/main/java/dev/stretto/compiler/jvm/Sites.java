package dev.stretto.compiler.jvm;

import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Trap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The places of a kernel that a report may name. Their numbers stand for lines in the class. */
final class Sites {
  private final List<SteppedCode.Site> all = new ArrayList<>();
  private final Map<Line, Integer> lines = new HashMap<>();

  /** The number of a line's place. */
  int of(Line line) {
    return lines.computeIfAbsent(line, it -> add(it, null));
  }

  /** The number of a place where a thread may fail. */
  int of(Line line, Trap trap) {
    return add(line, trap);
  }

  private int add(Line line, @Nullable Trap trap) {
    all.add(new SteppedCode.Site(line, trap));
    return all.size() - 1;
  }

  List<SteppedCode.Site> all() {
    return List.copyOf(all);
  }
}
