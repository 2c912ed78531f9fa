package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that {@code stretto trace} writes of a program, in Chromium. */
class TracePageTest {
  private static final int ROUNDS = 20;

  @TempDir private Path folder;

  private Path trace(Class<?> program, String... arguments) {
    Path output = folder.resolve("page.html");
    List<String> command =
        new ArrayList<>(
            List.of(
                "trace",
                "--output",
                output.toString(),
                "--",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                program.getName()));
    command.addAll(List.of(arguments));
    Ran ran = Ran.stretto(command.toArray(String[]::new));
    assertThat(ran.err()).contains("the trace is in " + output);
    return output;
  }

  @Test
  void findingsLeadToWhereTheyHappened() {
    Path page = trace(AwaitingProgram.class, String.valueOf(ROUNDS));
    try (Browser browser = Browser.start()) {
      browser.open(page);
      assertThat(browser.text(".facts")).contains("Operations" + ROUNDS);
      List<String> findings = browser.texts("#findings li");
      assertThat(findings)
          .anySatisfy(
              text ->
                  assertThat(text)
                      .contains(
                          "AWAIT_IN_LOOP",
                          "AwaitingProgram.main(AwaitingProgram.java:",
                          "Instead:"));
      int number =
          1
              + findings.indexOf(
                  findings.stream()
                      .filter(t -> t.contains("AWAIT_IN_LOOP"))
                      .findFirst()
                      .orElseThrow());
      String title = "#findings li:nth-child(" + number + ")";
      String ofIt = "views[0].pins.filter(pin => pin.number === " + number + ")";
      double pins = browser.number(ofIt + ".length");
      assertThat(pins).isBetween(3.0, (double) ROUNDS);
      for (int turn = 0; turn < 3; turn++) {
        browser.click(title + " button");
        assertThat(browser.text(title)).contains(" · %d of %.0f".formatted(turn + 1, pins));
        String pin = ofIt + "[" + turn + "].at";
        assertThat(browser.number(pin))
            .isBetween(browser.number("views[0].from"), browser.number("views[0].to"));
        // A wait begins when its copy was enqueued, maybe while the one before is about to end.
        assertThat(
                browser.number(
                    "[...views[0].section.start.keys()].filter(o => o < views[0].section.operations"
                        + " && views[0].section.enqueued[o] <= "
                        + pin
                        + " && views[0].section.end[o] >= "
                        + pin
                        + ").length"))
            .as("operations in flight at %s", pin)
            .isBetween(1.0, 2.0);
        assertThat(browser.text("#inspector")).contains("copy in", "uploads");
      }
      assertThat(browser.problems()).isEmpty();
    }
  }

  @Test
  void aProgramWithoutFindingsIsToldSo() {
    Path page = trace(TracedProgram.class, "1", "5");
    try (Browser browser = Browser.start()) {
      browser.open(page);
      assertThat(browser.text("#findings")).contains("No hidden synchronization was found");
      assertThat(browser.text(".summary")).contains("uploads", "D2H engine");
      assertThat(browser.problems()).isEmpty();
    }
  }
}
