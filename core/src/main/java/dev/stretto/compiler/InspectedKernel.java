package dev.stretto.compiler;

import dev.stretto.compiler.lint.Lint;
import java.util.List;

/**
 * A compiled kernel with its lints.
 *
 * @param kernel the compiled kernel
 * @param lints its mistakes about asynchronous copies, in the order of the lines
 */
public record InspectedKernel(CompiledKernel kernel, List<Lint> lints) {}
