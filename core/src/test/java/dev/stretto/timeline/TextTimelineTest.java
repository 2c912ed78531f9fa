package dev.stretto.timeline;

import static dev.stretto.timeline.Spans.in;
import static dev.stretto.timeline.Spans.kernel;
import static dev.stretto.timeline.Spans.out;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Observer.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TextTimelineTest {
  /** Three chunks on three streams, a copy taking ten microseconds and a kernel two. */
  private static List<Span> pipeline() {
    List<Span> spans = new ArrayList<>();
    for (int chunk = 0; chunk < 3; chunk++) {
      long start = 10L * chunk;
      spans.add(in(chunk + 1, start, start + 10));
      spans.add(kernel(chunk + 1, start + 10, start + 12));
      spans.add(out(chunk + 1, start + 12, start + 22));
    }
    return spans;
  }

  @Test
  void drawsTheClassicPictureOfOverlappingCopies() {
    assertThat(TextTimeline.draw(pipeline(), 12 + 42))
        .isEqualTo(
            """
            stream 1    >>>>>>>>>>##<<<<<<<<<<
            stream 2              >>>>>>>>>>##<<<<<<<<<<
            stream 3                        >>>>>>>>>>##<<<<<<<<<<
            H2D engine  >>>>>>>>>>>>>>>>>>>>>>>>>>>>>>
            kernels               ##        ##        ##
            D2H engine              <<<<<<<<<<<<<<<<<<<<<<<<<<<<<<
                        0         10        20        30 µs
            """);
  }

  @Test
  void drawsAPartWhereAsked() {
    assertThat(TextTimeline.draw(pipeline(), 12 + 20, 10_000, 30_000))
        .isEqualTo(
            """
            stream 1    ##<<<<<<<<<<
            stream 2    >>>>>>>>>>##<<<<<<<<
            stream 3              >>>>>>>>>>
            H2D engine  >>>>>>>>>>>>>>>>>>>>
            kernels     ##        ##
            D2H engine    <<<<<<<<<<<<<<<<<<
                        10        20 µs
            """);
  }

  @Test
  void copiesAndFillsOnTheDeviceLookAlike() {
    Span fill = Spans.span(Kind.FILL, 1, 0, 10);
    Span local = Spans.span(Kind.DEVICE_TO_DEVICE, 1, 10, 20);
    assertThat(TextTimeline.draw(List.of(fill, local), 32)).contains("stream 1  =====");
  }

  @Test
  void aGraphIsDrawnBesideKernels() {
    Span graph = Spans.span(Kind.GRAPH, 1, 0, 10);
    assertThat(TextTimeline.draw(List.of(graph, kernel(1, 10, 20)), 32))
        .contains("stream 1  %%%%%")
        .contains("kernels   %%%%%");
    assertThat(TextTimeline.LEGEND).endsWith("% graph");
  }

  @Test
  void everyOperationShowsWhereThereIsRoom() {
    String picture = TextTimeline.draw(List.of(in(1, 0, 100_000), kernel(1, 100_000, 100_001)), 60);
    assertThat(picture.lines().findFirst().orElseThrow()).endsWith(">#");
  }

  @Test
  void whereThereIsNoneTheSharesAreRight() {
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      spans.add(in(1, 10L * i, 10L * i + 5));
    }
    String row = TextTimeline.draw(spans, 112).lines().findFirst().orElseThrow();
    assertThat(row.chars().filter(c -> c == '>').count()).isBetween(49L, 51L);
  }

  @Test
  void isNeverWiderThanAsked() {
    SplittableRandom random = new SplittableRandom(5);
    List<Kind> kinds = List.of(Kind.values());
    for (int width = 32; width < 140; width++) {
      List<Span> spans = new ArrayList<>();
      int count = 1 + random.nextInt(200);
      for (int i = 0; i < count; i++) {
        long start = random.nextLong(1L << random.nextInt(1, 40));
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        spans.add(Spans.span(kind, 1 + random.nextInt(30), start, start + random.nextInt(1000)));
      }
      int widest =
          TextTimeline.draw(spans, width).lines().mapToInt(String::length).max().orElseThrow();
      assertThat(widest).as("of %s operations", count).isLessThanOrEqualTo(width);
    }
  }

  @Test
  void manyStreamsAreCounted() {
    List<Span> spans = new ArrayList<>();
    for (int stream = 1; stream <= 20; stream++) {
      spans.add(in(stream, stream, stream + 1));
    }
    assertThat(TextTimeline.draw(spans, 80)).contains("stream 16").contains("and 4 more");
  }

  @Test
  void theAxisHasTheUnitThatFits() {
    assertThat(TextTimeline.draw(List.of(in(1, 0, 3)), 60)).contains(" µs");
    assertThat(TextTimeline.draw(List.of(in(1, 0, 3_000)), 60)).contains("2 ms");
    assertThat(TextTimeline.draw(List.of(in(1, 0, 30_000_000)), 60)).contains("20 s");
  }

  @Test
  void nothingIsDrawnOfNothing() {
    assertThat(TextTimeline.draw(List.of(), 80)).isEmpty();
  }

  @Test
  void refusesWhatCannotBeDrawn() {
    List<Span> spans = pipeline();
    assertThatThrownBy(() -> TextTimeline.draw(spans, 31))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("31");
    assertThatThrownBy(() -> TextTimeline.draw(spans, 80, 10, 9))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void timesMayBeAnyNumbers() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 2_000; round++) {
      List<Span> spans = new ArrayList<>();
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        long start = random.nextLong() >>> random.nextInt(2, 64);
        spans.add(Spans.atNanos(start, start + (random.nextLong() >>> random.nextInt(2, 64))));
      }
      int width = random.nextInt(32, 300);
      assertThat(TextTimeline.draw(spans, width).lines())
          .as("%s, %d wide", spans, width)
          .allMatch(line -> line.length() <= width);
    }
  }
}
