package dev.stretto.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void holdsTheOperationsOfEverySection() {
    assertThat(page(Spans.in(1, 0, 10), Spans.kernel(2, 10, 12)))
        .contains("\"name\":\"first\",\"nanos\":12000,\"overlapPercent\":0")
        .contains(
            "\"operations\":[[\"in\",1,0,10000,10000,1000,0],[\"kernel\",2,10000,12000,0,2010,1]]")
        .contains("\"names\":[\"host_to_device\",\"kernel\"]")
        .contains("\"name\":\"empty\",\"nanos\":0");
  }

  @Test
  void loadsNothingFromElsewhere() {
    assertThat(page(Spans.in(1, 0, 10))).doesNotContain("http").doesNotContain("src=");
  }

  @Test
  void namesCannotBreakOutOfTheData() {
    String page = page(Spans.in(1, 0, 10));
    assertThat(page).doesNotContain("A </script>").contains("A \\u003c/script> title");
    assertThat(page.split("</script>", -1)).hasSize(2);
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
