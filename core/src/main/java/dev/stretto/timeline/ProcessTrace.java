package dev.stretto.timeline;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.HostClock;
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

  /**
   * A trace without devices.
   *
   * @param file where it is written to; {@code %p} becomes the number of the process
   */
  ProcessTrace(String file) {
    this.file = ofProcess(file);
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
        if (file.toString().endsWith(".json")) {
          writeJson(out, all);
        } else {
          writePage(out, all);
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
    long missing = all.stream().mapToLong(of -> of.records().leftOut()).sum();
    String left = missing == 0 ? "" : "; %,d operations are missing".formatted(missing);
    String program = System.getProperty("sun.java.command", "a Java program");
    try (HtmlTimeline page = new HtmlTimeline(out, program, names + left)) {
      for (Recordings of : all) {
        page.section("", of.spans());
      }
    }
  }
}
