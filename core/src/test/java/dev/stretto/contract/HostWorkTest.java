package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Observer.HostWork;
import dev.stretto.Observer.Kind;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import dev.stretto.timeline.ChromeTrace;
import dev.stretto.timeline.HtmlTimeline;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * A timeline shows when threads of the host read what is copied in, and write what was copied out.
 */
@OnEveryDriver
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostWorkTest {
  private static final int BYTES = 20_000_003;

  @Parameter Machine machine;
  @TempDir Path folder;

  private static long bytes(List<Span> spans, Kind kind) {
    return spans.stream().filter(span -> span.kind() == kind).mapToLong(Span::bytes).sum();
  }

  private static long first(List<Span> spans, Kind kind) {
    return spans.stream()
        .filter(span -> span.kind() == kind)
        .mapToLong(Span::startNanos)
        .min()
        .orElseThrow();
  }

  private static long last(List<Span> spans, Kind kind) {
    return spans.stream()
        .filter(span -> span.kind() == kind)
        .mapToLong(Span::endNanos)
        .max()
        .orElseThrow();
  }

  @Test
  void aFlowFromFileToFileHasRowsOfReadingAndWriting() throws IOException {
    byte[] data = new byte[BYTES];
    new SplittableRandom(1).nextBytes(data);
    Path in = Files.write(folder.resolve("in"), data);
    List<Span> spans;
    try (Machine.Opened opened = machine.open()) {
      Device device = opened.devices().getFirst();
      try (Timeline timeline = Timeline.record(device)) {
        FlowReport report =
            Flow.on(device)
                .from(Source.file(in))
                .to(Sink.file(folder.resolve("out")))
                .chunkBytes(1 << 20)
                .start()
                .await();
        assertThat(report.bytesOut()).isEqualTo(BYTES);
        spans = timeline.spans();
        assertThat(timeline.leftOut()).isZero();
      }
      assertThat(bytes(spans, Kind.READ)).isEqualTo(BYTES);
      assertThat(bytes(spans, Kind.WRITE)).isEqualTo(BYTES);
      assertThat(first(spans, Kind.READ)).isLessThan(first(spans, Kind.WRITE));
      assertThat(last(spans, Kind.WRITE)).isGreaterThan(last(spans, Kind.READ));
      assertThat(last(spans, Kind.WRITE)).isGreaterThan(first(spans, Kind.DEVICE_TO_HOST));
      assertThat(spans).allMatch(span -> span.startNanos() >= 0 && span.nanos() >= 0);
      assertThat(spans)
          .allMatch(span -> span.isOfHost() == (span.stream() == 0))
          .anyMatch(span -> span.startNanos() == 0);
      assertShown(device, spans);
    }
  }

  private void assertShown(Device device, List<Span> spans) throws IOException {
    String picture = TextTimeline.draw(spans, 100);
    assertThat(picture).containsPattern("(?m)^reading +r").containsPattern("(?m)^writing .*w");
    assertThat(picture).doesNotContainPattern("(?m)^host ");
    assertThat(TextTimeline.legend(spans)).endsWith("r read   w write");
    List<Span> ofDevice = spans.stream().filter(span -> !span.isOfHost()).toList();
    assertThat(Overlap.of(spans)).isEqualTo(Overlap.of(ofDevice));
    assertThat(TextTimeline.legend(ofDevice)).isEqualTo(TextTimeline.LEGEND);
    Path trace = folder.resolve("trace.json");
    ChromeTrace.write(trace, device, spans);
    assertThat(Files.readString(trace)).contains("\"reading\"").contains("\"writing\"");
    Path page = folder.resolve("page.html");
    HtmlTimeline.write(page, "a file", spans);
    String kinds = Files.readString(page).replaceAll("(?s).*\"kind\":\\[([^]]*)].*", "$1");
    assertThat(List.of(kinds.split(",", -1)))
        .contains(String.valueOf(Kind.READ.ordinal()), String.valueOf(Kind.WRITE.ordinal()));
  }

  @Test
  void theProgramReportsItsOwnReading() {
    try (Machine.Opened opened = machine.open()) {
      Device device = opened.devices().getFirst();
      device.report(new HostWork(Kind.READ, "mine", 5, 10, 20)); // nobody observes it
      try (Timeline timeline = Timeline.record(device, 2)) {
        device.report(new HostWork(Kind.READ, "mine", 5, 1_000, 3_000));
        device.report(new HostWork(Kind.WRITE, "mine", 7, 2_000, 6_000));
        device.report(new HostWork(Kind.WRITE, "mine", 7, 6_000, 9_000)); // is full
        List<Span> spans = timeline.spans();
        assertThat(spans).extracting(Span::startNanos).containsExactly(0L, 1_000L);
        assertThat(spans).extracting(Span::endNanos).containsExactly(2_000L, 5_000L);
        assertThat(timeline.leftOut()).isEqualTo(1);
      }
    }
  }

  @Test
  void workOfTheHostThatCannotBeIsRefused() {
    assertThatThrownBy(() -> new HostWork(Kind.KERNEL, "mine", 5, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("READ or WRITE, not KERNEL");
    assertThatThrownBy(() -> new HostWork(Kind.READ, "mine", -1, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HostWork(Kind.READ, "mine", 1, 2, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
