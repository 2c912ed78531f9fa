package dev.stretto.settings;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is done about the order of a device's operations. */
public enum OrderMode {
  /** Nothing: the program orders them. */
  OFF,

  /** An operation that races with an earlier one is refused. */
  CHECKED,

  /** An operation that would race with an earlier one waits for it. */
  AUTOMATIC;

  /**
   * {@return the mode with a name}
   *
   * @throws IllegalArgumentException if there is none
   */
  public static OrderMode named(String word) {
    return Stream.of(values())
        .filter(mode -> mode.word().equals(word))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + word
                        + "' is no mode: say "
                        + Stream.of(values())
                            .map(OrderMode::word)
                            .collect(Collectors.joining(" or "))));
  }

  /** {@return its name} */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
