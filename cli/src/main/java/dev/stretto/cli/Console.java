package dev.stretto.cli;

import java.io.PrintStream;
import java.io.PrintWriter;

/**
 * Where a command writes.
 *
 * @param out results
 * @param err errors and progress
 * @param width of the lines of {@code out}, in characters
 * @param progressWidth of the terminal that {@code err} writes to, or 0 if it is not a terminal
 */
record Console(PrintStream out, PrintStream err, int width, int progressWidth) {
  private static final int DEFAULT_WIDTH = 80;
  private static final int LEAST_WIDTH = 40;
  private static final int MOST_WIDTH = 110;

  /** The console of this process. */
  static Console ofProcess() {
    return new Console(System.out, System.err, width(Terminal.OUT), terminalWidth());
  }

  private static int width(int descriptor) {
    int columns = Terminal.columns(descriptor).orElse(0);
    return Math.clamp(columns == 0 ? DEFAULT_WIDTH : columns, LEAST_WIDTH, MOST_WIDTH);
  }

  private static int terminalWidth() {
    return Terminal.columns(Terminal.ERR).isPresent() ? width(Terminal.ERR) : 0;
  }

  /** Prints a line, replacing characters that the output cannot show by plain ones. */
  void println(String line) {
    out.println(canShow(line) ? line : plain(line));
  }

  /** Prints a text in lines that are as wide as the console's, broken between words. */
  void printWrapped(String text) {
    printWrapped("", 0, text);
  }

  /**
   * Prints a text in lines that are as wide as the console's.
   *
   * @param first the beginning of the first line
   * @param indent of the other lines
   */
  void printWrapped(String first, int indent, String text) {
    StringBuilder line = new StringBuilder(first);
    int begin = line.length();
    for (String word : text.strip().split("\\s+", -1)) {
      if (line.length() > begin && line.length() + 1 + word.length() > width) {
        println(line.toString());
        line.setLength(0);
        line.repeat(' ', indent);
        begin = indent;
      }
      line.append(line.length() > begin ? " " : "").append(word);
    }
    println(line.toString());
  }

  private boolean canShow(String line) {
    return out.charset().newEncoder().canEncode(line);
  }

  private static String plain(String line) {
    return line.replace('×', 'x')
        .replace('·', '-')
        .replace('µ', 'u')
        .replace("→", "->")
        .replace("…", "...")
        .replace("✓", "yes")
        .replace("✗", "NO");
  }

  /** A progress bar for a task, if the output is a terminal. */
  Progress progress(String task, long bytes) {
    return progressWidth == 0 ? Progress.none() : Progress.bar(err, progressWidth, task, bytes);
  }

  /** The same console without progress bars. */
  Console withoutProgress() {
    return new Console(out, err, width, 0);
  }

  PrintWriter outWriter() {
    return new PrintWriter(out, true, out.charset());
  }

  PrintWriter errWriter() {
    return new PrintWriter(err, true, err.charset());
  }

  void flush() {
    out.flush();
    err.flush();
  }

  /** Whether all results were written; a print stream hides failures. */
  boolean isWritten() {
    flush();
    return !out.checkError();
  }
}
