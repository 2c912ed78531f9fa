package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.EntryParameter;
import java.util.List;

/**
 * How a kernel is written.
 *
 * @param entry its name
 * @param target for example sm_90a
 * @param sm the compute capability of that target, times ten
 * @param version of PTX, for example 8.0
 * @param parameters its parameters in memory
 * @param maxThreads the most threads that a block has; 0 if not given
 * @param minBlocks how many blocks a multiprocessor should hold; 0 if not given
 * @param contract whether a product and a sum may be rounded once
 */
public record PtxOptions(
    String entry,
    String target,
    int sm,
    String version,
    List<EntryParameter> parameters,
    int maxThreads,
    int minBlocks,
    boolean contract) {}
