package dev.stretto.compiler.pass;

import dev.stretto.compiler.ir.Function;

/** One step. Passes keep no state between runs. */
public interface Pass {
  /** {@return its name, for dumps} */
  String name();

  /**
   * Changes a kernel.
   *
   * @return whether anything changed
   */
  boolean run(Function function);
}
