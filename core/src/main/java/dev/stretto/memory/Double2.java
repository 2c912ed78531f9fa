// Generated from tools/families/Vector.template by tools/Families.java. Do not edit.
package dev.stretto.memory;

/**
 * Two doubles that lie next to each other and are moved in one access of 16 bytes. What CUDA C++
 * calls {@code double2}.
 *
 * @param x the first, at the lowest index
 * @param y the second
 */
public record Double2(double x, double y) {}
