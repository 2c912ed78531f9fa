package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Trap;

/**
 * A place where a check may end a kernel.
 *
 * @param trap the mistake that the check finds
 * @param file the source file's name
 * @param line the line
 * @param method the method, with its class
 */
public record FaultSite(Trap trap, String file, int line, String method) {}
