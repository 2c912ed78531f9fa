package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Observer.Kind;
import dev.stretto.timeline.ChromeTrace;
import dev.stretto.timeline.Concurrency;
import dev.stretto.timeline.HtmlTimeline;
import dev.stretto.timeline.Overlap;
import dev.stretto.timeline.Span;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page of a timeline in Chromium, by mouse and keys. */
class PageTest {
  private static final String ODD = "reduce</script><b onclick=\"x\">'é漢😀\\u2028 & <!--";
  private static final int STREAMS = 3;
  private static final int ROUNDS = 40;

  /** What page and test agree upon: the corner of the rows, and their height. */
  private static final String GEOMETRY = "[LABELS, views[0].top, ROW]";

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

  @BeforeEach
  void inTheLight() {
    browser.theme("light");
    List<String> _ = browser.requests();
  }

  @AfterEach
  void thePageHasNotComplained() {
    assertThat(browser.problems()).isEmpty();
  }

  private static Span span(Kind kind, String name, int stream, long n, long bytes, long... times) {
    return new Span(kind, name, stream, n, bytes, true, times[0] - 1000, times[0], times[1]);
  }

  /** Rounds of a copy in, a kernel and a copy out, on several streams, of random lengths. */
  private static List<Span> rounds(long seed) {
    Random random = new Random(seed);
    List<Span> spans = new ArrayList<>();
    long[] free = new long[STREAMS];
    long in = 0;
    long out = 0;
    for (int i = 0; i < ROUNDS; i++) {
      int stream = i % STREAMS;
      long start = Math.max(in, free[stream]);
      long end = start + 20_000 + random.nextInt(50_000);
      spans.add(span(Kind.HOST_TO_DEVICE, "upload", stream + 1, 3L * i + 1, 1 << 20, start, end));
      in = end;
      long done = end + 5_000 + random.nextInt(80_000);
      String kernel = i % 5 == 0 ? ODD : i % 2 == 0 ? "saxpy" : "chacha20";
      spans.add(span(Kind.KERNEL, kernel, stream + 1, 3L * i + 2, 0, end, done));
      long begin = Math.max(out, done);
      long last = begin + 10_000 + random.nextInt(30_000);
      spans.add(
          span(Kind.DEVICE_TO_HOST, "download", stream + 1, 3L * i + 3, 1 << 19, begin, last));
      out = last;
      free[stream] = last;
    }
    return spans;
  }

  private Path page(List<Span> spans) {
    Path file = folder.resolve("page.html");
    HtmlTimeline.write(file, "A program", spans);
    return file;
  }

  private static List<Double> geometry() {
    return ((List<?>) browser.script("return " + GEOMETRY))
        .stream().map(each -> ((Number) each).doubleValue()).toList();
  }

  /** Where an operation is seen in a row of the first timeline. */
  private static double[] placeOf(Span span, int row) {
    double x = browser.number("pixelAt(views[0], " + (span.startNanos() + span.nanos() / 2) + ")");
    return new double[] {x, geometry().get(1) + (row + .5) * geometry().get(2)};
  }

  private static double from() {
    return Double.parseDouble(
        String.valueOf(browser.find(".scroller canvas").getDomAttribute("data-from")));
  }

  private static double to() {
    return Double.parseDouble(
        String.valueOf(browser.find(".scroller canvas").getDomAttribute("data-to")));
  }

  // --- the summary ------------------------------------------------------------------------------

  @Test
  void loadsNothingFromElsewhere() {
    browser.open(page(rounds(1)));
    assertThat(browser.requests())
        .isNotEmpty()
        .allSatisfy(address -> assertThat(address).matches("(file:///.*page\\.html|data:,)"));
  }

  @Test
  void theSummaryIsWhatTheTimelineSays() {
    for (long seed = 1; seed <= 5; seed++) {
      List<Span> spans = rounds(seed);
      browser.open(page(spans));
      Concurrency concurrency = Concurrency.of(spans);
      Map<String, Double> busy = new TreeMap<>();
      for (WebElement row : browser.all(".summary tr[data-row]")) {
        busy.put(
            row.getDomAttribute("data-row"), Double.parseDouble(row.getDomAttribute("data-busy")));
      }
      for (Concurrency.EngineUse use : concurrency.engines()) {
        assertThat(busy.get(use.engine().title()))
            .as("seed %d, %s", seed, use.engine())
            .isCloseTo(use.busySeconds() * 1e9, within(1.0));
      }
      Concurrency.EngineUse busiest =
          concurrency.engines().stream()
              .max((a, b) -> Double.compare(a.busySeconds(), b.busySeconds()))
              .orElseThrow();
      long percent = Math.round(100 * busiest.busySeconds() / concurrency.seconds());
      assertThat(browser.text(".facts"))
          .as("seed %d", seed)
          .contains(busiest.engine().title() + ", " + percent + " % busy")
          .contains(
              "Copying hidden by other work" + Math.round(100 * Overlap.of(spans).ratio()) + " %")
          .contains("Operations" + spans.size());
    }
  }

  @Test
  void severalDevicesHaveRowsOfTheirOwn() {
    List<Span> spans = new ArrayList<>();
    for (Span each : rounds(7)) {
      int device = each.stream() == 1 ? 0 : 1;
      spans.add(
          new Span(
              each.kind(),
              each.name(),
              device,
              "virtual:" + device,
              each.stream(),
              each.streamName(),
              each.correlation(),
              Span.NO_NODE,
              "",
              "",
              each.bytes(),
              true,
              each.enqueuedNanos(),
              each.startNanos(),
              each.endNanos(),
              each.traffic(),
              each.detail()));
    }
    browser.open(page(spans));
    for (Concurrency.EngineUse use : Concurrency.of(spans).engines()) {
      WebElement row =
          browser.find(
              ".summary tr[data-device='%s'][data-row='%s']"
                  .formatted(use.deviceName(), use.engine().title()));
      assertThat(Double.parseDouble(row.getDomAttribute("data-busy")))
          .isCloseTo(use.busySeconds() * 1e9, within(1.0));
    }
  }

  @Test
  void aPageWithoutOperationsOpens() {
    browser.open(page(List.of()));
    browser.press("+");
    browser.press("n");
    browser.press("0");
    browser.type("#search", "x");
    assertThat(browser.text("#matches")).isEqualTo("nothing found");
  }

  @Test
  void theTotalsAreThoseOfTheOperations() {
    List<Span> spans = rounds(3);
    browser.open(page(spans));
    Map<String, List<Span>> byName = spans.stream().collect(Collectors.groupingBy(Span::name));
    Map<String, String> seen = new TreeMap<>();
    for (WebElement row : browser.all("#totals tbody tr")) {
      seen.put(
          row.getDomAttribute("data-name"),
          row.getDomAttribute("data-count")
              + " "
              + row.getDomAttribute("data-total")
              + " "
              + row.getDomAttribute("data-bytes"));
    }
    Map<String, String> expected = new TreeMap<>();
    byName.forEach(
        (name, its) ->
            expected.put(
                name,
                "%d %d %d"
                    .formatted(
                        its.size(),
                        its.stream().mapToLong(Span::nanos).sum(),
                        its.stream().mapToLong(Span::bytes).sum())));
    assertThat(seen).isEqualTo(expected);
    browser.click("#totals th:nth-child(2) button");
    List<Integer> counts =
        browser.texts("#totals tbody td:nth-child(2)").stream().map(Integer::valueOf).toList();
    assertThat(counts).isSortedAccordingTo((a, b) -> b - a);
    browser.click("#totals th:nth-child(2) button");
    assertThat(browser.find("#totals th:nth-child(2)").getDomAttribute("aria-sort"))
        .isEqualTo("ascending");
  }

  @Test
  void namesAreTextWhateverIsInThem() {
    browser.open(page(rounds(1)));
    assertThat(browser.texts("#totals td button")).contains("# " + ODD);
    assertThat(browser.all("#totals b")).isEmpty();
  }

  // --- moving -----------------------------------------------------------------------------------

  @Test
  void zoomEndsAtOneOperationAndAtTheWhole() {
    List<Span> spans = rounds(2);
    long end = spans.stream().mapToLong(Span::endNanos).max().orElseThrow();
    long shortest = spans.stream().mapToLong(Span::nanos).min().orElseThrow();
    browser.open(page(spans));
    assertThat(from()).isZero();
    assertThat(to()).isEqualTo((double) end);
    for (int i = 0; i < 60; i++) {
      browser.press("+");
    }
    assertThat(to() - from()).isCloseTo((double) shortest, within(1.0));
    browser.press(Keys.END);
    assertThat(to()).isCloseTo((double) end, within(1.0));
    browser.press(Keys.ARROW_RIGHT);
    assertThat(to()).as("it goes no further").isCloseTo((double) end, within(1.0));
    for (int i = 0; i < 60; i++) {
      browser.press("-");
    }
    assertThat(from()).isZero();
    assertThat(to()).isEqualTo((double) end);
  }

  @Test
  void keysMove() {
    browser.open(page(rounds(2)));
    browser.press("+", "+", "+", "+");
    double from = from();
    double span = to() - from;
    browser.press(Keys.ARROW_RIGHT);
    assertThat(from()).isCloseTo(from + .2 * span, within(span / 100));
    browser.press(Keys.ARROW_LEFT);
    assertThat(from()).isCloseTo(from, within(span / 100));
    browser.pressWithShift(Keys.ARROW_RIGHT);
    assertThat(from()).isCloseTo(from + span, within(span / 100));
    browser.press(Keys.HOME);
    assertThat(from()).isZero();
    browser.press("0");
    assertThat(browser.text("#range")).startsWith("0 to ");
    browser.click("#in");
    assertThat(to() - from()).isLessThan(4 * span);
    browser.click("#whole");
    assertThat(from()).isZero();
  }

  @Test
  void theWheelZoomsAndTheMouseDrags() {
    browser.open(page(rounds(2)));
    double whole = to();
    double x = geometry().get(0) + 300;
    double pointed = browser.number("nanosAt(views[0], " + x + ")");
    browser.at(0, x, 60).perform();
    Object _ =
        browser.script(
            "const c = views[0].canvas, r = c.getBoundingClientRect();c.dispatchEvent(new"
                + " WheelEvent('wheel', {deltaY: -400, cancelable: true, clientX: r.left +"
                + " arguments[0], clientY: r.top + 60}))",
            x);
    browser.settle();
    assertThat(to() - from()).isLessThan(whole * .6);
    assertThat(browser.number("nanosAt(views[0], " + x + ")"))
        .as("what is under the mouse stays there")
        .isCloseTo(pointed, within(whole / 500));
    double from = from();
    browser.at(0, x, 60).clickAndHold().moveByOffset(-100, 0).release().perform();
    browser.settle();
    assertThat(from()).isGreaterThan(from);
  }

  // --- selecting, searching, measuring ----------------------------------------------------------

  @Test
  void aClickTellsOfAnOperation() {
    List<Span> spans = rounds(4);
    browser.open(page(spans));
    Span first = spans.getFirst();
    double[] place = placeOf(first, 0);
    browser.at(0, place[0], place[1]).click().perform();
    browser.settle();
    assertThat(browser.text("#inspector"))
        .contains(
            "upload", "kindcopy in", "streamstream 1", "bytes1 MiB (1,048,576)", "engineH2D engine")
        .contains("speed%.2f GB/s".formatted(first.bytesPerSecond() / 1e9));
    browser.press("n");
    assertThat(browser.text("#inspector")).contains(ODD, "kindkernel");
    browser.press("f");
    assertThat(to() - from()).isCloseTo(spans.get(1).nanos() * 1.2, within(2.0));
    browser.press("p");
    assertThat(browser.text("#inspector")).contains("upload");
    browser.press(Keys.ESCAPE);
    assertThat(browser.find("#inspector").isDisplayed()).isFalse();
  }

  @Test
  void searchGoesOnAndBack() throws Exception {
    List<Span> spans = rounds(5);
    browser.open(page(spans));
    browser.press("/");
    assertThat(browser.script("return document.activeElement.id")).isEqualTo("search");
    browser.press("CHACHA");
    long expected = spans.stream().filter(span -> span.name().equals("chacha20")).count();
    assertThat(browser.text("#matches")).isEqualTo(expected + " matches");
    browser.press(Keys.ENTER);
    assertThat(browser.text("#matches")).isEqualTo("1 of " + expected);
    assertThat(browser.text("#inspector")).contains("chacha20");
    browser.press(Keys.ENTER);
    assertThat(browser.text("#matches")).isEqualTo("2 of " + expected);
    browser.pressWithShift(Keys.ENTER);
    browser.pressWithShift(Keys.ENTER);
    assertThat(browser.text("#matches")).isEqualTo(expected + " of " + expected);
    browser.press(Keys.ESCAPE);
    assertThat(browser.text("#matches")).isEmpty();
    browser.press("0");
    assertThat(from()).as("keys are for the timeline again").isZero();
    browser.type("#search", "no such thing");
    assertThat(browser.text("#matches")).isEqualTo("nothing found");
  }

  @Test
  void aMatchOutOfSightComesIntoSight() {
    List<Span> spans = rounds(5);
    browser.open(page(spans));
    Span last = spans.stream().filter(s -> s.name().equals("saxpy")).toList().getLast();
    browser.press("+", "+", "+", "+", "+", "+");
    browser.press(Keys.HOME);
    browser.type("#search", "saxpy");
    browser.click("#previous");
    assertThat(from()).isLessThanOrEqualTo((double) last.startNanos());
    assertThat(to()).isGreaterThanOrEqualTo((double) last.endNanos());
  }

  @Test
  void draggingWithShiftMeasures() {
    List<Span> spans = rounds(6);
    browser.open(page(spans));
    double x = geometry().get(0) + 200;
    double begin = browser.number("nanosAt(views[0], " + Math.round(x) + ")");
    double end = browser.number("nanosAt(views[0], " + Math.round(x + 400) + ")");
    browser.at(0, x, 80).perform();
    browser
        .actions()
        .keyDown(Keys.SHIFT)
        .clickAndHold()
        .moveByOffset(400, 0)
        .release()
        .keyUp(Keys.SHIFT)
        .perform();
    browser.settle();
    double from = browser.number("views[0].measured[0]");
    double to = browser.number("views[0].measured[1]");
    double pixel = browser.number("(views[0].to - views[0].from) / widthOf(views[0])");
    assertThat(from).isCloseTo(begin, within(2 * pixel));
    assertThat(to).isCloseTo(end, within(2 * pixel));
    double bytes =
        spans.stream()
            .filter(span -> span.kind() == Kind.HOST_TO_DEVICE)
            .mapToDouble(
                span ->
                    span.bytes()
                        * Math.max(
                            0,
                            Math.min(to, (double) span.endNanos())
                                - Math.max(from, (double) span.startNanos()))
                        / span.nanos())
            .sum();
    double speed = bytes / (to - from);
    assertThat(browser.text("#inspector"))
        .startsWith("Measured: ")
        .contains("%.2f GB/s".formatted(speed));
    assertThat(browser.text("#totals h2")).contains("within what is measured");
    double whole = to() - from();
    browser.press("f");
    assertThat(to() - from()).isCloseTo(to - from, within(whole / 1000));
    browser.press(Keys.ESCAPE);
    assertThat(browser.text("#totals h2")).doesNotContain("measured");
  }

  @Test
  void helpListsTheKeys() {
    browser.open(page(rounds(1)));
    browser.press("?");
    assertThat(browser.find("#help").isDisplayed()).isTrue();
    assertThat(browser.text("#help")).contains("Shift + drag", "Esc", "search");
    browser.press(Keys.ESCAPE);
    assertThat(browser.find("#help").isDisplayed()).isFalse();
  }

  // --- comparing --------------------------------------------------------------------------------

  private static Map<String, Long> busyTotals(List<Span> spans) {
    return spans.stream()
        .collect(Collectors.groupingBy(Span::name, Collectors.summingLong(Span::nanos)));
  }

  private void compareWith(Path other, List<Span> spans, List<Span> second) throws Exception {
    browser.open(page(spans));
    assertThat(browser.find("#comparison").isDisplayed()).isFalse();
    browser.find("#file").sendKeys(other.toString());
    browser.awaitTrue("the second trace", () -> browser.find("#comparison").isDisplayed());
    Map<String, Long> ours = busyTotals(spans);
    Map<String, Long> theirs = busyTotals(second);
    for (String name : ours.keySet()) {
      String row =
          "[...document.querySelectorAll('#comparison tr[data-first]')].find(r => r.dataset.name"
              + " === arguments[0]).dataset";
      assertThat(browser.script("return +" + row + ".first", name))
          .as(name)
          .isEqualTo(ours.get(name));
      assertThat(browser.script("return +" + row + ".second", name))
          .as(name)
          .isEqualTo(theirs.get(name));
    }
    assertThat(browser.all(".scroller canvas")).hasSize(2);
  }

  @Test
  void comparesWithAnotherPage() throws Exception {
    Path other = folder.resolve("other.html");
    HtmlTimeline.write(other, "Another", rounds(12));
    compareWith(other, rounds(11), rounds(12));
    assertThat(browser.texts("#comparison thead th")).contains("other.html");
  }

  @Test
  void comparesWithATraceForPerfetto() throws Exception {
    Path other = folder.resolve("other.json");
    try (dev.stretto.Device device = dev.stretto.Device.open("virtual")) {
      ChromeTrace.write(other, device, rounds(14));
    }
    compareWith(other, rounds(13), rounds(14));
  }

  @Test
  void saysThatAFileIsNoTrace() throws Exception {
    Path other = Files.writeString(folder.resolve("other.json"), "{\"a\": 1}");
    browser.open(page(rounds(1)));
    browser.find("#file").sendKeys(other.toString());
    browser.awaitTrue("the notice", () -> browser.find("#notice").isDisplayed());
    assertThat(browser.text("#notice")).contains("other.json is neither a page of Stretto nor");
  }

  @Test
  void sectionsOfOnePageAreCompared() throws IOException {
    Path file = folder.resolve("page.html");
    try (Writer out = Files.newBufferedWriter(file);
        HtmlTimeline page = new HtmlTimeline(out, "Two modes", "a device")) {
      page.section("naive", rounds(1));
      page.section("overlap", rounds(2));
    }
    browser.open(file);
    assertThat(browser.texts("h2")).contains("naive", "overlap");
    assertThat(browser.texts("#comparison thead th")).contains("naive", "overlap");
    assertThat(browser.number("views[0].to")).isEqualTo(browser.number("views[1].to"));
    browser.click("#same");
    assertThat(browser.number("views[0].to")).isEqualTo(browser.number("views[0].section.finish"));
    assertThat(browser.number("views[1].to")).isEqualTo(browser.number("views[1].section.finish"));
  }

  // --- looks ------------------------------------------------------------------------------------

  private static double brightness(List<Long> colour) {
    return .299 * colour.get(0) + .587 * colour.get(1) + .114 * colour.get(2);
  }

  @Test
  void isLightAndDark() {
    browser.open(page(rounds(1)));
    assertThat(brightness(browser.pixel(0, 2, 2))).isGreaterThan(230);
    browser.theme("dark");
    assertThat(brightness(browser.pixel(0, 2, 2))).isLessThan(50);
    assertThat(browser.script("return getComputedStyle(document.body).color"))
        .isEqualTo("rgb(232, 234, 237)");
  }

  @Test
  void barsAreWhereTheOperationsAre() {
    List<Span> spans = rounds(1);
    browser.open(page(spans));
    for (String scheme : List.of("light", "dark")) {
      browser.theme(scheme);
      double row = geometry().get(1) + (STREAMS + 1.5) * geometry().get(2);
      List<Span> kernels = spans.stream().filter(s -> s.kind() == Kind.KERNEL).toList();
      Span longest =
          kernels.stream().max((a, b) -> Long.compare(a.nanos(), b.nanos())).orElseThrow();
      double right = browser.number("pixelAt(views[0], " + longest.endNanos() + ")");
      assertThat(browser.pixel(0, right - 4, row)).as(scheme).containsExactly(230L, 159L, 0L);
      long gap = kernels.stream().mapToLong(Span::startNanos).min().orElseThrow() / 2;
      double before = browser.number("pixelAt(views[0], " + gap + ")");
      assertThat(browser.pixel(0, before, row)).as(scheme).isNotEqualTo(List.of(230L, 159L, 0L));
    }
  }

  @Test
  void kindsDifferWithoutColour() {
    browser.open(page(rounds(1)));
    assertThat(browser.texts(".legend span"))
        .containsExactly("> copy in", "# kernel", "< copy out");
    Object patterns =
        browser.script(
            "return new Set([...document.querySelectorAll('.legend canvas')].map(c => {const d ="
                + " c.getContext('2d').getImageData(0, 0, 24, 14).data; let s = '';for (let i = 0;"
                + " i < d.length; i += 4) s += d[i + 1] < d[1] ? '#' : d[i + 1] > d[1] ? '+' : '.';"
                + " return s; })).size");
    assertThat(patterns).isEqualTo(3L);
  }
}
