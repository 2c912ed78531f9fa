package dev.stretto.compiler;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The assembler of the CUDA toolkit, where it is installed. */
public final class Ptxas {
  private static final Pattern NUMBER = Pattern.compile("line (\\d+)");

  private static final Pattern ENTRY = Pattern.compile("\\.entry (\\w+)\\(");

  private final Path program;

  private Ptxas(Path program) {
    this.program = program;
  }

  /** {@return the one on the path} */
  public static Optional<Ptxas> find() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return List.of(path.split(File.pathSeparator, -1)).stream()
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, "ptxas"))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Ptxas::new);
  }

  /**
   * {@return the text of several kernels as one file} Most of the time goes into starting the
   * assembler. Kernels of one name get numbers.
   */
  static String together(List<String> texts) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < texts.size(); i++) {
      String text = renamed(texts.get(i), i);
      all.append(i == 0 ? text : withoutHeader(text));
    }
    return all.toString();
  }

  /** Also the kernel's texts, which have its name in theirs. */
  private static String renamed(String text, int number) {
    Matcher entry = ENTRY.matcher(text);
    if (!entry.find()) {
      return text;
    }
    String name = entry.group(1);
    return text.replaceAll("\\b" + name + "(_text\\d+\\b|\\()", name + "_" + number + "$1");
  }

  private static String withoutHeader(String text) {
    return text.replaceFirst("(?s)^.*?\\.address_size 64\\n", "");
  }

  /**
   * {@return what it has against a text, with the lines that it speaks of; empty if nothing}
   *
   * @param architecture such as sm_90a
   * @param folder for its files
   */
  public String complaints(String text, String architecture, Path folder)
      throws IOException, InterruptedException {
    Path source = folder.resolve("kernels.ptx");
    Path log = folder.resolve("log");
    Files.writeString(source, text);
    int status =
        new ProcessBuilder(
                program.toString(),
                "--gpu-name=" + architecture,
                "--output-file=" + folder.resolve("kernels.cubin"),
                source.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    return status == 0 ? "" : explained(Files.readAllLines(log), text.lines().toList());
  }

  /**
   * {@return all that it says of a text: registers, stack frames, spills and warnings}
   *
   * @param architecture such as sm_90a
   * @param folder for its files
   */
  public String report(String text, String architecture, Path folder)
      throws IOException, InterruptedException {
    Path source = folder.resolve("kernels.ptx");
    Path log = folder.resolve("log");
    Files.writeString(source, text);
    new ProcessBuilder(
            program.toString(),
            "--verbose",
            "--gpu-name=" + architecture,
            "--output-file=" + folder.resolve("kernels.cubin"),
            source.toString())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start()
        .waitFor();
    return Files.readString(log);
  }

  private static String explained(List<String> log, List<String> source) {
    StringBuilder text = new StringBuilder("refused\n");
    for (String said : log) {
      text.append(said).append('\n');
      Matcher line = NUMBER.matcher(said);
      if (line.find()) {
        int number = Integer.parseInt(line.group(1));
        text.append("    ").append(source.get(Math.clamp(number - 1, 0, source.size() - 1)));
        text.append("    of ").append(entryBefore(source, number)).append('\n');
      }
    }
    return text.toString();
  }

  private static String entryBefore(List<String> lines, int number) {
    return lines.subList(0, Math.min(number, lines.size())).reversed().stream()
        .filter(line -> line.contains(".entry"))
        .findFirst()
        .orElse("no kernel");
  }
}
