package dev.stretto.compiler.ir;

import dev.stretto.fault.KernelRefusedException;
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

  /** {@return whether it stands in the methods that kernels have for those of Math} */
  public boolean isLibraryMath() {
    return method.startsWith("Device") && file.startsWith("Device");
  }

  /**
   * {@return the refusal of what stands here} In an inlined method it says from where the kernel
   * calls it.
   *
   * @param reason what stands there
   * @param advice what to write instead
   */
  public KernelRefusedException refuse(String reason, String advice) {
    String way = caller == null ? "" : " (called from " + outermost() + ")";
    return new KernelRefusedException(file, number, reason + way, advice);
  }

  @Override
  public String toString() {
    return file + ":" + number;
  }
}
