package dev.stretto.compiler;

import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ptx.PtxText;
import dev.stretto.compiler.reach.Reach;
import java.util.List;

/**
 * What a launch needs of a compiled kernel, and all that is kept of one.
 *
 * @param ptx its text
 * @param reach what it does with the arrays that it is given
 * @param constants the arrays whose content was compiled in
 */
public record LaunchText(PtxText ptx, Reach reach, List<ConstantArray> constants) {}
