package dev.stretto.compiler;

import dev.stretto.compiler.ir.LoweredCopy;
import dev.stretto.compiler.ptx.PtxText;
import java.util.List;
import java.util.Map;

/**
 * A compiled kernel.
 *
 * @param ptx its text, and what a launch needs to know
 * @param copies the instructions that its asynchronous copies became
 * @param classes the bytes of every class file that was read, by internal name
 */
public record CompiledKernel(PtxText ptx, List<LoweredCopy> copies, Map<String, byte[]> classes) {}
