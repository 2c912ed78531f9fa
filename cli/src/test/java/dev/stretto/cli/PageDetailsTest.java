package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stretto.Observer.Kind;
import dev.stretto.timeline.HtmlTimeline;
import dev.stretto.timeline.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a page shows of data that a trace may have besides its operations. */
class PageDetailsTest {
  private static final String BEGIN = "id=\"data\">";
  private static final String SCORE = "com.acme.Scorer.score(Scorer.java:42)";
  private static final String LOAD = "com.acme.Scorer.load(Scorer.java:17)";
  private static final int ROUNDS = 6;

  private static Browser browser;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    browser = Browser.start();
  }

  @AfterAll
  static void end() {
    if (browser != null) {
      browser.close();
    }
  }

  @AfterEach
  void thePageHasNotComplained() {
    assertThat(browser.problems()).isEmpty();
  }

  /** Opens a page of copies on one stream and kernels on another, after a change of its data. */
  private void open(Consumer<ObjectNode> change) throws IOException {
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      long at = 100_000L * i;
      spans.add(
          new Span(Kind.HOST_TO_DEVICE, "upload", 1, 2L * i + 1, 4096, true, at, at, at + 40_000));
      spans.add(
          new Span(Kind.KERNEL, "score", 2, 2L * i + 2, 0, true, at, at + 50_000, at + 90_000));
    }
    Path page = folder.resolve("page.html");
    HtmlTimeline.write(page, "details", spans);
    String text = Files.readString(page);
    int begin = text.indexOf(BEGIN) + BEGIN.length();
    int end = text.indexOf("</script>", begin);
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode data = (ObjectNode) mapper.readTree(text.substring(begin, end));
    change.accept(data);
    String json = mapper.writeValueAsString(data).replace("<", "\\u003c");
    Path _ = Files.writeString(page, text.substring(0, begin) + json + text.substring(end));
    browser.open(page);
  }

  private static ObjectNode section(ObjectNode data) {
    return (ObjectNode) data.get("sections").get(0);
  }

  /** Gives each kernel one line, and each copy another. */
  private static void lines(ObjectNode data) {
    ObjectNode place = ((ObjectNode) section(data).get("texts")).putObject("place");
    ArrayNode _ = place.putArray("list").add(LOAD).add(SCORE);
    ArrayNode index = place.putArray("index");
    for (int i = 0; i < 2 * ROUNDS; i++) {
      ArrayNode _ = index.add(i % 2);
    }
  }

  @Test
  void textsOfOperationsAreToldAndFound() throws IOException {
    open(PageDetailsTest::lines);
    browser.type("#search", "scorer.java:42");
    assertThat(browser.text("#matches")).isEqualTo(ROUNDS + " matches");
    browser.click("#next");
    assertThat(browser.text("#inspector")).contains("score", "source line" + SCORE);
  }

  @Test
  void aFindingLeadsToTheOperationsOfItsLine() throws IOException {
    open(
        data -> {
          lines(data);
          ObjectNode finding = data.putArray("findings").addObject();
          ObjectNode _ = finding.put("rule", "ONE_STREAM").put("device", "").put("place", SCORE);
          ObjectNode _ = finding.put("reason", "r").put("advice", "a").put("count", 9);
        });
    browser.click("#findings button");
    browser.click("#findings button");
    assertThat(browser.text("#findings li")).contains(" · 2 of " + ROUNDS, "9 times");
    assertThat(browser.text("#inspector")).contains("score", "began150 µs");
  }

  @Test
  void threadsOfTheHostHaveRows() throws IOException {
    open(
        data -> {
          ArrayNode host = section(data).putArray("host");
          ArrayNode _ =
              host.addArray()
                  .add("host wait")
                  .add("Copy.await")
                  .add(0)
                  .add("main")
                  .add(20_000)
                  .add(30_000)
                  .add(0)
                  .add(SCORE);
          ArrayNode _ =
              host.addArray()
                  .add("pinning")
                  .add("pin 1 MiB")
                  .add(0)
                  .add("loader")
                  .add(-50_000)
                  .add(30_000)
                  .add(1 << 20)
                  .add("");
          ArrayNode _ =
              host.addArray()
                  .add("what a later version writes")
                  .add("new")
                  .add(0)
                  .add("main")
                  .add(25_000)
                  .add(5_000)
                  .add(0)
                  .add("");
          ObjectNode _ = section(data).put("missing", 3);
        });
    assertThat(browser.texts(".summary td:first-child"))
        .contains("host: main", "host: loader", "stream 1", "H2D engine ◂ busiest engine");
    assertThat(browser.text(".facts")).contains("Operations12, 3 more are missing");
    assertThat(browser.texts(".legend span"))
        .contains("· host waits", "p host pins memory", "o other");
    assertThat(browser.number("views[0].from")).as("it begins with the pinning").isEqualTo(-50_000);
    browser.type("#search", "copy.await");
    browser.click("#next");
    assertThat(browser.text("#inspector"))
        .contains("kindhost waits", "threadmain", "source line" + SCORE, "lasted30 µs");
  }

  @Test
  void arrowsAndRangesAreDrawn() throws IOException {
    open(data -> {});
    double top = browser.number("views[0].top");
    open(
        data -> {
          ArrayNode _ = section(data).putArray("arrows").addArray().add(1).add(2);
          ArrayNode ranges = section(data).putArray("ranges");
          ArrayNode _ = ranges.addArray().add("epoch 1").add(0).add(300_000);
          ArrayNode _ = ranges.addArray().add("step </script>").add(0).add(100_000);
        });
    assertThat(browser.number("views[0].top"))
        .as("two bands, one within the other")
        .isEqualTo(top + 36);
    double x = browser.number("pixelAt(views[0], 200000)");
    assertThat(browser.pixel(0, x, 26 + 9)).isNotEqualTo(browser.pixel(0, x, 26 + 18 + 9));
    // From the end of the first copy to the kernel that waits for it, in the row below.
    double head = browser.number("pixelAt(views[0], 50000)") - 3;
    double row = browser.number("views[0].top + 1.5 * ROW");
    assertThat(browser.pixel(0, head, row))
        .as("the point of the arrow")
        .isEqualTo(List.of(27L, 31L, 36L));
    browser.type("#search", "score");
    browser.click("#next");
    assertThat(browser.text("#inspector")).contains("waited forupload");
  }
}
