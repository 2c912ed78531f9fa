package dev.stretto.contract;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Observer.Kind;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.driver.LinkTraffic;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.timeline.ChromeTrace;
import dev.stretto.timeline.HtmlTimeline;
import dev.stretto.timeline.Span;
import dev.stretto.timeline.TextTimeline;
import dev.stretto.timeline.Timeline;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What launches with views of host memory move over the link is told. */
class ViewTrafficTest extends ContractTest {
  private static final int LENGTH = 10_000;
  private static final long BYTES = 4L * LENGTH;

  @Kernel
  static void twice(ThreadBlock block, GlobalFloats from, GlobalFloats to) {
    int i = (int) block.globalIndexX();
    if (i < from.length()) {
      to.set(i, 2 * from.get(i));
    }
  }

  /** Reads the first elements of rows of 16. */
  @Kernel
  static void strided(ThreadBlock block, GlobalFloats from, GlobalFloats to, int rows) {
    int i = (int) block.globalIndexX();
    if (i < rows) {
      to.set(i, from.get(16 * i) + from.get(0));
    }
  }

  @Kernel
  static void gathered(ThreadBlock block, GlobalFloats from, GlobalInts places, GlobalFloats to) {
    int i = (int) block.globalIndexX();
    if (i < places.length()) {
      to.set(i, from.get(places.get(i)));
    }
  }

  private static Grid grid() {
    return Grid.covering(LENGTH, 256);
  }

  @Test
  void aTimelineTellsWhatALaunchMovesOverTheLink() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalFloats array = device.allocateFloats(LENGTH)) {
      GlobalFloats in = device.view(arena.allocate(JAVA_FLOAT, LENGTH), GlobalFloats::of);
      GlobalFloats out = device.view(arena.allocate(JAVA_FLOAT, LENGTH), GlobalFloats::of);
      List<Span> spans;
      try (Timeline timeline = Timeline.record(device)) {
        stream.fill(array, 1f);
        stream.launch(grid(), ViewTrafficTest::twice, array, array);
        stream.launch(grid(), ViewTrafficTest::twice, in, array);
        stream.launch(grid(), ViewTrafficTest::twice, in, out);
        stream.launch(grid(), ViewTrafficTest::twice, in.slice(0, 100), out);
        stream.await();
        spans = timeline.spans();
      }
      double rate = rate(in, array);
      assertThat(spans)
          .extracting(Span::traffic)
          .containsExactly(
              LinkTraffic.NONE,
              LinkTraffic.NONE,
              new LinkTraffic(1, BYTES, 0, rate),
              new LinkTraffic(2, BYTES, BYTES, rate),
              new LinkTraffic(2, 400, 400, rate));
      Span both = spans.get(3);
      assertThat(both.kind()).isEqualTo(Kind.KERNEL);
      if (machine().isVirtual() && machine().isModelled()) {
        assertThat(both.traffic().leastNanos().orElseThrow()).isBetween(1L, both.nanos());
      } else {
        assertThat(both.traffic().leastNanos()).isEmpty();
      }
    }
  }

  /** The rate is the device's, whatever the launch. */
  private double rate(GlobalFloats in, GlobalFloats out) {
    double rate =
        device.prepare(grid(), ViewTrafficTest::twice, in, out).traffic().bytesPerSecond();
    assertThat(rate > 1e9).isEqualTo(machine().isModelled());
    return rate;
  }

  @Test
  void tracesPagesAndLegendsTellIt() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalFloats array = device.allocateFloats(LENGTH)) {
      GlobalFloats in = device.view(arena.allocate(JAVA_FLOAT, LENGTH), GlobalFloats::of);
      List<Span> without;
      List<Span> with;
      try (Timeline timeline = Timeline.record(device)) {
        stream.launch(grid(), ViewTrafficTest::twice, array, array);
        stream.await();
        without = timeline.spans();
        stream.launch(grid(), ViewTrafficTest::twice, in, array);
        stream.await();
        with = timeline.spans();
      }
      assertThat(trace(without)).doesNotContain("over the link");
      assertThat(trace(with))
          .contains(
              "\"views of host memory\":1,\"bytes read over the link\":40000,\"bytes written over"
                  + " the link\":0");
      assertThat(page(without)).doesNotContain("over the link\"");
      assertThat(page(with))
          .contains("\"1 view of host memory: up to 40000 bytes read and 0 bytes written");
      assertThat(TextTimeline.legend(without)).isEqualTo(TextTimeline.LEGEND);
      assertThat(TextTimeline.legend(with))
          .startsWith(
              TextTimeline.LEGEND + "\n# over the link in 1 of the kernels: up to 40000 bytes");
    }
  }

  private String trace(List<Span> spans) {
    StringBuilder out = new StringBuilder();
    try (ChromeTrace trace = new ChromeTrace(out, device)) {
      trace.section("", spans);
    }
    return out.toString();
  }

  private static String page(List<Span> spans) {
    StringBuilder out = new StringBuilder();
    try (HtmlTimeline page = new HtmlTimeline(out, "views", "a device")) {
      page.section("views", spans);
    }
    return out.toString();
  }

  @Test
  void aLaunchExplainsItsViews() {
    try (PinnedArena arena = device.pinnedArena();
        GlobalFloats array = device.allocateFloats(LENGTH)) {
      GlobalFloats in = device.view(arena.allocate(JAVA_FLOAT, LENGTH), GlobalFloats::of);
      Launch launch = device.prepare(grid(), ViewTrafficTest::twice, array, array);
      assertThat(launch.traffic()).isEqualTo(LinkTraffic.NONE);
      assertThat(launch.explain())
          .contains("40 blocks of 256 threads: no argument is a view of host memory%n".formatted())
          .containsPattern(
              "(?m)^  \\d+ blocks per multiprocessor, \\d+ of \\d+ warps \\(\\d+ %\\)(, limited by"
                  + " [a-z ]+)?; \\d+ registers( are assumed)? and \\d+ bytes of local memory per"
                  + " thread$");
      launch.set(0, in);
      assertThat(launch.traffic().readBytes()).isEqualTo(BYTES);
      assertThat(launch.explain())
          .contains("1 view of host memory: up to 40000 bytes read and 0 bytes written over")
          .contains("  argument 0, a view of 40000 bytes: up to 40000 bytes read, 0 bytes written")
          .contains(
              "reads 4 bytes at a time; neighbouring threads access neighbouring elements, as the"
                  + " link needs it")
          .doesNotContain("argument 1");
    }
  }

  @Test
  void accessesThatAreApartAreExplained() {
    try (PinnedArena arena = device.pinnedArena();
        GlobalFloats array = device.allocateFloats(LENGTH);
        GlobalInts places = device.allocateInts(100)) {
      GlobalFloats in = device.view(arena.allocate(JAVA_FLOAT, LENGTH), GlobalFloats::of);
      Launch strided = device.prepare(Grid.of(1, 128), ViewTrafficTest::strided, in, array, 100);
      // The first elements of 100 rows, and the first of all at another place of the kernel.
      assertThat(strided.traffic().readBytes()).isEqualTo(404);
      assertThat(strided.explain())
          .contains("reads 4 bytes at a time; neighbouring threads are 64 bytes apart")
          .contains("reads 4 bytes at a time; neighbouring threads access the same bytes")
          .doesNotContain("neighbouring elements");
      Launch gathered =
          device.prepare(Grid.of(1, 128), ViewTrafficTest::gathered, in, places, array);
      assertThat(gathered.traffic().readBytes()).isEqualTo(BYTES); // any of them
      assertThat(gathered.explain())
          .contains(
              "reads 4 bytes at a time; how far apart neighbouring threads are is not known before"
                  + " it runs");
      Launch alone = device.prepare(Grid.of(100, 1), ViewTrafficTest::twice, in, array);
      assertThat(alone.explain()).doesNotContain("neighbouring elements");
    }
  }
}
