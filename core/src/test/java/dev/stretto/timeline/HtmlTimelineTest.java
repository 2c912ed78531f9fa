package dev.stretto.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.diagnosis.Finding;
import dev.stretto.diagnosis.Rule;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlTimelineTest {
  @TempDir private Path folder;

  private static String page(Span... spans) {
    StringBuilder out = new StringBuilder();
    try (HtmlTimeline html = new HtmlTimeline(out, "A </script> title", "a device")) {
      html.section("first", List.of(spans));
      html.section("empty", List.of());
    }
    return out.toString();
  }

  @Test
  void holdsTheOperationsOfEverySectionInColumns() {
    assertThat(page(Spans.in(1, 0, 10), Spans.kernel(2, 10, 12)))
        .contains("\"name\":\"first\",\"count\":2")
        .contains("\"streams\":[[1,\"stream 1\"],[2,\"stream 2\"]]")
        .contains("\"stream\":[1,2],\"start\":[0,10000],\"length\":[10000,2000]")
        .contains("\"bytes\":[10000,0],\"correlation\":[1000,1010]")
        .contains("\"device\":0,\"other\":-1,\"branch\":0")
        .contains("\"name\":{\"list\":[\"host_to_device\",\"kernel\"],\"index\":[0,1]}")
        .contains("\"name\":\"empty\",\"count\":0");
  }

  @Test
  void aHundredThousandOperationsAreSomeMegabytes() {
    Span[] many = new Span[100_000];
    for (int i = 0; i < many.length; i++) {
      many[i] = Spans.in(1 + i % 8, 20L * i, 20L * i + 10 + i % 7);
    }
    assertThat(page(many).length()).isLessThan(5_000_000);
  }

  @Test
  void showsFindings() {
    Finding finding =
        new Finding(
            Rule.PINNING,
            "virtual:0",
            new StackTraceElement("com.acme.Scorer", "<init>", "Scorer.java", 42),
            "</script>",
            3,
            Duration.ofNanos(1500));
    StringBuilder out = new StringBuilder();
    try (HtmlTimeline html = new HtmlTimeline(out, "title", "")) {
      html.section("", List.of(Spans.in(1, 0, 10)));
      html.findings(List.of(finding));
    }
    assertThat(out)
        .contains("\"rule\":\"PINNING\",\"device\":\"virtual:0\"")
        .contains("\"place\":\"com.acme.Scorer.\\u003cinit>(Scorer.java:42)\"")
        .contains("\"reason\":\"\\u003c/script>\"")
        .contains("\"count\":3,\"blocked\":1500,\"times\":[]");
    assertThat(page()).as("without a diagnosis").doesNotContain("\"findings\":");
  }

  @Test
  void loadsNothingFromElsewhere() {
    assertThat(page(Spans.in(1, 0, 10))).doesNotContain("http").doesNotContain("src=");
  }

  @Test
  void namesCannotBreakOutOfTheData() {
    String page = page(Spans.in(1, 0, 10));
    assertThat(page).doesNotContain("A </script>").contains("A \\u003c/script> title");
    assertThat(page.split("</script>", -1)).as("the data and the program end").hasSize(3);
  }

  @Test
  void writesAFile() throws Exception {
    Path file = folder.resolve("timeline.html");
    HtmlTimeline.write(file, "title", List.of(Spans.in(1, 0, 10)));
    assertThat(Files.readString(file)).startsWith("<!doctype html>").endsWith("</html>\n");
  }

  @Test
  void saysThatAFileCannotBeWritten() {
    Path file = folder.resolve("missing").resolve("timeline.html");
    assertThatThrownBy(() -> HtmlTimeline.write(file, "title", List.of()))
        .isInstanceOf(UncheckedIOException.class);
  }
}
