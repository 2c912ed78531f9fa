package dev.stretto.compiler.ir;

import org.jspecify.annotations.Nullable;

/**
 * Where in the Java source something stands.
 *
 * @param file the source file's name
 * @param method the method, with its class
 * @param number of the line, 1 for the first; 0 where the class file does not tell
 * @param caller what called that method, if it was inlined
 */
public record Line(String file, String method, int number, @Nullable Line caller) {
  /** {@return the place in the kernel itself: the call, for an inlined method} */
  public Line outermost() {
    Line line = this;
    while (line.caller != null) {
      line = line.caller;
    }
    return line;
  }

  @Override
  public String toString() {
    return file + ":" + number;
  }
}
