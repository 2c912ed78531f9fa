package dev.stretto;

import dev.stretto.fault.KernelImageException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parameters that an entry of PTX text declares. A launch packs the parameters of the Java
 * method, so the two have to agree: an entry with other parameters would read beyond them.
 */
final class EntryParameters {
  private static final String ENTRY = ".entry";
  private static final Pattern SCALAR = Pattern.compile("\\.([bsuf])(8|16|32|64)\\b");
  private static final Pattern EXTENT = Pattern.compile("\\[\\s*(\\d{1,9})\\s*]");

  /**
   * A declared parameter.
   *
   * @param bytes the size of the parameter
   * @param kind {@code f} for a floating-point number, {@code u} for an integer, {@code b} for bits
   */
  private record Declared(long bytes, char kind) {
    boolean takes(Parameter parameter) {
      if (bytes != parameter.bytes()) {
        return false;
      }
      boolean floating = parameter.type() == float.class || parameter.type() == double.class;
      return kind == 'b' || floating == (kind == 'f');
    }

    @Override
    public String toString() {
      return switch (kind) {
        case 'f' -> "a floating-point number of " + bytes + " bytes";
        case 'u' -> "an integer or address of " + bytes + " bytes";
        default -> bytes + " bytes";
      };
    }
  }

  private EntryParameters() {}

  /**
   * Requires that a kernel's entry takes the parameters that a launch passes.
   *
   * @param kernel the kernel, whose image has been loaded; machine code is not checked
   * @throws KernelImageException if it does not
   */
  static void require(DeviceKernel kernel) {
    // An image that was compiled from the method needs no check.
    if (kernel.image().isPtx() && kernel.shape().offsets().size() == kernel.parameters().size()) {
      String text = new String(kernel.image().bytes(), StandardCharsets.UTF_8);
      list(uncommented(text), kernel.entry())
          .flatMap(EntryParameters::declared)
          .ifPresent(declared -> require(declared, kernel.entry(), kernel.parameters()));
    }
  }

  private static void require(List<Declared> declared, String entry, List<Parameter> parameters) {
    if (declared.size() != parameters.size()) {
      throw new KernelImageException(
          "entry "
              + entry
              + " of the image takes "
              + declared.size()
              + " parameters, and its Java method takes "
              + parameters.size()
              + " after the thread block: both have to take the same");
    }
    for (int i = 0; i < declared.size(); i++) {
      if (!declared.get(i).takes(parameters.get(i))) {
        throw new KernelImageException(
            "parameter "
                + i
                + " of entry "
                + entry
                + " of the image is "
                + declared.get(i)
                + ", and that of its Java method is a "
                + parameters.get(i).type().getSimpleName()
                + " of "
                + parameters.get(i).bytes()
                + " bytes: both have to take the same");
      }
    }
  }

  private static String uncommented(String text) {
    StringBuilder kept = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      int end;
      if (text.startsWith("//", at)) {
        end = text.indexOf('\n', at);
      } else if (text.startsWith("/*", at)) {
        end = text.indexOf("*/", at + 2);
        end = end < 0 ? end : end + 2;
      } else {
        kept.append(text.charAt(at));
        at++;
        continue;
      }
      kept.append(' ');
      at = end < 0 ? text.length() : end;
    }
    return kept.toString();
  }

  /**
   * The text between an entry's parentheses; empty if there is no such entry, or its closing
   * parenthesis is missing.
   */
  private static Optional<String> list(String text, String entry) {
    for (int at = text.indexOf(ENTRY); at >= 0; at = text.indexOf(ENTRY, at + 1)) {
      int name = afterBlanks(text, at + ENTRY.length());
      int end = name + entry.length();
      if (name == at + ENTRY.length()
          || !text.startsWith(entry, name)
          || isNameCharacter(text, end)) {
        continue;
      }
      int open = afterBlanks(text, end);
      if (open >= text.length() || text.charAt(open) != '(') {
        return Optional.of("");
      }
      int close = text.indexOf(')', open);
      return close < 0 ? Optional.empty() : Optional.of(text.substring(open + 1, close));
    }
    return Optional.empty();
  }

  private static int afterBlanks(String text, int from) {
    int at = from;
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isNameCharacter(String text, int at) {
    return at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || "_$%".indexOf(text.charAt(at)) >= 0);
  }

  /** The declared parameters; empty if the type of one of them is not a type of PTX. */
  private static Optional<List<Declared>> declared(String list) {
    List<Declared> found = new ArrayList<>();
    if (list.isBlank()) {
      return Optional.of(found);
    }
    for (String one : list.split(",", -1)) {
      Matcher scalar = SCALAR.matcher(one);
      if (!scalar.find()) {
        return Optional.empty();
      }
      long bytes = Long.parseLong(scalar.group(2)) / 8;
      Matcher extent = EXTENT.matcher(one);
      char kind = scalar.group(1).charAt(0);
      if (extent.find()) {
        bytes *= Long.parseLong(extent.group(1));
        kind = 'b';
      }
      found.add(new Declared(bytes, kind == 's' ? 'u' : kind));
    }
    return Optional.of(found);
  }
}
