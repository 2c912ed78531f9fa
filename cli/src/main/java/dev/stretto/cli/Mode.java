package dev.stretto.cli;

import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.TypeConversionException;

/** The ways to process a file on a device, in the order in which people learn them. */
enum Mode {
  /** Copy, wait, kernel, wait, copy, wait. */
  SYNC("copy, wait, kernel, wait, copy, wait"),
  /** Asynchronous calls on ordinary memory, through the driver's own path. */
  PAGEABLE("asynchronous calls on ordinary memory"),
  /** One stream and pinned memory. */
  PINNED("one stream, pinned memory"),
  /** The flow: several chunks in flight at a time. */
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
        "'" + word + "' is not a mode: use sync, pageable, pinned or overlap");
  }

  /** The word that users type. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String description() {
    return description;
  }

  /** The words of all modes, for shells that complete them. */
  static final class Words implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(values()).map(Mode::word).iterator();
    }
  }
}
