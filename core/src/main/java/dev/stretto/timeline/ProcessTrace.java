package dev.stretto.timeline;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.HostClock;
import dev.stretto.observe.Detection;
import dev.stretto.observe.DeviceWatch;
import dev.stretto.observe.Observers;
import dev.stretto.route.DeviceRuntime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The trace of all devices of the process, which {@code -Ddev.stretto.trace} asks for: it is
 * written when the process ends.
 */
final class ProcessTrace extends DeviceWatch {
  private final Path file;

  /** The devices of each driver, which have a clock in common. Guarded by itself. */
  private final Map<HostClock, Recordings> drivers = new LinkedHashMap<>();

  private final List<ChromeTrace.Described> devices = new ArrayList<>();

  /** A page has the findings of a diagnosis; a trace for Perfetto has no place for them. */
  private final Detection detection = new Detection();

  private final boolean isPage;

  /**
   * A trace without devices.
   *
   * @param file where it is written to; {@code %p} becomes the number of the process
   */
  ProcessTrace(String file) {
    this.file = ofProcess(file);
    this.isPage = !file.endsWith(".json") && !file.endsWith(".jfr");
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "stretto-trace-end"));
  }

  @Override
  protected void watch(DeviceRuntime engine, Observers observers) {
    HostClock clock = engine.driver().clock();
    DeviceProperties properties = engine.driver().properties();
    synchronized (drivers) {
      devices.add(new ChromeTrace.Described(properties, engine.name()));
      drivers
          .computeIfAbsent(clock, ProcessTrace::recordings)
          .add(
              recording -> {
                observers.trace(recording.listener(engine));
                return () -> {};
              },
              true);
    }
    if (isPage) {
      detection.watch(observers);
    }
  }

  private static Recordings recordings(HostClock clock) {
    Recordings made = new Recordings(clock, Timeline.MOST_SPANS);
    made.noteLines();
    return made;
  }

  private void end() {
    List<Recordings> all;
    synchronized (drivers) {
      all = List.copyOf(drivers.values());
    }
    if (all.isEmpty()) {
      return;
    }
    try {
      Path early = file.resolveSibling("." + file.getFileName() + ".new");
      try (Writer out = Files.newBufferedWriter(early)) {
        if (isPage) {
          writePage(out, all);
        } else {
          writeJson(out, all);
        }
      }
      Path _ = Files.move(early, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | UncheckedIOException e) {
      System.err.println("stretto: the trace cannot be written to " + file + ": " + e);
    }
  }

  private void writeJson(Writer out, List<Recordings> all) {
    List<ChromeTrace.Described> described;
    synchronized (drivers) {
      described = List.copyOf(devices);
    }
    try (ChromeTrace trace = ChromeTrace.of(described, out)) {
      for (Recordings of : all) {
        trace.section("", of.content());
      }
    }
  }

  private void writePage(Writer out, List<Recordings> all) {
    String names;
    synchronized (drivers) {
      names =
          devices.stream()
              .map(device -> device.name() + " (" + device.properties().name() + ")")
              .distinct()
              .collect(Collectors.joining(", "));
    }
    String program = System.getProperty("sun.java.command", "a Java program");
    try (HtmlTimeline page = new HtmlTimeline(out, program, names)) {
      for (Recordings of : all) {
        page.section("", of.content());
      }
      // Of one driver all times are by one clock; with several, the page has no clock for all.
      Recordings only = all.size() == 1 ? all.getFirst() : null;
      page.findings(
          detection.findings(),
          finding ->
              only == null
                  ? List.of()
                  : detection.moments(finding).stream().map(only::ofHost).toList());
    }
  }
}
