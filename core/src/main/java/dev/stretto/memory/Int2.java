// Generated from tools/families/Vector.template by tools/Families.java. Do not edit.
package dev.stretto.memory;

/**
 * Two ints that lie next to each other and are moved in one access of 8 bytes. What CUDA C++ calls
 * {@code int2}.
 *
 * @param x the first, at the lowest index
 * @param y the second
 */
public record Int2(int x, int y) {}
