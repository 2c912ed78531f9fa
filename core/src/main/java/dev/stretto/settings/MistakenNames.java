package dev.stretto.settings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Finds system properties that look like settings but are not: names that are misspelled or have
 * the prefix of an earlier version.
 */
final class MistakenNames {
  private static final String EARLIER_PREFIX = "stretto.";

  /** Few, because other properties, such as a program's own, may begin with this prefix too. */
  private static final int MOST_EDITS_OF_EARLIER = 1;

  private static final int SHORTEST_BEGINNING = 4;

  private MistakenNames() {}

  /**
   * {@return one warning about all mistaken names among the given ones, or nothing if there are
   * none}
   */
  static Optional<String> warning(Collection<String> names) {
    List<String> mistaken = new ArrayList<>();
    for (String name : new TreeSet<>(names)) {
      about(name).ifPresent(mistaken::add);
    }
    return mistaken.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s. The guide lists all settings of Stretto on its page \"Settings\""
                .formatted(String.join("; ", mistaken)));
  }

  private static Optional<String> about(String name) {
    if (name.startsWith(EARLIER_PREFIX)) {
      String word = word(name, EARLIER_PREFIX);
      return nearest(word)
          .filter(near -> distance(word, near) <= MOST_EDITS_OF_EARLIER)
          .map(near -> noEffect(name) + "its name is " + near);
    }
    if (!name.startsWith(Settings.PREFIX) || isSetting(name)) {
      return Optional.empty();
    }
    String word = word(name, Settings.PREFIX);
    String hint =
        nearest(word)
            .filter(near -> distance(word, near) <= Math.max(2, word.length() / 3))
            .map(near -> "the nearest name is " + near)
            .orElse("no setting has a name like it");
    return Optional.of(noEffect(name) + hint);
  }

  private static String noEffect(String name) {
    return "the system property " + name + " has no effect: ";
  }

  private static boolean isSetting(String name) {
    return Settings.all().stream().anyMatch(setting -> setting.name().equals(name));
  }

  private static Optional<String> nearest(String word) {
    return Settings.all().stream()
        .map(Setting::name)
        .min(Comparator.comparingInt(name -> distance(word, name)));
  }

  /**
   * {@return the distance from a word to a setting} The beginning of a name counts as one wrong
   * letter.
   */
  private static int distance(String word, String setting) {
    String right = word(setting);
    boolean begins = word.length() >= SHORTEST_BEGINNING && right.startsWith(word);
    return begins ? Math.min(1, right.length() - word.length()) : edits(word, right);
  }

  private static String word(String setting) {
    return word(setting, Settings.PREFIX);
  }

  /**
   * {@return a name without its prefix} Names that differ only in case or in how words are joined
   * are equal.
   */
  private static String word(String name, String prefix) {
    return name.substring(prefix.length()).replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
  }

  /** {@return how many letters have to be added, removed or exchanged} */
  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int exchanged = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(exchanged, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
