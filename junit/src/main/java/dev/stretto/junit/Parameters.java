package dev.stretto.junit;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What a test run is told from outside, by system properties or parameters of JUnit.
 *
 * @param context of the test
 */
record Parameters(ExtensionContext context) {
  static final String REPLAY = "stretto.junit.replay";
  private static final String SEEDS = "stretto.junit.seeds";
  private static final String FIRST_SEED = "stretto.junit.firstSeed";
  private static final String SHRINK = "stretto.junit.shrink";
  private static final String GPU = "stretto.junit.gpu";

  /** {@return the only run that there shall be, if one is named} */
  Optional<Run> replay() {
    return value(REPLAY, Run::of);
  }

  /** {@return whether the first failure of a test is made short} */
  boolean shrinks() {
    return value(SHRINK, Parameters::isOn).orElse(true);
  }

  private static boolean isOn(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("has to be true or false");
    };
  }

  int seeds(int otherwise) {
    return value(SEEDS, Integer::parseInt).orElse(otherwise);
  }

  long firstSeed() {
    return value(FIRST_SEED, Long::parseLong).orElse(0L);
  }

  Gpu gpu(Gpu otherwise) {
    return value(GPU, text -> Gpu.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_')))
        .orElse(otherwise);
  }

  private <T> Optional<T> value(String key, Function<String, T> parse) {
    return context
        .getConfigurationParameter(key)
        .filter(text -> !text.isBlank())
        .map(
            text -> {
              try {
                return parse.apply(text.strip());
              } catch (IllegalArgumentException e) {
                throw new ExtensionConfigurationException(
                    key + "=" + text + ": " + e.getMessage(), e);
              }
            });
  }
}
