package dev.stretto.driver.virtual;

import dev.stretto.driver.FunctionProperties;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * PTX as far as a virtual device reads it: it has a version, a target and balanced braces, and its
 * entries have names. Whether its instructions are any good only an assembler can say.
 */
final class PtxText {
  /** What is said of a kernel of which nothing is known. */
  static final FunctionProperties UNKNOWN = new FunctionProperties(1024, 32, 0, 0);

  private static final Pattern COMMENT =
      Pattern.compile("//[^\n]*|/\\*.*?\\*/|\"[^\"\n]*\"", Pattern.DOTALL);
  private static final Pattern DIRECTIVE = Pattern.compile("^\\s*\\.([a-z_]+)", Pattern.MULTILINE);
  private static final Pattern ENTRY = Pattern.compile("\\.entry\\s+([A-Za-z_$%][\\w$]*)");
  private static final Pattern SHARED =
      Pattern.compile(
          "(\\.extern\\s+)?\\.shared\\s+(?:\\.align\\s+\\d+\\s+)?\\.[a-z]+(\\d+)\\s+[\\w$%]+((?:\\[\\d+\\])*+)");
  private static final Pattern EXTENT = Pattern.compile("\\[(\\d+)\\]");
  private static final Pattern MOST_THREADS =
      Pattern.compile("\\.(?:maxntid|reqntid)\\s+(\\d+)(?:\\s*,\\s*(\\d+))?(?:\\s*,\\s*(\\d+))?");

  /** Of shared memory and threads alike; its square is a long. */
  private static final long VERY_MANY = 1 << 30;

  private static final int MOST_DIGITS = 18;
  private static final int MOST_ERRORS = 20;

  private final String text;
  private final List<String> errors = new ArrayList<>();

  PtxText(String source) {
    // Comments and strings become blanks of the same size, so that lines keep their numbers.
    this.text = COMMENT.matcher(source).replaceAll(m -> m.group().replaceAll("[^\n]", " "));
  }

  /** {@return what is known of each entry, by name in the order of the text} */
  Map<String, FunctionProperties> entries() {
    checkHead();
    checkBraces();
    Map<String, FunctionProperties> entries = new LinkedHashMap<>();
    List<Integer> starts = new ArrayList<>();
    Matcher matcher = ENTRY.matcher(text);
    while (matcher.find()) {
      starts.add(matcher.start());
      if (entries.put(matcher.group(1), UNKNOWN) != null) {
        error(matcher.start(), "Duplicate definition of function '%s'".formatted(matcher.group(1)));
      }
    }
    if (!errors.isEmpty()) {
      throw CudaResult.INVALID_PTX.of(
          "cuModuleLoadDataEx",
          "%n%s%nptxas fatal   : Ptx assembly aborted due to errors"
              .formatted(String.join(System.lineSeparator(), errors)));
    }
    int outside = shared(text.substring(0, starts.isEmpty() ? text.length() : starts.getFirst()));
    int i = 0;
    for (Map.Entry<String, FunctionProperties> entry : entries.entrySet()) {
      int end = i + 1 < starts.size() ? starts.get(i + 1) : text.length();
      entry.setValue(properties(text.substring(starts.get(i), end), outside));
      i++;
    }
    return Collections.unmodifiableMap(entries);
  }

  private void checkHead() {
    Matcher directive = DIRECTIVE.matcher(text);
    boolean version = directive.find() && directive.group(1).equals("version");
    if (!version) {
      error(firstInk(), "Missing .version directive at start of file '<ptx input>'");
      return;
    }
    boolean more = directive.find();
    if (!more || !directive.group(1).equals("target")) {
      error(more ? directive.start(1) : text.length(), "Missing .target directive after .version");
    }
  }

  private void checkBraces() {
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '{') {
        open.push(i);
      } else if (c == '}' && open.poll() == null) {
        error(i, "Parsing error near '}': syntax error");
      }
    }
    for (int i : open) {
      error(i, "Parsing error near '{': it is never closed");
    }
  }

  private static FunctionProperties properties(String body, int sharedOutside) {
    Matcher most = MOST_THREADS.matcher(body);
    int threads = UNKNOWN.maxThreadsPerBlock();
    if (most.find()) {
      long all = 1;
      for (int i = 1; i <= most.groupCount(); i++) {
        all = times(all, most.group(i));
      }
      threads = (int) Math.min(all, UNKNOWN.maxThreadsPerBlock());
    }
    return new FunctionProperties(threads, UNKNOWN.registers(), sharedOutside + shared(body), 0);
  }

  /** A product as far as it matters: more than any device has is more than any device has. */
  private static long times(long number, @Nullable String digits) {
    if (digits == null) {
      return number;
    }
    String ink = digits.replaceFirst("^0+", "");
    long factor = ink.length() > MOST_DIGITS ? VERY_MANY : ink.isEmpty() ? 0 : Long.parseLong(ink);
    return Math.min(VERY_MANY, number * Math.min(VERY_MANY, factor));
  }

  /**
   * {@return the bytes of the static shared variables; extern ones have the size that the launch
   * gives}
   */
  private static int shared(String part) {
    long bytes = 0;
    Matcher variable = SHARED.matcher(part);
    while (variable.find()) {
      if (variable.group(1) == null) {
        long size = times(1, variable.group(2)) / 8;
        Matcher extent = EXTENT.matcher(variable.group(3));
        while (extent.find()) {
          size = times(size, extent.group(1));
        }
        bytes = Math.min(VERY_MANY, bytes + size);
      }
    }
    return (int) bytes;
  }

  private int firstInk() {
    int i = 0;
    while (i < text.length() - 1 && Character.isWhitespace(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private void error(int at, String what) {
    if (errors.size() >= MOST_ERRORS) {
      return; // nobody reads more, and each is counted from the first line
    }
    long line =
        1 + text.substring(0, Math.min(at, text.length())).chars().filter(c -> c == '\n').count();
    errors.add("ptxas application ptx input, line %d; error   : %s".formatted(line, what));
  }
}
