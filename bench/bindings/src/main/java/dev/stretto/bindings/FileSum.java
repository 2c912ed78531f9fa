package dev.stretto.bindings;

import java.io.IOException;
import java.nio.file.Path;

/** A file whose 64-bit words are added on the device. */
@FunctionalInterface
interface FileSum {
  /** {@return the sum, with wrap-around} */
  long of(Path file) throws IOException;
}
