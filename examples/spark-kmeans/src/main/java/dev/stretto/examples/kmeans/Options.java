package dev.stretto.examples.kmeans;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Options of a command line: {@code --name value}, or {@code --name} alone for a flag. One that is
 * given again has several values.
 */
public final class Options {
  private final Map<String, List<String>> values = new HashMap<>();

  /**
   * @param known the names that there are
   * @param arguments of the command line
   * @throws UsageException if a name is unknown, or has no value
   */
  public Options(Set<String> known, List<String> arguments) {
    this(known, Set.of(), arguments);
  }

  /**
   * @param known the names that there are
   * @param flags those of them that have no value
   * @param arguments of the command line
   * @throws UsageException if a name is unknown, or has no value that needs one
   */
  public Options(Set<String> known, Set<String> flags, List<String> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      String name = arguments.get(i);
      if (!name.startsWith("--") || !known.contains(name.substring(2))) {
        throw new UsageException(
            "%s is no option; there are %s"
                .formatted(name, known.stream().sorted().map(each -> "--" + each).toList()));
      }
      List<String> given = values.computeIfAbsent(name.substring(2), _ -> new ArrayList<>());
      if (flags.contains(name.substring(2))) {
        continue;
      }
      if (++i == arguments.size()) {
        throw new UsageException(name + " has no value");
      }
      given.add(arguments.get(i));
    }
  }

  /** {@return whether an option was given} */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /**
   * {@return the values of an option, which may also be separated by commas}
   *
   * @throws UsageException if it was not given
   */
  public List<String> texts(String name) {
    return given(name).stream()
        .flatMap(each -> Arrays.stream(each.split(",", -1)))
        .filter(each -> !each.isEmpty())
        .toList();
  }

  /**
   * {@return the last value of an option}
   *
   * @throws UsageException if it was not given
   */
  public String text(String name) {
    return given(name).getLast();
  }

  private List<String> given(String name) {
    List<String> all = values.get(name);
    if (all == null) {
      throw new UsageException("--" + name + " is missing");
    }
    return all;
  }

  /** {@return the last value of an option, or another one if it was not given} */
  public String text(String name, String otherwise) {
    return has(name) ? text(name) : otherwise;
  }

  /**
   * {@return a whole number}
   *
   * @throws UsageException if it is no number, or less than the least
   */
  public int number(String name, int least) {
    String text = text(name);
    try {
      int number = Integer.parseInt(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException _) {
      // said below
    }
    throw new UsageException("--%s %s: must be a number, %d or more".formatted(name, text, least));
  }

  /** {@return a whole number, or another one if it was not given} */
  public int number(String name, int least, int otherwise) {
    return has(name) ? number(name, least) : otherwise;
  }

  /**
   * {@return a number that is not negative, or another one if it was not given}
   *
   * @throws UsageException if it is no such number
   */
  public double decimal(String name, double otherwise) {
    if (!has(name)) {
      return otherwise;
    }
    String text = text(name);
    try {
      double number = Double.parseDouble(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException _) {
      // said below
    }
    throw new UsageException("--%s %s: must be a number, 0 or more".formatted(name, text));
  }
}
