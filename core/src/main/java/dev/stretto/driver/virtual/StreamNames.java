package dev.stretto.driver.virtual;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of streams in traces: those that the program gave them, or else their numbers. Guarded
 * by the platform's lock.
 */
final class StreamNames {
  /** What is not part of a word. */
  private static final Pattern OTHER = Pattern.compile("[^\\p{IsAlphabetic}\\p{IsDigit}_-]+");

  /** A name that a program has given to a stream, within the words for messages. */
  private static final Pattern QUOTED = Pattern.compile("stream '(.*)'");

  private final Map<String, Integer> used = new HashMap<>();

  /** {@return a name that no other stream has} */
  String of(PrimaryContext context, @Nullable String given, OpQueue.Sort sort, int ordinal) {
    String plain =
        given != null && !given.contains(" 0x")
            ? OTHER.matcher(QUOTED.matcher(given).replaceAll("$1")).replaceAll("_")
            : switch (sort) {
              case LEGACY -> "legacy";
              case PER_THREAD -> "thread" + ordinal;
              case BLOCKING, NON_BLOCKING -> "s" + ordinal;
            };
    String prefix = context.platform().config().devices() == 1 ? "" : context.ordinal() + ":";
    String name = prefix + plain;
    int nth = used.merge(name, 1, Integer::sum);
    return nth == 1 ? name : name + "~" + nth;
  }
}
