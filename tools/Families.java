import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the Java files that differ only in a type, a number of parameters or an operation, from
 * the templates in {@code tools/families}: {@code java tools/Families.java} rewrites them, {@code
 * java tools/Families.java check} says which ones differ from their templates.
 *
 * <p>A template is Java text with placeholders, and with directives on lines of their own. Its line
 * breaks and indentation do not matter: {@code tools/format} lays out what comes of it.
 *
 * <pre>
 * ## …                              a comment
 * #include FILE                     that file's lines, usually tables that templates share
 * #file PATH                        what follows goes to this file
 * #table NAME                       rows of cells between |; the first row names the columns;
 *                                   a cell may have placeholders; a | in one is \|
 * #for TABLE [first N] [where C]    once for each row; the columns are values there
 * #if C, #else if C, #else          C is NAME (is not empty), NAME = TEXT or NAME != TEXT
 * #let NAME = TEXT                  a value for what follows, up to the end of the loop
 * #end                              ends a table, a loop or a condition
 * ${NAME}  ${NAME + 2}              a value; a sum
 * ${join TABLE [first N] [where C]: TEXT}    TEXT for each row, with commas between
 * </pre>
 */
final class Families {
  private static final Path TEMPLATES = Path.of("tools/families");
  private static final Path GENERATED = Path.of("target/families");
  private static final String COMMAND = "java tools/Families.java";
  private static final String HEADER = "// Generated from ";

  private Families() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    boolean check = List.of(args).equals(List.of("check"));
    if (args.length > 0 && !check || !Files.isDirectory(TEMPLATES)) {
      System.err.println("usage, in the root of the repository: " + COMMAND + " [check]");
      System.exit(2);
    }
    try {
      System.exit(run(check) ? 0 : 1);
    } catch (TemplateException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private static boolean run(boolean check) throws IOException, InterruptedException {
    Output output = new Output();
    for (Path template : filesBelow(TEMPLATES, ".template")) {
      output.end();
      new Block(new Reader(template).readAll()).write(new Scope(Map.of()), output);
    }
    layOut(output);
    boolean fine = true;
    for (Path file : output.files.keySet()) {
      String text = Files.readString(GENERATED.resolve(file));
      if (Files.exists(file) && Files.readString(file).equals(text)) {
        continue;
      }
      if (check) {
        System.err.println(file + " differs from its template; rewrite it: " + COMMAND);
        fine = false;
      } else {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        System.out.println(file);
      }
    }
    return noneIsLeftOver(output) && fine;
  }

  /** Has the formatter decide on line breaks, which depend on how long names are. */
  private static void layOut(Output output) throws IOException, InterruptedException {
    for (Path old : Files.exists(GENERATED) ? filesBelow(GENERATED, ".java") : List.<Path>of()) {
      Files.delete(old);
    }
    for (Map.Entry<Path, StringBuilder> file : output.files.entrySet()) {
      Path path = GENERATED.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
    ProcessBuilder format = new ProcessBuilder("tools/format", GENERATED.toString()).inheritIO();
    if (Runtime.version().feature() == 25) {
      // Maven may have found its JDK 25 where the script would not look.
      format.environment().put("JAVA_HOME", System.getProperty("java.home"));
    }
    if (format.start().waitFor() != 0) {
      throw new TemplateException("tools/format could not format what is in " + GENERATED);
    }
  }

  private static boolean noneIsLeftOver(Output output) throws IOException {
    boolean none = true;
    for (Path file : filesBelow(Path.of(""), ".java")) {
      if (!output.files.containsKey(file) && Files.readString(file).startsWith(HEADER)) {
        System.err.println(file + " has no template any more; delete it or its first line");
        none = false;
      }
    }
    return none;
  }

  private static List<Path> filesBelow(Path folder, String ending) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            String name = dir.getFileName().toString();
            boolean ours = dir.equals(folder) || !(name.equals("target") || name.startsWith("."));
            return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(ending)) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(null);
    return files;
  }

  /** A template is wrong; the message says where and how. */
  private static final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TemplateException(String message) {
      super(message);
    }
  }

  /** A line of a template. */
  private record Line(Path template, int number, String text) {
    boolean isDirective() {
      return text.stripLeading().startsWith("#");
    }

    /** {@return the word after the {@code #}} */
    String directive() {
      return text.strip().split("\\s+", 2)[0];
    }

    /** {@return what stands after the directive} */
    String rest() {
      String[] parts = text.strip().split("\\s+", 2);
      return parts.length == 1 ? "" : parts[1];
    }

    TemplateException wrong(String what) {
      return new TemplateException(template + ":" + number + ": " + what);
    }
  }

  /** The files that templates write. */
  private static final class Output {
    final Map<Path, StringBuilder> files = new LinkedHashMap<>();
    private StringBuilder current;

    void begin(Line line, Path file) {
      current = new StringBuilder(HEADER + line.template());
      current.append(" by tools/Families.java. Do not edit.\n");
      if (files.put(file, current) != null) {
        throw line.wrong(file + " is written twice");
      }
    }

    void append(Line line, String text) {
      if (current != null) {
        current.append(text).append('\n');
      } else if (!text.isBlank()) {
        throw line.wrong("text before the first #file");
      }
    }

    /** What a template writes next has to name its file first. */
    void end() {
      current = null;
    }
  }

  /** Rows of a table, each with a value for every column. */
  private record Table(List<Map<String, String>> rows) {}

  /** Values and tables by name; an inner scope sees those of the outer one. */
  private static final class Scope {
    private final Map<String, Object> names;

    Scope(Map<String, ?> names) {
      this.names = new HashMap<>(names);
    }

    Scope inner(Map<String, String> row) {
      Scope inner = new Scope(names);
      inner.names.putAll(row);
      return inner;
    }

    void define(String name, Object value) {
      names.put(name, value);
    }

    String value(Line line, String name) {
      if (names.get(name) instanceof String value) {
        return value;
      }
      throw line.wrong("there is no value " + name);
    }

    Table table(Line line, String name) {
      if (names.get(name) instanceof Table table) {
        return table;
      }
      throw line.wrong("there is no table " + name);
    }

    /** Replaces each placeholder of a text. */
    String expand(Line line, String text) {
      StringBuilder expanded = new StringBuilder();
      int from = 0;
      for (int at = text.indexOf("${"); at >= 0; at = text.indexOf("${", from)) {
        int end = closing(line, text, at + 2);
        expanded.append(text, from, at).append(placeholder(line, text.substring(at + 2, end)));
        from = end + 1;
      }
      return expanded.append(text.substring(from)).toString();
    }

    private static int closing(Line line, String text, int from) {
      int open = 1;
      for (int i = from; i < text.length(); i++) {
        open += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
        if (open == 0) {
          return i;
        }
      }
      throw line.wrong("a placeholder is not closed: " + text.substring(from));
    }

    private String placeholder(Line line, String text) {
      if (text.startsWith("join ")) {
        int colon = text.indexOf(": ");
        if (colon < 0) {
          throw line.wrong("there is no ': ' in ${" + text + "}");
        }
        return Rows.parse(line, text.substring("join ".length(), colon)).of(this).stream()
            .map(row -> row.expand(line, text.substring(colon + 2)))
            .collect(Collectors.joining(", "));
      }
      String[] terms = text.split(" \\+ ", -1);
      return terms.length == 1
          ? expand(line, value(line, text))
          : String.valueOf(Stream.of(terms).mapToInt(term -> number(line, term)).sum());
    }

    /** {@return a number, or the number that a name stands for} */
    int number(Line line, String term) {
      String digits = term.matches("\\d+") ? term : value(line, term);
      try {
        return Integer.parseInt(digits);
      } catch (NumberFormatException e) {
        throw line.wrong(term + " is no number: " + digits);
      }
    }
  }

  /** Some rows of a table: {@code TABLE [first N] [where C]}. */
  private record Rows(Line line, String table, String first, Condition condition) {
    static Rows parse(Line line, String text) {
      String[] where = text.split(" where ", 2);
      String[] first = where[0].split(" first ", 2);
      return new Rows(
          line,
          first[0].strip(),
          first.length == 1 ? "" : first[1].strip(),
          where.length == 1 ? null : Condition.parse(line, where[1]));
    }

    List<Scope> of(Scope scope) {
      List<Map<String, String>> rows = scope.table(line, scope.expand(line, table)).rows();
      return rows.stream()
          .limit(first.isEmpty() ? rows.size() : scope.number(line, first))
          .map(scope::inner)
          .filter(row -> condition == null || condition.holds(row))
          .toList();
    }
  }

  /** {@code NAME}, {@code NAME = TEXT} or {@code NAME != TEXT}. */
  private record Condition(Line line, String name, boolean equal, String text) {
    static Condition parse(Line line, String text) {
      String[] parts = text.split(" !?= ", 2);
      boolean equal = parts.length == 2 && text.charAt(parts[0].length() + 1) == '=';
      return new Condition(
          line, parts[0].strip(), equal, parts.length == 1 ? "" : parts[1].strip());
    }

    boolean holds(Scope scope) {
      return scope.value(line, name).equals(scope.expand(line, text)) == equal;
    }
  }

  /** A part of a template. */
  private interface Part {
    void write(Scope scope, Output output);
  }

  private record Block(List<Part> parts) implements Part {
    @Override
    public void write(Scope scope, Output output) {
      parts.forEach(part -> part.write(scope, output));
    }
  }

  private record Text(Line line) implements Part {
    @Override
    public void write(Scope scope, Output output) {
      output.append(line, scope.expand(line, line.text()));
    }
  }

  private record ToFile(Line line) implements Part {
    @Override
    public void write(Scope scope, Output output) {
      output.begin(line, Path.of(scope.expand(line, line.rest())));
    }
  }

  private record Let(Line line, String name, String text) implements Part {
    @Override
    public void write(Scope scope, Output output) {
      scope.define(name, scope.expand(line, text));
    }
  }

  private record Define(String name, Table table) implements Part {
    @Override
    public void write(Scope scope, Output output) {
      scope.define(name, table);
    }
  }

  private record For(Rows rows, Block body) implements Part {
    @Override
    public void write(Scope scope, Output output) {
      rows.of(scope).forEach(row -> body.write(row, output));
    }
  }

  private record If(Condition condition, Block then, Block otherwise) implements Part {
    @Override
    public void write(Scope scope, Output output) {
      (condition.holds(scope) ? then : otherwise).write(scope, output);
    }
  }

  /** Reads a template's lines as parts. */
  private static final class Reader {
    private static final Pattern CELLS = Pattern.compile("(?<!\\\\)\\|");

    private final Path template;
    private final List<Line> lines = new ArrayList<>();
    private int next;

    Reader(Path template) throws IOException {
      this.template = template;
      int number = 0;
      for (String text : Files.readAllLines(template)) {
        lines.add(new Line(template, ++number, text));
      }
    }

    List<Part> readAll() throws IOException {
      List<Part> parts = parts();
      if (next < lines.size()) {
        throw lines.get(next).wrong("there is nothing to end here");
      }
      return parts;
    }

    /** Reads up to an {@code #end} or {@code #else}, which is left to be read. */
    private List<Part> parts() throws IOException {
      List<Part> parts = new ArrayList<>();
      while (next < lines.size()) {
        Line line = lines.get(next);
        String directive = line.isDirective() ? line.directive() : "";
        if (directive.equals("#end") || directive.equals("#else")) {
          break;
        }
        next++;
        switch (directive) {
          case "" -> parts.add(new Text(line));
          case "##" -> {}
          case "#include" -> parts.addAll(included(line));
          case "#file" -> parts.add(new ToFile(line));
          case "#let" -> parts.add(let(line));
          case "#table" -> parts.add(new Define(line.rest(), table(line)));
          case "#for" -> {
            Rows rows = Rows.parse(line, line.rest());
            parts.add(new For(rows, new Block(parts())));
            end(line);
          }
          case "#if" -> parts.add(choice(line, line.rest()));
          default -> throw line.wrong("there is no directive " + directive);
        }
      }
      return parts;
    }

    /** Reads up to and including the {@code #end}. */
    private If choice(Line begin, String condition) throws IOException {
      Block then = new Block(parts());
      List<Part> otherwise = List.of();
      boolean ends = true;
      if (next < lines.size() && lines.get(next).directive().equals("#else")) {
        Line line = lines.get(next++);
        ends = !line.rest().startsWith("if ");
        otherwise = ends ? parts() : List.of(choice(line, line.rest().substring("if ".length())));
      }
      if (ends) {
        end(begin);
      }
      return new If(Condition.parse(begin, condition), then, new Block(otherwise));
    }

    private List<Part> included(Line line) throws IOException {
      Path file = template.resolveSibling(line.rest());
      if (!Files.exists(file)) {
        throw line.wrong("there is no " + file);
      }
      return new Reader(file).readAll();
    }

    private void end(Line begin) {
      if (next == lines.size() || !lines.get(next++).directive().equals("#end")) {
        throw begin.wrong(begin.directive() + " has no #end");
      }
    }

    private static Let let(Line line) {
      String[] parts = line.rest().split("\\s*=\\s*", 2);
      if (parts.length == 1) {
        throw line.wrong("there is no = in a #let");
      }
      return new Let(line, parts[0], parts[1]);
    }

    private Table table(Line begin) {
      List<String> columns = null;
      List<Map<String, String>> rows = new ArrayList<>();
      while (next < lines.size() && !lines.get(next).isDirective()) {
        Line line = lines.get(next++);
        List<String> cells =
            Stream.of(CELLS.split(line.text(), -1))
                .map(cell -> cell.strip().replace("\\|", "|"))
                .toList();
        if (columns == null) {
          columns = cells;
        } else if (cells.size() != columns.size()) {
          throw line.wrong(cells.size() + " cells in a table of " + columns.size() + " columns");
        } else {
          Map<String, String> row = new HashMap<>();
          for (int i = 0; i < cells.size(); i++) {
            row.put(columns.get(i), cells.get(i));
          }
          rows.add(row);
        }
      }
      end(begin);
      return new Table(rows);
    }
  }
}
