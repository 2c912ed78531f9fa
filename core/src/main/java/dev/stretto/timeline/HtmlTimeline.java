package dev.stretto.timeline;

import dev.stretto.Observer.Kind;
import dev.stretto.diagnosis.Finding;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes timelines as one page that any browser opens, without loading anything from elsewhere: a
 * row for each stream and each engine of each device, and for each branch of a graph whose nodes
 * are known, with colours, patterns and signs that tell kinds apart. The page begins with a
 * summary: how busy each row is, how much of the copying is hidden, and which engine bounds it.
 * Readers can zoom to a single operation, search, measure, sum up by name, and compare with a
 * second trace, by mouse or keys. Several sections, each a timeline of its own, follow one below
 * the other.
 */
public final class HtmlTimeline implements Closeable {
  private static final String DATA = "/*DATA*/";
  private static final String STYLE = "/*STYLE*/";
  private static final String SCRIPT = "/*SCRIPT*/";

  /** The page's program: what it knows, how it draws, what its reader does. */
  private static final List<String> SCRIPTS = List.of("trace.js", "rows.js", "page.js");

  private final Appendable out;
  private final String end;
  private final JsonText json;
  private @Nullable PageFindings findings;
  private boolean ended;

  /**
   * Begins a page.
   *
   * @param out the output; closed with the page if it can be closed
   * @param title of the page
   * @param subtitle below the title, such as the device
   * @throws UncheckedIOException if it cannot be written
   */
  public HtmlTimeline(Appendable out, String title, String subtitle) {
    Objects.requireNonNull(out, "out");
    Objects.requireNonNull(title, "title");
    Objects.requireNonNull(subtitle, "subtitle");
    String page = page();
    int split = page.indexOf(DATA);
    this.out = out;
    this.end = page.substring(split + DATA.length());
    this.json = new JsonText(out);
    append(page.substring(0, split));
    json.beginObject().name("title").value(title).name("subtitle").value(subtitle);
    json.name("sections").beginArray();
  }

  /**
   * Writes a timeline to a file.
   *
   * @param file created, or overwritten if it exists
   * @param title of the page
   * @param spans of the timeline
   * @throws UncheckedIOException if it cannot be written
   */
  public static void write(Path file, String title, List<Span> spans) {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(title, "title");
    Span.requireEach(spans);
    try (BufferedWriter out = Files.newBufferedWriter(file);
        HtmlTimeline page = new HtmlTimeline(out, title, "")) {
      page.section("", spans);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@return the page without its data} */
  private static String page() {
    String scripts = SCRIPTS.stream().map(HtmlTimeline::resource).collect(Collectors.joining("\n"));
    return resource("page.html").replace(STYLE, resource("page.css")).replace(SCRIPT, scripts);
  }

  private static String resource(String name) {
    try (InputStream in = HtmlTimeline.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing beside " + HtmlTimeline.class);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes a timeline below those that were written so far.
   *
   * @param name is shown above it
   * @param spans of the timeline; may be empty
   * @throws UncheckedIOException if it cannot be written
   */
  public void section(String name, List<Span> spans) {
    section(name, new Content(spans, List.of(), List.of(), 0));
  }

  /**
   * Writes a timeline with all that is known of it below those that were written so far.
   *
   * @param name is shown above it
   * @param content of the timeline; may be empty
   * @throws UncheckedIOException if it cannot be written
   */
  public void section(String name, Content content) {
    Objects.requireNonNull(name, "name");
    List<Span> spans = Objects.requireNonNull(content, "content").spans();
    Map<Integer, String> streams = new TreeMap<>();
    for (Span span : spans) {
      if (!span.isOfHost()) {
        streams.putIfAbsent(span.stream(), span.streamName());
      }
    }
    PageRows rows = new PageRows(spans);
    PageColumns columns = new PageColumns(spans, json);
    json.line().beginObject().name("name").value(name).name("count").value(spans.size());
    json.name("kinds").beginArray();
    for (Kind kind : Kind.values()) {
      json.value(word(kind));
    }
    json.endArray().name("devices").beginArray();
    rows.devices().forEach(json::value);
    json.endArray().name("streams").beginArray();
    streams.forEach((number, title) -> json.beginArray().value(number).value(title).endArray());
    json.endArray().line().name("columns").beginObject();
    columns
        .numbers("kind", span -> span.kind().ordinal())
        .numbers("stream", Span::stream)
        .steps("start", Span::startNanos)
        .numbers("length", Span::nanos)
        .numbers("bytes", Span::bytes)
        .steps("correlation", Span::correlation)
        .steps("enqueued", Span::enqueuedNanos)
        .numbers("device", rows::device)
        .numbers("other", rows::other)
        .numbers("branch", rows::branch);
    json.endObject().line().name("texts").beginObject();
    IdentityHashMap<Detail, String> launches =
        new IdentityHashMap<>(); // words take a while, and few differ
    columns
        .texts("name", Span::name)
        .texts("place", span -> span.detail().place())
        .texts("route", span -> span.detail().route())
        .texts("launch", span -> launches.computeIfAbsent(span.detail(), Detail::launch))
        .texts("traffic", span -> span.traffic().views() > 0 ? span.traffic().toString() : "");
    json.endObject();
    new PageHost(rows, json).write(content);
    json.endObject();
  }

  /**
   * Shows the findings of a diagnosis below the timelines, in place of those that were given
   * before. A finding whose line of the program is known for operations leads to these.
   *
   * @param shown such as {@code diagnosis.findings()}; if there are none, the page says so
   */
  public void findings(List<Finding> shown) {
    Objects.requireNonNull(shown, "shown");
    shown.forEach(finding -> Objects.requireNonNull(finding, "an element of shown"));
    findings(shown, _ -> List.of());
  }

  /**
   * Shows findings, and marks when they happened.
   *
   * @param moments tells when, in nanoseconds of the first timeline
   */
  void findings(List<Finding> shown, Function<Finding, List<Long>> moments) {
    findings = new PageFindings(shown, moments);
  }

  /** The page's word for a kind, which determines the colour and the row. */
  private static String word(Kind kind) {
    return switch (kind) {
      case HOST_TO_DEVICE -> "in";
      case DEVICE_TO_HOST -> "out";
      case DEVICE_TO_DEVICE -> "local";
      case FILL -> "fill";
      case KERNEL -> "kernel";
      case GRAPH -> "graph";
      case PEER -> "peer";
      case WRITE_VALUE -> "value";
      case WAIT_VALUE, WAIT_EVENT -> "wait";
      case READ -> "read";
      case WRITE -> "write";
    };
  }

  private void append(String text) {
    try {
      out.append(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Ends the page.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  @Override
  public void close() {
    if (ended) {
      return;
    }
    ended = true;
    json.endArray();
    if (findings != null) {
      findings.write(json);
    }
    json.endObject();
    append(end);
    if (out instanceof Closeable closeable) {
      try {
        closeable.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
