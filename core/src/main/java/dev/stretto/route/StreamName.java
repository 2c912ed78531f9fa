package dev.stretto.route;

import java.util.Objects;

/**
 * The name of a stream.
 *
 * @param text the name alone
 * @param given whether the program has chosen it
 */
public record StreamName(String text, boolean given) {
  /** Messages contain the name, so it must stay readable. */
  private static final int LONGEST = 128;

  /**
   * {@return a name that a program has chosen}
   *
   * @param name the name
   * @throws IllegalArgumentException if it is blank, too long, or has characters that would break
   *     the line of a message
   */
  public static StreamName of(String name) {
    if (Objects.requireNonNull(name, "name").isBlank()) {
      throw new IllegalArgumentException(
          "a stream's name is blank: say what the stream is for, or leave the name out");
    }
    if (name.length() > LONGEST) {
      throw new IllegalArgumentException(
          "a stream's name has %d characters, and can have at most %d: it is part of messages"
              .formatted(name.length(), LONGEST));
    }
    for (int i = 0; i < name.length(); i += Character.charCount(name.codePointAt(i))) {
      int character = name.codePointAt(i);
      if (!isPrintable(character)) {
        throw new IllegalArgumentException(
            "a stream's name has the character U+%04X at index %d, which messages cannot show: leave it out"
                .formatted(character, i));
      }
    }
    return new StreamName(name, true);
  }

  /** {@return whether messages can show a character} Half of a surrogate pair is not one. */
  private static boolean isPrintable(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }

  /** {@return the name of a stream of Stretto that the program has not named} */
  static StreamName ofHandle(long handle) {
    return new StreamName("stream 0x%x".formatted(handle), false);
  }

  /** {@return the name of a stream that Stretto uses for itself} */
  static StreamName ofStretto(String what) {
    return new StreamName(what, false);
  }

  /** {@return the name of CUDA's legacy default stream} */
  static StreamName ofLegacyStream() {
    return new StreamName("legacy default stream", false);
  }

  /**
   * {@return the name of a thread's own default stream} It does not use the thread's name, which
   * need not be unique and may have any length.
   *
   * @param number the number of the stream among those that are open
   */
  static StreamName ofThread(int number) {
    return new StreamName("per-thread default stream" + (number == 1 ? "" : " " + number), false);
  }

  /** {@return the name of a stream that other code in the process has created} */
  static StreamName ofForeign(long handle) {
    return new StreamName("adopted stream 0x%x".formatted(handle), false);
  }

  /**
   * {@return the name of the stream that stands for an event of other code}
   *
   * @param event the driver's handle
   */
  public static StreamName ofForeignEvent(long event) {
    return new StreamName("stream of the adopted event 0x%x".formatted(event), false);
  }

  /**
   * {@return the name for messages} A name chosen by the program gets the word "stream" before it.
   */
  public String title() {
    return given ? "stream '" + text + "'" : text;
  }
}
