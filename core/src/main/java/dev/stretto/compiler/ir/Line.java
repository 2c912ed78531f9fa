package dev.stretto.compiler.ir;

import dev.stretto.fault.KernelRefusedException;
import org.jspecify.annotations.Nullable;

/**
 * A place in the Java source.
 *
 * @param file the source file's name
 * @param type the binary name of the method's class
 * @param method the method, with its class
 * @param number the line's number, 1 for the first; 0 if the class file does not say
 * @param caller the place that called the method, if it was inlined
 */
public record Line(String file, String type, String method, int number, @Nullable Line caller) {
  /** {@return the place in the kernel itself: the call, for an inlined method} */
  public Line outermost() {
    Line line = this;
    while (line.caller != null) {
      line = line.caller;
    }
    return line;
  }

  /** {@return whether it is in the library's methods that kernels use in place of those of Math} */
  public boolean isLibraryMath() {
    return method.startsWith("Device") && file.startsWith("Device");
  }

  /**
   * {@return a refusal of the code at this line} For an inlined method it says where the kernel
   * calls it.
   *
   * @param reason what is wrong with the code
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
