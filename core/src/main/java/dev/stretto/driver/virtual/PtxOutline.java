package dev.stretto.driver.virtual;

import dev.stretto.driver.FunctionProperties;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of PTX text that a virtual device checks: it needs a version, a target and balanced
 * braces, and its entries need names. Only an assembler can check the instructions.
 */
final class PtxOutline {
  /** The properties of a kernel about which nothing is known. */
  static final FunctionProperties UNKNOWN = new FunctionProperties(1024, 32, 0, 0);

  private static final Pattern DIRECTIVE =
      Pattern.compile("^[ \\t\\r\\f]*+\\.([a-z_]++)", Pattern.MULTILINE);
  private static final Pattern ENTRY = Pattern.compile("\\.entry\\s++([A-Za-z_$%][\\w$]*+)");
  private static final Pattern SHARED =
      Pattern.compile(
          "(\\.extern\\s++)?\\.shared\\s++(?:\\.align\\s++\\d++\\s++)?"
              + "\\.[a-z]++(\\d++)\\s++[\\w$%]++((?:\\[\\d++\\])*+)");
  private static final Pattern EXTENT = Pattern.compile("\\[(\\d++)\\]");
  private static final Pattern MOST_THREADS =
      Pattern.compile(
          "\\.(?:maxntid|reqntid)\\s++(\\d++)(?:\\s*+,\\s*+(\\d++))?(?:\\s*+,\\s*+(\\d++))?");

  /** A cap for counts of bytes and threads; its square fits into a long. */
  private static final long VERY_MANY = 1 << 30;

  /** The most static shared memory that an entry may declare, on every device. */
  private static final int MOST_SHARED = 48 << 10;

  private static final int MOST_DIGITS = 18;
  private static final int MOST_ERRORS = 20;
  private static final int MOST_BYTES = 8 << 20;
  private static final int MOST_ENTRIES = 65_536;
  private static final int DEEPEST = 10_000;
  private static final int LONGEST_NAME = 200;

  private final String text;
  private final List<String> errors = new ArrayList<>();

  /** The position up to which lines have been counted, and its line. */
  private int counted;

  private long line = 1;

  /**
   * Creates the text.
   *
   * @param image the bytes, in UTF-8
   * @param length how many bytes belong to the text
   */
  PtxOutline(byte[] image, int length) {
    if (length > MOST_BYTES) {
      throw CudaResult.INVALID_PTX.of(
          "cuModuleLoadDataEx",
          "%d bytes of PTX; a virtual device reads at most %d: load a cubin, or fewer kernels at a time"
              .formatted(length, MOST_BYTES));
    }
    byte[] ink = Arrays.copyOf(image, length);
    blank(ink);
    // One byte is one character: other characters than ASCII are legal only in comments.
    this.text = new String(ink, StandardCharsets.ISO_8859_1);
  }

  /** Replaces comments and strings by blanks, so that lines keep their numbers. */
  private void blank(byte[] ink) {
    int at = 0;
    while (at < ink.length) {
      int end = end(ink, at);
      for (int i = at; i < end; i++) {
        ink[i] = ink[i] == '\n' ? ink[i] : (byte) ' ';
      }
      at = Math.max(at + 1, end);
    }
  }

  /** {@return the end of a comment or string that begins at a place, or the place if none does} */
  private int end(byte[] ink, int at) {
    int next = at + 1 < ink.length ? ink[at + 1] : 0;
    if (ink[at] == '/' && next == '/') {
      int line = at;
      while (line < ink.length && ink[line] != '\n') {
        line++;
      }
      return line;
    }
    if (ink[at] == '"') {
      int close = at + 1;
      while (close < ink.length && ink[close] != '"' && ink[close] != '\n') {
        close++;
      }
      return close < ink.length && ink[close] == '"' ? close + 1 : at;
    }
    if (ink[at] != '/' || next != '*') {
      return at;
    }
    int close = at + 2;
    while (close + 1 < ink.length && !(ink[close] == '*' && ink[close + 1] == '/')) {
      close++;
    }
    if (close + 1 >= ink.length) {
      error(lines(ink, at), "Parsing error near '': unexpected EOF while scanning");
      return ink.length;
    }
    return close + 2;
  }

  /** {@return the properties of each entry by name, in the order of the text} */
  Map<String, FunctionProperties> entries() {
    checkHead();
    checkBraces();
    Map<String, FunctionProperties> entries = new LinkedHashMap<>();
    List<Integer> starts = new ArrayList<>();
    Matcher matcher = ENTRY.matcher(text);
    while (matcher.find() && starts.size() <= MOST_ENTRIES) {
      starts.add(matcher.start());
      if (entries.put(matcher.group(1), UNKNOWN) != null) {
        error(
            matcher.start(),
            "Duplicate definition of function '%s'".formatted(shortened(matcher.group(1))));
      }
    }
    if (starts.size() > MOST_ENTRIES) {
      error(matcher.start(), "more than %d entries".formatted(MOST_ENTRIES));
    }
    requireNoErrors();
    long outside = shared(0, starts.isEmpty() ? text.length() : starts.getFirst());
    int i = 0;
    for (Map.Entry<String, FunctionProperties> entry : entries.entrySet()) {
      int start = starts.get(i);
      int end = i + 1 < starts.size() ? starts.get(i + 1) : text.length();
      entry.setValue(properties(entry.getKey(), start, end, outside));
      i++;
    }
    requireNoErrors();
    return Collections.unmodifiableMap(entries);
  }

  private void requireNoErrors() {
    if (!errors.isEmpty()) {
      throw CudaResult.INVALID_PTX.of(
          "cuModuleLoadDataEx",
          "%n%s%nptxas fatal   : Ptx assembly aborted due to errors"
              .formatted(String.join(System.lineSeparator(), errors)));
    }
  }

  /** {@return a name, shortened for a message} */
  static String shortened(String name) {
    return name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) + "…" : name;
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
      if (open.size() > DEEPEST) {
        error(i, "Parsing error near '{': more than %d nested braces".formatted(DEEPEST));
        return;
      }
    }
    for (int i : open) {
      error(i, "Parsing error near '{': it is never closed");
    }
  }

  private FunctionProperties properties(String name, int start, int end, long sharedOutside) {
    Matcher most = MOST_THREADS.matcher(text).region(start, end);
    int threads = UNKNOWN.maxThreadsPerBlock();
    if (most.find()) {
      long all = 1;
      for (int i = 1; i <= most.groupCount(); i++) {
        all = times(all, most.group(i), most.start());
      }
      threads = (int) Math.min(all, UNKNOWN.maxThreadsPerBlock());
    }
    long shared = shared(start, end);
    if (shared > MOST_SHARED) {
      error(
          start,
          "Entry function '%s' uses too much shared data (0x%x bytes, 0x%x max)"
              .formatted(shortened(name), shared, MOST_SHARED));
    }
    int all = (int) Math.min(VERY_MANY, sharedOutside + shared);
    return new FunctionProperties(threads, UNKNOWN.registers(), all, 0);
  }

  /** {@return a product, capped at a number that exceeds every device} */
  private long times(long number, @Nullable String digits, int at) {
    if (digits == null) {
      return number;
    }
    int zeros = 0;
    while (zeros < digits.length() && digits.charAt(zeros) == '0') {
      zeros++;
    }
    if (digits.length() - zeros > MOST_DIGITS) {
      error(at, "Constant overflow");
      return VERY_MANY;
    }
    long factor = zeros == digits.length() ? 0 : Long.parseLong(digits, zeros, digits.length(), 10);
    return Math.min(VERY_MANY, number * Math.min(VERY_MANY, factor));
  }

  /**
   * {@return the bytes of the static shared variables} The launch gives the size of extern ones.
   */
  private long shared(int start, int end) {
    long bytes = 0;
    Matcher variable = SHARED.matcher(text).region(start, end);
    while (variable.find()) {
      if (variable.group(1) == null) {
        long size = times(1, variable.group(2), variable.start()) / 8;
        Matcher extent = EXTENT.matcher(text).region(variable.start(3), variable.end(3));
        while (extent.find()) {
          size = times(size, extent.group(1), extent.start());
        }
        bytes = Math.min(VERY_MANY, bytes + size);
      }
    }
    return bytes;
  }

  private int firstInk() {
    int i = 0;
    while (i < text.length() - 1 && Character.isWhitespace(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private void error(int at, String what) {
    if (errors.size() < MOST_ERRORS) { // nobody reads more errors
      int end = Math.min(at, text.length());
      if (end < counted) {
        counted = 0;
        line = 1;
      }
      for (; counted < end; counted++) {
        line += text.charAt(counted) == '\n' ? 1 : 0;
      }
      error(line, what);
    }
  }

  private void error(long line, String what) {
    errors.add("ptxas application ptx input, line %d; error   : %s".formatted(line, what));
  }

  private static long lines(byte[] ink, int to) {
    long line = 1;
    for (int i = 0; i < to; i++) {
      line += ink[i] == '\n' ? 1 : 0;
    }
    return line;
  }
}
