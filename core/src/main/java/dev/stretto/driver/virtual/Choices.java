package dev.stretto.driver.virtual;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Choices as text: {@code upload.copy1*2 compute.fill1-3 host.task1 compute.launch1@upload.copy2}.
 * Two pieces of the first copy on {@code upload}, three fills, a task, and a launch that happened
 * within the call that enqueued a copy.
 */
public final class Choices {
  private static final String NAME = "(\\S+)\\.([a-z]+)(\\d+)";

  private static final Pattern ENTRY =
      Pattern.compile(
          NAME.replace("\\S+", "[^\\s.@*]+") + "(?:-(\\d+))?(?:\\*(\\d+))?(?:@(\\S+))?");

  private static final Pattern CALL = Pattern.compile(NAME.replace("\\S+", "[^\\s.@*]+"));

  private static final int MOST = 1 << 20;

  private Choices() {}

  /** {@return the text} */
  public static String print(List<Choice> choices) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < choices.size(); ) {
      Choice choice = choices.get(i);
      int pieces = pieces(choices, i);
      int after = i + pieces;
      int last = choice.op().number();
      while (pieces == 1 && after < choices.size() && isNext(choices, after, choice, last + 1)) {
        last++;
        after++;
      }
      text.append(text.isEmpty() ? "" : " ").append(choice.op());
      text.append(last > choice.op().number() ? "-" + last : "");
      text.append(pieces > 1 ? "*" + pieces : "");
      text.append(choice.within() == null ? "" : "@" + choice.within());
      i = after;
    }
    return text.toString();
  }

  private static int pieces(List<Choice> choices, int from) {
    int to = from + 1;
    while (to < choices.size() && choices.get(to).equals(choices.get(from))) {
      to++;
    }
    return to - from;
  }

  private static boolean isNext(List<Choice> choices, int at, Choice first, int number) {
    OpName name = new OpName(first.op().stream(), first.op().kind(), number);
    return choices.get(at).equals(new Choice(name, first.within())) && pieces(choices, at) == 1;
  }

  /**
   * {@return the choices of a text}
   *
   * @throws IllegalArgumentException if it is none
   */
  public static List<Choice> parse(String text) {
    List<Choice> choices = new ArrayList<>();
    for (String entry : text.isBlank() ? new String[0] : text.strip().split("\\s+", -1)) {
      Matcher match = ENTRY.matcher(entry);
      if (!match.matches()) {
        throw illegal(entry);
      }
      int first = number(match.group(3), entry);
      int last = match.group(4) == null ? first : number(match.group(4), entry);
      int pieces = match.group(5) == null ? 1 : number(match.group(5), entry);
      OpName within = within(match.group(6), entry);
      for (int i = first; i <= last; i++) {
        for (int piece = 0; piece < pieces; piece++) {
          choices.add(new Choice(new OpName(match.group(1), match.group(2), i), within));
        }
      }
      if (choices.size() > MOST) {
        throw illegal(entry);
      }
    }
    return choices;
  }

  private static @Nullable OpName within(@Nullable String call, String entry) {
    if (call == null) {
      return null;
    }
    Matcher match = CALL.matcher(call);
    if (!match.matches()) {
      throw illegal(entry);
    }
    return new OpName(match.group(1), match.group(2), number(match.group(3), entry));
  }

  private static int number(String digits, String entry) {
    int number = digits.length() > 7 ? MOST + 1 : Integer.parseInt(digits);
    if (number > MOST) {
      throw illegal(entry);
    }
    return number;
  }

  private static IllegalArgumentException illegal(String entry) {
    return new IllegalArgumentException(
        ("'%s' is no entry of a trace: one looks like upload.copy1, upload.copy1-3, upload.copy1*2"
                + " or upload.copy1@compute.fill1, and a trace has at most %d")
            .formatted(entry, MOST));
  }
}
