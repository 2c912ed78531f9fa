package dev.stretto.cli;

import dev.stretto.compiler.bank.SharedAccess;
import dev.stretto.compiler.ir.LoweredCopy;
import dev.stretto.compiler.lint.Lint;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Help.Ansi;

/** Prints an explanation: source lines on the left, PTX on the right. */
final class ExplanationText {
  /**
   * The last column where the PTX may begin; instructions are seldom longer than the rest of the
   * line.
   */
  private static final int MOST_SOURCE = 60;

  private static final int PTX_WIDTH = 40;
  private static final String MARGIN = "  ";

  private final Explanation explanation;
  private final Console console;

  ExplanationText(Explanation explanation, Console console) {
    this.explanation = explanation;
    this.console = console;
  }

  /** Two lines: the kernel, and its resource usage. */
  List<String> summary() {
    NamedKernel kernel = explanation.kernel();
    return List.of(
        "%s of %s for %s%s"
            .formatted(
                kernel.method(),
                kernel.className(),
                explanation.target(),
                explanation.checked() ? ", checked" : ""),
        explanation
            .resources()
            .map(this::resources)
            .orElse(
                "Its resource usage is not known: there is no ptxas on the path or "
                    + "in $PTXAS, and no GPU."));
  }

  private String resources(Resources resources) {
    StringBuilder line = new StringBuilder();
    line.append(resources.registers()).append(" registers, ");
    line.append(amount(resources.sharedBytes(), "static shared memory")).append(", ");
    if (explanation.text().movedBytes() > 0) {
      line.append(explanation.text().movedBytes()).append(" bytes of dynamic shared memory, ");
    }
    if (resources.spillStoreBytes().isEmpty()) {
      line.append(amount(resources.stackBytes(), "stack frame and spills"));
    } else {
      line.append(amount(resources.stackBytes(), "stack frame")).append(", ");
      line.append(spills(resources.spillStoreBytes(), resources.spillLoadBytes()));
    }
    return line.append(" (").append(resources.tool()).append(')').toString();
  }

  private static String amount(int bytes, String what) {
    return bytes == 0 ? "no " + what : bytes + " bytes of " + what;
  }

  private static String spills(Optional<Integer> stores, Optional<Integer> loads) {
    return stores.orElse(0) + loads.orElse(0) == 0
        ? "no spills"
        : "spills: " + stores.orElse(0) + " bytes stored, " + loads.orElse(0) + " loaded";
  }

  /** Prints the summary, a line for each array, and, file by file, the lines. */
  void print() {
    List<PtxLines.Line> lines = explanation.lines();
    int width = sourceWidth(lines);
    summary().forEach(console::println);
    explanation.residency().forEach(blocks -> console.println(blocks.toString()));
    explanation.arrays().forEach(array -> console.println(array.toString()));
    sharedMemory();
    copies();
    lints();
    conflicts();
    String file = "";
    for (PtxLines.Line line : lines) {
      if (!line.place().file().equals(file)) {
        file = line.place().file();
        console.println("");
        console.println(bold(file));
      }
      print(line, width);
    }
  }

  /**
   * A section for each copy: the instruction that it became, why, and which threads have to wait.
   */
  private void copies() {
    for (LoweredCopy copy : explanation.inspected().kernel().copies()) {
      String bytes =
          copy.bytes().isPresent()
              ? copy.bytes().getAsInt() + " bytes"
              : "an unknown number of bytes";
      console.println("");
      console.println(bold("%s: %s".formatted(copy.line(), copy.mechanism())));
      console.println(
          "  %s, %s, aligned to %d: %s"
              .formatted(copy.direction(), bytes, copy.alignment(), copy.reason()));
      console.println("  complete: " + copy.completion());
      if (!copy.rest().isEmpty()) {
        console.println("  remainder: " + copy.rest());
      }
    }
  }

  private void lints() {
    for (Lint lint : explanation.inspected().lints()) {
      console.println("");
      console.println(bold("%s: %s".formatted(lint.line(), lint.rule().title())));
      console.println("  " + lint.message());
    }
  }

  /** How many places access shared memory, and how many of them as fast as can be. */
  private void sharedMemory() {
    List<SharedAccess> all = explanation.inspected().accesses();
    if (!all.isEmpty()) {
      long conflicts = all.stream().filter(SharedAccess::hasConflict).count();
      long unknown = all.stream().filter(access -> !access.isKnown()).count();
      console.println(
          "Shared memory: %d %s, %s with bank conflicts%s"
              .formatted(
                  all.size(),
                  all.size() == 1 ? "access" : "accesses",
                  conflicts == 0 ? "none" : String.valueOf(conflicts),
                  unknown == 0 ? "" : ", %d not known".formatted(unknown)));
    }
  }

  private void conflicts() {
    for (SharedAccess access : explanation.conflicts()) {
      console.println("");
      console.println(bold("%s: %s".formatted(access.line(), access.title())));
      console.println("  " + access.message());
    }
  }

  /** Beside the line: the same in a few words. */
  private List<String> remarks(PtxLines.Line line) {
    return explanation.conflicts().stream()
        .filter(access -> access.line().file().equals(line.place().file()))
        .filter(access -> access.line().number() == line.place().number())
        .map(access -> "// %s (%s)".formatted(access.title(), access.kind()))
        .distinct()
        .toList();
  }

  private int sourceWidth(List<PtxLines.Line> lines) {
    int longest = lines.stream().mapToInt(line -> source(line).length()).max().orElse(0);
    return Math.min(longest, Math.clamp(console.width() - PTX_WIDTH, 0, MOST_SOURCE));
  }

  private String source(PtxLines.Line line) {
    return explanation.sources().line(line.place().file(), line.place().number()).orElse("");
  }

  private void print(PtxLines.Line line, int width) {
    String number = line.place().number() == 0 ? "" : Integer.toString(line.place().number());
    String source = source(line);
    if (source.length() > width) {
      console.println("%5s%s%s".formatted(number, MARGIN, source));
      number = "";
      source = "";
    }
    for (String instruction : line.ptx()) {
      console.println(
          ("%5s" + MARGIN).formatted(number) + pad(source, width) + indent(instruction, width));
      number = "";
      source = "";
    }
    for (String remark : remarks(line)) {
      console.println(" ".repeat(5) + MARGIN + " ".repeat(width) + indent(remark, width));
    }
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(width - text.length());
  }

  /** Indents instructions; labels stand to the left of them. */
  private static String indent(String instruction, int width) {
    String margin = width == 0 ? "" : MARGIN;
    return margin + (instruction.endsWith(":") ? instruction : MARGIN + instruction);
  }

  private static String bold(String text) {
    return Ansi.AUTO.enabled() ? "\033[1m" + text + "\033[22m" : text;
  }
}
