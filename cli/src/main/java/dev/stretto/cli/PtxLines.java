package dev.stretto.cli;

import dev.stretto.compiler.ptx.FaultSite;
import dev.stretto.compiler.ptx.PtxText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Groups a kernel's instructions by the source line that they come from. */
final class PtxLines {
  private static final Pattern PLACE = Pattern.compile("// (.+):(\\d+)");
  private static final Pattern FAILED_CHECK = Pattern.compile("\\$F(\\d+):");
  private static final Pattern EDGE = Pattern.compile("\\bbra (\\$E\\d+);");

  /**
   * A source line; number 0 stands for none: instructions that load parameters and report failed
   * checks.
   */
  record Place(String file, int number) {}

  /**
   * The instructions of a source line.
   *
   * @param place the line
   * @param ptx the instructions, in their order, with the labels before them
   */
  record Line(Place place, List<String> ptx) {}

  private final PtxText text;
  private final Place none;
  private final Map<Place, List<String>> lines = new LinkedHashMap<>();
  private final Map<String, Place> edges = new HashMap<>();
  private final List<String> labels = new ArrayList<>();
  private Place place;

  private PtxLines(PtxText text, String file) {
    this.text = text;
    this.none = new Place(file, 0);
    this.place = none;
  }

  /**
   * The lines: those of the kernel's own file first, then those of inlined methods, each file's in
   * order.
   *
   * @param file the name of the kernel's own source file
   */
  static List<Line> of(PtxText text, String file) {
    return new PtxLines(text, file).sort();
  }

  private List<Line> sort() {
    body().lines().map(String::strip).forEach(this::add);
    take(""); // a label at the very end
    List<String> files = new ArrayList<>(List.of(none.file));
    for (Place each : lines.keySet()) {
      if (!files.contains(each.file)) {
        files.add(each.file);
      }
    }
    return lines.entrySet().stream()
        .map(entry -> new Line(entry.getKey(), List.copyOf(entry.getValue())))
        .sorted(
            Comparator.comparingInt((Line line) -> files.indexOf(line.place.file))
                .thenComparingInt(line -> line.place.number))
        .toList();
  }

  /** The text after the declarations. */
  private String body() {
    String all = text.text();
    int brace = all.indexOf("\n{\n");
    int begin = all.indexOf("\n\n", brace);
    return all.substring(begin, all.lastIndexOf('}'));
  }

  private void add(String line) {
    Matcher comment = PLACE.matcher(line);
    if (comment.matches()) {
      place = new Place(comment.group(1), Integer.parseInt(comment.group(2)));
    } else if (line.startsWith("$") && line.endsWith(":")) {
      place = placeBehind(line);
      labels.add(line);
    } else if (!line.isEmpty()) {
      take(line);
    }
  }

  /** Code at the end of the text belongs to the line that jumps to it. */
  private Place placeBehind(String label) {
    Matcher failed = FAILED_CHECK.matcher(label);
    if (failed.matches()) {
      FaultSite site = text.faults().get(Integer.parseInt(failed.group(1)));
      return new Place(site.file(), site.line());
    }
    if (label.startsWith("$E")) {
      return edges.getOrDefault(label.substring(0, label.length() - 1), none);
    }
    return label.equals("$FAIL:") || label.equals("$TRAP:") ? none : place;
  }

  private void take(String instruction) {
    Matcher edge = EDGE.matcher(instruction);
    if (edge.find()) {
      edges.put(edge.group(1), place);
    }
    if (!labels.isEmpty() || !instruction.isEmpty()) {
      List<String> here = lines.computeIfAbsent(place, any -> new ArrayList<>());
      here.addAll(labels);
      labels.clear();
      if (!instruction.isEmpty()) {
        here.add(instruction);
      }
    }
  }
}
