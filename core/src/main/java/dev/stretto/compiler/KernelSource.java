package dev.stretto.compiler;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The compiler's input.
 *
 * @param loader finds the class files; null for the system's
 * @param owner the internal name of the class with the method
 * @param method its name
 * @param descriptor its descriptor
 * @param constants the values of the parameters that are compiled in, by their number in the method
 * @param checked whether indices, divisors and assertions are checked on the device
 */
public record KernelSource(
    @Nullable ClassLoader loader,
    String owner,
    String method,
    String descriptor,
    Map<Integer, Object> constants,
    boolean checked) {
  /** Copies the constants. */
  public KernelSource {
    constants = Map.copyOf(constants);
  }
}
