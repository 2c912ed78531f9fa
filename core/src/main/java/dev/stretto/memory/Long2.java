// Generated from tools/families/Vector.template by tools/Families.java. Do not edit.
package dev.stretto.memory;

/**
 * Two longs that lie next to each other and are moved in one access of 16 bytes. What CUDA C++
 * calls {@code long2}.
 *
 * @param x the first, at the lowest index
 * @param y the second
 */
public record Long2(long x, long y) {}
