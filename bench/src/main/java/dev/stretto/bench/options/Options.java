package dev.stretto.bench.options;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A program's arguments: options with a value each, and then words. */
public final class Options {
  private final Map<String, String> values = new HashMap<>();
  private final List<String> words;

  private Options(List<String> arguments, List<String> names) {
    List<String> rest = new ArrayList<>(arguments);
    while (!rest.isEmpty() && rest.getFirst().startsWith("--")) {
      String option = rest.removeFirst();
      if (!names.contains(option)) {
        throw new IllegalArgumentException("no such option: " + option);
      }
      if (rest.isEmpty()) {
        throw new IllegalArgumentException(option + " needs a value");
      }
      values.put(option, rest.removeFirst());
    }
    this.words = List.copyOf(rest);
  }

  /**
   * {@return the arguments, divided into options and words}
   *
   * @param arguments {@code [--name value]… [word]…}
   * @param names of the options that exist, with their dashes
   * @throws IllegalArgumentException if there is no such option, or one has no value
   */
  public static Options of(List<String> arguments, String... names) {
    return new Options(arguments, List.of(names));
  }

  /**
   * {@return the value of an option}
   *
   * @param name of the option
   * @param otherwise the value if the option is not there
   */
  public String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  /**
   * {@return the value of an option}
   *
   * @param name of the option
   * @param otherwise the value if the option is not there
   * @throws NumberFormatException if it is not a number
   */
  public long number(String name, long otherwise) {
    String value = values.get(name);
    return value == null ? otherwise : Long.parseLong(value);
  }

  /**
   * {@return the value of an option}
   *
   * @param name of the option
   * @param otherwise the value if the option is not there
   * @throws NumberFormatException if it is not a number of 32 bits
   */
  public int count(String name, int otherwise) {
    String value = values.get(name);
    return value == null ? otherwise : Integer.parseInt(value);
  }

  /** {@return what comes after the options} */
  public List<String> words() {
    return words;
  }

  /**
   * Requires that nothing comes after the options.
   *
   * @return this
   * @throws IllegalArgumentException if there is a word
   */
  public Options withoutWords() {
    if (!words.isEmpty()) {
      throw new IllegalArgumentException("no such option: " + words.getFirst());
    }
    return this;
  }
}
