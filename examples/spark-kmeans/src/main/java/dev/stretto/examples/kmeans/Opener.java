package dev.stretto.examples.kmeans;

import dev.stretto.flow.Source;
import java.nio.file.Path;

/** Opens the points of a file. */
@FunctionalInterface
public interface Opener {
  /** Opens files of this machine, which the device reads past the heap. */
  Opener LOCAL = part -> Source.file(Path.of(part.name()), part.position(), part.bytes());

  /**
   * {@return the bytes of a part}
   *
   * @param part of a file
   */
  Source open(PointPart part);
}
