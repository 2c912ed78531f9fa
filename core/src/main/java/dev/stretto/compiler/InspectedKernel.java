package dev.stretto.compiler;

import dev.stretto.compiler.bank.SharedAccess;
import dev.stretto.compiler.lint.Lint;
import java.util.List;

/**
 * A compiled kernel with what else can be found in it.
 *
 * @param kernel the compiled kernel
 * @param lints its mistakes about asynchronous copies, in the order of the lines
 * @param accesses the places that access shared memory, in the order of the lines
 * @param maxThreads the most threads of a block, according to its annotation; 0 if it does not say
 */
public record InspectedKernel(
    CompiledKernel kernel, List<Lint> lints, List<SharedAccess> accesses, int maxThreads) {}
