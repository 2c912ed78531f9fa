package dev.stretto.cli;

import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/** The ways to bring a file through a device, in the order in which people learn them. */
enum Mode {
  /** Copy, wait, kernel, wait, copy, wait. */
  SYNC("copy, wait, kernel, wait, copy, wait"),
  /** Asynchronous calls on ordinary memory, through the driver's own path. */
  PAGEABLE("asynchronous calls on ordinary memory"),
  /** One stream and pinned memory. */
  PINNED("one stream, pinned memory"),
  /** The flow: several chunks under way at a time. */
  OVERLAP("all at once");

  private final String description;

  Mode(String description) {
    this.description = description;
  }

  /** The mode that a word stands for. */
  static Mode of(String word) {
    for (Mode mode : values()) {
      if (mode.word().equalsIgnoreCase(word.strip())) {
        return mode;
      }
    }
    throw new TypeConversionException(
        "'" + word + "' is no mode: say sync, pageable, pinned or overlap");
  }

  /** The name that users know it by. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String description() {
    return description;
  }
}
