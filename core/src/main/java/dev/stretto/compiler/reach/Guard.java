package dev.stretto.compiler.reach;

import dev.stretto.compiler.ir.Cond;

/**
 * What holds wherever a kernel accesses memory.
 *
 * @param cond how two numbers compare
 * @param left the number of the first one's node
 * @param right the number of the second one's node
 */
record Guard(Cond cond, int left, int right) {}
