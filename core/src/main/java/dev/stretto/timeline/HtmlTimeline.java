package dev.stretto.timeline;

import dev.stretto.Observer.Kind;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes timelines as one page that any browser opens, without loading anything from elsewhere: a
 * row for each stream and each engine of each device, and for each branch of a graph whose nodes
 * are known, in colours that people with any kind of colour vision can distinguish. Readers can
 * zoom in, and point at an operation for its details. Several sections, each a timeline of its own,
 * follow one below the other.
 */
public final class HtmlTimeline implements Closeable {
  private static final String PAGE = "timeline.html";
  private static final String DATA = "/*DATA*/";

  private final Appendable out;
  private final String end;
  private final JsonText json;
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

  private static String page() {
    try (InputStream in = HtmlTimeline.class.getResourceAsStream(PAGE)) {
      if (in == null) {
        throw new IllegalStateException(PAGE + " is missing beside " + HtmlTimeline.class);
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
    Objects.requireNonNull(name, "name");
    Span.requireEach(spans);
    Overlap overlap = Overlap.of(spans);
    Map<String, Integer> names = new LinkedHashMap<>();
    Map<Integer, String> streams = new TreeMap<>();
    json.line().beginObject().name("name").value(name);
    long end = spans.stream().mapToLong(Span::endNanos).max().orElse(0);
    json.name("nanos").value(Math.max(end, Math.round(overlap.seconds() * 1e9)));
    json.name("overlapPercent").value(Math.round(overlap.ratio() * 100));
    json.name("operations").beginArray();
    List<DeviceGroup> devices = DeviceGroup.of(spans);
    Marks marks = new Marks(spans, devices);
    for (Span span : spans) {
      if (!span.isOfHost()) {
        streams.putIfAbsent(span.stream(), span.streamName());
      }
      Integer known = names.putIfAbsent(span.name(), names.size());
      json.beginArray().value(word(span.kind())).value(span.stream());
      json.value(span.startNanos()).value(span.endNanos()).value(span.bytes());
      json.value(span.correlation()).value(known == null ? names.size() - 1 : known);
      marks.write(span, json);
      json.endArray();
    }
    json.endArray().name("names").beginArray();
    names.keySet().forEach(json::value);
    json.endArray().name("streams").beginArray();
    streams.forEach((number, title) -> json.beginArray().value(number).value(title).endArray());
    json.endArray().name("devices").beginArray();
    devices.forEach(device -> json.value(device.name()));
    json.endArray().endObject();
  }

  /**
   * What is written of spans that have more to tell than most: the index of the device, that of the
   * other device of a copy between two, or -1, and the branch of a node, counted from 1; 0 for what
   * is no node, and -1 for a launch whose nodes are known. A launch with views of host memory has
   * behind them what it moves over the link, in words.
   */
  private static final class Marks {
    private final List<DeviceGroup> devices;
    private final Set<Span> onEngines = Collections.newSetFromMap(new IdentityHashMap<>());
    private final IdentityHashMap<Span, Integer> branches = new IdentityHashMap<>();

    Marks(List<Span> spans, List<DeviceGroup> devices) {
      this.devices = devices;
      onEngines.addAll(Span.onEngines(spans));
      Map<Integer, List<Span>> streams = new HashMap<>();
      spans.stream()
          .filter(Span::isNode)
          .forEach(
              span -> streams.computeIfAbsent(span.stream(), s -> new ArrayList<>()).add(span));
      for (List<Span> nodes : streams.values()) {
        List<List<Span>> rows = Branches.of(nodes);
        for (int i = 0; i < rows.size(); i++) {
          for (Span node : rows.get(i)) {
            branches.put(node, i + 1);
          }
        }
      }
    }

    void write(Span span, JsonText json) {
      int device = 0;
      int other = -1;
      for (int i = 0; i < devices.size(); i++) {
        if (devices.get(i).number() == span.device()) {
          device = i;
        } else if (span.reaches(devices.get(i).name())) {
          other = i;
        }
      }
      int branch = branches.getOrDefault(span, onEngines.contains(span) ? 0 : -1);
      boolean overLink = span.traffic().views() > 0;
      if (device != 0 || other >= 0 || branch != 0 || overLink) {
        json.value(device).value(other).value(branch);
      }
      if (overLink) {
        json.value(span.traffic().toString());
      }
    }
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
    json.endArray().endObject();
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
