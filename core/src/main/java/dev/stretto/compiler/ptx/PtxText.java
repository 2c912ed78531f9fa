package dev.stretto.compiler.ptx;

import java.util.List;

/**
 * A kernel as text.
 *
 * @param text what a driver assembles
 * @param entry the kernel's name there
 * @param faults what the numbers mean that a check reports; empty where nothing is checked
 * @param movedBytes static shared memory that a launch has to add to its dynamic one, since there
 *     is more of it than a file may ask for
 * @param staticBytes static shared memory that the file asks for
 */
public record PtxText(
    String text, String entry, List<FaultSite> faults, long movedBytes, long staticBytes) {}
