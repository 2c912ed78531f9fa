package dev.stretto.driver.virtual;

import java.util.HashMap;
import java.util.Map;

/** The words of a configuration so far, so that nothing is stated twice. */
final class StatedWords {
  private final String text;
  private final Map<String, String> words = new HashMap<>();

  /**
   * Creates an empty list.
   *
   * @param text the whole configuration, for messages
   */
  StatedWords(String text) {
    this.text = text;
  }

  /**
   * Notes a word.
   *
   * @param subject what the word decides, such as "the profile"
   * @throws IllegalArgumentException if another word has already decided the subject
   */
  void note(String subject, String word) {
    String before = words.putIfAbsent(subject, word);
    if (before == null) {
      return;
    }
    throw new IllegalArgumentException(
        before.equals(word)
            ? "virtual:%s: '%s' is given twice: leave one out".formatted(text, word)
            : "virtual:%s: %s is given twice, as '%s' and as '%s': leave one out"
                .formatted(text, subject, before, word));
  }

  /** {@return whether a word has decided a subject} */
  boolean has(String subject) {
    return words.containsKey(subject);
  }

  /**
   * Refuses two words that contradict each other.
   *
   * @param why why they contradict each other
   * @throws IllegalArgumentException if both subjects were decided
   */
  void exclude(String one, String other, String why) {
    if (words.containsKey(one) && words.containsKey(other)) {
      throw new IllegalArgumentException(
          "virtual:%s: '%s' contradicts '%s': %s; leave one out"
              .formatted(text, words.get(other), words.get(one), why));
    }
  }
}
