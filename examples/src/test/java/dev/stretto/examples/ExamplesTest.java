package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example prints on a virtual device what its file in {@code examples/expected} says. */
class ExamplesTest {
  static List<Expectation> expectations() {
    return Expectation.all();
  }

  @ParameterizedTest
  @MethodSource("expectations")
  @Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void printsWhatIsExpected(Expectation expectation) throws Exception {
    List<String> printed = run(ExampleClasses.of(expectation.number()));

    assertThat(expectation.isMetBy(printed))
        .as(
            "%s prints%n%s%nand should print%n%s",
            expectation, String.join("\n", printed), String.join("\n", expectation.lines()))
        .isTrue();
  }

  @Test
  void eachHasAnExpectation() throws IOException {
    assertThat(expectations()).extracting(Expectation::number).isEqualTo(ExampleClasses.numbers());
  }

  private static List<String> run(Class<?> example) throws Exception {
    Method main = example.getDeclaredMethod("main", String[].class);
    main.setAccessible(true);
    PrintStream before = System.out;
    Locale locale = Locale.getDefault();
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    Locale.setDefault(Locale.ROOT);
    try {
      main.invoke(null, (Object) new String[] {"virtual"});
    } finally {
      System.setOut(before);
      Locale.setDefault(locale);
    }
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
