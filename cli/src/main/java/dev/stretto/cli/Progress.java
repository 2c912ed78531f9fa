package dev.stretto.cli;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A progress bar, or nothing. */
final class Progress implements AutoCloseable {
  private static final int UPDATE_MILLIS = 100;

  private final @Nullable ProgressBar bar;

  private Progress(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  /** Shows nothing. */
  static Progress none() {
    return new Progress(null);
  }

  /**
   * A bar that disappears when it is closed.
   *
   * @param width of the terminal
   */
  static Progress bar(PrintStream out, int width, String task, long bytes) {
    return new Progress(
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(bytes)
            .setUnit(" MiB", 1 << 20)
            .setStyle(ProgressBarStyle.COLORFUL_UNICODE_BLOCK)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setConsumer(new ConsoleProgressBarConsumer(out, width))
            .clearDisplayOnFinish()
            .build());
  }

  void to(long bytes) {
    if (bar != null) {
      bar.stepTo(bytes);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
