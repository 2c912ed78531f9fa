package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.timeline.ChromeTrace;
import dev.stretto.timeline.HtmlTimeline;
import dev.stretto.timeline.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The files for timelines, with a section for each mode. */
final class Traces implements AutoCloseable {
  private final @Nullable NewFile traceFile;
  private final @Nullable NewFile htmlFile;
  private @Nullable ChromeTrace trace;
  private @Nullable HtmlTimeline html;

  /** Opens the files, so that a failure to write them shows immediately. */
  Traces(TemporaryFiles files, Request request) {
    this.traceFile = request.trace() == null ? null : NewFile.at(files, "--trace", request.trace());
    this.htmlFile = request.html() == null ? null : NewFile.at(files, "--html", request.html());
  }

  void begin(Device device, String reason, Work work) {
    trace = open(traceFile, out -> new ChromeTrace(out, device));
    String title = "ChaCha20 over " + ByteSize.show(work.size());
    html = open(htmlFile, out -> new HtmlTimeline(out, title, device + ": " + reason));
  }

  private static <T> @Nullable T open(@Nullable NewFile file, Function<Writer, T> page) {
    if (file == null) {
      return null;
    }
    try {
      Writer out = file.writer();
      return written(file, () -> page.apply(out));
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  void add(Mode mode, List<Span> spans) {
    ChromeTrace openTrace = trace;
    HtmlTimeline openHtml = html;
    if (openTrace != null) {
      write(traceFile, () -> openTrace.section(mode.word(), spans));
    }
    if (openHtml != null) {
      write(htmlFile, () -> openHtml.section(mode.word(), spans));
    }
  }

  /** Completes the files and gives them their names. */
  void complete() {
    close();
    if (traceFile != null) {
      traceFile.complete();
    }
    if (htmlFile != null) {
      htmlFile.complete();
    }
  }

  @Override
  public void close() {
    ChromeTrace openTrace = trace;
    HtmlTimeline openHtml = html;
    trace = null;
    html = null;
    try {
      if (openTrace != null) {
        write(traceFile, openTrace::close);
      }
    } finally {
      if (openHtml != null) {
        write(htmlFile, openHtml::close);
      }
    }
  }

  private static void write(@Nullable NewFile file, Runnable writing) {
    boolean _ =
        written(
            file,
            () -> {
              writing.run();
              return true;
            });
  }

  private static <T> T written(@Nullable NewFile file, Supplier<T> writing) {
    try {
      return writing.get();
    } catch (UncheckedIOException e) {
      IOException cause = e.getCause();
      throw file == null || cause == null ? e : unwritable(file, cause);
    }
  }

  private static CommandFailure unwritable(NewFile file, IOException cause) {
    return new CommandFailure(file.path() + " cannot be written: " + Faults.reason(cause), cause);
  }
}
