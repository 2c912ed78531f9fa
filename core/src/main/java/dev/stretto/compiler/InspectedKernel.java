package dev.stretto.compiler;

import dev.stretto.compiler.lint.Lint;
import java.util.List;

/**
 * A compiled kernel that somebody wants to know more of.
 *
 * @param kernel what it became
 * @param lints what it gets wrong about asynchronous copies, in the order of the lines
 */
public record InspectedKernel(CompiledKernel kernel, List<Lint> lints) {}
