package dev.stretto.flow;

import java.io.IOException;
import java.io.InputStream;

/** Decodes what a source has, such as a compressed file. */
@FunctionalInterface
public interface Decoder {
  /**
   * {@return a stream of decoded bytes} The flow reads it to its end, on one thread, and closes it.
   *
   * @param encoded the bytes of the source
   * @throws IOException if they are no such code
   */
  InputStream decode(InputStream encoded) throws IOException;
}
