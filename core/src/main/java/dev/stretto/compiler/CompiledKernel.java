package dev.stretto.compiler;

import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ir.LoweredCopy;
import dev.stretto.compiler.ptx.PtxText;
import dev.stretto.compiler.reach.Reach;
import java.util.List;
import java.util.Map;

/**
 * A compiled kernel.
 *
 * @param ptx its text, and what a launch needs to know
 * @param reach what it does with the arrays that it is given
 * @param copies the instructions that its asynchronous copies became
 * @param constants the arrays whose content was compiled in
 * @param classes the bytes of every class file that was read, by internal name
 */
public record CompiledKernel(
    PtxText ptx,
    Reach reach,
    List<LoweredCopy> copies,
    List<ConstantArray> constants,
    Map<String, byte[]> classes) {
  /** {@return what a launch needs of it} */
  public LaunchText text() {
    return new LaunchText(ptx, reach, constants);
  }
}
